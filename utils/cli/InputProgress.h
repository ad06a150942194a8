/// \file
/// Warnings about what is read, what sessions lack, and how far that is, for
/// the user to see.
///
/// Flow: TraceInputs -> [InputProgress] -> Diagnostics, Progress
#ifndef INSTANTRACE_UTILS_CLI_INPUTPROGRESS_H
#define INSTANTRACE_UTILS_CLI_INPUTPROGRESS_H

#include "utils/input/InputObserver.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/Progress.h"
#include "utils/session/SessionGaps.h"

#include <optional>
#include <string>
#include <utility>

namespace instantrace {

class InputProgress : public InputObserver {
public:
  /// \p What is done, such as "reading".
  explicit InputProgress(std::string What = "reading")
      : What(std::move(What)) {}

  void warn(const std::string &Message) override {
    if (Shown)
      Shown->makeRoom();
    printWarning(Message);
  }
  void session(const std::string &Folder) override {
    Result<RecordedSession> Read = readSession(Folder);
    if (!Read)
      return warn(Read.error().Message + "; what the session lacks is unknown");
    SessionGaps Gaps = sessionGaps(*Read, Folder);
    Unprofiled += Gaps.Compiles;
    if (Gaps.Text.empty())
      return;
    if (Shown)
      Shown->makeRoom();
    printNote(Folder + ": without " + Gaps.Text);
  }
  void begin(uint64_t TotalBytes) override {
    Shown.emplace(What, TotalBytes, ProgressUnit::Bytes);
  }
  void enter(const std::string &Name) override { Shown->enter(Name); }
  void at(uint64_t DoneBytes) override { Shown->at(DoneBytes); }

  /// For an Output on the same terminal; null before begin().
  Progress *shown() { return Shown ? &*Shown : nullptr; }
  /// Compiles of the sessions that have no trace.
  uint64_t unprofiled() const { return Unprofiled; }

private:
  std::string What;
  std::optional<Progress> Shown; ///< none: before begin()
  uint64_t Unprofiled = 0;
};

/// Of what is read a second time: all that is missing has been said.
class ProgressAlone final : public InputProgress {
public:
  void warn(const std::string &) override {}
};

} // namespace instantrace

#endif
