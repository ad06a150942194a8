#include "utils/cli/Installation.h"

#include "runtime/format/Record.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr const char *LoaderName = "libinstantrace.so";

/// Empty when the system does not tell where the tool is.
fs::path expectedFolder() {
  std::error_code Failed;
  fs::path Tool = fs::read_symlink("/proc/self/exe", Failed);
  if (Failed)
    return {};
  return Tool.parent_path().parent_path() / "lib" / "instantrace";
}

Result<fs::path> findPlugin() {
  fs::path Plugin = expectedFolder() / LoaderName;
  std::error_code Failed;
  if (!fs::exists(Plugin, Failed))
    return Error{Plugin.string() + ": no such file; expected the plugin beside "
                                   "the tool, in ../lib/instantrace"};
  return Plugin;
}

} // namespace

std::vector<int> instantrace::installedClangs() {
  return modulesNamed("instantrace-clang-");
}

std::vector<int> instantrace::modulesNamed(std::string_view Prefix) {
  std::vector<int> Majors;
  std::error_code Failed;
  for (const fs::directory_entry &Entry :
       fs::directory_iterator(expectedFolder(), Failed)) {
    std::string Name = Entry.path().stem().string();
    if (Entry.path().extension() != ".so" || !Name.starts_with(Prefix))
      continue;
    int Major = 0;
    const char *End = Name.data() + Name.size();
    auto [Stop, Error] =
        std::from_chars(Name.data() + Prefix.size(), End, Major);
    if (Error == std::errc() && Stop == End)
      Majors.push_back(Major);
  }
  std::sort(Majors.begin(), Majors.end());
  return Majors;
}

std::string_view instantrace::buildType() {
#ifdef __OPTIMIZE__
  return INSTANTRACE_BUILD_TYPE;
#else
  return INSTANTRACE_BUILD_TYPE ", not optimized";
#endif
}

Result<int> instantrace::printVersion() {
  const std::string Clangs =
      fmt::format("{}", fmt::join(installedClangs(), ", "));
  std::printf("instantrace %s\ntrace format %u.%u\nclang %s\nbuild %s\n",
              INSTANTRACE_VERSION, FormatMajor, FormatMinor,
              Clangs.empty() ? "none: no plugin is installed with this tool"
                             : Clangs.c_str(),
              buildType().data());
  return 0;
}

Result<int> instantrace::printPluginPath() {
  INSTANTRACE_TRY_ASSIGN(fs::path Plugin, findPlugin());
  std::printf("%s\n", Plugin.c_str());
  return 0;
}

Result<int> instantrace::printOverride() {
  INSTANTRACE_TRY_ASSIGN(fs::path Plugin, findPlugin());
  if (Plugin.string().find(' ') != std::string::npos)
    return Error{Plugin.string() +
                 ": found a space, at which Clang cuts CCC_OVERRIDE_OPTIONS; "
                 "expected a path without"};
  std::printf("%s\n", compilerOverride(Plugin.parent_path().string()).c_str());
  return 0;
}

Result<std::string> instantrace::pluginFolder() {
  INSTANTRACE_TRY_ASSIGN(fs::path Plugin, findPlugin());
  return Plugin.parent_path().string();
}

std::string instantrace::loaderIn(const std::string &PluginFolder) {
  return PluginFolder + "/" + LoaderName;
}

std::string instantrace::compilerOverride(const std::string &PluginFolder) {
  // '#' keeps Clang from telling what it does. '^' inserts at the front, so the
  // last is first; at the end the option would follow a "--", after which all
  // are files. -fplugin= would be shorter, but clang-cl does not know it: it
  // warns, and fails with /WX. Unused, as for assembler sources, is no matter.
  return "# ^--end-no-unused-arguments ^" + loaderIn(PluginFolder) +
         " ^-Xclang ^-load ^-Xclang ^--start-no-unused-arguments";
}
