/// \file
/// Lines of the sources that a recorded compile read.
///
/// Flow:   path in an index -> [ReplaySources] -> list, stops
///
/// What may be shown is what SourceRoots allows. Folders of the compile are
/// what the index says.
#pragma once

#include "runtime/index/Index.h"
#include "utils/open/SourceFiles.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

class ReplaySources {
public:
  /// \p X must outlive the object. \p Named are folders of --source-root.
  ReplaySources(const InstantiationIndex &X, std::vector<std::string> Named)
      : X(X), Named(std::move(Named)) {}

  /// Of a file as a compile names it; null: it is not there, or may not be
  /// shown. Valid as long as the object.
  const std::vector<std::string_view> *lines(uint32_t Compile,
                                             const std::string &Path);

private:
  struct OfCompile {
    std::string WorkingDirectory;
    std::unique_ptr<SourceFiles> Files;
    std::map<std::string, std::vector<std::string_view>> Lines;
  };
  OfCompile &ofCompile(uint32_t Id);

  const InstantiationIndex &X;
  std::vector<std::string> Named;
  std::map<uint32_t, OfCompile> Compiles;
};

} // namespace instantrace
