#include "utils/session/SessionCleaning.h"

#include "runtime/read/TraceReader.h"
#include "utils/index/TraceIndex.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/FileKind.h"
#include "utils/open/Leftovers.h"
#include "utils/session/RecordedSession.h"
#include "utils/system/FileDescriptor.h"
#include "utils/system/FolderEntries.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sys/file.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view SessionName = "session.json",
                           TrialsName = "trials.json";

class Cleaner {
public:
  Cleaner(const std::string &Root, const Cleaning &How, Cleaned &Into)
      : Root(Root), How(How), Into(Into) {}

  void look(const std::string &Path) {
    if (isHiddenLeftover(Path))
      return lookAtLeftover(Path);
    if (isUnfinishedIndex(Path))
      return lookAtUnfinished(Path);
    if (How.OnlyLeftovers)
      return;
    std::optional<CleanedKind> Kind = kindByName(Path);
    if (!Kind)
      return;
    FileDescriptor File = openRegularFile(Path);
    if (!File || !isOfKind(*Kind, Path, File))
      return;
    remove(*Kind, Path, File);
  }

  /// Last: the folders of sessions, where nothing is left in them.
  void removeFolders() {
    for (const std::string &Path : SessionFolders)
      ::rmdir(Path.c_str());
  }

private:
  static std::optional<CleanedKind> kindByName(const std::string &Path) {
    if (hasTraceName(Path))
      return CleanedKind::Trace;
    if (Path.ends_with(".itx"))
      return CleanedKind::Index;
    if (const fs::path Name = fs::path(Path).filename();
        Name == SessionName || Name == TrialsName)
      return CleanedKind::Session;
    return std::nullopt;
  }

  bool isOfKind(CleanedKind Kind, const std::string &Path,
                const FileDescriptor &File) {
    switch (Kind) {
    case CleanedKind::Trace:
      return isTraceFile(File);
    case CleanedKind::Index:
      return isIndex(Path);
    case CleanedKind::Session:
      return isSession(Path, headOf(File));
    case CleanedKind::Leftover:
      break;
    }
    return false;
  }

  bool isSession(const std::string &Path, std::string_view Head) {
    if (fs::path(Path).filename() == TrialsName)
      return Head.starts_with(R"({"format":"instantrace trials",)");
    if (!Head.starts_with(R"({"format":"instantrace session",)"))
      return false;
    SessionFolders.push_back(fs::path(Path).parent_path().string());
    return true;
  }

  void lookAtLeftover(const std::string &Path) {
    if (isHeldByProducer(Path)) {
      Into.Running.push_back(Path);
      return;
    }
    Result<Leftover> L = openLeftover(Path);
    if (!L)
      return; // not ours, or nobody's any more
    if (L->IsRunning) {
      Into.Running.push_back(Path);
      return;
    }
    if (!L->PartialPath.empty())
      remove(CleanedKind::Leftover, L->PartialPath, L->PartialFile);
    if (!L->BufferPath.empty())
      remove(CleanedKind::Leftover, L->BufferPath, L->BufferFile);
  }

  /// Whoever writes it has it locked.
  void lookAtUnfinished(const std::string &Path) {
    FileDescriptor File = openRegularFile(Path);
    if (!File)
      return;
    if (::flock(File.get(), LOCK_EX | LOCK_NB) != 0)
      Into.Running.push_back(Path);
    else
      remove(CleanedKind::Leftover, Path, File);
  }

  void remove(CleanedKind Kind, const std::string &Path,
              const FileDescriptor &File) {
    struct stat Status;
    if (::fstat(File.get(), &Status) != 0)
      return;
    if (!How.OnlyShows) {
      Result<FileDescriptor> Folder = openFolderOf(Path, Root);
      if (!Folder) {
        Into.Failures.push_back(Folder.error());
        return;
      }
      if (int Code = removeFile(*Folder, Path, File)) {
        Into.Failures.push_back(Error{Path + ": " + systemMessage(Code)});
        return;
      }
    }
    Cleaned::Sum &Sum = Into.Sums[static_cast<size_t>(Kind)];
    Sum.Files += fs::path(Path).filename() != TrialsName; // of its session
    // A hole takes nothing.
    Sum.Bytes += std::min(static_cast<uint64_t>(Status.st_size),
                          static_cast<uint64_t>(Status.st_blocks) * 512);
    Into.Paths.push_back(Path);
  }

  const std::string &Root;
  const Cleaning &How;
  Cleaned &Into;
  std::vector<std::string> SessionFolders;
};

} // namespace

Result<void> instantrace::cleanFolder(const std::string &Folder,
                                      const Cleaning &How, Cleaned &Into,
                                      const CleanProgress &Progress) {
  std::vector<std::string> Files;
  Result<void> Visited = visitBelow(
      Folder,
      [&](const fs::directory_entry &Entry) {
        std::error_code NoStatus;
        if (Entry.symlink_status(NoStatus).type() == fs::file_type::regular)
          Files.push_back(Entry.path().string());
      },
      [&](const std::string &Message) { Into.Unlisted.push_back(Message); });
  if (!Visited)
    return Visited;
  std::sort(Files.begin(), Files.end());
  // Nothing below a session that runs is anybody's but its own.
  std::vector<std::string> Busy;
  for (const std::string &Path : Files) {
    fs::path File(Path);
    std::string Session = File.parent_path().string();
    if (File.filename() != SessionName)
      continue;
    if (isBeingRecorded(Session)) {
      Busy.push_back(Session + "/");
      Into.Running.push_back(Session);
    }
  }
  Cleaner Work(Folder, How, Into);
  for (const std::string &Path : Files) {
    if (Progress)
      Progress(Path);
    if (std::none_of(Busy.begin(), Busy.end(), [&](const std::string &Name) {
          return Path.starts_with(Name);
        }))
      Work.look(Path);
  }
  if (!How.OnlyShows)
    Work.removeFolders();
  return {};
}
