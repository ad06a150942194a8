/// \file
/// How far one is with the inputs of a command, for whoever waits.
///
/// Flow: TraceStreams -> [InputPlace] -> InputObserver
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/open/InputObserver.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace instantrace {

class InputPlace {
public:
  /// \p TotalBytes as totalBytes() gives them.
  InputPlace(InputObserver &Seen, uint64_t TotalBytes)
      : Seen(Seen), TotalBytes(TotalBytes) {
    Seen.begin(TotalBytes);
  }

  /// The next input, and its bytes on a disk; 0: it is a pipe.
  void enter(const std::string &Name, uint64_t OnDisk) {
    Before += InputBytes;
    InputBytes = OnDisk;
    PerByte = 1;
    Seen.enter(Name);
  }
  /// Those that there are when it is read.
  void hasBytes(uint64_t Read) {
    if (InputBytes == 0)
      InputBytes = Read;
    PerByte = static_cast<double>(InputBytes) /
              static_cast<double>(std::max<uint64_t>(Read, 1));
  }
  /// While the bytes come. A pipe takes its time for that, and a file to be
  /// understood.
  ByteProgress whileItComes() {
    if (TotalBytes != 0)
      return {};
    return [this](uint64_t DoneBytes) { at(DoneBytes); };
  }
  void at(uint64_t DoneBytes) {
    Seen.at(Before +
            static_cast<uint64_t>(static_cast<double>(DoneBytes) * PerByte));
  }

private:
  InputObserver &Seen;
  uint64_t TotalBytes;
  uint64_t Before = 0, InputBytes = 0;
  double PerByte = 1; ///< of what is read, bytes of the file
};

} // namespace instantrace
