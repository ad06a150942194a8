/// \file
/// How far two hooks agree about one compile.
///
/// usage: instantrace-bench-hooks CALLBACK.itrace OBSERVER.itrace
///
/// The traces are those of one run of the compiler with the plugin module
/// instantrace-hooks-clang-N (plugin/bench/BothHooks.cpp). Prints a line of
/// JSON.
///
/// Flow:   two files -> TraceReader -> compareHooks -> standard output
/// Errors: one line on standard error, exit 1
#include "utils/bench/hooks/ComparisonText.h"

#include "utils/cli/InputProgress.h"
#include "utils/open/EachTrace.h"

#include <cstdio>

using namespace instantrace;

int main(int Count, char **Arguments) {
  if (Count != 3) {
    std::fputs("usage: instantrace-bench-hooks CALLBACK OBSERVER\n", stderr);
    return 2;
  }
  auto fail = [](const Error &Reason) {
    std::fprintf(stderr, "instantrace-bench-hooks: %s\n",
                 Reason.Message.c_str());
    return 1;
  };
  auto read = [](const char *Path) {
    InputProgress Seen;
    return readTraces({Path}, Seen);
  };
  Result<Trace> Callback = read(Arguments[1]);
  if (!Callback)
    return fail(Callback.error());
  Result<Trace> Observer = read(Arguments[2]);
  if (!Observer)
    return fail(Observer.error());
  Result<std::string> Text = compareHooks(*Callback, *Observer);
  if (!Text)
    return fail(Text.error());
  std::fputs(Text->c_str(), stdout);
  return 0;
}
