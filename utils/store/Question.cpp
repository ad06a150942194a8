#include "utils/store/Question.h"

#include "runtime/base/NearestWord.h"
#include "utils/store/StoreFiles.h"

#include <algorithm>
#include <sstream>

using namespace instantrace;

namespace {

/// The builds that an answer is about.
constexpr std::string_view Chosen = R"(chosen AS (
  SELECT id, begun_ns, commit_id, branch, author, machine, units
  FROM builds
  WHERE (:since IS NULL OR begun_ns >= :since)
    AND (:until IS NULL OR begun_ns < :until)
    AND (:branch IS NULL OR branch = :branch)
    AND (:machine IS NULL OR machine = :machine OR host = :machine)
    AND (:clang IS NULL OR instr(clang, :clang) > 0)))";

std::vector<std::string> wordsOf(const std::string &Text) {
  std::istringstream In(Text);
  std::vector<std::string> Words;
  for (std::string Word; In >> Word;)
    Words.push_back(Word);
  return Words;
}

void expandChosen(std::string &Sql) {
  constexpr std::string_view Mark = "{{chosen}}";
  if (size_t At = Sql.find(Mark); At != Sql.npos)
    Sql.replace(At, Mark.size(), Chosen);
}

} // namespace

std::string_view instantrace::chosenBuilds() { return Chosen; }

bool Question::takes(const std::string &Option) const {
  return std::find(Takes.begin(), Takes.end(), Option) != Takes.end();
}

Result<Question> instantrace::parseQuestion(std::string_view Name,
                                            std::string_view Text) {
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
  expandChosen(Q.Sql);
  expandChosen(Q.DetailSql);
  return Q;
}

const std::vector<Question> &instantrace::storeQuestions() {
  static const std::vector<Question> All = [] {
    std::vector<Question> Parsed;
    for (const StoreFile &File : StoreQuestionFiles)
      // A unit test parses each.
      if (Result<Question> Q = parseQuestion(File.Name, File.Text))
        Parsed.push_back(std::move(*Q));
    return Parsed;
  }();
  return All;
}

Result<Question> instantrace::findQuestion(const std::string &Name) {
  std::vector<std::string> Names;
  std::string List;
  for (const Question &Q : storeQuestions()) {
    if (Q.Name == Name)
      return Q;
    Names.push_back(Q.Name);
    List += (List.empty() ? "" : ", ") + Q.Name;
  }
  std::string Meant = nearestWord(Name, Names);
  return usageError("unknown question '" + Name + "'; " +
                    (Meant.empty() ? "" : "did you mean " + Meant + "? ") +
                    "the questions are " + List);
}
