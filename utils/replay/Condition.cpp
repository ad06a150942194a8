#include "utils/replay/Condition.h"

#include "runtime/base/NearestWord.h"
#include "runtime/format/EventKind.h"
#include "utils/cli/Amounts.h"
#include "utils/replay/SearchTables.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>

using namespace instantrace;

namespace {

struct FactName {
  std::string_view Name;
  RecordFact Fact;
};
constexpr FactName FactNames[] = {
    {"depth", RecordFact::Depth},
    {"duration", RecordFact::Duration},
    {"self", RecordFact::Self},
    {"memory", RecordFact::Memory},
    {"own", RecordFact::OwnMemory},
    {"time", RecordFact::Time},
    {"line", RecordFact::Line},
    {"inside", RecordFact::Inside},
    {"kind", RecordFact::Kind},
    {"open", RecordFact::Open},
    {"definition", RecordFact::Definition},
};

/// Nobody writes more, and the parser calls itself. Each level has two operands
/// that wait at most, one of || and one of &&: they fit into 64 bits.
constexpr size_t DeepestNesting = 30, MostSteps = 10000;

bool isWordCharacter(char C) {
  return (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') ||
         (C >= 'A' && C <= 'Z') || C == '_' || C == '.';
}

std::string factList() {
  std::string List;
  for (const FactName &F : FactNames)
    List += (List.empty() ? "" : ", ") + std::string(F.Name);
  return List;
}

bool isTime(RecordFact Fact) {
  return Fact == RecordFact::Duration || Fact == RecordFact::Self ||
         Fact == RecordFact::Time;
}

} // namespace

std::optional<RecordFact> instantrace::recordFact(std::string_view Name) {
  for (const FactName &F : FactNames)
    if (F.Name == Name)
      return F.Fact;
  return std::nullopt;
}

Result<uint64_t> instantrace::parseEventKind(const std::string &Word) {
  std::vector<std::string> Known;
  for (uint64_t Kind = 1; Kind != EventKindLimit; ++Kind)
    if (isEventKind(Kind)) {
      Known.emplace_back(eventKindName(static_cast<EventKind>(Kind)));
      if (Known.back() == Word)
        return Kind;
    }
  std::string Meant = nearestWord(Word, Known);
  return makeError({}, "'" + Word + "'",
                   "a kind such as TemplateInstantiation" +
                       (Meant.empty() ? "" : "; did you mean " + Meant + "?"));
}

bool RecordFacts::read(RecordFact Wanted, uint64_t &Into) {
  bool NeedsShape = Wanted == RecordFact::Kind || Wanted == RecordFact::Open ||
                    Wanted == RecordFact::Inside ||
                    Wanted == RecordFact::Definition ||
                    Wanted == RecordFact::Depth || Wanted == RecordFact::Line;
  if (!HasShape) {
    if (!X.shape(Id, Shape))
      return false;
    HasShape = true;
  }
  bool IsDeep = Wanted == RecordFact::Depth &&
                Shape.Depth == InstantiationIndex::DeepestShape;
  if ((!NeedsShape || IsDeep) && !HasRecord) {
    if (!X.record(Id, Record))
      return false;
    HasRecord = true;
  }
  InstantiationIndex::Location L = {};
  switch (Wanted) {
  case RecordFact::Depth:
    Into = IsDeep ? Record.Depth : Shape.Depth;
    return true;
  case RecordFact::Duration:
    Into = Record.EndNs - std::min(Record.BeginNs, Record.EndNs);
    return true;
  case RecordFact::Self:
    Into = Record.SelfNs;
    return true;
  case RecordFact::Memory:
    Into = Record.AllBytes;
    return true;
  case RecordFact::OwnMemory:
    Into = Record.OwnBytes;
    return true;
  case RecordFact::Time:
    Into = Record.BeginNs;
    return true;
  case RecordFact::Line:
    if (Shape.Location != InstantiationIndex::None &&
        !X.location(Shape.Location, L))
      return false;
    Into = L.LineNo;
    return true;
  case RecordFact::Inside:
    Into = Shape.SubtreeEnd - Id - 1;
    return true;
  case RecordFact::Kind:
    Into = Shape.Kind;
    return true;
  case RecordFact::Open:
    Into = Shape.IsOpen;
    return true;
  case RecordFact::Definition:
    Into = Shape.IsDefinition;
    return true;
  }
  return true;
}

/// or := and { "||" and }; and := not { "&&" not };
/// not := "!" not | "(" or ")" | FACT [ COMPARE VALUE ]
class Condition::Parser {
public:
  Parser(std::string_view Text, std::vector<Step> &Steps)
      : Rest(Text), Steps(Steps) {}

  Result<void> parse() {
    INSTANTRACE_TRY(either());
    skipSpace();
    if (!Rest.empty())
      return unexpected("&&, || or the end");
    return {};
  }

private:
  Result<void> either() {
    return sequence("||", Step::StepKind::Or, &Parser::both);
  }
  Result<void> both() {
    return sequence("&&", Step::StepKind::And, &Parser::single);
  }
  Result<void> sequence(std::string_view Between, Step::StepKind Kind,
                        Result<void> (Parser::*Operand)()) {
    INSTANTRACE_TRY((this->*Operand)());
    while (take(Between)) {
      INSTANTRACE_TRY((this->*Operand)());
      Steps.push_back({Kind});
    }
    return {};
  }

  Result<void> single() {
    if (++Depth > DeepestNesting || Steps.size() > MostSteps)
      return makeError("condition", "more than anybody reads", "a shorter one");
    Result<void> Read = {};
    if (take("!")) {
      Read = single();
      Steps.push_back({Step::StepKind::Not});
    } else if (take("(")) {
      Read = either();
      if (Read && !take(")"))
        Read = unexpected("a )");
    } else {
      Read = comparison();
    }
    --Depth;
    return Read;
  }

  Result<void> comparison() {
    std::string Name = word();
    std::optional<RecordFact> Fact = recordFact(Name);
    if (!Fact)
      return Name.empty() ? unexpected("one of " + factList())
                          : makeError("condition", "'" + Name + "'",
                                      "one of " + factList());
    Step S = {Step::StepKind::Compare, *Fact, Compare::Other, 0};
    // A fact alone: it is not 0.
    if (comparator(S.How)) {
      std::string Text = word();
      Result<uint64_t> Value = valueOf(S.Fact, Text);
      if (!Value)
        return Error{"condition: " + Value.error().Message};
      S.Value = *Value;
    }
    Steps.push_back(S);
    return {};
  }

  bool comparator(Compare &Into) {
    // The longer first.
    static constexpr std::pair<std::string_view, Compare> Known[] = {
        {"<=", Compare::AtMost}, {">=", Compare::AtLeast},
        {"==", Compare::Equal},  {"!=", Compare::Other},
        {"<", Compare::Less},    {">", Compare::More}};
    for (const auto &[Text, How] : Known)
      if (take(Text)) {
        Into = How;
        return true;
      }
    return false;
  }

  static Result<uint64_t> valueOf(RecordFact Fact, const std::string &Text) {
    if (Fact == RecordFact::Kind)
      return parseEventKind(Text);
    if (isTime(Fact))
      return parseDuration(Text);
    if (Fact == RecordFact::Memory || Fact == RecordFact::OwnMemory)
      return parseSize(Text);
    uint64_t Value = 0;
    const char *End = Text.data() + Text.size();
    auto [Behind, Failed] = std::from_chars(Text.data(), End, Value);
    if (Failed != std::errc() || Behind != End)
      return makeError({}, "'" + Text + "'", "a whole number");
    return Value;
  }

  void skipSpace() {
    while (!Rest.empty() && (Rest.front() == ' ' || Rest.front() == '\t'))
      Rest.remove_prefix(1);
  }
  bool take(std::string_view Text) {
    skipSpace();
    if (!Rest.starts_with(Text))
      return false;
    Rest.remove_prefix(Text.size());
    return true;
  }
  std::string word() {
    skipSpace();
    size_t Length = 0;
    while (Length != Rest.size() && isWordCharacter(Rest[Length]))
      ++Length;
    std::string Word(Rest.substr(0, Length));
    Rest.remove_prefix(Length);
    return Word;
  }
  Error unexpected(const std::string &Expected) const {
    return makeError("condition",
                     Rest.empty() ? "its end" : "'" + std::string(Rest) + "'",
                     Expected);
  }

  std::string_view Rest;
  std::vector<Step> &Steps;
  size_t Depth = 0;
};

Result<Condition> Condition::make(std::string_view Text) {
  Condition New;
  size_t Begin = Text.find_first_not_of(" \t");
  if (Begin == std::string_view::npos)
    return New;
  New.Text = Text.substr(Begin, Text.find_last_not_of(" \t") + 1 - Begin);
  INSTANTRACE_TRY(Parser(New.Text, New.Steps).parse());
  return New;
}

bool Condition::isTrue(const Step &S, uint64_t Is) {
  switch (S.How) {
  case Compare::Less:
    return Is < S.Value;
  case Compare::AtMost:
    return Is <= S.Value;
  case Compare::Equal:
    return Is == S.Value;
  case Compare::Other:
    return Is != S.Value;
  case Compare::AtLeast:
    return Is >= S.Value;
  case Compare::More:
    return Is > S.Value;
  }
  return false;
}

bool Condition::holds(RecordFacts &Facts, bool &Into) const {
  uint64_t Values = 1; // the last one in the lowest bit
  for (const Step &S : Steps) {
    bool Last = Values & 1;
    switch (S.Kind) {
    case Step::StepKind::Compare: {
      uint64_t Is = 0;
      if (!Facts.read(S.Fact, Is))
        return false;
      Values = Values << 1 | isTrue(S, Is);
      break;
    }
    case Step::StepKind::Not:
      Values ^= 1;
      break;
    case Step::StepKind::And:
      Values = Values >> 1 & (Last ? ~uint64_t(0) : ~uint64_t(1));
      break;
    case Step::StepKind::Or:
      Values = Values >> 1 | Last;
      break;
    }
  }
  Into = Values & 1;
  return true;
}

/// Of a comparison with any of the records.
Condition::Outcome Condition::outcome(const Step &S, const RecordBlock &Block) {
  auto OfFlag = [&S](bool HasSet, bool HasOther) {
    return Outcome{(HasSet && isTrue(S, 1)) || (HasOther && isTrue(S, 0)),
                   (HasSet && !isTrue(S, 1)) || (HasOther && !isTrue(S, 0))};
  };
  auto OfRange = [&S](uint64_t Least, uint64_t Most) -> Outcome {
    switch (S.How) {
    case Compare::Less:
      return {Least < S.Value, Most >= S.Value};
    case Compare::AtMost:
      return {Least <= S.Value, Most > S.Value};
    case Compare::More:
      return {Most > S.Value, Least <= S.Value};
    case Compare::AtLeast:
      return {Most >= S.Value, Least < S.Value};
    case Compare::Equal:
      return {Least <= S.Value && S.Value <= Most,
              Least != S.Value || Most != S.Value};
    case Compare::Other:
      return {Least != S.Value || Most != S.Value,
              Least <= S.Value && S.Value <= Most};
    }
    return {true, true};
  };
  switch (S.Fact) {
  case RecordFact::Kind: {
    Outcome Any = {false, false};
    for (uint64_t Kinds = Block.Kinds; Kinds != 0; Kinds &= Kinds - 1)
      (isTrue(S, static_cast<uint64_t>(std::countr_zero(Kinds))) ? Any.True
                                                                 : Any.False) =
          true;
    return Any;
  }
  case RecordFact::Depth:
    // The deepest that a shape says stands for all that are deeper.
    return OfRange(Block.LeastDepth,
                   Block.MostDepth == InstantiationIndex::DeepestShape
                       ? UINT64_MAX
                       : Block.MostDepth);
  case RecordFact::Inside:
    return OfRange(Block.LeastInside, Block.MostInside);
  case RecordFact::Open:
    return OfFlag(Block.HasOpen, Block.HasEnded);
  case RecordFact::Definition:
    return OfFlag(Block.HasDefinition, Block.HasOther);
  case RecordFact::Duration:
  case RecordFact::Self:
  case RecordFact::Memory:
  case RecordFact::OwnMemory:
  case RecordFact::Time:
  case RecordFact::Line:
    break;
  }
  return {true, true};
}

bool Condition::mayHold(const RecordBlock &Block) const {
  if (Steps.empty())
    return true;
  std::vector<Outcome> Known;
  for (const Step &S : Steps) {
    if (S.Kind == Step::StepKind::Compare) {
      Known.push_back(outcome(S, Block));
      continue;
    }
    const Outcome Last = Known.back();
    if (S.Kind == Step::StepKind::Not) {
      Known.back() = {Last.False, Last.True};
      continue;
    }
    Known.pop_back();
    Outcome &First = Known.back();
    First = S.Kind == Step::StepKind::And
                ? Outcome{First.True && Last.True, First.False || Last.False}
                : Outcome{First.True || Last.True, First.False && Last.False};
  }
  return Known.back().True;
}

uint64_t Condition::leastDurationNs() const {
  std::vector<uint64_t> Least;
  for (const Step &S : Steps) {
    if (S.Kind == Step::StepKind::Compare) {
      // What takes long itself takes as long with what is inside.
      bool Bounds =
          (S.Fact == RecordFact::Duration || S.Fact == RecordFact::Self) &&
          (S.How == Compare::AtLeast || S.How == Compare::More ||
           S.How == Compare::Equal);
      Least.push_back(Bounds ? S.Value : 0);
      continue;
    }
    uint64_t Last = Least.back();
    if (S.Kind == Step::StepKind::Not) {
      Least.back() = 0;
      continue;
    }
    Least.pop_back();
    Least.back() = S.Kind == Step::StepKind::And ? std::max(Least.back(), Last)
                                                 : std::min(Least.back(), Last);
  }
  return Least.empty() ? 0 : Least.back();
}
