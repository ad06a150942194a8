#include "plugin/hooks/Detour.h"

#include "plugin/hooks/EntryCode.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace instantrace {

#if !defined(__x86_64__) || defined(__ILP32__)

std::string makeDetours(Detour *, size_t) { return "only on x86-64"; }

#else

namespace {

constexpr size_t JumpBytes = 5;     ///< jmp by 32 bits
constexpr size_t BranchBytes = 6;   ///< jcc by 32 bits
constexpr size_t FarJumpBytes = 14; ///< jmp *(%rip), and the address behind it
using JumpCode = std::array<uint8_t, JumpBytes>;

/// What one detour has of the page.
struct alignas(16) Stub {
  uint8_t Jump[FarJumpBytes]; ///< to the replacement
  // Of the entry, whose last instruction may be a long one, and back.
  alignas(16) uint8_t Copy[JumpBytes + 15 + BranchBytes + FarJumpBytes];
};

std::string failure(const char *What) {
  return std::string(What) + ": " + std::strerror(errno);
}

/// Each thread is a folder, and so a link of this one.
bool hasOneThread() {
  struct stat Tasks;
  return ::stat("/proc/self/task", &Tasks) == 0 && Tasks.st_nlink == 3;
}

uint8_t *writeFarJump(uint8_t *Into, const void *Target) {
  constexpr uint8_t Code[] = {0xff, 0x25, 0, 0, 0, 0};
  std::memcpy(Into, Code, sizeof(Code));
  std::memcpy(Into + sizeof(Code), static_cast<const void *>(&Target),
              sizeof(const void *));
  return Into + FarJumpBytes;
}

int64_t distance(const void *Begin, const void *End) {
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(End) -
                              reinterpret_cast<intptr_t>(Begin));
}

/// Memory for stubs, which is given back unless it is kept.
class StubPage {
public:
  /// As near to \p Code as there is room.
  explicit StubPage(const void *Code)
      : SizeBytes(static_cast<size_t>(::sysconf(_SC_PAGESIZE))) {
    constexpr intptr_t Step = intptr_t(1) << 24, Reach = intptr_t(1) << 30;
    const intptr_t Start = reinterpret_cast<intptr_t>(Code) &
                           ~static_cast<intptr_t>(SizeBytes - 1);
    for (intptr_t Away = Step; Away < Reach && !Begin; Away += Step)
      for (intptr_t Place : {Start - Away, Start + Away})
        if (Place > 0 && !Begin)
          // Of nothing that there is. NOLINTNEXTLINE(performance-no-int-to-ptr)
          mapAt(reinterpret_cast<void *>(Place));
  }
  ~StubPage() {
    if (Begin)
      ::munmap(Begin, SizeBytes);
  }
  StubPage(const StubPage &) = delete;
  StubPage &operator=(const StubPage &) = delete;

  Stub *stubs() const { return static_cast<Stub *>(Begin); }
  size_t capacity() const { return SizeBytes / sizeof(Stub); }
  bool makeExecutable() {
    return ::mprotect(Begin, SizeBytes, PROT_READ | PROT_EXEC) == 0;
  }
  void keep() { Begin = nullptr; }

private:
  void mapAt(void *Place) {
    void *Found =
        ::mmap(Place, SizeBytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (Found == MAP_FAILED)
      return;
    if (Found == Place)
      Begin = Found;
    else // by a kernel that does not know the flag
      ::munmap(Found, SizeBytes);
  }

  const size_t SizeBytes;
  void *Begin = nullptr;
};

/// Writes where nobody else may.
class OwnMemory {
public:
  OwnMemory() : Descriptor(::open("/proc/self/mem", O_RDWR | O_CLOEXEC)) {}
  ~OwnMemory() {
    if (Descriptor >= 0)
      ::close(Descriptor);
  }
  OwnMemory(const OwnMemory &) = delete;
  OwnMemory &operator=(const OwnMemory &) = delete;

  bool isOpen() const { return Descriptor >= 0; }
  bool write(void *Into, const JumpCode &Code) {
    return ::pwrite(Descriptor, Code.data(), Code.size(),
                    static_cast<off_t>(reinterpret_cast<uintptr_t>(Into))) ==
               static_cast<ssize_t>(Code.size()) &&
           std::memcmp(Into, Code.data(), Code.size()) == 0;
  }

private:
  int Descriptor;
};

/// Where the jump of one detour goes, and what was there.
struct Patch {
  uint8_t *Place = nullptr;
  JumpCode Before = {}, After = {};
};

void writeDistance(uint8_t *Into, const void *Begin, const void *End) {
  const auto Distance = static_cast<int32_t>(distance(Begin, End));
  std::memcpy(Into, &Distance, sizeof(Distance));
}

/// Fills \p S, which is within reach. No place: the function cannot be entered
/// by a detour.
Patch prepare(Detour &D, Stub &S) {
  auto *Code = static_cast<uint8_t *>(D.Function);
  const EntryCode Entry = readEntryCode(Code, D.SizeBytes, JumpBytes);
  if (Entry.MovableBytes == 0)
    return {};
  Patch P;
  P.Place = Code + Entry.PadBytes;
  std::memcpy(P.Before.data(), P.Place, JumpBytes);
  P.After[0] = 0xe9;
  writeDistance(&P.After[1], P.Place + JumpBytes, S.Jump);

  writeFarJump(S.Jump, D.Replacement);
  const size_t Plain = Entry.MovableBytes - Entry.BranchBytes;
  std::memcpy(S.Copy, P.Place, Plain);
  uint8_t *Next = S.Copy + Plain;
  if (Entry.BranchBytes != 0) {
    Next[0] = 0x0f;
    Next[1] = 0x80 | Entry.Condition;
    writeDistance(Next + 2, Next + BranchBytes, Code + Entry.BranchTarget);
    Next += BranchBytes;
  }
  writeFarJump(Next, P.Place + Entry.MovableBytes);
  D.Original = S.Copy;
  return P;
}

/// Whether all functions are as before.
bool undo(OwnMemory &Memory, const std::vector<Patch> &Patches) {
  bool AreAsBefore = true;
  for (const Patch &P : Patches) {
    auto isAsBefore = [&P] {
      return std::memcmp(P.Place, P.Before.data(), JumpBytes) == 0;
    };
    AreAsBefore &= isAsBefore() || Memory.write(P.Place, P.Before);
  }
  return AreAsBefore;
}

} // namespace

std::string makeDetours(Detour *All, size_t Count) {
  if (!hasOneThread())
    return "the compiler has a second thread";
  StubPage Page(All->Function);
  if (!Page.stubs() || Page.capacity() < Count)
    return "no memory within reach of the code";
  std::vector<Patch> Patches;
  // From anywhere in a function to anywhere in the page.
  constexpr int64_t Reach = INT32_MAX - (1 << 20);
  for (size_t I = 0; I != Count; ++I) {
    Stub &S = Page.stubs()[I];
    if (std::abs(distance(All[I].Function, &S)) > Reach ||
        All[I].SizeBytes > (1 << 19))
      return "no memory within reach of the code";
    Patches.push_back(prepare(All[I], S));
    if (!Patches.back().Place)
      return "the code begins in a way that is not known";
  }
  OwnMemory Memory;
  if (!Memory.isOpen())
    return failure("/proc/self/mem");
  if (!Page.makeExecutable())
    return failure("mprotect");
  for (size_t I = 0; I != Count; ++I) {
    if (Memory.write(Patches[I].Place, Patches[I].After))
      continue;
    const int Error = errno;
    if (!undo(Memory, Patches))
      Page.keep(); // a function goes there, and on to what it was
    errno = Error;
    return failure("writing to /proc/self/mem");
  }
  Page.keep();
  return {};
}

#endif

} // namespace instantrace
