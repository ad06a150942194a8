/// \file
/// What a compile makes: an object, or what other compiles read.
///
/// Flow:   TraceSession -> [CompileProduct] -> advice
///
/// What a precompiled header, a header unit or a module interface has, other
/// compiles use, and theirs are the events: that of making it says nothing of
/// what is not needed.
#pragma once

#include "runtime/read/Trace.h"

namespace instantrace {

enum class CompileProduct {
  Object,
  Header, ///< a precompiled one, a header unit, or one checked by itself
  ModuleInterface,
};

/// By the compiler's arguments; where a response file has these, by the names
/// of what is read and made.
CompileProduct productOf(const Sequence &S);

/// Other compiles may use whatever is instantiated in it.
inline bool isMadeForOthers(const Sequence &S) {
  return productOf(S) != CompileProduct::Object;
}

/// It may use what was instantiated when that was made, which leaves no event.
inline bool hasPrecompiled(const Sequence &S) {
  return S.Session &&
         !(S.Session->PchInputs.empty() && S.Session->ModuleInputs.empty());
}

} // namespace instantrace
