#include "utils/export/EarlierOutput.h"

#include "utils/open/FileKind.h"
#include "utils/system/FileDescriptor.h"

#include <algorithm>
#include <iterator>

using namespace instantrace;

namespace {

/// How what is ours begins, up to the end of what says so: who made it, or
/// columns that nobody else has.
bool isOurs(std::string_view Head) {
  constexpr std::string_view Begins[] = {
      "# callgrind format\nversion: 1\ncreator: instantrace ",
      "{\"displayTimeUnit\":\"ns\",\"exporter\":\"instantrace\",",
      "sequence,input,id,parent,requester,depth,kind,name,file,line,column,",
      "digraph trace { // made by instantrace\n",
      ("{\"$schema\":\"https://www.speedscope.app/"
       "file-format-schema.json\",\n\"exporter\":\"instantrace "),
      ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
       "<!-- made by instantrace -->\n"),
      "<!DOCTYPE html>\n<!-- The page of `instantrace report`: ",
      "<!doctype html>\n<!-- made by instantrace -->\n"};
  return std::any_of(
      std::begin(Begins), std::end(Begins),
      [Head](std::string_view Begin) { return Head.starts_with(Begin); });
}

} // namespace

Result<void> instantrace::checkReplacesOurs(const std::string &Path) {
  INSTANTRACE_TRY(checkReplacesNoTrace(Path));
  FileDescriptor File = openRegularFile(Path);
  std::string Found = File ? headOf(File) : std::string();
  if (Found.empty() || isOurs(Found))
    return {};
  return noEarlierOutput(Path, Found);
}

Error instantrace::noEarlierOutput(const std::string &Path,
                                   std::string_view Found) {
  std::string Kind = fileKind(Found);
  return makeError(
      Path, Kind.empty() ? "a file that does not say that it is ours" : Kind,
      "none, or an earlier export or page of instantrace; give "
      "another name, or remove that file first");
}
