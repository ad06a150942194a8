#include "utils/export/ExportOutput.h"

#include "utils/export/EarlierOutput.h"

#include <cstdio>

using namespace instantrace;

ExportOutput::ExportOutput(const std::string &Path) : Output(stdout) {
  if (Path != "-") {
    MayWrite = checkReplacesOurs(Path);
    File.emplace(Path, uniqueHiddenPath(Path) + ".export");
  }
  Shown.enter(Path);
}

void ExportOutput::write(std::string_view Text) {
  if (!File)
    return Output::write(Text);
  if (MayWrite)
    File->append(Text);
  Shown.at(WrittenBytes += Text.size());
}

Result<int> ExportOutput::finish() {
  if (!File)
    return Output::finish();
  flush();
  if (!MayWrite)
    return MayWrite.error();
  File->commit(/*KeepsExisting=*/false);
  return File->error().empty() ? Result<int>(0) : Error{File->error()};
}
