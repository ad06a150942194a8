#include "utils/lsp/LspSettings.h"

#include "utils/cli/Amounts.h"

#include <algorithm>
#include <charconv>

using namespace instantrace;

namespace {

Error wrongSetting(const std::string &Name, const RpcJson &Value,
                   const char *Expected) {
  return makeError("setting " + Name, rpcText(Value).substr(0, 100), Expected);
}

constexpr const char *ExpectedCost = "a time such as \"50ms\", a number of "
                                     "milliseconds, or a share such as \"1%\"";

Result<void> setMinimumCost(LspSettings &Settings, const RpcJson &Value) {
  constexpr double MostMs = 1e9;
  if (Value.is_number() && Value >= 0 && Value <= MostMs) {
    Settings.MinimumNs = static_cast<uint64_t>(Value.get<double>() * 1e6);
    Settings.MinimumPercent = 0;
    return {};
  }
  std::string Text = Value.is_string() ? Value.get<std::string>() : "-";
  std::erase(Text, ' ');
  double Percent = 0;
  const char *End = Text.data() + Text.size();
  auto [Rest, Failed] =
      std::from_chars(Text.data(), End, Percent, std::chars_format::fixed);
  if (Failed == std::errc() && std::string_view(Rest, End) == "%" &&
      Percent >= 0 && Percent <= 100) {
    Settings.MinimumNs = 1; // no line without a cost
    Settings.MinimumPercent = Percent;
    return {};
  }
  Result<uint64_t> Ns = parseDuration(Text);
  // A number alone is milliseconds here, and nanoseconds there.
  if (!Ns || Rest == End)
    return wrongSetting("minimumCost", Value, ExpectedCost);
  Settings.MinimumNs = *Ns;
  Settings.MinimumPercent = 0;
  return {};
}

Result<void> changeSetting(LspSettings &Settings, const std::string &Name,
                           const RpcJson &Value) {
  const bool IsBuild = Name == "buildCommand";
  if (IsBuild || Name == "session") {
    if (!Value.is_string() ||
        Value.get_ref<const std::string &>().find('\0') != std::string::npos)
      return wrongSetting(Name, Value, IsBuild ? "a command" : "a path");
    (IsBuild ? Settings.BuildCommand : Settings.Session) =
        Value.get<std::string>();
    return {};
  }
  if (Name == "minimumCost")
    return setMinimumCost(Settings, Value);
  if (Name != "inlayHints" && Name != "codeLens" && Name != "diagnostics")
    return makeError("settings", "'" + Name.substr(0, 100) + "'",
                     "session, minimumCost, inlayHints, codeLens, "
                     "diagnostics or buildCommand");
  if (!Value.is_boolean())
    return wrongSetting(Name, Value, "true or false");
  const bool IsOn = Value.get<bool>();
  if (Name == "inlayHints")
    Settings.InlayHints = IsOn;
  else if (Name == "codeLens")
    Settings.CodeLens = IsOn;
  else
    Settings.Diagnostics = IsOn;
  return {};
}

} // namespace

Result<void> instantrace::changeSettings(LspSettings &Settings,
                                         const RpcJson &Given) {
  if (!Given.is_object())
    return {};
  const RpcJson &Ours =
      Given.contains("instantrace") ? Given.find("instantrace").value() : Given;
  Result<void> Done;
  if (Ours.is_object())
    for (const auto &[Name, Value] : Ours.items())
      if (Result<void> One = changeSetting(Settings, Name, Value); !One)
        Done = One;
  return Done;
}
