/// \file
/// A flame graph as one SVG file, with zoom and search in it.
///
/// Flow:   walkCosts -> CallTree -> [writeFlameGraph] -> SVG
/// Leaves: what is in the page to click, to FlameGraphScript.h
#ifndef INSTANTRACE_UTILS_EXPORT_FLAMEGRAPH_H
#define INSTANTRACE_UTILS_EXPORT_FLAMEGRAPH_H

#include "utils/export/ExportJob.h"

namespace instantrace {

struct FlameGraphOptions {
  std::string Title;
  uint32_t WidthPixels = 1200;
  bool Inverted = false; // roots at the top, as icicles
};

/// Nodes narrower than a third of a pixel become one with their neighbours,
/// which says how many they are; nothing else is left out.
void writeFlameGraph(ExportOutput &Out, const ExportJob &Job,
                     const FlameGraphOptions &Opts);

} // namespace instantrace

#endif
