/// \file
/// How far two hooks agree about one compile.
///
/// usage: instantrace-bench-hooks CALLBACK.itrace OBSERVER.itrace OWN-WORK
///
/// These are of one run of the compiler with the plugin module
/// instantrace-hooks-clang-N (plugin/bench/BothHooks.cpp). Prints a line of
/// JSON.
///
/// Flow:   two traces -> TraceReader -> compareHooks -> standard output
/// Errors: one line on standard error, exit 1
#include "utils/bench/hooks/ComparisonText.h"

#include "utils/cli/InputProgress.h"
#include "utils/open/EachTrace.h"
#include "utils/open/TraceInputs.h"

#include <cstdio>
#include <cstring>

using namespace instantrace;

namespace {

Result<std::vector<StoppedClock::Span>> readSpans(const std::string &Path) {
  Result<std::string> Bytes = readBytes(Path);
  if (!Bytes)
    return Bytes.error();
  using Span = StoppedClock::Span;
  if (Bytes->empty() || Bytes->size() % sizeof(Span) != 0)
    return Error{Path + " does not say when a hook was at work"};
  std::vector<Span> Spans(Bytes->size() / sizeof(Span));
  std::memcpy(Spans.data(), Bytes->data(), Bytes->size());
  return Spans;
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count != 4) {
    std::fputs("usage: instantrace-bench-hooks CALLBACK OBSERVER OWN-WORK\n",
               stderr);
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
  eventClock() = EventClock::Wall;
  Result<Trace> Callback = read(Arguments[1]);
  if (!Callback)
    return fail(Callback.error());
  Result<Trace> Observer = read(Arguments[2]);
  if (!Observer)
    return fail(Observer.error());
  Result<std::vector<StoppedClock::Span>> OwnWork = readSpans(Arguments[3]);
  if (!OwnWork)
    return fail(OwnWork.error());
  Result<std::string> Text =
      compareHooks(*Callback, *Observer, std::move(*OwnWork));
  if (!Text)
    return fail(Text.error());
  std::fputs(Text->c_str(), stdout);
  return 0;
}
