#include "plugin/Options.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace instantrace {

namespace {

struct Key {
  std::string_view Name;
  const char *Variable;
  std::string_view Values; ///< for the warning
};
constexpr Key Keys[] = {
    {"output", "INSTANTRACE_OUTPUT", "a file, or a directory ending with '/'"},
    {"memoization", "INSTANTRACE_MEMOIZATION", "count, events, off"},
    {"events", "INSTANTRACE_EVENTS", ""},
    {"granularity", "INSTANTRACE_GRANULARITY", "microseconds from 0"},
    {"empty", "INSTANTRACE_EMPTY", "on, off"},
    {"verbose", "INSTANTRACE_VERBOSE", "on, off"},
    {"buffer", "INSTANTRACE_BUFFER",
     "file, private, a directory ending with '/'"},
    {"buffer-size", "INSTANTRACE_BUFFER_SIZE", "KiB from 4 to 65536"},
    {"collector", "INSTANTRACE_COLLECTOR", "the socket of a collector"},
    {"when-full", "INSTANTRACE_WHEN_FULL", "drain, drop"},
    {"hook", "INSTANTRACE_HOOK", "auto, callback, observer"},
    {"parameters", "INSTANTRACE_PARAMETERS", "on, off"},
    {"check-names", "INSTANTRACE_CHECK_NAMES", "a file"},
};

std::optional<bool> parseSwitch(std::string_view Value) {
  if (Value.empty() || Value == "on" || Value == "1" || Value == "true")
    return true;
  if (Value == "off" || Value == "0" || Value == "false")
    return false;
  return std::nullopt;
}

std::optional<uint64_t> parseNumber(std::string_view Text) {
  uint64_t Number = 0;
  const char *TextEnd = Text.data() + Text.size();
  auto [End, Code] = std::from_chars(Text.data(), TextEnd, Number);
  if (Code != std::errc() || End != TextEnd)
    return std::nullopt;
  return Number;
}

std::string joinNames(const std::vector<std::string> &Names) {
  std::string Text;
  for (const std::string &Name : Names)
    Text += (Text.empty() ? "'" : ", '") + Name + "'";
  return Text;
}

class Parser {
public:
  Options Values;
  std::vector<std::string> Warnings;

  void set(std::string_view Name, std::string_view Value) {
    Options &O = Values;
    bool IsValid = true;
    if (Name == "output") {
      O.Output = Value;
      IsValid = !Value.empty();
    } else if (Name == "memoization") {
      HasMemoization = IsValid = setMemoization(Value);
    } else if (Name == "events") {
      EventFilterSpec Spec = parseEventFilter(Value);
      O.Filter = Spec.Filter;
      if (!Spec.Unknown.empty())
        Warnings.push_back("unknown event kind " + joinNames(Spec.Unknown) +
                           "; valid are " + validEventFilterNames());
    } else if (Name == "granularity") {
      std::optional<uint64_t> Microseconds = parseNumber(Value);
      IsValid = Microseconds && *Microseconds <= UINT64_MAX / 1000;
      if (IsValid)
        O.GranularityNs = *Microseconds * 1000;
    } else if (Name == "empty") {
      IsValid = setSwitch(O.WritesEmpty, Value);
    } else if (Name == "verbose") {
      IsValid = setSwitch(O.IsVerbose, Value);
    } else if (Name == "parameters") {
      IsValid = setSwitch(O.HasParameters, Value);
    } else if (Name == "buffer") {
      IsValid = setBuffer(Value);
    } else if (Name == "buffer-size") {
      std::optional<uint64_t> KiB = parseNumber(Value);
      IsValid = KiB && *KiB >= 4 && *KiB <= 65536;
      if (IsValid)
        O.Buffer.SizeBytes = *KiB * 1024;
    } else if (Name == "collector") {
      O.Buffer.Collector = Value;
      IsValid = !Value.empty();
    } else if (Name == "hook") {
      IsValid = setHook(Value);
    } else if (Name == "when-full") {
      IsValid = Value == "drain" || Value == "drop";
      O.Buffer.Full = Value == "drop" ? WhenFull::Drop : WhenFull::Drain;
    } else if (Name == "check-names") {
      O.CheckNames = Value;
      IsValid = !Value.empty();
    } else {
      std::string Valid;
      for (const Key &K : Keys)
        Valid += (Valid.empty() ? "" : ", ") + std::string(K.Name);
      Warnings.push_back("unknown option '" + std::string(Name) +
                         "'; valid are " + Valid);
      return;
    }
    if (IsValid)
      return;
    const Key *Found =
        std::find_if(std::begin(Keys), std::end(Keys),
                     [&](const Key &K) { return K.Name == Name; });
    Warnings.push_back("invalid value '" + std::string(Value) +
                       "' for option '" + std::string(Name) + "'; valid are " +
                       std::string(Found->Values));
  }

  /// `+memoization` in events asks for events, its absence means nothing:
  /// counting is cheap. The option memoization has the last word.
  void finish() {
    Options &O = Values;
    O.Buffer.MakesParents = !O.Output.empty();
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
  static bool setSwitch(bool &Switch, std::string_view Value) {
    std::optional<bool> On = parseSwitch(Value);
    Switch = On.value_or(false);
    return On.has_value();
  }
  bool setBuffer(std::string_view Value) {
    TraceBufferOptions &Buffer = Values.Buffer;
    Buffer.IsPrivate = Value == "private";
    Buffer.Directory = !Value.empty() && Value.back() == '/' ? Value : "";
    return Buffer.IsPrivate || !Buffer.Directory.empty() || Value == "file";
  }
  bool setHook(std::string_view Value) {
    HookChoice &Hook = Values.Hook;
    if (Value == "auto")
      Hook = HookChoice::Auto;
    else if (Value == "callback")
      Hook = HookChoice::Callback;
    else if (Value == "observer")
      Hook = HookChoice::Observer;
    else
      return false;
    return true;
  }
  bool setMemoization(std::string_view Value) {
    MemoizationMode &Mode = Values.Memoization;
    if (Value == "count")
      Mode = MemoizationMode::Count;
    else if (Value == "events")
      Mode = MemoizationMode::Events;
    else if (Value == "off")
      Mode = MemoizationMode::Off;
    else
      return false;
    return true;
  }

  bool HasMemoization = false;
};

} // namespace

Options readOptions(const std::vector<std::string> &Arguments) {
  Parser P;
  for (const Key &K : Keys)
    if (const char *Value = std::getenv(K.Variable); Value && *Value)
      P.set(K.Name, Value);
  for (std::string_view Argument : Arguments) {
    size_t Equals = Argument.find('=');
    std::string_view Value =
        Equals == std::string_view::npos ? "" : Argument.substr(Equals + 1);
    P.set(Argument.substr(0, Equals), Value);
  }
  P.finish();
  for (const std::string &Warning : P.Warnings)
    printWarning(Warning);
  return std::move(P.Values);
}

void printWarning(const std::string &Message) {
  // One write, so that lines of parallel compiles do not mix.
  std::string Line = "instantrace: warning: " + Message + "\n";
  llvm::errs() << Line;
  llvm::errs().flush();
}

} // namespace instantrace
