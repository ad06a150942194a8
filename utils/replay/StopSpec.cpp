#include "utils/replay/StopSpec.h"

#include "runtime/format/EventKind.h"
#include "utils/cli/Amounts.h"
#include "utils/render/NumberText.h"
#include "utils/replay/Words.h"

#include <set>

using namespace instantrace;

namespace {

/// At the last word `if`, which no name has.
struct Split {
  std::string_view Place, If;
  bool HasIf = false;
};

Split splitAtIf(std::string_view Text) {
  constexpr std::string_view Word = "if";
  for (size_t Offset = Text.size();
       (Offset = Text.rfind(Word, Offset)) != Text.npos;) {
    bool IsWord = (Offset == 0 || Text[Offset - 1] == ' ') &&
                  (Offset + Word.size() == Text.size() ||
                   Text[Offset + Word.size()] == ' ' ||
                   Text[Offset + Word.size()] == '(');
    if (IsWord)
      return {trimmed(Text.substr(0, Offset)),
              Text.substr(Offset + Word.size()), true};
    if (Offset-- == 0)
      break;
  }
  return {Text, {}, false};
}

class SpecParser {
public:
  SpecParser(StopSpec &Spec, std::string_view Rest) : Spec(Spec), Rest(Rest) {}

  Result<void> options() {
    while (Rest.starts_with('-')) {
      std::string Option(takeWord(Rest));
      if (!Given.insert(Option).second)
        return usageError(makeError({}, Option + " twice", "it once"));
      if (Result<void> Read = option(Option); !Read)
        return usageError(Error{Option + ": " + Read.error().Message});
    }
    return {};
  }
  std::string_view rest() const { return Rest; }

private:
  Result<void> option(const std::string &Option) {
    if (Option == "-end") {
      Spec.AtEnd = true;
      return {};
    }
    std::string Value(takeWord(Rest));
    if (Option == "-kind")
      return into(Spec.Kind, parseEventKind(Value));
    if (Option == "-duration")
      return into(Spec.LeastNs, parseDuration(Value));
    if (Option == "-time")
      return into(Spec.TimeNs, parseDuration(Value));
    if (Option == "-depth")
      return into(Spec.Depth, numberOf(Value, "a depth"));
    if (Option == "-count")
      return into(Spec.Nth, numberOf(Value, "a count from 1"));
    if (Option == "-event")
      return into(Spec.Event, numberOf(Value, "the number of an event"));
    if (Option == "-function")
      return text(Spec.Name, Value);
    if (Option == "-source")
      return text(Spec.File, Value);
    if (Option == "-line") {
      uint64_t Line = 0;
      Result<void> Read = into(Line, numberOf(Value, "a line"));
      Spec.LineNo = static_cast<uint32_t>(std::min<uint64_t>(Line, UINT32_MAX));
      return Read;
    }
    return makeError({}, "no such option",
                     "-function, -source, -line, -kind, -depth, -count, "
                     "-duration, -time, -event or -end");
  }

  template <class T>
  static Result<void> into(T &Into, const Result<uint64_t> &Value) {
    if (!Value)
      return Value.error();
    Into = *Value;
    return {};
  }
  static Result<void> text(std::string &Into, const std::string &Value) {
    if (Value.empty())
      return makeError({}, "nothing", "a text behind it");
    Into = Value;
    return {};
  }

  StopSpec &Spec;
  std::string_view Rest;
  std::set<std::string> Given;
};

/// "FILE:LINE", or a line alone.
struct Place {
  std::string_view File;
  uint32_t LineNo;
};

std::optional<Place> placeOf(std::string_view Text) {
  uint64_t Line = 0;
  size_t Colon = Text.rfind(':');
  std::string_view Number = Colon == Text.npos ? Text : Text.substr(Colon + 1);
  if (!parseNumber(Number, Line) || Line == 0 || Line > UINT32_MAX)
    return std::nullopt;
  // A::1 is a name, if a strange one.
  if (Colon != Text.npos && (Colon == 0 || Text[Colon - 1] == ':'))
    return std::nullopt;
  return Place{Text.substr(0, Colon == Text.npos ? 0 : Colon),
               static_cast<uint32_t>(Line)};
}

/// What comes behind the options says nothing that one of them has said.
Result<void> addNameOrPlace(std::string_view Text, StopSpec &Spec) {
  std::optional<Place> Wanted = placeOf(Text);
  const char *Said = nullptr;
  if (!Wanted && !Spec.Name.empty())
    Said = "-function";
  if (Wanted && !Wanted->File.empty() && !Spec.File.empty())
    Said = "-source";
  if (Wanted && Spec.LineNo != 0)
    Said = "-line";
  if (Said)
    return usageError(makeError(
        {}, "'" + std::string(Text) + "' behind " + Said, "one of the two"));
  if (!Wanted) {
    Spec.Name = Text;
    return {};
  }
  Spec.LineNo = Wanted->LineNo;
  if (!Wanted->File.empty())
    Spec.File = Wanted->File;
  return {};
}

} // namespace

std::string StopSpec::text() const {
  std::string Text;
  auto Add = [&Text](const std::string &Part) {
    Text += (Text.empty() ? "" : ", ") + Part;
  };
  if (!Name.empty())
    Add(Name);
  if (!Regex.empty())
    Add("/" + Regex + "/");
  if (!File.empty())
    Add(File + (LineNo == 0 ? "" : ":" + std::to_string(LineNo)));
  if (Kind)
    Add(std::string(eventKindName(static_cast<EventKind>(*Kind))));
  if (Depth)
    Add("depth " + std::to_string(*Depth));
  if (LeastNs != 0)
    Add("at least " + timeText(LeastNs));
  if (Nth != 0)
    Add("number " + std::to_string(Nth) + " of its name");
  if (TimeNs)
    Add("at " + timeText(*TimeNs));
  if (Event)
    Add("event " + std::to_string(*Event));
  if (IsMemory)
    Add(MemoryStep != 0        ? "memory, each " + sizeText(MemoryStep)
        : MemoryThreshold != 0 ? "memory from " + sizeText(MemoryThreshold)
                               : "memory");
  if (Text.empty())
    Text = "anything";
  return AtEnd && !IsMemory ? "end of " + Text : Text;
}

Result<StopSpec> instantrace::parseStopSpec(std::string_view Arguments,
                                            bool IsRegex,
                                            const std::string &File) {
  StopSpec Spec;
  Split Parts = {trimmed(Arguments), {}, false};
  if (!IsRegex)
    Parts = splitAtIf(Parts.Place);
  if (Parts.HasIf) {
    INSTANTRACE_TRY_ASSIGN_AS(usageError, Condition If,
                              Condition::make(Parts.If));
    if (If.isEmpty())
      return usageError(makeError("condition", "nothing", "one behind if"));
    Spec.If = std::move(If);
  }
  SpecParser Parser(Spec, Parts.Place);
  INSTANTRACE_TRY(Parser.options());
  std::string_view Rest = Parser.rest();
  if (IsRegex)
    Spec.Regex = Rest;
  else if (!Rest.empty())
    INSTANTRACE_TRY(addNameOrPlace(Rest, Spec));
  if (Spec.LineNo != 0 && Spec.File.empty())
    Spec.File = File;
  if (Spec.LineNo != 0 && Spec.File.empty())
    return usageError(
        makeError("line " + std::to_string(Spec.LineNo), "no file",
                  "FILE:LINE, since nothing with a place is selected"));
  bool IsOfRecords = !Spec.Name.empty() || !Spec.Regex.empty() ||
                     !Spec.File.empty() || Spec.Kind || Spec.Depth ||
                     Spec.LeastNs != 0 || Spec.Nth != 0 || Spec.AtEnd;
  if ((Spec.TimeNs || Spec.Event) &&
      (IsOfRecords || (Spec.TimeNs && Spec.Event)))
    return usageError(makeError({}, "-time or -event with something else",
                                "nothing beside it but if"));
  if (IsRegex && Spec.Regex.empty())
    return usageError(makeError({}, "nothing", "a regular expression"));
  if (!IsOfRecords && !Spec.TimeNs && !Spec.Event && Spec.If.isEmpty())
    return usageError(makeError({}, "nothing to stop at",
                                "a name, FILE:LINE, an option or if; see help "
                                "break"));
  return Spec;
}

Result<StopSpec> instantrace::parseWatch(std::string_view Arguments) {
  constexpr const char *Usage = "memory, memory SIZE or memory >= SIZE";
  StopSpec Spec;
  std::string_view Rest = trimmed(Arguments);
  if (takeWord(Rest) != "memory")
    return usageError(
        makeError({}, "'" + std::string(trimmed(Arguments)) + "'", Usage));
  Spec.IsMemory = true;
  if (Rest.empty())
    return Spec;
  bool IsThreshold = Rest.starts_with('>');
  bool IsMore = IsThreshold && !Rest.starts_with(">=");
  if (IsThreshold)
    Rest = trimmed(Rest.substr(IsMore ? 1 : 2));
  Result<uint64_t> Size = parseSize(Rest);
  if (!Size || (*Size == 0 && !IsMore))
    return usageError(Size ? makeError({}, "0", "a size above it")
                           : Size.error());
  (IsThreshold ? Spec.MemoryThreshold : Spec.MemoryStep) =
      *Size + (IsMore ? 1 : 0);
  return Spec;
}
