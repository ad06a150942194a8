/// \file
/// A folder for what a target writes, which goes with it.
#pragma once

#include "test/fuzz/FuzzTargets.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace instantrace::fuzz {

class ScratchFolder {
public:
  ScratchFolder() {
    Path = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
    require(::mkdtemp(Path.data()) != nullptr);
  }
  ~ScratchFolder() {
    std::error_code Ignored;
    std::filesystem::remove_all(Path, Ignored);
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  const std::string &path() const { return Path; }
  std::string path(std::string_view Name) const {
    return (Path + "/").append(Name);
  }

private:
  std::string Path;
};

} // namespace instantrace::fuzz
