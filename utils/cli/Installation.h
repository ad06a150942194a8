/// \file
/// What is installed beside the tool: `--version`, `--print-plugin-path`,
/// `--print-override`.
///
/// Layout: bin/instantrace, lib/instantrace/libinstantrace.so and
///         lib/instantrace/instantrace-clang-MAJOR.so; the tree may be moved
#pragma once

#include "runtime/base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

Result<int> printVersion();
/// "RelWithDebInfo, not optimized": how this tool was compiled.
std::string_view buildType();
/// Errors: the plugin is not where an installation has it.
Result<int> printPluginPath();
/// A value of CCC_OVERRIDE_OPTIONS, with which every Clang driver of a build
/// loads the plugin.
/// Errors: as printPluginPath(); a path that such a value cannot hold.
Result<int> printOverride();

/// The folder with the loader and its modules, which has to be there.
Result<std::string> pluginFolder();
/// What -fplugin is given of such a folder.
std::string loaderIn(const std::string &PluginFolder);
/// The same value for a loader in \p PluginFolder, which has no space in it.
std::string compilerOverride(const std::string &PluginFolder);
/// Majors that there is a module for, ascending.
std::vector<int> installedClangs();
/// The numbers in PrefixN.so beside the loader, likewise.
std::vector<int> modulesNamed(std::string_view Prefix);

} // namespace instantrace
