#include "plugin/Options.h"

#include "plugin/OptionValues.h"
#include "runtime/shm/WriteSignalBlock.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace instantrace {

namespace {

// Each reader changes its member, or returns a warning and leaves it as it was.

std::string invalid(std::string_view Key, std::string_view Value,
                    const std::string &Expected) {
  return "invalid value '" + std::string(Value) + "' for option '" +
         std::string(Key) + "'; expected " + Expected;
}

/// "a, b or c".
std::string alternatives(llvm::ArrayRef<std::string_view> Names) {
  std::string Text;
  for (size_t I = 0; I != Names.size(); ++I) {
    bool IsLast = I + 1 == Names.size();
    Text.append(I == 0 ? "" : IsLast ? " or " : ", ").append(Names[I]);
  }
  return Text;
}

std::string readSwitch(std::string_view Key, std::string_view Value,
                       bool &Member) {
  std::optional<bool> IsOn = switchValue(Value);
  if (!IsOn)
    return invalid(Key, Value, "on or off");
  Member = *IsOn;
  return {};
}

std::string readNumber(std::string_view Key, std::string_view Value,
                       std::string_view Unit, uint64_t Least, uint64_t Most,
                       uint64_t &Member) {
  std::optional<uint64_t> Number = numberValue(Value, Least, Most);
  if (!Number)
    return invalid(Key, Value,
                   "a number of " + std::string(Unit) + " from " +
                       std::to_string(Least) + " to " + std::to_string(Most));
  Member = *Number;
  return {};
}

std::string readText(std::string_view Key, std::string_view Value,
                     const char *Expected, std::string &Member) {
  if (Value.empty())
    return invalid(Key, Value, Expected);
  Member = Value;
  return {};
}

template <class Type> struct NamedValue {
  std::string_view Name;
  Type Value;
};

template <class Type, size_t Count>
std::string readChoice(std::string_view Key, std::string_view Value,
                       const NamedValue<Type> (&Values)[Count], Type &Member) {
  std::vector<std::string_view> Names;
  for (const NamedValue<Type> &Known : Values) {
    if (Known.Name == Value) {
      Member = Known.Value;
      return {};
    }
    Names.push_back(Known.Name);
  }
  return invalid(Key, Value, alternatives(Names));
}

/// The names that are known hold, even next to one that is not.
std::string readOther(std::string_view, std::string_view Value,
                      EventFilter &Member) {
  EventFilterSpec Spec = parseEventFilter(Value);
  Member = Spec.Filter;
  if (Spec.Unknown.empty())
    return {};
  std::string Unknown;
  for (const std::string &Name : Spec.Unknown)
    Unknown += (Unknown.empty() ? "'" : ", '") + Name + "'";
  return "unknown event kind " + Unknown + "; the kinds are " +
         validEventFilterNames();
}

std::string readOther(std::string_view Key, std::string_view Value,
                      BufferPlace &Member) {
  bool IsDirectory = !Value.empty() && Value.back() == '/';
  if (!IsDirectory && Value != "file" && Value != "private")
    return invalid(Key, Value, "file, private or a directory ending with '/'");
  Member.IsPrivate = Value == "private";
  Member.Directory = IsDirectory ? Value : "";
  return {};
}

struct Option {
  std::string_view Key;
  const char *Variable;
  std::string (*Read)(std::string_view Value, Options &Into);
};

#define OPTION_ROW(Key, Variable, ReadCall)                                    \
  {Key, Variable,                                                              \
   [](std::string_view Value, Options &Into) -> std::string { ReadCall; }},
#define OPTION_SWITCH(Member, Key, Variable, Meaning)                          \
  OPTION_ROW(Key, Variable, return readSwitch(Key, Value, Into.Member))
#define OPTION_NUMBER(Member, Default, Key, Variable, Unit, Least, Most,       \
                      Meaning)                                                 \
  OPTION_ROW(Key, Variable,                                                    \
             return readNumber(Key, Value, Unit, Least, Most, Into.Member))
#define OPTION_TEXT(Member, Key, Variable, Shape, Expected, Meaning)           \
  OPTION_ROW(Key, Variable, return readText(Key, Value, Expected, Into.Member))
#define OPTION_CHOICE(Member, Type, Default, Key, Variable, Values, Meaning)   \
  {Key, Variable, [](std::string_view Value, Options &Into) -> std::string {   \
     using Choice = Type;                                                      \
     static constexpr NamedValue<Choice> All[] = {Values};                     \
     return readChoice(Key, Value, All, Into.Member);                          \
   }},
#define OPTION_VALUE(Text, Enumerator) {Text, Choice::Enumerator},
#define OPTION_OTHER(Member, Type, Key, Variable, Shape, Meaning)              \
  OPTION_ROW(Key, Variable, return readOther(Key, Value, Into.Member))
constexpr Option Table[] = {
#include "plugin/Options.def"
};
#undef OPTION_VALUE
#undef OPTION_ROW

class Parser {
public:
  Options Values;
  std::vector<std::string> Warnings;

  void set(const Option &Known, std::string_view Value) {
    std::string Warning = Known.Read(Value, Values);
    if (!Warning.empty())
      Warnings.push_back(std::move(Warning));
    else if (Known.Key == "memoization")
      HasMemoization = true;
  }

  void set(std::string_view Key, std::string_view Value) {
    const auto *Known =
        llvm::find_if(Table, [Key](const Option &O) { return O.Key == Key; });
    if (Known != std::end(Table))
      return set(*Known, Value);
    std::string Keys;
    for (const Option &O : Table)
      Keys.append(Keys.empty() ? "" : ", ").append(O.Key);
    Warnings.push_back("unknown option '" + std::string(Key) +
                       "'; the options are " + Keys);
  }

  /// `+memoization` in events asks for events, its absence means nothing:
  /// counting is cheap. The option memoization has the last word.
  void finish() {
    Options &O = Values;
    bool InFilter = O.Filter.contains(EventKind::Memoization);
    if (!HasMemoization && InFilter)
      O.Memoization = MemoizationMode::Events;
    uint64_t Bit = uint64_t(1) << static_cast<unsigned>(EventKind::Memoization);
    if (O.Memoization == MemoizationMode::Events)
      O.Filter.Mask |= Bit;
    else
      O.Filter.Mask &= ~Bit;
  }

private:
  bool HasMemoization = false;
};

/// One write, so that lines of parallel compiles do not mix. Not by
/// llvm::errs(): a stream that could not write ends the compiler.
void writeLine(const char *Line, size_t Bytes) noexcept {
  WriteSignalBlock Block;
  // Nothing is left to do when stderr is closed or full.
  [[maybe_unused]] ssize_t Written = ::write(STDERR_FILENO, Line, Bytes);
}

} // namespace

TraceBufferOptions Options::bufferOptions() const {
  TraceBufferOptions Result;
  Result.IsPrivate = Buffer.IsPrivate;
  Result.Directory = Buffer.Directory;
  Result.SizeBytes = BufferKiB * 1024;
  Result.Full = Full;
  Result.Collector = Collector;
  Result.MakesParents = !Output.empty();
  return Result;
}

Options readOptions(const std::vector<std::string> &Arguments) {
  Parser P;
  for (const Option &O : Table)
    if (const char *Value = std::getenv(O.Variable); Value && *Value)
      P.set(O, Value);
  for (std::string_view Argument : Arguments) {
    auto [Key, Value] = splitOption(Argument);
    P.set(Key, Value);
  }
  P.finish();
  for (const std::string &Warning : P.Warnings)
    printWarning(Warning);
  return std::move(P.Values);
}

void printLine(const std::string &Message) {
  std::string Line = "instantrace: " + Message + "\n";
  writeLine(Line.data(), Line.size());
}

void printWarning(const std::string &Message) {
  printLine("warning: " + Message);
}

void warnOfNoMemory(const char *Consequence, const char *Path) noexcept {
  char Line[PATH_MAX + 200];
  int Bytes = std::snprintf(Line, sizeof(Line),
                            "instantrace: warning: out of memory; %s%s\n",
                            Consequence, Path);
  writeLine(Line, std::min<size_t>(Bytes, sizeof(Line) - 1));
}

} // namespace instantrace
