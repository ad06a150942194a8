#include "plugin/hooks/EntryCode.h"
#include "test/fuzz/FuzzTargets.h"

namespace instantrace::fuzz {

void fuzzEntryCode(const uint8_t *Data, size_t SizeBytes) {
  constexpr size_t JumpBytes = 5;
  const EntryCode Entry = readEntryCode(Data, SizeBytes, JumpBytes);
  if (Entry.MovableBytes == 0)
    return;
  const size_t End = Entry.PadBytes + Entry.MovableBytes;
  require(Entry.PadBytes == 0 || Entry.PadBytes == 4);
  require(Entry.MovableBytes >= JumpBytes && End <= SizeBytes);
  require(Entry.BranchBytes < Entry.MovableBytes && Entry.Condition < 16);
  require(Entry.BranchTarget < SizeBytes);
  if (Entry.BranchBytes != 0) {
    require(Entry.BranchTarget >= End);
    return;
  }
  // What lies behind it is none of it, if no jump comes from there.
  const std::vector<uint8_t> Alone(Data, Data + End);
  const EntryCode Again = readEntryCode(Alone.data(), Alone.size(), JumpBytes);
  require(Again.MovableBytes == Entry.MovableBytes &&
          Again.PadBytes == Entry.PadBytes);
}

std::vector<std::string> entryCodeSeeds() {
  using namespace std::string_literals;
  return {"\x41\x57\x41\x56\x53\x48\x81\xec\xa0\0\0\0\xc3"s,
          "\x48\x8b\x97\xc0\x28\0\0\x8b\x87\xc8\x28\0\0\xc3"s,
          "\xf3\x0f\x1e\xfa\x53\x48\x83\xec\x10\x64\x48\x8b\x04\x25\x28\0\0\0"s,
          "\x80\x7f\x08\0\x75\x04\x53\x48\x8b\x07\xeb\xf0\xc3"s,
          "\x80\x7f\x08\0\x0f\x85\x04\0\0\0\x41\x57\x41\x56\xc3"s,
          "\x4c\x8d\x3d\0\0\0\0\xe9\0\0\0\0\x0f\x84\xf0\xff\xff\xff"s,
          "\x55\x48\x89\xe5\x0f\xb6\x87\0\x37\0\0\x31\xc0\x83\xe4\xf0"s};
}

} // namespace instantrace::fuzz
