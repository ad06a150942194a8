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
RecoveryTarget::write(std::string_view Bytes, const std::string &FinalPath) {
  Written To;
  std::error_code Failed;
  bool IsFolder = !Output.empty() &&
                  (Output.back() == '/' || fs::is_directory(Output, Failed));
  if (Output.empty() || IsFolder) {
    fs::path Wanted = FinalPath;
    if (IsFolder) {
      fs::create_directories(Output, Failed);
      Wanted = Output / Wanted.filename();
    }
    To.Path = Wanted.string();
    for (unsigned No = 1;
         Taken.contains(To.Path) || !isReplaceable(To.Path, Bytes); ++No) {
      if (No == 1 && isCompleteTrace(To.Path) && !Taken.contains(To.Path))
        To.Kept = To.Path;
      std::string Addition =
          No == 1 ? ".recovered" : ".recovered-" + std::to_string(No);
      To.Path = (Wanted.parent_path() / Wanted.stem()).string() + Addition +
                Wanted.extension().string();
    }
  } else {
    To.Path = Output;
  }
  TraceFile File(To.Path, uniqueHiddenPath(To.Path) + ".recovering");
  File.append(Bytes);
  File.commit(/*KeepsExisting=*/false);
  if (!File.error().empty())
    return Error{File.error()};
  Taken.insert(To.Path);
  return To;
}
