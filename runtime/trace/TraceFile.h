/// \file
/// A file that appears under its final name only when it is complete.
///
/// Errors:  the first one is kept; later calls do nothing. Nothing is printed.
///          What is no regular file (a device, a pipe) is never replaced, and
///          a limit on file sizes is an error like a full disk
/// Owns:    the temporary file, removed unless commit() succeeds
/// Threads: one
#ifndef INSTANTRACE_RUNTIME_TRACE_TRACEFILE_H
#define INSTANTRACE_RUNTIME_TRACE_TRACEFILE_H

#include <string>
#include <string_view>

namespace instantrace {

class TraceFile {
public:
  /// Nothing is created before the first append().
  explicit TraceFile(std::string FinalPath);
  ~TraceFile();
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  /// Creates the final name's directory when it is missing.
  void createParents() { MakesParents = true; }

  void append(std::string_view Bytes);
  /// Renames onto the final path. With \p KeepsExisting, an existing non-empty
  /// file stays and ours is dropped.
  void commit(bool KeepsExisting);
  void discard();

  /// Empty while all is well, otherwise "PATH: reason".
  const std::string &error() const { return ErrorText; }
  const std::string &path() const { return FinalPath; }

private:
  bool open();
  /// Whether commit() may rename onto the final path; fails otherwise.
  bool isReplaceable();
  void fail(const std::string &Path, int ErrorNumber);

  std::string FinalPath;
  std::string TemporaryPath;
  std::string ErrorText;
  int Descriptor = -1;
  bool MakesParents = false;
};

} // namespace instantrace

#endif
