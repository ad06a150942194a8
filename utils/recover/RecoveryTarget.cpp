#include "utils/recover/RecoveryTarget.h"

#include "runtime/base/Utf8.h"
#include "runtime/read/SequenceReader.h"
#include "runtime/read/TraceReader.h"
#include "runtime/record/TraceFile.h"
#include "runtime/shm/BufferSnapshot.h"
#include "utils/system/FileDescriptor.h"

#include <filesystem>
#include <sys/stat.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// What has the name that a recovered trace is to get.
enum class Occupant {
  None,
  Empty,    ///< a file without a byte
  Ours,     ///< the same trace, or an interrupted one of this compile alone
  Another,  ///< an interrupted trace of another compile alone
  Complete, ///< a trace of compiles that all ended well
  Other,    ///< not ours to judge, so not ours to replace
};

/// The file header and the session, with which each trace of a compile begins,
/// and no trace of another one.
std::string_view beginOfTrace(std::string_view Bytes) {
  PacketFraming Framing(Bytes);
  for (int Packet = 0; Packet != 3; ++Packet)
    if (!Framing.next())
      return Framing.issue() ? std::string_view() : Bytes;
  return Bytes.substr(0, Framing.offsetBytes());
}

/// \p Bytes would replace the file, whose path may come from a leftover, which
/// anybody can make.
Occupant occupantOf(const std::string &Path, std::string_view Bytes) {
  struct stat Status;
  if (::lstat(Path.c_str(), &Status) != 0)
    return Occupant::None; // or it cannot be reached, which writing will say
  FileDescriptor File = openRegularFile(Path);
  if (!S_ISREG(Status.st_mode) || !File)
    return Occupant::Other;
  FileBufferImage Image(File.get());
  std::string Found(Image.sizeBytes(), '\0');
  Found.resize(Image.read(0, Found.data(), Found.size()));
  if (Found.empty())
    return Occupant::Empty;
  if (Found == Bytes)
    return Occupant::Ours;
  PacketFraming Framing(Found);
  std::optional<TraceFooter> Last;
  bool IsInterrupted = false;
  unsigned Sessions = 0; // traces may lie one behind the other
  while (auto Packet = Framing.next()) {
    PacketBody Body = packetBody(*Packet);
    Sessions += Body == PacketBody::FileHeader || Body == PacketBody::Session;
    Last = readFooter(*Packet);
    IsInterrupted = IsInterrupted || (Last && Last->isInterrupted());
  }
  if (Framing.issue())
    return Occupant::Other;
  if (Last && !IsInterrupted)
    return Occupant::Complete;
  if (Sessions != 2)
    return Occupant::Other;
  std::string_view Begin = beginOfTrace(Bytes);
  return !Begin.empty() && Found.starts_with(Begin) ? Occupant::Ours
                                                    : Occupant::Another;
}

Result<void> checkOutput(const std::string &Path, std::string_view Bytes) {
  constexpr const char *Expected = "a new name, or --force to replace it";
  switch (occupantOf(Path, Bytes)) {
  case Occupant::None:
  case Occupant::Empty:
  case Occupant::Ours:
  case Occupant::Another: // who names it has recovered into it before
    return {};
  case Occupant::Complete:
    return makeError("--output " + Path, "a complete trace", Expected);
  case Occupant::Other:
    break;
  }
  return makeError("--output " + Path,
                   "something else than an interrupted trace", Expected);
}

/// \p Name with \p Addition before its ending, cut so that a file system takes
/// it.
std::string withAddition(const std::string &Name, const std::string &Addition) {
  constexpr size_t LongestName = 255, LongestEnding = 16;
  fs::path Path = Name;
  std::string Stem = Path.stem().string(), Ending = Path.extension().string();
  if (Ending.size() > LongestEnding) {
    Stem = Name;
    Ending.clear();
  }
  Ending = Addition + Ending;
  Stem.resize(utf8PrefixBytes(Stem, LongestName - Ending.size()));
  return Stem + Ending;
}

} // namespace

Result<RecoveryTarget::Written>
RecoveryTarget::tryToWrite(std::string_view Bytes, const FileDescriptor &Folder,
                           const std::string &Name) {
  Written W;
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
    std::string Found = Name;
    for (unsigned No = 1;; ++No) {
      bool IsOurs = Taken.contains((Shown / Found).string());
      Occupant Now = occupantOf((Real / Found).string(), Bytes);
      if (!IsOurs && (Now == Occupant::None || Now == Occupant::Ours))
        break;
      if (No == 1 && !IsOurs && Now == Occupant::Complete)
        W.Kept = (Shown / Found).string();
      Found = withAddition(Name, No == 1 ? ".recovered"
                                         : ".recovered-" + std::to_string(No));
    }
    Shown /= Found;
    Real /= Found;
  } else if (!Forced) {
    INSTANTRACE_TRY(checkOutput(Output, Bytes));
  }
  struct stat Status;
  bool IsNew = ::lstat(Real.c_str(), &Status) != 0;
  TraceFile File(Real.string(),
                 uniqueHiddenPath(Real.string()) + ".recovering");
  File.append(Bytes);
  if (!IsNew)
    File.commit(/*KeepsExisting=*/false);
  else if (!File.commitAsNew())
    return Written();
  if (!File.error().empty()) {
    std::string Text = File.error();
    if (Output.empty() && Text.starts_with(Opened))
      Text.replace(0, Opened.size(), Shown.parent_path().string());
    return Error{Text};
  }
  W.Path = Shown.string();
  Taken.insert(W.Path);
  return W;
}

Result<RecoveryTarget::Written>
RecoveryTarget::write(std::string_view Bytes, const FileDescriptor &Folder,
                      const std::string &Name) {
  Result<Written> R = tryToWrite(Bytes, Folder, Name);
  while (R && R->Path.empty())
    R = tryToWrite(Bytes, Folder, Name);
  return R;
}
