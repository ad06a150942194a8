/// \file
/// instantrace-make-buffer: a compile without a compiler that ends badly.
///
/// usage: instantrace-make-buffer TRACE MODE [NUMBER [BEFORE]]
///   killed          after a few events, some without names
///   segv            the same by signal 11
///   drained         the same after NUMBER more instantiations
///   early           before the first event
///   torn            while the header is made
///   finished        after the phase, before the buffer was removed
///   live            prints "ready" and records for NUMBER seconds, then
///                   finishes as it should
///   many            finishes so after NUMBER instantiations, up to eight deep,
///                   of BEFORE entities
/// But for the last, each name begins with BEFORE.
#include "test/unit/support/LeftoverBuilder.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

using namespace instantrace;
using namespace instantrace::test;

namespace {

uint64_t monotonicNs() {
  timespec Now;
  ::clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

/// Two named instantiations, the outer one open, and one without name in it.
void recordAFew(LeftoverBuilder &B) {
  B.beginNew(EventKind::Frontend, 1000);
  B.beginNew(EventKind::TemplateInstantiation, 1'000'000);
  B.beginNew(EventKind::TemplateInstantiation, 1'000'000);
  B.end(2'000'000);
  B.writeNames();
  B.beginNew(EventKind::TemplateInstantiation, 500'000);
  B.Buffer.noteNewestEntity(4, B.Before + "Newest<\xe2\x80\xa6>");
}

int finish(LeftoverBuilder &B) {
  B.writeNames();
  for (; B.State.Depth != 0;)
    B.end(1);
  B.Buffer.drainAll(); // packets go first, and the footer is the last of all
  B.writeFooter();
  B.Buffer.drainAll();
  return B.Buffer.finish(/*KeepsExisting=*/false) ? 0 : 1;
}

int recordFor(LeftoverBuilder &B, unsigned Seconds) {
  uint64_t StartNs = B.MonotonicNs;
  recordAFew(B);
  std::puts("ready");
  std::fflush(stdout);
  auto DueNs = [&] { return monotonicNs() - StartNs - B.State.TimeNs; };
  for (unsigned I = 0; monotonicNs() - StartNs < Seconds * 1'000'000'000ull;
       ++I) {
    B.beginNew(EventKind::TemplateInstantiation, DueNs());
    B.end(DueNs());
    if (I % 16 == 0)
      B.writeNames();
    B.Buffer.live().AstBytes = uint64_t(I) * 1000;
    timespec Pause = {0, 1'000'000};
    ::nanosleep(&Pause, nullptr);
  }
  return finish(B);
}

int recordMany(LeftoverBuilder &B, unsigned Count, unsigned Entities) {
  constexpr uint32_t Deepest = 8;
  std::mt19937 Random(1);
  auto After = [&Random] { return 100 + Random() % 2000; };
  B.beginNew(EventKind::Frontend, 1000);
  for (unsigned I = 0; I != Entities; ++I) {
    B.beginNew(EventKind::TemplateInstantiation, After());
    B.end(After());
    if (I % 16 == 0)
      B.writeNames();
  }
  B.writeNames();
  for (unsigned BeginCount = Entities; BeginCount < Count;) {
    if (B.State.Depth != Deepest && Random() % 100 < 55) {
      B.beginAgain(static_cast<uint32_t>(Random() % Entities), After());
      ++BeginCount;
    } else if (B.State.Depth > 1) {
      B.end(After());
    }
  }
  return finish(B);
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 3)
    return 2;
  std::string_view Mode = Argv[2];
  unsigned Number =
      Argc > 3 ? static_cast<unsigned>(std::strtoul(Argv[3], nullptr, 10)) : 0;
  LeftoverBuilder B(Argv[1]);
  // The first events are as if they had been recorded a moment ago.
  B.MonotonicNs = monotonicNs() - 10'000'000;
  B.Before = Argc > 4 && Mode != "many" ? Argv[4] : "";
  if (Mode != "torn")
    B.start();
  if (Mode == "live")
    return recordFor(B, Number);
  if (Mode == "many")
    return Argc > 4 ? recordMany(B, Number,
                                 static_cast<unsigned>(
                                     std::strtoul(Argv[4], nullptr, 10)))
                    : 2;
  if (Mode == "killed" || Mode == "segv" || Mode == "drained")
    recordAFew(B);
  for (unsigned I = 0; Mode == "drained" && I != Number; ++I) {
    B.beginNew();
    B.end();
    if (I % 16 == 0)
      B.writeNames();
  }
  if (Mode == "segv")
    B.Buffer.live().Signal = SIGSEGV;
  if (Mode == "finished") {
    B.Buffer.live().Phase = static_cast<uint32_t>(BufferPhase::Finished);
    B.Buffer.drainAll();
    ::unlink(B.partialPath().c_str());
  }
  // Without any end: what was recorded is what others find.
  ::_exit(0);
}
