#include "utils/lsp/MessageStream.h"

#include "runtime/base/SystemMessage.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <poll.h>
#include <string_view>
#include <unistd.h>

using namespace instantrace;

namespace {

constexpr std::string_view LengthName = "Content-Length:";
constexpr size_t MostLineBytes = size_t(4) << 10;

/// None: the line is another field.
std::optional<uint64_t> headerLength(std::string_view Line) {
  auto IsAlike = [](unsigned char A, unsigned char B) {
    return std::tolower(A) == std::tolower(B);
  };
  if (!std::ranges::equal(Line.substr(0, LengthName.size()), LengthName,
                          IsAlike))
    return std::nullopt;
  Line.remove_prefix(LengthName.size());
  Line.remove_prefix(std::min(Line.find_first_not_of(" \t"), Line.size()));
  uint64_t Length = 0;
  const char *End = Line.data() + Line.size();
  auto [Rest, Failed] = std::from_chars(Line.data(), End, Length);
  return Failed == std::errc() && Rest == End ? std::optional(Length)
                                              : std::nullopt;
}

} // namespace

bool MessageStream::hasInput(int PatienceMs) const {
  pollfd Input = {Descriptor, POLLIN, 0};
  return Begin != Bytes.size() || ::poll(&Input, 1, PatienceMs) != 0;
}

Result<bool> MessageStream::fill() {
  constexpr size_t MostAtOnce = size_t(1) << 16;
  Bytes.resize(MostAtOnce);
  Begin = 0;
  ssize_t Got = 0;
  do
    Got = ::read(Descriptor, Bytes.data(), Bytes.size());
  while (Got < 0 && errno == EINTR);
  Bytes.resize(static_cast<size_t>(std::max<ssize_t>(Got, 0)));
  if (Got < 0)
    return systemError("the standard input");
  return Got != 0;
}

Result<bool> MessageStream::readLine(std::string &Line) {
  Line.clear();
  while (true) {
    if (Begin == Bytes.size()) {
      INSTANTRACE_TRY_ASSIGN(bool HasMore, fill());
      if (!HasMore)
        return false;
    }
    const char Byte = Bytes[Begin++];
    if (Byte == '\n')
      break;
    if (Line.size() == MostLineBytes)
      return makeError("the standard input", "a long line of a header",
                       "Content-Length: and a number");
    Line.push_back(Byte);
  }
  if (Line.ends_with('\r'))
    Line.pop_back();
  return true;
}

Result<std::optional<uint64_t>> MessageStream::readHeader() {
  std::optional<uint64_t> Length;
  std::string Line;
  for (bool IsFirst = true;; IsFirst = false) {
    INSTANTRACE_TRY_ASSIGN(bool IsThere, readLine(Line));
    if (!IsThere)
      return std::optional<uint64_t>();
    if (Line.empty() && !IsFirst)
      break;
    if (std::optional<uint64_t> Found = headerLength(Line))
      Length = Found;
  }
  if (!Length)
    return makeError("the standard input", "a header without a length",
                     "Content-Length: and a number");
  return Length;
}

Result<std::optional<std::string>> MessageStream::next() {
  INSTANTRACE_TRY_ASSIGN(std::optional<uint64_t> Length, readHeader());
  if (!Length)
    return std::optional<std::string>();
  std::string Text;
  for (uint64_t Left = *Length; Left != 0;) {
    if (Begin == Bytes.size()) {
      INSTANTRACE_TRY_ASSIGN(bool HasMore, fill());
      if (!HasMore)
        return std::optional<std::string>();
    }
    const size_t Part = std::min<uint64_t>(Left, Bytes.size() - Begin);
    Text.append(Bytes, Begin,
                std::min(Part, MostMessageBytes + 1 - Text.size()));
    Begin += Part;
    Left -= Part;
  }
  return std::optional(std::move(Text));
}

std::string instantrace::framedMessage(const std::string &Text) {
  return "Content-Length: " + std::to_string(Text.size()) + "\r\n\r\n" + Text;
}
