#include "utils/clickhouse/SqlText.h"

#include <algorithm>
#include <charconv>
#include <iterator>

using namespace instantrace;

namespace {

bool isNamePart(char C) {
  return C == '_' || (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z');
}

/// Where what begins at \p Index ends, if it is a quoted text or a comment.
size_t endOfOpaque(std::string_view Sql, size_t Index) {
  if (Sql.substr(Index).starts_with("--"))
    return std::min(Sql.find('\n', Index), Sql.size());
  if (Sql[Index] != '\'')
    return Index;
  for (size_t I = Index + 1; I < Sql.size(); ++I)
    if (Sql[I] == '\\')
      ++I;
    else if (Sql[I] == '\'')
      return I + 1;
  return Sql.size();
}

} // namespace

void instantrace::replaceAll(std::string &Text, std::string_view What,
                             std::string_view With) {
  for (size_t Begin = 0; (Begin = Text.find(What, Begin)) != Text.npos;
       Begin += With.size())
    Text.replace(Begin, What.size(), With);
}

std::string instantrace::sqlText(std::string_view Text) {
  std::string Quoted = "'";
  for (char C : Text)
    if (C == '\0')
      Quoted += "\\0"; // it would end the statement
    else if (C == '\'' || C == '\\')
      Quoted.append(1, '\\').append(1, C);
    else
      Quoted += C;
  return Quoted + "'";
}

std::string instantrace::sqlLiteral(const SqlValue &Value) {
  if (const auto *Text = std::get_if<std::string>(&Value))
    return sqlText(*Text);
  if (const auto *Number = std::get_if<int64_t>(&Value))
    return std::to_string(*Number);
  if (const auto *Key = std::get_if<uint64_t>(&Value))
    return std::to_string(*Key);
  if (const auto *Real = std::get_if<double>(&Value)) {
    char Digits[32];
    auto [End, Failed] =
        std::to_chars(std::begin(Digits), std::end(Digits), *Real);
    return Failed == std::errc() ? std::string(std::begin(Digits), End) : "nan";
  }
  return "NULL";
}

Result<std::string> instantrace::bindValues(std::string_view Sql,
                                            const SqlValues &Values) {
  std::string Bound;
  for (size_t I = 0; I < Sql.size();) {
    if (size_t End = endOfOpaque(Sql, I); End != I) {
      Bound.append(Sql.substr(I, End - I));
      I = End;
      continue;
    }
    size_t End = I + 1;
    while (End < Sql.size() && isNamePart(Sql[End]))
      ++End;
    if (Sql[I] != ':' || End == I + 1) {
      Bound += Sql[I++];
      continue;
    }
    std::string Name(Sql.substr(I + 1, End - I - 1));
    auto Found = Values.find(Name);
    if (Found == Values.end())
      return makeError("statement", "no value of :" + Name, "one");
    Bound += sqlLiteral(Found->second);
    I = End;
  }
  return Bound;
}
