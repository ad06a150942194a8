/// \file
/// A producer's end of its connection to a collector, and what it says first.
///
/// Flow:    TraceBuffer -> [CollectorLink] => Unix socket => collector
/// Layout:  CollectorHello with two descriptors: the memfd that is the buffer,
///          and the partial trace (a regular file, O_RDWR and O_APPEND). After
///          it the producer sends bytes that mean "look now", of any value; a
///          collector sends nothing
/// Trust:   both ends are processes of one user, or the collector is the
///          superuser's; the producer refuses any other
/// Errors:  a text without the socket's name, and no link
/// Threads: one
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

inline constexpr std::string_view CollectorMagic{"itrccol\n", 8};
inline constexpr uint32_t CollectorProtocolVersion = 1;

struct CollectorHello {
  uint8_t Magic[8];    ///< CollectorMagic
  uint32_t Version;    ///< CollectorProtocolVersion
  uint32_t AbiVersion; ///< SharedMemoryAbiVersion
};
static_assert(sizeof(CollectorHello) == 16,
              "collector protocol: bump CollectorProtocolVersion");

class CollectorLink {
public:
  CollectorLink() = default; ///< no link
  ~CollectorLink() { close(); }
  CollectorLink(const CollectorLink &) = delete;
  CollectorLink &operator=(const CollectorLink &) = delete;

  /// Never waits: a Unix socket connects at once or not at all.
  bool connect(const std::string &Path, std::string &Error);
  /// Hands over the buffer, whose header must be whole.
  bool sendHello(int Buffer, int PartialTrace);
  /// Asks the collector to look at the buffer now.
  void ring();
  /// False once the other end is closed: the collector has ended, or has let go
  /// of this compile, and will not touch it again.
  bool isAlive();
  void close();

  explicit operator bool() const { return Socket >= 0; }

private:
  int Socket = -1;
  bool IsAlive = false;
};

} // namespace instantrace
