/// \file
/// Calls observers at each push and pop of Sema's stack of contexts.
///
/// Flow:    Sema::pushCodeSynthesisContext, popCodeSynthesisContext
///          -> [Probes], by a Detour -> Observer
/// Errors:  where the functions cannot be entered, the reason
/// Threads: a Sema is used by one at a time; different ones may be used at once
#pragma once

#include <string>

namespace clang {
class Sema;
} // namespace clang

namespace instantrace {

class Observer;

/// Makes the detours, once in a process. Empty when they are there, otherwise
/// why not.
const std::string &armProbes();

/// From now on \p Obs hears of \p S. False: too many do already.
bool startProbing(const clang::Sema &S, Observer &Obs) noexcept;
/// It hears of nothing any more; whether or not it did.
void stopProbing(const Observer &Obs) noexcept;

} // namespace instantrace
