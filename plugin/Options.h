/// \file
/// What the user asked for: plugin arguments over environment over defaults.
///
/// Errors: an unknown key or value is one warning that lists the valid ones;
///         the rest is used
#ifndef INSTANTRACE_PLUGIN_OPTIONS_H
#define INSTANTRACE_PLUGIN_OPTIONS_H

#include "plugin/hooks/InstantiationHook.h"
#include "runtime/format/EventFilter.h"
#include "runtime/record/TraceBuffer.h"
#include "runtime/record/TraceWriter.h"

#include <string>
#include <vector>

namespace instantrace {

struct Options {
  std::string Output; ///< file, or directory when it ends with '/' or is one
  EventFilter Filter = EventFilter::defaults();
  MemoizationMode Memoization = MemoizationMode::Count;
  uint64_t GranularityNs = 0;
  bool WritesEmpty = false; ///< a file even for a compile without any event
  bool IsVerbose = false;
  TraceBufferOptions Buffer;
  HookChoice Hook = HookChoice::Auto;
  ProbeMask Probes = AllProbes; ///< fewer are the benchmark's alone
  bool HasParameters = false;   ///< functions are named with their parameters
  std::string CheckNames; ///< file for the comparison with Clang's printer
};

/// \p Arguments are `key=value` as -fplugin-arg-instantrace-* delivers them;
/// the environment is read as INSTANTRACE_KEY. Warns of what cannot be used.
Options readOptions(const std::vector<std::string> &Arguments);

/// The one way in which the plugin speaks: a line on stderr, never one of
/// Clang's diagnostics, which -Werror would turn into errors.
void printWarning(const std::string &Message);

} // namespace instantrace

#endif
