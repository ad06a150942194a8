#include "utils/open/FileKind.h"

#include "runtime/base/Utf8.h"
#include "runtime/format/Record.h"
#include "runtime/index/Index.h"
#include "runtime/shm/BufferSnapshot.h"
#include "utils/open/CompressedTrace.h"

#include <unistd.h>
#include <utility>

using namespace instantrace;
using namespace std::string_view_literals;

namespace {

/// Behind tags and lengths of the packet, the header and the magic: other
/// protobuf, such as Perfetto's, begins with the same tags.
constexpr size_t MagicAt = 6;

struct Beginning {
  std::string_view Bytes;
  std::string_view Kind;
};

/// What is in the folder of a build, or is easily taken for a trace.
constexpr Beginning Beginnings[] = {
    {"!<arch>\n"sv, "a static library"},
    {"!<thin>\n"sv, "a static library"},
    {"BC\xC0\xDE"sv, "LLVM bitcode"},
    {"CPCH"sv, "a precompiled header or module of Clang"},
    {"MZ"sv, "a program or library of Windows"},
    {"\xCF\xFA\xED\xFE"sv, "an object file or program of macOS"},
    {"BZh"sv, "a file that is compressed by bzip2"},
    {"\xFD"
     "7zXZ\0"sv,
     "a file that is compressed by xz"},
    {"\x04\x22\x4D\x18"sv, "a file that is compressed by lz4"},
    {"PK\x03\x04"sv, "a zip archive"},
    {"SQLite format 3\0"sv, "a database of SQLite"},
    {"PERFILE2"sv, "a recording of perf"},
    {"\x89PNG"sv, "a PNG picture"},
    {"%PDF"sv, "a PDF document"},
    {"<!DOCTYPE html"sv, "a page for a browser"},
    {"<!doctype html"sv, "a page for a browser"},
    {"<html"sv, "a page for a browser"},
    {"<svg"sv, "an SVG picture"},
    {"<?xml"sv, "XML"},
};

std::string elfKind(std::string_view Head) {
  constexpr size_t TypeAt = 16, BigEndianAt = 5;
  if (Head.size() < TypeAt + 2)
    return "the begin of an ELF file";
  unsigned char Low = static_cast<unsigned char>(Head[TypeAt]);
  if (Head[BigEndianAt] == 2)
    Low = static_cast<unsigned char>(Head[TypeAt + 1]);
  switch (Low) {
  case 1:
    return "an ELF object file";
  case 2:
    return "an ELF program";
  case 3:
    return "an ELF program or shared library";
  case 4:
    return "a core dump";
  default:
    return "an ELF file";
  }
}

/// Without control characters that texts do not have. \p Text may end within a
/// character.
bool isText(std::string_view Text) {
  constexpr size_t LongestCharacterBytes = 4;
  while (!Text.empty()) {
    unsigned char First = static_cast<unsigned char>(Text[0]);
    bool IsControl =
        (First < ' ' && (First < '\t' || First > '\r')) || First == 0x7F;
    size_t Length = IsControl ? 0 : utf8Length(Text);
    if (Length == 0)
      return !IsControl && First >= 0xC2 && Text.size() < LongestCharacterBytes;
    Text.remove_prefix(Length);
  }
  return true;
}

/// With its first line that says something.
std::string textKind(std::string_view Text) {
  constexpr size_t ShownBytes = 40;
  size_t Begin = Text.find_first_not_of(" \t\r\n\v\f");
  if (Begin == Text.npos)
    return "a text of empty lines";
  Text.remove_prefix(Begin);
  bool IsJson = Text[0] == '{' || Text[0] == '[';
  std::string_view Line = Text.substr(0, Text.find_first_of("\r\n"));
  std::string_view Shown = Line.substr(0, utf8PrefixBytes(Line, ShownBytes));
  return (IsJson ? "JSON or another text" : "a text") +
         std::string(" that begins with '") + std::string(Shown) +
         (Shown.size() < Line.size() ? "..." : "") + "'";
}

} // namespace

std::string instantrace::fileKind(std::string_view Head) {
  if (Head.empty())
    return "an empty file";
  if (Head.starts_with("\x7F"
                       "ELF"))
    return elfKind(Head);
  for (const Beginning &B : Beginnings)
    if (Head.starts_with(B.Bytes))
      return std::string(B.Kind);
  if (InstantiationIndex::hasMagic(Head))
    return "an index";
  if (hasBufferMagic(Head))
    return "the buffer of a compile that did not end";
  if (isCompressed(Head))
    return Head[0] == '\x1F' ? "a file that is compressed by gzip"
                             : "a file that is compressed by zstd";
  Head = Head.substr(0, FileKindBytes);
  if (isText(Head))
    return textKind(Head);
  if (Head.find_first_not_of('\0') == Head.npos)
    return "zeros";
  return {};
}

bool instantrace::isBeginOfTrace(std::string_view Head) {
  return Head.size() > MagicAt && Head.substr(MagicAt).starts_with(FormatMagic);
}

std::string instantrace::headOf(const FileDescriptor &File) {
  std::string Head(4096, '\0');
  ssize_t Got = ::pread(File.get(), Head.data(), Head.size(), 0);
  Head.resize(Got < 0 ? 0 : static_cast<size_t>(Got));
  return isCompressed(Head) ? expandTrace(Head).Bytes : Head;
}

bool instantrace::isTraceFile(const FileDescriptor &File) {
  return isBeginOfTrace(headOf(File));
}

Result<void> instantrace::checkReplacesNoTrace(const std::string &Path) {
  FileDescriptor File = openRegularFile(Path);
  if (!File || !isTraceFile(File))
    return {};
  return makeError(Path, "a trace, which nothing else replaces",
                   "another name, or none of that name");
}

std::string instantrace::kindOfNoText(std::string_view Bytes) {
  std::string_view Head = Bytes.substr(0, FileKindBytes);
  constexpr size_t HoleBytes = 4096;
  const size_t EndBytes = Bytes.find_last_not_of('\0') + 1;
  if (EndBytes != 0 && Bytes.size() - EndBytes >= HoleBytes &&
      isText(Head.substr(0, EndBytes)))
    return "zeros behind a text";
  if (isText(Head))
    return {};
  return isBeginOfTrace(Head) ? "a trace" : fileKind(Head);
}

void instantrace::nameForeignFile(std::string_view Head, TraceInput &Input,
                                  std::string_view Expected) {
  if (Input.PacketCount != 0)
    return;
  for (TraceIssue &Issue : Input.Issues) {
    if (!Issue.Fatal)
      continue;
    std::string Kind = fileKind(Head);
    // What does not even begin like a trace is most likely the wrong file, but
    // where it is cut before it can be told.
    if (Kind.empty() && Head.size() > MagicAt + FormatMagic.size() &&
        !isBeginOfTrace(Head))
      Kind = "something else";
    if (Kind.empty())
      return;
    Issue.PacketNo = 0;
    Issue.Found = std::move(Kind);
    Issue.Expected = Expected;
    return;
  }
}
