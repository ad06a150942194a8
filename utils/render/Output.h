/// \file
/// Buffered text to a stream; a failed write is remembered.
///
/// Errors: finish() tells, once, at the end; after a failure nothing is kept
#ifndef INSTANTRACE_UTILS_RENDER_OUTPUT_H
#define INSTANTRACE_UTILS_RENDER_OUTPUT_H

#include "runtime/base/Result.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace instantrace {

/// Deeper lines are not indented further: the size of the text would be the
/// product of depth and lines.
inline constexpr size_t DeepestIndent = 64;

class Output {
public:
  /// To must outlive the object.
  explicit Output(FILE *To) : To(To) {}
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
  /// The exit code of a command that has done all else: 0, or the error.
  virtual Result<int> finish();

protected:
  /// Of the buffer, before it is emptied.
  virtual void write(std::string_view Text);
  void flush() {
    write(Buffer);
    Buffer.clear();
  }

private:
  static constexpr size_t FlushBytes = 1 << 16;

  FILE *To;
  std::string Buffer;
  int Failure = 0; // errno of the first failed write
};

/// Appends text for a terminal: control characters, which could move the
/// cursor or fake a line, appear as \xNN.
void appendPrintable(std::string &Out, std::string_view Text);
inline std::string printableText(std::string_view Text) {
  std::string Out;
  appendPrintable(Out, Text);
  return Out;
}

} // namespace instantrace

#endif
