#include "utils/recover/LeftoverRecovery.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sys/file.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

RecoveryReport failed(RecoveryReport Report, const Error &E) {
  Report.Outcome = RecoveryReport::Failed;
  Report.Error = E.Message;
  return Report;
}

void removeOne(const FileDescriptor &Folder, const std::string &Path,
               const FileDescriptor &File, RecoveryReport &Report) {
  if (Path.empty())
    return;
  int Code = removeFile(Folder, Path, File);
  if (Code != 0)
    Report.Problems.push_back(
        "not removed: " + (Code == ESTALE ? "the name is that of a link, or "
                                            "of another file by now"
                                          : systemMessage(Code)));
}

} // namespace

void LeftoverRecovery::remove(const FileDescriptor &Folder, const Leftover &L,
                              RecoveryReport &Report) const {
  if (!Removes || L.IsRunning)
    return;
  removeOne(Folder, L.PartialPath, L.PartialFile, Report);
  removeOne(Folder, L.BufferPath, L.BufferFile, Report);
}

RecoveryReport LeftoverRecovery::recover(const RecoveryInput &Input) {
  RecoveryReport Report;
  Report.Input = Input.Path;
  Result<Leftover> L = openLeftover(Input.Path);
  // Found in a folder while its producer writes the header: not ours yet.
  if (!L && !Input.isNamed() && isHeldByProducer(Input.Path)) {
    Report.IsRunning = true;
    Report.Outcome = RecoveryReport::Skipped;
    return Report;
  }
  if (!L)
    return failed(std::move(Report), L.error());
  Result<FileDescriptor> Folder = openFolderOf(Input.Path, Input.Root);
  if (!Folder)
    return failed(std::move(Report), Folder.error());
  if (Result<void> Same = checkIsIn(
          *Folder, Input.Path,
          L->BufferPath.empty() || Input.Path == L->PartialPath ? L->PartialFile
                                                                : L->BufferFile,
          Input.IsLink);
      !Same)
    return failed(std::move(Report), Same.error());
  // A compile that begins now and wants this name sees that it is taken and
  // leaves the leftover alone. The producer itself holds it until it ends.
  if (L->BufferFile && ::flock(L->BufferFile.get(), LOCK_SH | LOCK_NB) != 0)
    L->IsRunning = L->IsRunning || errno == EWOULDBLOCK;
  for (const FileDescriptor *Own : {&L->BufferFile, &L->PartialFile})
    if (*Own && isNameOf(*Own, OutputPath, AT_FDCWD, 0))
      return failed(std::move(Report),
                    makeError("--output " + OutputPath, "the leftover itself",
                              "another file"));
  Report.Pid = L->Buffer.Pid;
  Report.IsRunning = L->IsRunning;
  if (L->IsRunning && !Input.isNamed()) {
    Report.Outcome = RecoveryReport::Skipped;
    return Report;
  }
  if (L->isFinished()) {
    Report.Outcome = RecoveryReport::Finished;
    Report.Output = L->finalPath();
    remove(*Folder, *L, Report);
    return Report;
  }
  Result<RecoveredTrace> Trace = recoverLeftover(*L);
  if (!Trace)
    return failed(std::move(Report), Trace.error());
  if (!L->IsRunning)
    addInterruptedFooter(*Trace);
  Report.take(*Trace);
  Result<RecoveryTarget::Written> Written =
      Target.write(Trace->Bytes, *Folder, L->finalName());
  if (!Written)
    return failed(std::move(Report), Written.error());
  Report.Outcome = RecoveryReport::Recovered;
  Report.Output = Written->Path;
  Report.Kept = Written->Kept;
  remove(*Folder, *L, Report);
  return Report;
}

Result<std::vector<std::string>>
instantrace::leftoversBelow(const std::string &Folder,
                            const UnlistedFolder &Unlisted) {
  std::vector<std::string> Found;
  INSTANTRACE_TRY(visitBelow(
      Folder,
      [&](const fs::directory_entry &Entry) {
        if (isHiddenLeftover(Entry.path().string()))
          Found.push_back(Entry.path().string());
      },
      Unlisted));
  std::sort(Found.begin(), Found.end());
  return Found;
}
