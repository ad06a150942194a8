/// \file
/// Reads JSON files in the folder of a session, which anybody may have written.
///
/// Flow:   a file -> [SessionJson] -> RecordedSession, TrialFile
/// Errors: "PATH: found, expected"; a member that is not there, or of another
///         type than it should have, is left as it was
#pragma once

#include "runtime/base/Result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace::json {

using Json = nlohmann::json;
using JsonType = Json::value_t;

/// Up to LongestSessionBytes; no link. \p Expected: what there should be.
Result<std::string> readText(const std::string &Path,
                             std::string_view Expected);

/// isSessionShaped(), and of the version that this tool knows.
/// \p Format: "instantrace session".
Result<Json> parse(std::string_view Text, const std::string &Path,
                   std::string_view Format, std::string_view Writer);

/// Null: it is not there, or of another type.
const Json &member(const Json &Object, const char *Name, JsonType Type);

template <class T>
void read(const Json &Object, const char *Name, JsonType Type, T &Into) {
  if (const Json &Member = member(Object, Name, Type); !Member.is_null())
    Into = Member.get<T>();
}
inline void read(const Json &Object, const char *Name, std::string &Into) {
  read(Object, Name, JsonType::string, Into);
}
inline void read(const Json &Object, const char *Name, uint64_t &Into) {
  read(Object, Name, JsonType::number_unsigned, Into);
}
inline void read(const Json &Object, const char *Name, bool &Into) {
  read(Object, Name, JsonType::boolean, Into);
}
/// The values of an array that are texts.
void read(const Json &Object, const char *Name, std::vector<std::string> &Into);

} // namespace instantrace::json
