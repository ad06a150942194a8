/// \file
/// Paths of files as URIs have them.
///
/// Flow:   path -> [UriText] -> SarifText, LspServer; and back
/// Source: RFC 3986 and 8089
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

/// What is neither unreserved nor a slash is a number.
std::string uriPath(std::string_view Path);

/// \p Path is absolute.
std::string fileUri(std::string_view Path);

/// Normal. None: \p Uri is no file here.
std::optional<std::string> pathOfUri(std::string_view Uri);

} // namespace instantrace
