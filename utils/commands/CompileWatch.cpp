#include "utils/commands/CompileWatch.h"

#include "utils/render/LiveText.h"

#include <csignal>
#include <optional>
#include <utility>

using namespace instantrace;

namespace {

constexpr uint64_t LookPauseNs = 250'000'000;
/// For a compile that is to stop.
constexpr uint64_t StopPatienceNs = 2'000'000'000;
/// What a compile is doing is shown of those that take longer.
constexpr uint64_t LongNs = 5'000'000'000;
constexpr size_t StatusNameBytes = 1 << 12, StatusNameColumns = 60;
/// A larger trace takes too long: compiles wait for us meanwhile.
constexpr uint64_t LargestTraceBytes = 4 << 20;

} // namespace

std::string CompileWatch::limitReached(const CollectedCompile &Compile,
                                       uint64_t LastedNs) const {
  if (Limits.MemoryBytes != 0 &&
      Compile.usage().ResidentBytes > Limits.MemoryBytes)
    return "--kill-after-memory=" + Limits.Memory;
  if (Limits.TimeNs != 0 && LastedNs > Limits.TimeNs)
    return "--kill-after=" + Limits.Time;
  return {};
}

void CompileWatch::look(const Collector &Serving, uint64_t NowNs) {
  if (NowNs < NextLookNs)
    return;
  NextLookNs = NowNs + LookPauseNs;
  // The id of one that has ended may be another's at the next look.
  std::unordered_map<uint32_t, Watched> Before = std::exchange(ByProcess, {});
  for (const auto &Compile : Serving.compiles()) {
    if (Compile->finalName().empty())
      continue;
    const uint32_t Id = Compile->processId();
    auto Known = Before.find(Id);
    const Watched &Now =
        ByProcess
            .emplace(Id,
                     Known == Before.end() ? Watched{NowNs, 0} : Known->second)
            .first->second;
    Compile->lookAtUsage();
    std::string Why = limitReached(*Compile, NowNs - Now.SinceNs);
    if (Why.empty())
      continue;
    auto [Asked, IsFirst] =
        StoppedByProcess.try_emplace(Id, Stopped{std::move(Why), NowNs});
    // The compiler removes its temporary files first, if it still can.
    const bool HasTime = NowNs - Asked->second.SinceNs < StopPatienceNs;
    if (IsFirst || !HasTime)
      ::kill(static_cast<pid_t>(Id), HasTime ? SIGTERM : SIGKILL);
  }
}

std::vector<RunningCompile> CompileWatch::running(const Collector &Serving,
                                                  uint64_t NowNs) {
  std::vector<RunningCompile> Running;
  for (const auto &Compile : Serving.compiles()) {
    auto Known = ByProcess.find(Compile->processId());
    if (Known == ByProcess.end())
      continue;
    Watched &Seen = Known->second;
    RunningCompile &Shown = Running.emplace_back(
        RunningCompile{Compile->finalName(), NowNs - Seen.SinceNs});
    if (Shown.SinceNs <= LongNs)
      continue;
    Shown.ResidentBytes = Compile->usage().ResidentBytes;
    Shown.IsGrowing =
        Seen.ResidentBytes != 0 && Shown.ResidentBytes > Seen.ResidentBytes;
    Seen.ResidentBytes = Shown.ResidentBytes;
    if (std::optional<LiveFrame> Frame = Compile->look(
            LargestTraceBytes, [](const Dictionary &Names, NameId Name) {
              return Names.text(Name, StatusNameBytes);
            }))
      Shown.Doing = hangText(*Frame, StatusNameColumns);
  }
  return Running;
}

const std::string *CompileWatch::endedBy(uint32_t ProcessId) const {
  auto Found = StoppedByProcess.find(ProcessId);
  return Found == StoppedByProcess.end() ? nullptr : &Found->second.Why;
}
