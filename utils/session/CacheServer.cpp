#include "utils/session/CacheServer.h"

#include "runtime/base/SaturatingSum.h"
#include "utils/session/CommandOutput.h"
#include "utils/system/FileDescriptor.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <netinet/in.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>

using namespace instantrace;
using Json = nlohmann::json;

namespace {

constexpr int PatienceMs = 2000;
constexpr int ConnectPatienceMs = 200;
constexpr uint16_t UsualPort = 4226; // sccache's DEFAULT_PORT

/// 0: that is no port.
uint16_t serverPort() {
  const char *Value = std::getenv("SCCACHE_SERVER_PORT");
  if (!Value)
    return UsualPort;
  std::string_view Text = Value;
  uint16_t Port = 0;
  auto [End, Failure] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Port);
  return Failure == std::errc() && End == Text.data() + Text.size() ? Port : 0;
}

enum class ListenerKind { None, Silent, There };

/// Of this machine, so that the kernel answers at once; or never, if whoever
/// has the port takes no connections and as many wait as may.
ListenerKind listenerAt(uint16_t Port) {
  FileDescriptor Socket(
      ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in Address = {};
  Address.sin_family = AF_INET;
  Address.sin_port = htons(Port);
  Address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (Port == 0 || !Socket)
    return ListenerKind::None;
  if (::connect(Socket.get(), reinterpret_cast<const sockaddr *>(&Address),
                sizeof(Address)) == 0)
    return ListenerKind::There;
  if (errno != EINPROGRESS)
    return ListenerKind::None;
  pollfd Polled = {Socket.get(), POLLOUT, 0};
  if (::poll(&Polled, 1, ConnectPatienceMs) != 1)
    return ListenerKind::Silent;
  int Failure = 0;
  socklen_t Size = sizeof(Failure);
  return ::getsockopt(Socket.get(), SOL_SOCKET, SO_ERROR, &Failure, &Size) ==
                     0 &&
                 Failure == 0
             ? ListenerKind::There
             : ListenerKind::None;
}

uint64_t sumOfCounts(const Json &Stats, const char *Name) {
  uint64_t Sum = 0;
  auto Found = Stats.find(Name);
  if (Found == Stats.end() || !Found->is_object())
    return 0;
  auto Counts = Found->find("counts"); // by language
  if (Counts == Found->end() || !Counts->is_object())
    return 0;
  for (const Json &Count : *Counts)
    if (Count.is_number_unsigned())
      Sum = addSaturating(Sum, Count.get<uint64_t>());
  return Sum;
}

} // namespace

std::optional<CacheUse> instantrace::readCacheServer() {
  CacheUse Use;
  // Newer ones have their server at that Unix socket, and older ones at the
  // port still: to ask might start another one.
  if (std::getenv("SCCACHE_SERVER_UDS"))
    return std::nullopt;
  ListenerKind Listener = listenerAt(serverPort());
  if (Listener == ListenerKind::None)
    return Use;
  if (Listener == ListenerKind::Silent)
    return std::nullopt;
  CommandOutput Done = runShortly(
      {"sccache", "--show-stats", "--stats-format=json"}, PatienceMs);
  Json Whole = Json::parse(Done.Text, nullptr, /*allow_exceptions=*/false);
  if (!Done.isGood() || !Whole.is_object())
    return std::nullopt;
  auto Stats = Whole.find("stats");
  if (Stats == Whole.end() || !Stats->is_object())
    return std::nullopt;
  Use.Hits = sumOfCounts(*Stats, "cache_hits");
  if (auto Runs = Stats->find("requests_executed");
      Runs != Stats->end() && Runs->is_number_unsigned())
    Use.Runs = Runs->get<uint64_t>();
  return Use;
}

CacheUse instantrace::cacheUseSince(const std::optional<CacheUse> &Before,
                                    const std::optional<CacheUse> &After) {
  CacheUse Since;
  if (!Before || !After)
    return Since;
  if (After->Runs < Before->Runs || After->Hits < Before->Hits)
    return *After;
  Since.Runs = After->Runs - Before->Runs;
  Since.Hits = After->Hits - Before->Hits;
  return Since;
}
