#include "utils/session/CacheLog.h"

#include "utils/session/CommandOutput.h"

#include <filesystem>
#include <fstream>
#include <string_view>

using namespace instantrace;

namespace {

constexpr int CcachePatienceMs = 1000;

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
  std::error_code None;
  if (!std::filesystem::is_regular_file(Path, None))
    return Use;
  std::ifstream File(Path, std::ios::binary);
  File.seekg(static_cast<std::streamoff>(Begin));
  std::string Source;
  bool IsHit = false;
  auto endRun = [&] {
    if (!IsHit)
      return;
    ++Use.Hits;
    if (Use.HitSources.size() < CacheUse::MostSources)
      Use.HitSources.push_back(Source);
    IsHit = false;
  };
  for (std::string Line; std::getline(File, Line);) {
    if (Line.starts_with("# ")) {
      endRun();
      ++Use.Runs;
      Source = Line.substr(2);
    } else if (Line == "direct_cache_hit" || Line == "preprocessed_cache_hit") {
      IsHit = true;
    }
  }
  endRun();
  return Use;
}
