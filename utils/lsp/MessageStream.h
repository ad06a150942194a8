/// \file
/// Frames of the Language Server Protocol on a descriptor: a header with the
/// length, and the text of a message.
///
/// Flow:   stdin -> [MessageStream] -> LspServer
/// Bounds: a message of MostMessageBytes, a line of a header of 4 KiB; what is
///         longer is read and not kept
/// Errors: a header without a length, since nobody knows where the next one
///         begins
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace instantrace {

class MessageStream {
public:
  explicit MessageStream(int Descriptor) : Descriptor(Descriptor) {}

  /// None: the input has ended. Of a message that is too long, one byte more
  /// than MostMessageBytes.
  Result<std::optional<std::string>> next();

  /// Whether something came within so many milliseconds, or its end.
  bool hasInput(int PatienceMs) const;

  static constexpr size_t MostMessageBytes = size_t(16) << 20;

private:
  Result<std::optional<uint64_t>> readHeader();
  /// False: the input has ended.
  Result<bool> readLine(std::string &Line);
  Result<bool> fill();

  int Descriptor;
  std::string Bytes; ///< read, and not used yet from Begin on
  size_t Begin = 0;
};

/// With its header.
std::string framedMessage(const std::string &Text);

} // namespace instantrace
