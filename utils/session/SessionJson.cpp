#include "utils/session/SessionJson.h"

#include "runtime/base/SystemMessage.h"
#include "utils/session/RecordedSession.h"
#include "utils/system/FileDescriptor.h"

#include <cerrno>
#include <unistd.h>

using namespace instantrace;
using namespace instantrace::json;

Result<std::string> json::readText(const std::string &Path,
                                   std::string_view Expected) {
  // What it says is copied by merge and split.
  FileDescriptor File = openRegularFile(Path, FinalLink::Refused);
  if (!File && errno == ELOOP)
    return makeError(Path, "a link", "a file of the session itself");
  if (!File)
    return Error{Path + ": " + systemMessage(errno) + "; expected " +
                 std::string(Expected)};
  std::string Text;
  char Bytes[1 << 16];
  while (true) {
    ssize_t Got = ::read(File.get(), Bytes, sizeof(Bytes));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return Error{Path + ": " + systemMessage(errno)};
    if (Got == 0)
      return Text;
    Text.append(Bytes, static_cast<size_t>(Got));
    if (Text.size() > LongestSessionBytes)
      return makeError(Path, "more than 16 MiB", "what says what was built");
  }
}

Result<Json> json::parse(std::string_view Text, const std::string &Path,
                         std::string_view Format, std::string_view Writer) {
  Json Whole;
  if (isSessionShaped(Text))
    Whole = Json::parse(Text, nullptr, /*allow_exceptions=*/false);
  std::string Found;
  uint64_t Version = 0;
  read(Whole, "format", Found);
  read(Whole, "version", Version);
  const std::string Name(Format.substr(Format.find(' ') + 1));
  if (Found != Format)
    return makeError(Path, "no " + Name, "what " + std::string(Writer));
  if (Version != 1)
    return makeError(
        Path, (Name.ends_with('s') ? "" : "a ") + Name + " of another version",
        "one of version 1, which this tool reads");
  return Whole;
}

const Json &json::member(const Json &Object, const char *Name, JsonType Type) {
  static const Json None;
  auto Found = Object.find(Name);
  return Found == Object.end() || Found->type() != Type ? None : *Found;
}

void json::read(const Json &Object, const char *Name,
                std::vector<std::string> &Into) {
  for (const Json &Each : member(Object, Name, JsonType::array))
    if (Each.is_string())
      Into.push_back(Each.get<std::string>());
}
