/// \file
/// Warnings about what is read, what sessions lack, and how far that is, for
/// the user to see.
///
/// Flow: TraceInputs -> [InputProgress] -> Diagnostics, Progress
#pragma once

#include "runtime/base/SaturatingSum.h"
#include "utils/open/InputObserver.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/Progress.h"
#include "utils/render/ProjectPath.h"
#include "utils/session/SessionGaps.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace instantrace {

/// What the sessions that are read lack, as far as they are known to.
struct SessionLacks {
  /// Compiles that have no trace. None: no session was read, or one of them
  /// does not say.
  std::optional<uint64_t> Unprofiled;
  std::vector<std::string> Notes; ///< "FOLDER: without ...", for each
};

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
  /// Once of each, by whatever name it comes.
  void session(const std::string &Folder) override {
    std::error_code Failed;
    std::string Real = std::filesystem::canonical(Folder, Failed).string();
    if (!Sessions.insert(Failed ? Folder : Real).second)
      return;
    Result<RecordedSession> Read = readSession(Folder);
    HasUnknown |= !Read;
    if (!Read)
      return warn(Read.error().Message + "; what the session lacks is unknown");
    project() = {Read->WorkingDirectory, Read->SourceRoot, true};
    BuildFolders[std::filesystem::path(Folder).lexically_normal()] =
        Read->WorkingDirectory;
    SessionGaps Gaps = sessionGaps(*Read, Folder);
    Compiles = addSaturating(Compiles, Gaps.Compiles);
    if (Gaps.Text.empty())
      return;
    if (Shown)
      Shown->makeRoom();
    Notes.push_back(Folder + ": without " + Gaps.Text);
    printNote(Notes.back());
  }
  std::string buildFolder(const std::string &Trace) const override {
    auto Found = BuildFolders.find(
        std::filesystem::path(Trace).lexically_normal().parent_path());
    return Found == BuildFolders.end() ? "" : Found->second;
  }
  void begin(uint64_t TotalBytes) override {
    Shown.emplace(What, TotalBytes, ProgressUnit::Bytes);
  }
  void enter(const std::string &Name) override { Shown->enter(Name); }
  void at(uint64_t DoneBytes) override { Shown->at(DoneBytes); }

  /// For an Output on the same terminal; null before begin().
  Progress *shown() { return Shown ? &*Shown : nullptr; }
  /// Takes its line from the terminal, until begin().
  void end() { Shown.reset(); }
  SessionLacks lacks() const {
    SessionLacks Lacks{std::nullopt, Notes};
    if (!Sessions.empty() && !HasUnknown)
      Lacks.Unprofiled = Compiles;
    return Lacks;
  }

private:
  std::string What;
  std::optional<Progress> Shown;            ///< none: before begin()
  std::unordered_set<std::string> Sessions; ///< canonical
  /// By session. One finds traces, and another may read them.
  static inline std::map<std::filesystem::path, std::string> BuildFolders;
  bool HasUnknown = false;
  uint64_t Compiles = 0; ///< of the sessions, without a trace
  std::vector<std::string> Notes;
};

/// Of what is read more than once: what is missing is said in another round.
class ProgressAlone : public InputProgress {
public:
  void warn(const std::string &) override {}
};

/// Of who goes on without what cannot be read.
class ProgressAndFailures final : public InputProgress {
public:
  void warn(const std::string &) override {}
  void unreadable(const std::string &Message) override {
    InputProgress::warn(Message);
  }
};

} // namespace instantrace
