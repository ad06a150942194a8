/// \file
/// Where packets go once they have their frame and checksum: into a file, or
/// into chunks first.
#pragma once

#include <string>
#include <string_view>

namespace instantrace {

class PacketSink {
public:
  virtual ~PacketSink() = default;
  /// Takes \p Bytes, which need not outlive the call. False: they are lost.
  virtual bool append(std::string_view Bytes) = 0;
};

/// Appends to a text, which must outlive it.
class StringSink final : public PacketSink {
public:
  explicit StringSink(std::string &Into) : Into(Into) {}
  bool append(std::string_view Bytes) override {
    Into.append(Bytes);
    return true;
  }

private:
  std::string &Into;
};

} // namespace instantrace
