#include "utils/render/RecordText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/CsvText.h"
#include "utils/render/JsonText.h"

#include <fmt/format.h>

#include <utility>

using namespace instantrace;

void RecordText::wholeName(std::string_view Name) {
  std::string &Text = Out.buffer();
  if (!std::exchange(HasWhole, true))
    Text.append(fmt::format("{{\"schema_version\":{}", JsonSchemaVersion));
  Text.append(",\"").append(Name).append("\":");
}

void RecordText::wholeNumber(std::string_view Name, uint64_t Value) {
  if (Format == RecordFormat::Csv)
    return;
  wholeName(Name);
  Out.buffer().append(std::to_string(Value));
}

void RecordText::wholeText(std::string_view Name, std::string_view Value) {
  if (Format == RecordFormat::Csv)
    return;
  wholeName(Name);
  appendJsonString(Out.buffer(), Value);
}

void RecordText::wholeBoolean(std::string_view Name, bool Value) {
  if (Format == RecordFormat::Csv)
    return;
  wholeName(Name);
  Out.buffer().append(Value ? "true" : "false");
}

void RecordText::wholeJson(std::string_view Name, std::string_view Value) {
  if (Format == RecordFormat::Csv)
    return;
  wholeName(Name);
  Out.buffer().append(Value);
}

void RecordText::beginRows() {
  if (Format == RecordFormat::Csv)
    return;
  wholeName("rows");
  Out.buffer().push_back('[');
}

void RecordText::begin() {
  if (!HasRows)
    beginRows();
  HasFields = false;
  if (Format == RecordFormat::Json)
    Out.buffer().append(HasRows ? ",\n{" : "\n{");
}

void RecordText::fieldName(std::string_view Name) {
  if (Format == RecordFormat::Json) {
    Out.buffer().append(HasFields ? ",\"" : "\"").append(Name).append("\":");
  } else {
    if (!HasRows)
      Head.append(HasFields ? "," : "").append(Name);
    if (HasFields)
      Fields.push_back(',');
  }
  HasFields = true;
}

void RecordText::number(std::string_view Name, uint64_t Value) {
  fieldName(Name);
  (Format == RecordFormat::Json ? Out.buffer() : Fields)
      .append(std::to_string(Value));
}

void RecordText::text(std::string_view Name, std::string_view Value) {
  fieldName(Name);
  if (Format == RecordFormat::Json)
    appendJsonString(Out.buffer(), Value);
  else
    appendCsv(Fields, printableText(Value));
}

void RecordText::list(std::string_view Name,
                      const std::vector<std::string> &Values) {
  fieldName(Name);
  if (Format == RecordFormat::Csv) {
    std::string Joined;
    for (const std::string &Value : Values)
      Joined.append(Joined.empty() ? "" : " < ").append(Value);
    appendCsv(Fields, printableText(Joined));
    return;
  }
  std::string &Text = Out.buffer();
  Text.push_back('[');
  for (size_t I = 0; I != Values.size(); ++I) {
    if (I != 0)
      Text.push_back(',');
    appendJsonString(Text, Values[I]);
  }
  Text.push_back(']');
}

void RecordText::end() {
  if (Format == RecordFormat::Json) {
    Out.append("}");
  } else {
    if (!HasRows)
      Out.append(Head + "\n");
    Out.append(Fields + "\n");
    Fields.clear();
  }
  HasRows = true;
}

void RecordText::finish() {
  if (Format == RecordFormat::Csv)
    return;
  if (!HasRows)
    beginRows();
  Out.append("]}\n");
}
