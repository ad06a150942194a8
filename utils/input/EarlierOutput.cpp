#include "utils/input/EarlierOutput.h"

#include "utils/input/FileDescriptor.h"
#include "utils/input/FileKind.h"

#include <algorithm>
#include <iterator>

using namespace instantrace;

namespace {

bool isTextual(std::string_view Head) {
  return std::none_of(Head.begin(), Head.end(), [](unsigned char C) {
    return C < ' ' && C != '\t' && C != '\n' && C != '\r';
  });
}

/// A stack and a number on each line but the last, which may be cut, and a
/// stack of several frames in some. They are the one text of ours that does not
/// begin with what it is.
bool isFolded(std::string_view Text) {
  size_t End = Text.rfind('\n');
  if (End == Text.npos || End == 0 || Text.front() == '#')
    return false;
  Text = Text.substr(0, End);
  if (Text.find(';') == Text.npos)
    return false;
  while (!Text.empty()) {
    std::string_view Line = Text.substr(0, Text.find('\n'));
    Text.remove_prefix(std::min(Line.size() + 1, Text.size()));
    size_t Space = Line.rfind(' ');
    if (Space == Line.npos || Space == 0 || Space + 1 == Line.size() ||
        Line.find_first_not_of("0123456789", Space + 1) != Line.npos)
      return false;
  }
  return true;
}

/// How text of ours begins, with what says who made it, or with columns that
/// nobody else has. It may well be tried in one format after the other under
/// one name.
bool isTextOfOurs(std::string_view Head) {
  constexpr std::string_view Begins[] = {
      "# callgrind format\nversion: 1\ncreator: instantrace",
      "{\"displayTimeUnit\":\"ns\",\"exporter\":\"instantrace",
      "sequence,input,id,parent,requester,depth,kind,name,file,line,column,",
      "digraph trace { // made by instantrace\n",
      "{\"sequence\":1,\"input\":\"",
      ("{\"$schema\":\"https://www.speedscope.app/"
       "file-format-schema.json\",\n\"exporter\":\"instantrace"),
      "# made by instantrace\n",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made by instantrace",
      ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
       "<trace exporter=\"instantrace"),
      "<!DOCTYPE html>\n<!-- The page of `instantrace report`",
      "<!doctype html>\n<!-- made by instantrace -->"};
  return std::any_of(
      std::begin(Begins), std::end(Begins),
      [Head](std::string_view Begin) { return Head.starts_with(Begin); });
}

/// Whether a file that begins as \p Found may give way to one that begins as
/// \p Written. What is no text has no mark: both begin with the same field of a
/// message, then.
bool isReplaceable(std::string_view Found, std::string_view Written) {
  std::string_view Head = Written.substr(0, FileKindBytes);
  if (isTextual(Found) || isTextual(Head))
    return isTextOfOurs(Found) || (isFolded(Found) && isFolded(Head));
  return !Written.empty() && Found.front() == Written.front();
}

} // namespace

Result<void> instantrace::checkReplacesOwnKind(const std::string &Path,
                                               std::string_view Head) {
  INSTANTRACE_TRY(checkReplacesNoTrace(Path));
  FileDescriptor File = openRegularFile(Path);
  std::string Found = File ? headOf(File) : std::string();
  if (Found.empty() || isReplaceable(Found, Head))
    return {};
  return noEarlierOutput(Path, Found);
}

Error instantrace::noEarlierOutput(const std::string &Path,
                                   std::string_view Found) {
  std::string Kind = fileKind(Found);
  return makeError(Path, Kind.empty() ? "a file of another kind" : Kind,
                   "none, or what this command has written before; give "
                   "another name, or remove that file first");
}
