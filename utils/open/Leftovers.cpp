#include "utils/open/Leftovers.h"

#include "runtime/read/TraceReader.h"
#include "runtime/record/TraceFile.h"
#include "utils/open/FileKind.h"
#include "utils/system/HoleWatch.h"
#include "utils/system/Processes.h"

#include <filesystem>
#include <sys/file.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view BufferEnding = ".buffer";
constexpr std::string_view PartialEnding = ".partial";
constexpr std::string_view TraceEnding = ".itrace";

std::string withEnding(std::string Path, std::string_view Ending,
                       std::string_view Other) {
  Path.replace(Path.size() - Ending.size(), Ending.size(), Other);
  return Path;
}

bool beginsLikeBuffer(const FileDescriptor &File) {
  char Magic[8] = {};
  return File && FileBufferImage(File.get()).read(0, Magic, 8) == 8 &&
         hasBufferMagic({Magic, 8});
}

/// Whether somebody else has it locked.
bool isLocked(int File) {
  if (::flock(File, LOCK_SH | LOCK_NB) == 0) {
    ::flock(File, LOCK_UN);
    return false;
  }
  return errno == EWOULDBLOCK;
}

fs::path workingDirectory(const BufferSnapshot &Buffer) {
  Trace T;
  readTrace(Buffer.Session, "session", T);
  return T.Sequences.empty() || !T.Sequences.front().Session
             ? fs::path()
             : fs::path(T.Sequences.front().Session->WorkingDirectory);
}

/// Where the partial trace may be: its recorded path may be relative to the
/// compiler's directory, and the leftovers may have been moved.
std::vector<std::string> partialCandidates(const Leftover &L) {
  fs::path Recorded = L.Buffer.PartialPath;
  fs::path Beside = fs::path(L.BufferPath).parent_path() / Recorded.filename();
  std::vector<std::string> Paths;
  if (Recorded.is_absolute())
    Paths.push_back(Recorded.string());
  Paths.push_back(Beside.string());
  if (!Recorded.is_absolute() && L.IsRunning)
    Paths.push_back("/proc/" + std::to_string(L.Buffer.Pid) + "/cwd/" +
                    Recorded.string());
  if (!Recorded.is_absolute())
    Paths.push_back((workingDirectory(L.Buffer) / Recorded).string());
  return Paths;
}

/// Other programs have hidden files of this ending, too. A producer that was
/// killed early leaves zeros or nothing.
bool mayBeBuffer(const std::string &Path) {
  FileDescriptor File = openRegularFile(Path);
  std::string Begin(BufferMagic.size(), '\0');
  if (File)
    FileBufferImage(File.get()).read(0, Begin.data(), Begin.size());
  return hasBufferMagic(Begin) ||
         Begin.find_first_not_of('\0') == std::string::npos;
}

std::string withoutEnding(std::string Name) {
  for (std::string_view Ending : {BufferEnding, PartialEnding})
    if (Name.ends_with(Ending))
      Name.resize(Name.size() - Ending.size());
  return Name;
}

/// A partial trace whose buffer was memory, and is gone with its compile.
bool isLonePartial(const std::string &Path) {
  std::error_code Failed;
  if (fs::exists(withEnding(Path, PartialEnding, BufferEnding), Failed))
    return false;
  FileDescriptor File = openRegularFile(Path);
  std::string Head(FileKindBytes, '\0');
  if (File)
    Head.resize(FileBufferImage(File.get()).read(0, Head.data(), Head.size()));
  if (!File || isBeginOfTrace(Head))
    return bool(File);
  // A compile that was killed before its first write leaves an empty one, of a
  // name that no other program gives.
  std::string Name = fs::path(Path).filename().string();
  return Head.empty() && withoutEnding(Name).find(TraceEnding) != Name.npos;
}

/// Each partial trace begins with the session of its own compile. An empty file
/// is nobody's: the buffer may name any.
bool isPartialOf(const FileDescriptor &File, const BufferSnapshot &Buffer) {
  std::string Begin(Buffer.Session.size(), '\0');
  Begin.resize(FileBufferImage(File.get()).read(0, Begin.data(), Begin.size()));
  return !Begin.empty() && Begin == Buffer.Session;
}

bool haveOneOwner(const FileDescriptor &One, const FileDescriptor &Other) {
  struct stat First, Second;
  return ::fstat(One.get(), &First) == 0 &&
         ::fstat(Other.get(), &Second) == 0 && First.st_uid == Second.st_uid;
}

void findPartial(Leftover &L) {
  if (L.Buffer.PartialPath.empty())
    return;
  for (const std::string &Path : partialCandidates(L)) {
    FileDescriptor File = openRegularFile(Path);
    // What is read here gets into a trace: no file of somebody else, to whom
    // the buffer's maker could point.
    if (!File || !isPartialOf(File, L.Buffer) ||
        !haveOneOwner(File, L.BufferFile))
      continue;
    L.PartialPath = Path;
    L.PartialFile = std::move(File);
    return;
  }
}

/// What can be told to be of another kind by its first bytes.
Result<void> refuseForeign(const FileDescriptor &File,
                           const std::string &Path) {
  std::string Head(FileKindBytes, '\0');
  Head.resize(FileBufferImage(File.get()).read(0, Head.data(), Head.size()));
  // Zeros are of a compile that was killed early, nothing says so itself.
  if (Head.empty() || hasBufferMagic(Head) ||
      Head.find_first_not_of('\0') == Head.npos)
    return {};
  std::string Kind = isBeginOfTrace(Head) && !Path.ends_with(PartialEnding)
                         ? "a trace, which needs no recovery"
                         : fileKind(Head);
  if (Kind.empty())
    return {};
  return makeError(
      Path, Kind, "the buffer of a compile that did not end, .x.itrace.buffer");
}

Result<void> snapshot(Leftover &L) {
  std::string Why;
  if (!takeSnapshot(FileBufferImage(L.BufferFile.get()), L.Buffer, Why))
    return Error{L.BufferPath + ": " + Why};
  return {};
}

} // namespace

std::string Leftover::finalPath() const {
  fs::path Recorded = Buffer.FinalPath;
  std::error_code Failed;
  if (Recorded.is_absolute() &&
      fs::is_directory(Recorded.parent_path(), Failed))
    return Recorded.string();
  fs::path Beside = PartialPath.empty() ? BufferPath : PartialPath;
  return (Beside.parent_path() /
          (Recorded.empty() ? fs::path(finalName()) : Recorded.filename()))
      .string();
}

std::string Leftover::finalName() const {
  fs::path Path = BufferPath.empty() ? PartialPath : BufferPath;
  std::string Own = Path.filename().string(), Name = withoutEnding(Own);
  std::string Recorded = fs::path(Buffer.FinalPath).filename().string();
  std::string Hidden = hiddenPath(Recorded);
  bool IsName = !Recorded.empty() && Recorded != "." && Recorded != "..";
  // After it there may be a process id and a number, or a hash.
  if (IsName && (Name == Hidden || Name.starts_with(Hidden + ".")))
    return Recorded;
  return finalNameOf(std::move(Own));
}

std::string instantrace::finalNameOf(std::string Name) {
  Name = withoutEnding(std::move(Name));
  if (Name.starts_with('.'))
    Name.erase(0, 1);
  if (size_t End = Name.rfind(TraceEnding); End != std::string::npos) {
    End += TraceEnding.size();
    if (Name.find_first_not_of("0123456789-", End + 1) == std::string::npos)
      Name.resize(End);
  }
  if (Name.empty())
    Name = "recovered";
  return Name.ends_with(TraceEnding) ? Name : Name + std::string(TraceEnding);
}

Result<FileDescriptor> instantrace::openFolderOf(const std::string &Path,
                                                 const std::string &Root) {
  constexpr int Flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  fs::path Wanted = fs::path(Path).parent_path();
  fs::path Begin = Root.empty() ? Wanted : fs::path(Root);
  if (Begin.empty())
    Begin = ".";
  FileDescriptor Folder(::open(Begin.c_str(), Flags));
  if (!Root.empty() && Folder)
    for (const fs::path &Part : Wanted.lexically_relative(Begin)) {
      if (Part == ".")
        continue;
      FileDescriptor Next(
          ::openat(Folder.get(), Part.c_str(), Flags | O_NOFOLLOW));
      Folder = std::move(Next);
      if (!Folder)
        break;
    }
  if (!Folder)
    return Error{Path + ": " + systemMessage(errno)};
  return Folder;
}

Result<void> instantrace::checkIsIn(const FileDescriptor &Folder,
                                    const std::string &Path,
                                    const FileDescriptor &Open,
                                    bool FollowsLink) {
  if (isNameOf(Open, fs::path(Path).filename().string(), Folder.get(),
               FollowsLink ? 0 : AT_SYMLINK_NOFOLLOW))
    return {};
  return Error{Path + ": found another file of that name when it was opened"};
}

bool instantrace::isProducerRunning(const BufferSnapshot &Buffer,
                                    int BufferFile) {
  if (auto Stat = processStat(Buffer.Pid))
    if (Buffer.ProcessStartTicks == Stat->StartTicks)
      return Stat->State != 'Z' && Stat->State != 'X';
  // It may be in another container; it may be dead, and then this lock, held
  // for a moment, at worst has a compile that begins now take another name.
  return isLocked(BufferFile);
}

bool instantrace::isHeldByProducer(const std::string &Path) {
  FileDescriptor File = openRegularFile(Path);
  return File && isLocked(File.get());
}

bool instantrace::isLeftover(const std::string &Path) {
  FileDescriptor File = openRegularFile(Path);
  if (beginsLikeBuffer(File) || (File && Path.ends_with(BufferEnding)))
    return true;
  return Path.ends_with(PartialEnding) &&
         beginsLikeBuffer(
             openRegularFile(withEnding(Path, PartialEnding, BufferEnding)));
}

bool instantrace::isHiddenLeftover(const std::string &Path) {
  std::error_code NoStatus;
  if (!fs::path(Path).filename().string().starts_with('.') ||
      fs::symlink_status(Path, NoStatus).type() != fs::file_type::regular)
    return false;
  return Path.ends_with(PartialEnding)
             ? isLonePartial(Path)
             : Path.ends_with(BufferEnding) && mayBeBuffer(Path);
}

std::string instantrace::leftoverInPlaceOf(const std::string &TracePath) {
  std::error_code NoStatus;
  const fs::path Path = TracePath;
  if (fs::exists(fs::symlink_status(Path, NoStatus)))
    return {};
  for (std::string_view Ending : {BufferEnding, PartialEnding}) {
    std::string Left = (Path.parent_path() /
                        ("." + Path.filename().string() + std::string(Ending)))
                           .string();
    if (isHiddenLeftover(Left))
      return Left;
  }
  return {};
}

Result<Leftover> instantrace::openLeftover(FileDescriptor Buffer,
                                           std::string Path) {
  Leftover L;
  L.BufferPath = std::move(Path);
  L.BufferFile = std::move(Buffer);
  INSTANTRACE_TRY(snapshot(L));
  L.IsRunning = isProducerRunning(L.Buffer, L.BufferFile.get());
  findPartial(L);
  // Opened before the snapshot that counts, it does not matter that the
  // compile may finish and rename it meanwhile; nor that it may have ended
  // between the first one and the look at it.
  INSTANTRACE_TRY(snapshot(L));
  return L;
}

Result<Leftover> instantrace::openLeftover(const std::string &Path) {
  FileDescriptor File = openRegularFile(Path);
  if (!File)
    return Error{
        Path + ": " +
        (errno == EINVAL ? "not a regular file" : systemMessage(errno))};
  INSTANTRACE_TRY(refuseForeign(File, Path));
  if (!Path.ends_with(PartialEnding) || beginsLikeBuffer(File))
    return openLeftover(std::move(File), Path);
  std::string BufferPath = withEnding(Path, PartialEnding, BufferEnding);
  Leftover L;
  FileDescriptor Buffer = openRegularFile(BufferPath);
  if (beginsLikeBuffer(Buffer)) {
    INSTANTRACE_TRY_ASSIGN(Leftover Both,
                           openLeftover(std::move(Buffer), BufferPath));
    // Otherwise that buffer is of another compile, which has the name now.
    if (isPartialOf(File, Both.Buffer))
      L = std::move(Both);
  }
  // Without a buffer, the lock alone says so.
  if (L.BufferPath.empty())
    L.IsRunning = isLocked(File.get());
  L.PartialPath = Path;
  L.PartialFile = std::move(File);
  return L;
}

Result<void> instantrace::refresh(Leftover &L) {
  L.IsRunning = isProducerRunning(L.Buffer, L.BufferFile.get());
  INSTANTRACE_TRY(snapshot(L));
  if (!L.PartialFile)
    findPartial(L);
  return {};
}

int instantrace::removeFile(const FileDescriptor &Folder,
                            const std::string &Path,
                            const FileDescriptor &Open) {
  auto remove = [&Open](int In, const std::string &Name) {
    return isNameOf(Open, Name, In) && ::unlinkat(In, Name.c_str(), 0) == 0
               ? 0
               : errno;
  };
  int Code = remove(Folder.get(), fs::path(Path).filename().string());
  return Code == ENOENT || Code == ESTALE ? remove(AT_FDCWD, Path) : Code;
}

Result<RecoveredTrace> instantrace::recoverLeftover(const Leftover &L) {
  bool HasBuffer = !L.BufferPath.empty();
  const std::string &Name = HasBuffer ? L.BufferPath : L.PartialPath;
  if (L.isFinished())
    return Error{Name +
                 ": nothing to recover: the compile has finished, and "
                 "its trace is " +
                 L.finalPath()};
  if (HasBuffer && L.Buffer.PartialFileBytes != 0 && !L.PartialFile)
    return Error{Name + ": its partial trace " + L.Buffer.PartialPath +
                 " is missing, and the buffer has only what came after it"};
  std::string Partial;
  if (L.PartialFile)
    Partial = readToHole(FileBufferImage(L.PartialFile.get()),
                         HasBuffer ? L.Buffer.PartialFileBytes : UINT64_MAX);
  RecoveredTrace Trace =
      HasBuffer ? recoverTrace(L.Buffer, Partial) : recoverTrace(Partial);
  if (!Trace.Bytes.empty())
    return Trace;
  std::string Why =
      Trace.Problems.empty() ? "no session is in it" : Trace.Problems.back();
  return Error{Name + ": nothing can be recovered: " + Why};
}
