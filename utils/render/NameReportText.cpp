#include "utils/render/NameReportText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/CostText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/RecordText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

using namespace instantrace;

namespace {

/// The longest name in a list and in JSON.
constexpr size_t NameBytes = 1 << 16;

std::string sequenceName(const Trace &T, const Sequence &S) {
  std::string Out = printableText(T.Files[S.FileIndex].Name);
  if (S.Session && !S.Session->Input.empty()) {
    Out.append(": ");
    appendPrintable(Out, S.Session->Input);
  }
  return Out;
}

std::string sharingText(const NameStatistics &S) {
  if (S.NameBytes == UINT64_MAX)
    return fmt::format("more than {:.0e}x", S.sharingFactor());
  return fmt::format("{:.1f}x", S.sharingFactor());
}

void writeTotal(Output &Out, const NameStatistics &S) {
  auto Line = [&Out](std::string_view What, const std::string &Value,
                     const std::string &More) {
    Out.append(fmt::format("{:<18}{:>10}  {}\n", What, Value, More));
  };
  Line("entries", groupedText(S.Entries),
       fmt::format(
           "{} without references; {}, up to {}", groupedText(S.TextEntries),
           counted(S.References, "reference"), counted(S.Levels, "level")));
  Line("in the file", sizeText(S.FileBytes), "");
  Line("in memory", sizeText(S.HeapBytes), "");
  Line("entities", groupedText(S.Entities),
       fmt::format("with {}, in {}; and {}", counted(S.Names, "name"),
                   counted(S.TemplateSets, "template set"),
                   counted(S.Files, "file")));
  Line("as text", sizeText(S.EntityBytes),
       fmt::format("a name for each entity; {} without repetition",
                   sizeText(S.NameBytes)));
  Line("sharing", sharingText(S),
       "text without repetition / bytes in the file");
}

void writeSequences(Output &Out, const Trace &T, const NameReport &Report,
                    const Terminal &Term) {
  Out.append("\n");
  TextTable Table(Out, Term,
                  {{"#", 5},
                   {"entries", 11},
                   {"file", 10},
                   {"entities", 11},
                   {"text", 10},
                   {"sharing", 10}});
  Table.head("compile");
  for (size_t I = 0; I != Report.Sequences.size(); ++I) {
    const NameStatistics &S = Report.Sequences[I];
    Table.row({std::to_string(I + 1), groupedText(S.Entries),
               sizeText(S.FileBytes), groupedText(S.Entities),
               sizeText(S.NameBytes), sharingText(S)},
              elideName(sequenceName(T, T.Sequences[I]), Table.nameColumns()));
  }
}

void writeStatisticsJson(JsonObject &Object, const NameStatistics &S) {
  Object.number("entries", S.Entries);
  Object.number("text_entries", S.TextEntries);
  Object.number("references", S.References);
  Object.number("levels", S.Levels);
  Object.number("file_bytes", S.FileBytes);
  Object.number("memory_bytes", S.HeapBytes);
  Object.number("files", S.Files);
  Object.number("entities", S.Entities);
  Object.number("names", S.Names);
  Object.number("template_sets", S.TemplateSets);
  Object.number("text_bytes", S.EntityBytes);
  Object.number("distinct_text_bytes", S.NameBytes);
  Object.number("longest_bytes", S.Longest.SizeBytes);
  Object.number("longest_id", S.Longest.Name.Value);
}

void addName(JsonObject &Into, const Trace &T, const EntityName &Name,
             const NameStyle &Style) {
  Into.number("sequence", Name.SequenceIndex + 1);
  Into.number("id", Name.Name.Value);
  Into.number("bytes", Name.SizeBytes);
  Into.text("name", nameText(T.Sequences[Name.SequenceIndex].Names, {Name.Name},
                             Style, NameBytes));
}

} // namespace

void instantrace::writeNameReport(Output &Out, const Trace &T,
                                  const NameReport &Report,
                                  const std::vector<EntityName> &Longest,
                                  const NameStyle &Style,
                                  const Terminal &Term) {
  bool IsOne = T.Sequences.size() == 1;
  Out.append(fmt::format("{}{}{}\n\n", TextStyles(Term).Bold,
                         IsOne ? sequenceName(T, T.Sequences.front())
                               : counted(T.Sequences.size(), "compile") +
                                     " in " + counted(T.Files.size(), "trace"),
                         TextStyles(Term).Plain));
  writeTotal(Out, Report.Total);
  if (!IsOne)
    writeSequences(Out, T, Report, Term);
  if (Longest.empty())
    return;
  Out.append("\n");
  std::vector<TextTable::Column> Columns = {{"size", 10}, {"id", 9}};
  if (!IsOne)
    Columns.insert(Columns.begin() + 1, {"#", 5});
  TextTable Table(Out, Term, std::move(Columns));
  Table.head("longest names");
  for (const EntityName &Name : Longest) {
    std::vector<std::string> Cells = {sizeText(Name.SizeBytes),
                                      std::to_string(Name.Name.Value)};
    if (!IsOne)
      Cells.insert(Cells.begin() + 1, std::to_string(Name.SequenceIndex + 1));
    Table.row(Cells, elidedName(T.Sequences[Name.SequenceIndex].Names,
                                {Name.Name}, Style, Table.nameColumns()));
  }
}

void instantrace::writeNameReportJson(Output &Out, const Trace &T,
                                      const NameReport &Report,
                                      const std::vector<EntityName> &Longest,
                                      const NameStyle &Style) {
  std::string &Text = Out.buffer();
  {
    JsonAnswer Whole(Text);
    Whole.boolean("incomplete", !T.losses().empty());
    Whole.name("total");
    {
      JsonObject Total(Text);
      writeStatisticsJson(Total, Report.Total);
    }
    Whole.name("sequences");
    Text.push_back('[');
    for (size_t I = 0; I != Report.Sequences.size(); ++I) {
      const Sequence &S = T.Sequences[I];
      Text.append(I ? ",\n" : "\n");
      JsonObject Object(Text);
      Object.number("sequence", I + 1);
      Object.text("trace", T.Files[S.FileIndex].Name);
      Object.text("input", S.Session ? S.Session->Input : std::string());
      writeStatisticsJson(Object, Report.Sequences[I]);
    }
    Text.push_back(']');
    Whole.name("longest");
    Text.push_back('[');
    for (size_t I = 0; I != Longest.size(); ++I) {
      Text.append(I ? ",\n" : "\n");
      JsonObject Object(Text);
      addName(Object, T, Longest[I], Style);
    }
    Text.push_back(']');
  }
  Out.append("\n");
}

void instantrace::writeNameGroups(Output &Out, const Trace &T,
                                  const std::vector<NameGroupRow> &Rows,
                                  size_t Wanted, std::string_view What,
                                  const NameStyle &Style,
                                  const Terminal &Term) {
  size_t Shown = shownRows(Rows.size(), Wanted);
  TextTable Table(Out, Term,
                  {{"entities", 10}, {"specializations", 17}, {"text", 10}});
  Table.head(What);
  for (size_t I = 0; I != Shown; ++I) {
    const NameGroupRow &Row = Rows[I];
    Table.row({groupedText(Row.Entities), groupedText(Row.Specializations),
               sizeText(Row.EntityBytes)},
              Row.Group.Fixed.empty()
                  ? elidedName(T.Sequences[Row.SequenceIndex].Names,
                               Row.Group.Name, Style, Table.nameColumns())
                  : std::string(Row.Group.Fixed));
  }
  appendRowCount(Out, Shown, Rows.size());
}

void instantrace::writeNameGroupsJson(Output &Out, const Trace &T,
                                      const std::vector<NameGroupRow> &Rows,
                                      size_t Wanted, std::string_view What,
                                      const NameStyle &Style) {
  RecordText Records(Out, RecordFormat::Json);
  Records.wholeText("by", What);
  Records.wholeBoolean("incomplete", !T.losses().empty());
  Records.wholeNumber("row_count", Rows.size());
  for (size_t I = 0; I != shownRows(Rows.size(), Wanted); ++I) {
    const NameGroupRow &Row = Rows[I];
    Records.begin();
    Records.text("name", Row.Group.Fixed.empty()
                             ? nameText(T.Sequences[Row.SequenceIndex].Names,
                                        Row.Group.Name, Style, NameBytes)
                             : std::string(Row.Group.Fixed));
    Records.number("entities", Row.Entities);
    Records.number("specializations", Row.Specializations);
    Records.number("text_bytes", Row.EntityBytes);
    Records.end();
  }
  Records.finish();
}

void instantrace::writeName(Output &Out, const Trace &T, const EntityName &Name,
                            const NameStyle &Style) {
  appendPrintable(Out.buffer(), nameText(T.Sequences[Name.SequenceIndex].Names,
                                         {Name.Name}, Style, NameBytes));
  Out.append("\n");
}

void instantrace::writeNameJson(Output &Out, const Trace &T,
                                const EntityName &Name,
                                const NameStyle &Style) {
  {
    JsonAnswer Object(Out.buffer());
    addName(Object, T, Name, Style);
  }
  Out.append("\n");
}
