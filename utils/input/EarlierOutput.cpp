#include "utils/input/EarlierOutput.h"

#include "utils/input/FileDescriptor.h"
#include "utils/input/FileKind.h"

#include <algorithm>
#include <iterator>

using namespace instantrace;

namespace {

bool isTextual(std::string_view Head) { return kindOfNoText(Head).empty(); }

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

/// How files of other formats of ours begin, which may well be tried one after
/// the other under one name.
bool isOfOurFormats(std::string_view Head) {
  constexpr std::string_view Begins[] = {
      "# callgrind format\nversion: 1\ncreator: instantrace",
      "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n",
      "sequence,input,id,parent,requester,depth,kind,",
      "digraph trace {\n",
      "{\"sequence\":1,\"input\":\"",
      "{\"$schema\":\"https://www.speedscope.app/",
      "# input: ",
      "<!DOCTYPE html>\n<!-- The page of `instantrace report`"};
  return std::any_of(
      std::begin(Begins), std::end(Begins),
      [Head](std::string_view Begin) { return Head.starts_with(Begin); });
}

/// Whether one format has both beginnings: what a file says of its format is
/// the same in each, and longer than what is of XML or HTML alone.
bool isOfSameKind(std::string_view One, std::string_view Other) {
  constexpr size_t LeastSame = 9, LeastSameOfMarkup = 60;
  if (One.empty() || Other.empty())
    return false;
  auto [End, OtherEnd] =
      std::mismatch(One.begin(), One.end(), Other.begin(), Other.end());
  auto Same = static_cast<size_t>(End - One.begin());
  std::string_view Head = One.substr(0, FileKindBytes),
                   OtherHead = Other.substr(0, FileKindBytes);
  if (isTextual(Head) != isTextual(OtherHead))
    return false;
  if (!isTextual(Head))
    return Same != 0;
  return Same >= (One[0] == '<' ? LeastSameOfMarkup : LeastSame) ||
         (isFolded(Head) && isFolded(OtherHead));
}

} // namespace

Result<void> instantrace::checkReplacesOwnKind(const std::string &Path,
                                               std::string_view Head) {
  INSTANTRACE_TRY(checkReplacesNoTrace(Path));
  FileDescriptor File = openRegularFile(Path);
  std::string Found = File ? headOf(File) : std::string();
  if (Found.empty() || isOfSameKind(Found, Head) || isOfOurFormats(Found))
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
