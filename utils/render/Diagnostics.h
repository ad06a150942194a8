/// \file
/// Errors, warnings and notes as the tool prints them. Whoever shows progress
/// makes room for them first.
#ifndef INSTANTRACE_UTILS_RENDER_DIAGNOSTICS_H
#define INSTANTRACE_UTILS_RENDER_DIAGNOSTICS_H

#include <cstdio>
#include <string>

namespace instantrace {

inline void printError(const std::string &Message) {
  std::fprintf(stderr, "instantrace: error: %s\n", Message.c_str());
}

inline void printWarning(const std::string &Message) {
  std::fprintf(stderr, "instantrace: warning: %s\n", Message.c_str());
}

/// What has to be known of a result and is no defect of it.
inline void printNote(const std::string &Message) {
  std::fprintf(stderr, "instantrace: note: %s\n", Message.c_str());
}

} // namespace instantrace

#endif
