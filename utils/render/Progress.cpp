#include "utils/render/Progress.h"

#include "utils/render/Terminal.h"

#include <chrono>
#include <cstdio>

using namespace instantrace;

namespace {

uint64_t nowNs() {
  auto Now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Now).count());
}

void put(const std::string &Text) {
  if (Text.empty())
    return;
  std::fwrite(Text.data(), 1, Text.size(), stderr);
  std::fflush(stderr);
}

} // namespace

Progress::Progress(const std::string &What, uint64_t Total, ProgressUnit Unit) {
  if (canShowProgress())
    Line.emplace(What, Total, Unit, nowNs());
}

Progress::~Progress() { makeRoom(); }

void Progress::at(uint64_t Done) {
  if (Line)
    put(Line->at(Done, Name, nowNs(), standardErrorColumns()));
}

void Progress::makeRoom() {
  if (Line)
    put(Line->erase());
}
