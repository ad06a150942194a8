#include "utils/session/CacheLog.h"

#include "utils/session/CommandOutput.h"
#include "utils/system/FileDescriptor.h"

#include <algorithm>
#include <string_view>

using namespace instantrace;

namespace {

constexpr int CcachePatienceMs = 1000;
/// A path has 4 KiB at most, and anybody may write to the file.
constexpr size_t MostLineBytes = 1 << 16;

} // namespace

std::string instantrace::configuredCacheLog() {
  // In the user's folder of that name it would make one of its own, to stay.
  CommandOutput Done = runShortly({"env", "XDG_RUNTIME_DIR=/dev/null", "ccache",
                                   "--get-config", "stats_log"},
                                  CcachePatienceMs);
  // A relative one is in the folder of each run.
  std::string Path = Done.isGood() ? firstLine(Done.Text) : std::string();
  return Path.starts_with('/') ? Path : std::string();
}

CacheUse instantrace::readCacheLog(const std::string &Path, uint64_t Begin) {
  CacheUse Use;
  // Others have no end, or wait for whoever writes them.
  FileDescriptor File = openRegularFile(Path);
  if (!File)
    return Use;
  std::string Source, Line;
  bool IsHit = false, IsLong = false;
  auto endRun = [&] {
    if (!IsHit)
      return;
    ++Use.Hits;
    if (Use.HitSources.size() < CacheUse::MostSources)
      Use.HitSources.push_back(Source);
    IsHit = false;
  };
  auto endLine = [&] {
    if (!IsLong && Line.starts_with("# ")) {
      endRun();
      ++Use.Runs;
      Source = Line.substr(2);
    } else if (Line == "direct_cache_hit" || Line == "preprocessed_cache_hit") {
      IsHit = true;
    }
    Line.clear();
    IsLong = false;
  };
  char Bytes[1 << 16];
  for (uint64_t Done = 0; Done < CacheUse::MostBytes;) {
    ssize_t Got = ::pread(File.get(), Bytes, sizeof(Bytes),
                          static_cast<off_t>(Begin + Done));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      break;
    Done += static_cast<uint64_t>(Got);
    std::string_view Left(Bytes, static_cast<size_t>(Got));
    while (!Left.empty()) {
      size_t End = std::min(Left.find('\n'), Left.size());
      IsLong |= Line.size() + End > MostLineBytes;
      if (!IsLong)
        Line += Left.substr(0, End);
      if (End != Left.size())
        endLine();
      Left.remove_prefix(std::min(End + 1, Left.size()));
    }
  }
  struct stat Status;
  Use.IsCut =
      ::fstat(File.get(), &Status) == 0 &&
      static_cast<uint64_t>(Status.st_size) > Begin + CacheUse::MostBytes;
  if (!Use.IsCut)
    endLine(); // the last one need not end in a line feed
  endRun();
  return Use;
}
