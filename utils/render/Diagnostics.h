/// \file
/// Errors, warnings and notes as the tool prints them. Whoever shows progress
/// makes room for them first.
#pragma once

#include "runtime/base/PrintableText.h"

#include <cstdio>
#include <string>

namespace instantrace {

/// Messages have what files and command lines say in them.
inline void printDiagnostic(const char *Kind, const std::string &Message) {
  std::fprintf(stderr, "instantrace: %s: %s\n", Kind,
               printableText(Message).c_str());
}

inline void printError(const std::string &Message) {
  printDiagnostic("error", Message);
}

inline void printWarning(const std::string &Message) {
  printDiagnostic("warning", Message);
}

/// What has to be known of a result and is no defect of it.
inline void printNote(const std::string &Message) {
  printDiagnostic("note", Message);
}

} // namespace instantrace
