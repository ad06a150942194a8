/// \file
/// Buffered text to a stream; a failed write is remembered.
///
/// Errors: finish() tells, once, at the end; after a failure nothing is kept
#pragma once

#include "runtime/base/Result.h"
#include "utils/render/Progress.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// Deeper lines are not indented further: the size of the text would be the
/// product of depth and lines.
inline constexpr size_t DeepestIndent = 64;

class Output {
public:
  /// To must outlive the object, and so must the progress that may be shown on
  /// the same terminal.
  explicit Output(FILE *File, Progress *Beside = nullptr)
      : File(File), Beside(Beside) {}
  virtual ~Output() = default;
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

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
  /// What was appended so far.
  uint64_t sizeBytes() const { return FlushedBytes + Buffer.size(); }
  /// The exit code of a command that has done all else: 0, or the error.
  virtual Result<int> finish();
  /// As finish(), for a command that went on after \p Failures.
  Result<int> finishAfter(std::vector<Error> Failures);

protected:
  /// Of the buffer, before it is emptied.
  virtual void write(std::string_view Text);
  void flush() {
    write(Buffer);
    FlushedBytes += Buffer.size();
    Buffer.clear();
  }

private:
  static constexpr size_t FlushBytes = 1 << 16;
  /// What is longer streams, and is not made without a reader.
  static constexpr uint64_t MostUnreadBytes = 1 << 20;
  bool isPagerGone() const;

  FILE *File;
  Progress *Beside;
  std::string Buffer;
  uint64_t FlushedBytes = 0;
  int Failure = 0; // errno of the first failed write
};

} // namespace instantrace
