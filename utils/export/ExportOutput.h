/// \file
/// Where an export goes: a file that appears when it is complete, or stdout.
///
/// Flow:   formats -> [ExportOutput] -> TraceFile | Output
/// Errors: finish() tells, once, at the end; after a failure nothing is kept
#ifndef INSTANTRACE_UTILS_EXPORT_EXPORTOUTPUT_H
#define INSTANTRACE_UTILS_EXPORT_EXPORTOUTPUT_H

#include "runtime/trace/Result.h"
#include "runtime/trace/TraceFile.h"

#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

class ExportOutput {
public:
  /// "-" is the standard output.
  explicit ExportOutput(const std::string &Path);

  /// For appending; call lineDone() now and then.
  std::string &buffer() { return Buffer; }
  void lineDone() {
    if (Buffer.size() >= FlushBytes)
      flush();
  }
  void append(std::string_view Text) {
    Buffer.append(Text);
    lineDone();
  }
  /// Puts the file in its place; the exit code of a command that has done all
  /// else, or the error. Without this call there is no file.
  Result<int> finish();

private:
  static constexpr size_t FlushBytes = 1 << 16;
  void flush();

  std::string Buffer;
  std::optional<TraceFile> File; // none: the standard output
  int Failure = 0;               // errno of the first failed write to that
};

} // namespace instantrace

#endif
