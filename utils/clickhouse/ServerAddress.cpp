#include "utils/clickhouse/ServerAddress.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

using namespace instantrace;

namespace {

constexpr std::string_view PlainScheme = "clickhouse://",
                           EncryptedScheme = "clickhouses://";
constexpr const char *ExpectedAddress =
    "clickhouse://HOST:PORT/DATABASE, or clickhouses:// for TLS";

std::string variableText(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

Result<uint32_t> variableNumber(const char *Name, uint32_t Default,
                                uint32_t Most) {
  std::string Text = variableText(Name);
  if (Text.empty())
    return Default;
  uint32_t Value = 0;
  auto [End, Failed] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Failed != std::errc() || End != Text.data() + Text.size() || Value == 0 ||
      Value > Most)
    return makeError(Name, "'" + Text + "'",
                     "a number from 1 to " + std::to_string(Most));
  return Value;
}

/// The first line.
Result<std::string> secretOf(const std::string &Path) {
  std::ifstream In(Path);
  std::string Line;
  if (!std::getline(In, Line) && !In.eof())
    return Error{Path + ": " + std::strerror(errno)};
  return Line;
}

} // namespace

bool instantrace::isServerAddress(const std::string &Place) {
  return Place.find("://") != Place.npos;
}

bool instantrace::isServerWord(const std::string &Text) {
  constexpr size_t Longest = 64;
  auto isPart = [](char C) {
    return C == '_' || (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') ||
           (C >= 'A' && C <= 'Z');
  };
  return !Text.empty() && Text.size() <= Longest &&
         !(Text[0] >= '0' && Text[0] <= '9') &&
         std::all_of(Text.begin(), Text.end(), isPart);
}

std::string ServerAddress::text() const {
  return std::string(IsEncrypted ? EncryptedScheme : PlainScheme) + Host + ":" +
         std::to_string(Port) + "/" + Database;
}

Result<ServerAddress> instantrace::parseServerAddress(const std::string &Text) {
  std::string_view Rest = Text;
  ServerAddress A;
  if (Rest.starts_with(EncryptedScheme)) {
    A.IsEncrypted = true;
    Rest.remove_prefix(EncryptedScheme.size());
  } else if (Rest.starts_with(PlainScheme)) {
    Rest.remove_prefix(PlainScheme.size());
  } else {
    return usageError(makeError("--to", "'" + Text + "'", ExpectedAddress));
  }
  // Not shown, since it may have a password in it.
  if (Rest.find('@') != Rest.npos)
    return usageError(
        makeError("--to", "a user in the address",
                  "it in INSTANTRACE_STORE_USER, and the password "
                  "in INSTANTRACE_STORE_PASSWORD_FILE"));
  size_t Slash = Rest.find('/');
  std::string_view Place = Rest.substr(0, Slash);
  size_t Colon = Place.rfind(':');
  if (Slash == Rest.npos || Colon == Place.npos)
    return usageError(makeError("--to", "'" + Text + "'", ExpectedAddress));
  A.Host = Place.substr(0, Colon);
  A.Database = Rest.substr(Slash + 1);
  std::string_view Port = Place.substr(Colon + 1);
  auto [End, Failed] =
      std::from_chars(Port.data(), Port.data() + Port.size(), A.Port);
  auto isOfHost = [](char C) {
    return C == '-' || C == '.' || C == ':' || C == '[' || C == ']' ||
           C == '_' || (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') ||
           (C >= 'A' && C <= 'Z');
  };
  if (A.Host.empty() || !std::all_of(A.Host.begin(), A.Host.end(), isOfHost) ||
      Failed != std::errc() || End != Port.data() + Port.size() ||
      A.Port == 0 || !isServerWord(A.Database))
    return usageError(makeError("--to", "'" + Text + "'", ExpectedAddress));
  return A;
}

Result<ServerAccess> instantrace::accessOfEnvironment() {
  ServerAccess A;
  A.User = variableText("INSTANTRACE_STORE_USER");
  A.Password = variableText("INSTANTRACE_STORE_PASSWORD");
  A.AuthorityFile = variableText("INSTANTRACE_STORE_CA");
  std::string File = variableText("INSTANTRACE_STORE_PASSWORD_FILE");
  if (!File.empty()) {
    INSTANTRACE_TRY_ASSIGN(A.Password, secretOf(File));
  }
  // They go into headers, which a line end would end.
  for (const std::string *Each : {&A.User, &A.Password})
    if (Each->find_first_of(std::string_view("\r\n\0", 3)) != Each->npos)
      return Error{"found a line end in the user or password of the store, "
                   "expected one line"};
  constexpr uint32_t MostSeconds = 86400, MostAttempts = 100;
  INSTANTRACE_TRY_ASSIGN_AS(
      usageError, uint32_t Silence,
      variableNumber("INSTANTRACE_STORE_TIMEOUT", A.SilenceS, MostSeconds));
  INSTANTRACE_TRY_ASSIGN_AS(
      usageError, uint32_t Attempts,
      variableNumber("INSTANTRACE_STORE_ATTEMPTS", A.Attempts, MostAttempts));
  A.SilenceS = Silence;
  A.Attempts = Attempts;
  return A;
}
