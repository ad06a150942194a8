/// \file
/// Sources for an analysis that is made before all traces were read, which say
/// where sources may be.
///
/// Flow:    CompileFolders -> SourceRoots -> [LateSources] -> SourceReader
/// Threads: any may ask the reader
#pragma once

#include "utils/analysis/advice/DefinitionForm.h"
#include "utils/open/SourceFiles.h"

#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace instantrace {

class LateSources {
public:
  /// Before the reader is asked.
  void findIn(SourceRoots Roots) { Files.emplace(std::move(Roots)); }
  /// Must not outlive this.
  SourceReader reader() {
    return [this](const std::string *Folder, const std::string &Path) {
      std::lock_guard<std::mutex> Hold(Lock);
      return Files->text(Folder, Path);
    };
  }

private:
  std::mutex Lock; ///< of what follows
  std::optional<SourceFiles> Files;
};

} // namespace instantrace
