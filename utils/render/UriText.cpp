#include "utils/render/UriText.h"

#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

using namespace instantrace;

namespace {

constexpr std::string_view FileScheme = "file://";

} // namespace

std::string instantrace::uriPath(std::string_view Path) {
  constexpr std::string_view Plain = "/-._~";
  std::string Uri;
  for (unsigned char C : Path) {
    const bool IsPlain = (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
                         (C >= '0' && C <= '9') ||
                         Plain.find(static_cast<char>(C)) != Plain.npos;
    char Code[4];
    std::snprintf(Code, sizeof(Code), "%%%02X", C);
    Uri += IsPlain ? std::string(1, static_cast<char>(C)) : Code;
  }
  return Uri;
}

std::string instantrace::fileUri(std::string_view Path) {
  return std::string(FileScheme) + uriPath(Path);
}

std::optional<std::string> instantrace::pathOfUri(std::string_view Uri) {
  if (!Uri.starts_with(FileScheme))
    return std::nullopt;
  Uri.remove_prefix(FileScheme.size());
  if (constexpr std::string_view Local = "localhost"; Uri.starts_with(Local))
    Uri.remove_prefix(Local.size());
  std::string Path;
  for (size_t I = 0; I != Uri.size(); ++I) {
    if (Uri[I] != '%') {
      Path.push_back(Uri[I]);
      continue;
    }
    const std::string_view Code = Uri.substr(I + 1, 2);
    const char *End = Code.data() + Code.size();
    unsigned char Byte = 0;
    auto [Rest, Failed] = std::from_chars(Code.data(), End, Byte, 16);
    if (Code.size() != 2 || Failed != std::errc() || Rest != End)
      return std::nullopt;
    Path.push_back(static_cast<char>(Byte));
    I += 2;
  }
  if (!Path.starts_with('/') || Path.find('\0') != Path.npos)
    return std::nullopt;
  return normalPath(Path);
}
