#include "utils/store/Question.h"

#include "runtime/base/NearestWord.h"
#include "utils/clickhouse/SqlText.h"
#include "utils/store/StoreFiles.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

using namespace instantrace;

namespace {

std::vector<std::string> wordsOf(const std::string &Text) {
  std::istringstream In(Text);
  std::vector<std::string> Words;
  for (std::string Word; In >> Word;)
    Words.push_back(Word);
  return Words;
}

/// \p Text with what is between `-- with NAME` and `-- end` for each {{NAME}}
/// behind it.
std::string expandParts(std::string Text) {
  constexpr std::string_view Begin = "-- with ", End = "-- end\n";
  while (Text.starts_with(Begin)) {
    size_t Name = Text.find('\n'), Behind = Text.find(End);
    if (Behind == Text.npos)
      return Text;
    std::string Mark =
        "{{" + Text.substr(Begin.size(), Name - Begin.size()) + "}}";
    std::string Part = Text.substr(Name + 1, Behind - Name - 2);
    Text.erase(0, Behind + End.size());
    replaceAll(Text, Mark, Part);
  }
  return Text;
}

} // namespace

bool Question::takes(const std::string &Option) const {
  return std::find(Takes.begin(), Takes.end(), Option) != Takes.end();
}

Result<Question> instantrace::parseQuestion(std::string_view Name,
                                            std::string_view Text,
                                            std::string_view ClickHouse) {
  Question Q;
  Q.Name = Name;
  std::istringstream In{std::string(Text)};
  std::string *Into = &Q.Sql;
  bool IsHead = true;
  for (std::string Line; std::getline(In, Line);) {
    if (Line == "-- section: detail") {
      Into = &Q.DetailSql;
      continue;
    }
    size_t Colon = Line.find(": ");
    IsHead = IsHead && Line.starts_with("-- ") && Colon != Line.npos;
    if (!IsHead) {
      Into->append(Line).append("\n");
      continue;
    }
    std::string Key = Line.substr(3, Colon - 3), Value = Line.substr(Colon + 2);
    std::vector<std::string> Words = wordsOf(Value);
    if (Key == "text") {
      Q.Text = Value;
    } else if (Key == "takes") {
      Q.Takes = Words;
    } else if (Key == "needs") {
      Q.Needs = Words;
    } else if (Key == "draws" && Words.size() == 3 &&
               (Words[0] == "bars" || Words[0] == "line")) {
      Q.DrawsLine = Words[0] == "line";
      Q.DrawnColumn = Words[1];
      Q.LabelColumn = Words[2];
    } else if (Key == "analysis" && Value == "steps") {
      Q.HasSteps = true;
    } else {
      return makeError("question " + Q.Name, Line,
                       "text, takes, needs, draws or analysis");
    }
  }
  if (Q.Text.empty() || Q.Sql.empty())
    return makeError("question " + Q.Name, "no text or no SQL", "both");
  constexpr std::string_view Detail = "-- section: detail\n";
  std::string Whole = expandParts(std::string(ClickHouse));
  size_t Offset = Whole.find(Detail);
  Q.ClickHouseSql = Whole.substr(0, Offset);
  if (Offset != Whole.npos)
    Q.ClickHouseDetailSql = Whole.substr(Offset + Detail.size());
  return Q;
}

const std::vector<Question> &instantrace::storeQuestions() {
  static const std::vector<Question> All = [] {
    std::vector<Question> Parsed;
    for (const StoreFile &File : StoreQuestionFiles)
      // A unit test parses each.
      if (Result<Question> Q =
              parseQuestion(File.Name, File.Text,
                            fileText(ClickHouseQuestionFiles, File.Name)))
        Parsed.push_back(std::move(*Q));
    return Parsed;
  }();
  return All;
}

Result<Question> instantrace::findQuestion(const std::string &Name) {
  std::vector<std::string> Names;
  for (const Question &Q : storeQuestions()) {
    if (Q.Name == Name)
      return Q;
    Names.push_back(Q.Name);
  }
  std::string Meant = nearestWord(Name, Names);
  return usageError(
      fmt::format("unknown question '{}'; {}the questions are {}", Name,
                  Meant.empty() ? "" : "did you mean " + Meant + "? ",
                  fmt::join(Names, ", ")));
}
