/// \file
/// Where an export goes: a file that appears when it is complete, or stdout.
///
/// Flow:   formats -> [ExportOutput] -> TraceFile | Output
/// Errors: finish() tells, once, at the end; after a failure nothing is kept
#pragma once

#include "runtime/base/Result.h"
#include "runtime/record/TraceFile.h"
#include "utils/render/Output.h"
#include "utils/render/Progress.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace instantrace {

class ExportOutput : public Output {
public:
  /// "-" is the standard output. Nothing is replaced but an earlier output that
  /// says so: a trace cannot be made again, nor can a source.
  explicit ExportOutput(const std::string &Path);

  /// Puts the file in its place; the exit code of a command that has done all
  /// else, or the error. Without this call there is no file.
  Result<int> finish() override;

  template <class... Args>
  void format(fmt::format_string<Args...> Format, Args &&...Values) {
    fmt::format_to(std::back_inserter(buffer()), Format,
                   std::forward<Args>(Values)...);
    lineDone();
  }

private:
  void write(std::string_view Text) override;

  Result<void> MayWrite;         // or the file that has the name
  std::optional<TraceFile> File; // none: the standard output
  Progress Shown{"writing", 0, ProgressUnit::Bytes};
  uint64_t WrittenBytes = 0;
};

} // namespace instantrace
