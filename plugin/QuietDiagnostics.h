/// \file
/// Has Clang say nothing to the user while we make it work for us.
#pragma once

#include "clang/Basic/Diagnostic.h"

namespace instantrace {

/// Resolving a location may read a file that a PCH names; were it gone, that
/// must not become a diagnostic of the user's compile. Nor what cannot be
/// mangled and need not be.
class QuietDiagnostics {
public:
  explicit QuietDiagnostics(clang::DiagnosticsEngine &Diagnostics)
      : Diagnostics(Diagnostics),
        WasQuiet(Diagnostics.getSuppressAllDiagnostics()) {
    Diagnostics.setSuppressAllDiagnostics(true);
  }
  ~QuietDiagnostics() { Diagnostics.setSuppressAllDiagnostics(WasQuiet); }
  QuietDiagnostics(const QuietDiagnostics &) = delete;
  QuietDiagnostics &operator=(const QuietDiagnostics &) = delete;

private:
  clang::DiagnosticsEngine &Diagnostics;
  bool WasQuiet;
};

} // namespace instantrace
