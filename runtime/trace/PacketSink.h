/// \file
/// Where packets go once they have their frame and checksum: into a file, or
/// into chunks first.
#ifndef INSTANTRACE_RUNTIME_TRACE_PACKETSINK_H
#define INSTANTRACE_RUNTIME_TRACE_PACKETSINK_H

#include <string_view>

namespace instantrace {

class PacketSink {
public:
  virtual ~PacketSink() = default;
  /// Takes \p Bytes, which need not outlive the call. False: they are lost.
  virtual bool append(std::string_view Bytes) = 0;
};

} // namespace instantrace

#endif
