#include "utils/session/BuildEnvironment.h"

#include <algorithm>
#include <unistd.h>

using namespace instantrace;

namespace {

constexpr std::string_view OverrideName = "CCC_OVERRIDE_OPTIONS";
constexpr std::string_view CacheLogName = "CCACHE_STATSLOG";

bool isOf(std::string_view Variable, std::string_view Name) {
  return Variable.starts_with(Name) && Variable.size() > Name.size() &&
         Variable[Name.size()] == '=';
}

void set(std::vector<std::string> &Environment, std::string_view Name,
         std::string_view Value) {
  std::erase_if(Environment, [&](const std::string &Variable) {
    return isOf(Variable, Name);
  });
  Environment.push_back(std::string(Name).append("=").append(Value));
}

} // namespace

std::string instantrace::variableOf(const std::vector<std::string> &Environment,
                                    std::string_view Name) {
  for (const std::string &Variable : Environment)
    if (isOf(Variable, Name))
      return Variable.substr(Name.size() + 1);
  return {};
}

std::vector<std::string> instantrace::ownEnvironment() {
  std::vector<std::string> Variables;
  for (char **Cursor = environ; Cursor && *Cursor; ++Cursor)
    Variables.emplace_back(*Cursor);
  return Variables;
}

std::string instantrace::joinedOverride(const std::string &Users,
                                        const std::string &Ours) {
  if (Users.empty())
    return Ours;
  size_t Begin = Ours.find_first_not_of("# ");
  return Users + " " + Ours.substr(std::min(Begin, Ours.size()));
}

std::vector<std::string>
instantrace::buildEnvironment(const std::vector<std::string> &Ours,
                              const BuildSettings &Settings) {
  std::vector<std::string> Build = Ours;
  set(Build, OverrideName,
      joinedOverride(variableOf(Ours, OverrideName), Settings.Override));
  set(Build, "INSTANTRACE_OUTPUT", Settings.Traces + "/");
  set(Build, "INSTANTRACE_COLLECTOR", Settings.Socket);
  // Whoever asks for a recording wants one.
  std::erase_if(Build, [](const std::string &Variable) {
    return isOf(Variable, "INSTANTRACE_DISABLE");
  });
  if (variableOf(Ours, CacheLogName).empty() && !Settings.CacheLog.empty())
    set(Build, CacheLogName, Settings.CacheLog);
  if (Settings.IgnoresCaches)
    for (std::string_view Name : {"CCACHE_RECACHE", "SCCACHE_RECACHE"})
      set(Build, Name, "1");
  return Build;
}
