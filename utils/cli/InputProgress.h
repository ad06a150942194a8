/// \file
/// Warnings about what is read and how far that is, for the user to see.
///
/// Flow: TraceInputs -> [InputProgress] -> Diagnostics, Progress
#ifndef INSTANTRACE_UTILS_CLI_INPUTPROGRESS_H
#define INSTANTRACE_UTILS_CLI_INPUTPROGRESS_H

#include "utils/input/InputObserver.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/Progress.h"

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
  void begin(uint64_t TotalBytes) override {
    Shown.emplace(What, TotalBytes, ProgressUnit::Bytes);
  }
  void enter(const std::string &Name) override { Shown->enter(Name); }
  void at(uint64_t DoneBytes) override { Shown->at(DoneBytes); }

  /// For an Output on the same terminal; null before begin().
  Progress *shown() { return Shown ? &*Shown : nullptr; }

private:
  std::string What;
  std::optional<Progress> Shown; ///< none: before begin()
};

} // namespace instantrace

#endif
