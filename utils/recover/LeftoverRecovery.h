/// \file
/// Finds leftovers, and makes a trace of one, beside it or where a
/// RecoveryTarget says.
///
/// Flow:    path -> Leftovers -> recoverTrace -> RecoveryTarget
///          -> RecoveryReport
/// Errors:  are in the report, and the leftover stays
/// Trust:   docs/design/trust.md: no path is taken from the leftover, and below
///          a folder no link is followed
#pragma once

#include "runtime/recovery/RecoveryReport.h"
#include "utils/open/Leftovers.h"
#include "utils/recover/RecoveryTarget.h"
#include "utils/system/FolderEntries.h"

#include <string>
#include <vector>

namespace instantrace {

/// Leftovers below a folder, by path. \p Unlisted gets "PATH: why" for each
/// folder in it that may not be listed; that \p Folder may not is an error.
Result<std::vector<std::string>>
leftoversBelow(const std::string &Folder, const UnlistedFolder &Unlisted = {});

struct RecoveryInput {
  std::string Path;
  std::string Root; ///< the folder in which it was found; empty: it was named
  bool IsLink = false; ///< of /proc, to a file that has no other name
  bool isNamed() const { return Root.empty(); }
};

class LeftoverRecovery {
public:
  /// \p OutputPath is what the target was made of. \p Removes: leftovers of
  /// what was recovered.
  LeftoverRecovery(RecoveryTarget &Target, std::string OutputPath, bool Removes)
      : Target(Target), OutputPath(std::move(OutputPath)), Removes(Removes) {}

  RecoveryReport recover(const RecoveryInput &Input);

private:
  void remove(const FileDescriptor &Folder, const Leftover &L,
              RecoveryReport &Report) const;

  RecoveryTarget &Target;
  std::string OutputPath;
  bool Removes;
};

} // namespace instantrace
