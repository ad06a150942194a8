#include "utils/input/RecoveryTarget.h"

#include "runtime/read/SequenceReader.h"
#include "runtime/read/TraceReader.h"
#include "runtime/record/TraceFile.h"
#include "runtime/shm/BufferSnapshot.h"
#include "utils/input/FileDescriptor.h"
#include "utils/input/TraceInputs.h"

#include <filesystem>
#include <sys/stat.h>

using namespace instantrace;
namespace fs = std::filesystem;

bool instantrace::isCompleteTrace(const std::string &Path) {
  std::error_code Failed;
  if (!fs::is_regular_file(Path, Failed))
    return false;
  Result<std::string> Bytes = readBytes(Path);
  if (!Bytes)
    return true; // not ours to judge, so not ours to replace
  PacketFraming Framing(*Bytes);
  std::optional<TraceFooter> Last;
  bool IsInterrupted = false;
  while (auto Packet = Framing.next()) {
    Last = readFooter(*Packet);
    IsInterrupted = IsInterrupted || (Last && Last->isInterrupted());
  }
  return Last && !IsInterrupted && !Framing.issue();
}

namespace {

/// The file header and the session, with which each trace of a compile begins,
/// and no trace of another one.
std::string_view beginOfTrace(std::string_view Bytes) {
  PacketFraming Framing(Bytes);
  for (int Packet = 0; Packet != 3; ++Packet)
    if (!Framing.next())
      return Framing.issue() ? std::string_view() : Bytes;
  return Bytes.substr(0, Framing.offsetBytes());
}

/// What is there belongs to somebody: the leftover names the path, and anybody
/// can make one. Only an interrupted trace of the same compile is replaced.
bool isReplaceable(const std::string &Path, std::string_view Bytes) {
  struct stat Status;
  if (::lstat(Path.c_str(), &Status) != 0)
    return true;
  std::string_view Begin = beginOfTrace(Bytes);
  FileDescriptor File = openRegularFile(Path);
  if (!S_ISREG(Status.st_mode) || !File || Begin.empty())
    return false;
  std::string Found(Begin.size(), '\0');
  Found.resize(FileBufferImage(File.get()).read(0, Found.data(), Found.size()));
  return Found == Begin && !isCompleteTrace(Path);
}

} // namespace

Result<RecoveryTarget::Written>
RecoveryTarget::write(std::string_view Bytes, const FileDescriptor &Folder,
                      const std::string &Name) {
  Written To;
  std::error_code Failed;
  bool IsFolder = !Output.empty() &&
                  (Output.back() == '/' || fs::is_directory(Output, Failed));
  // By descriptor: whatever is at the folder's path by now, this is the one.
  std::string Opened = "/proc/self/fd/" + std::to_string(Folder.get());
  fs::path Shown = Output, Real = Output;
  if (Output.empty()) {
    Real = Opened;
    Shown = fs::read_symlink(Opened, Failed);
  }
  if (Output.empty() || IsFolder) {
    if (IsFolder)
      fs::create_directories(Output, Failed);
    fs::path Wanted = Name;
    std::string Found = Name;
    for (unsigned No = 1; Taken.contains((Shown / Found).string()) ||
                          !isReplaceable((Real / Found).string(), Bytes);
         ++No) {
      bool IsOurs = Taken.contains((Shown / Found).string());
      if (No == 1 && !IsOurs && isCompleteTrace((Real / Found).string()))
        To.Kept = (Shown / Found).string();
      std::string Addition =
          No == 1 ? ".recovered" : ".recovered-" + std::to_string(No);
      Found = Wanted.stem().string() + Addition + Wanted.extension().string();
    }
    Shown /= Found;
    Real /= Found;
  }
  To.Path = Shown.string();
  TraceFile File(Real.string(),
                 uniqueHiddenPath(Real.string()) + ".recovering");
  File.append(Bytes);
  File.commit(/*KeepsExisting=*/false);
  if (!File.error().empty()) {
    std::string Text = File.error();
    if (Output.empty() && Text.starts_with(Opened))
      Text.replace(0, Opened.size(), Shown.parent_path().string());
    return Error{Text};
  }
  Taken.insert(To.Path);
  return To;
}
