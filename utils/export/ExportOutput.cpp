#include "utils/export/ExportOutput.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace instantrace;

ExportOutput::ExportOutput(const std::string &Path) {
  if (Path != "-")
    File.emplace(Path, hiddenPath(Path, /*WithPid=*/true) + ".export");
}

void ExportOutput::flush() {
  if (File)
    File->append(Buffer);
  else if (!Failure && std::fwrite(Buffer.data(), 1, Buffer.size(), stdout) !=
                           Buffer.size())
    Failure = errno;
  Buffer.clear();
}

Result<int> ExportOutput::finish() {
  flush();
  if (File) {
    File->commit(/*KeepsExisting=*/false);
    return File->error().empty() ? Result<int>(0) : Error{File->error()};
  }
  if (!Failure && std::fflush(stdout) != 0)
    Failure = errno;
  if (Failure)
    return Error{std::string("cannot write the output: ") +
                 std::strerror(Failure)};
  return 0;
}
