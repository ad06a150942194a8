#include "runtime/index/IndexBytes.h"

#include "runtime/base/Hash.h"
#include "runtime/index/WholeBytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

using namespace instantrace;
using namespace instantrace::index;

namespace {

std::string tagOf(const SectionRow &Row) { return {Row.Tag, sizeof(Row.Tag)}; }

std::string numberText(uint64_t Number) { return std::to_string(Number); }

std::string counted(uint64_t Sections) {
  return numberText(Sections) + " sections";
}

/// MAP_FAILED: \p Reason says why.
void *mapFile(int Open, size_t SizeBytes, int &Reason) {
  void *Mapped = ::mmap(nullptr, SizeBytes, PROT_READ, MAP_SHARED, Open, 0);
  Reason = Mapped == MAP_FAILED ? errno : 0;
  return Mapped;
}

/// The same with a copy of the bytes, which nobody can cut.
void *copyFile(int Open, size_t SizeBytes, int &Reason) {
  void *Mapped = ::mmap(nullptr, SizeBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Reason = Mapped == MAP_FAILED
               ? errno
               : readWhole(Open, 0, Mapped, SizeBytes).errorOf(SizeBytes);
  if (Reason == 0 || Mapped == MAP_FAILED)
    return Mapped;
  ::munmap(Mapped, SizeBytes);
  return MAP_FAILED;
}

} // namespace

IndexBytes::~IndexBytes() {
  closeFile();
  Guard = ShrinkGuard();
  if (Mapped)
    ::munmap(Mapped, Bytes.size());
}

void IndexBytes::closeFile() {
  if (File >= 0)
    ::close(File);
  File = -1;
}

std::unique_ptr<IndexBytes> IndexBytes::map(const std::string &Path,
                                            const std::string &Name,
                                            std::string &Why) {
  auto Failed = [&](int Reason) {
    Why = Name + ": " + std::generic_category().message(Reason);
    return nullptr;
  };
  // Not what waits, such as a pipe that nobody writes to.
  int Open = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (Open < 0)
    return Failed(errno);
  struct stat Status;
  void *Mapped = MAP_FAILED;
  int Reason = 0;
  if (::fstat(Open, &Status) != 0)
    Reason = errno;
  else if (!S_ISREG(Status.st_mode))
    Reason = S_ISDIR(Status.st_mode) ? EISDIR : EINVAL;
  auto SizeBytes = static_cast<size_t>(Reason == 0 ? Status.st_size : 0);
  ShrinkGuard Guard;
  if (Reason == 0 && SizeBytes != 0) {
    Mapped = mapFile(Open, SizeBytes, Reason);
    if (Reason == 0)
      Guard = ShrinkGuard(static_cast<uint8_t *>(Mapped), SizeBytes);
    if (Reason == 0 && !Guard.isGuarding()) {
      ::munmap(Mapped, SizeBytes);
      Mapped = copyFile(Open, SizeBytes, Reason);
    }
  }
  if (Reason != 0 || SizeBytes == 0)
    ::close(Open);
  if (Reason != 0)
    return Failed(Reason);
  if (SizeBytes == 0) {
    Why = Name + ": found an empty file, expected an index";
    return nullptr;
  }
  auto Made = std::make_unique<IndexBytes>(
      std::string_view(static_cast<char *>(Mapped), SizeBytes), Name);
  Made->Mapped = Mapped;
  Made->File = Open;
  Made->Guard = std::move(Guard);
  return Made;
}

bool IndexBytes::fault(const std::string &Place, const std::string &Found,
                       const std::string &Expected) const {
  if (Guard.isCut())
    return cutFault();
  std::lock_guard Locked(Lock);
  if (Fault.empty())
    Fault = Name + ": " + Place + (Place.empty() ? "" : ": ") + "found " +
            Found + ", expected " + Expected;
  return false;
}

bool IndexBytes::cutFault() const {
  std::lock_guard Locked(Lock);
  if (Fault.empty())
    Fault = Name + ": found a file that was cut while it was read, expected "
                   "one that stays as it is";
  return false;
}

std::string IndexBytes::fault() const {
  std::lock_guard Locked(Lock);
  return Fault;
}

void IndexBytes::outside(Section Sec, uint64_t First, uint64_t Count,
                         uint64_t Have) const {
  fault(std::string("section ") + tag(Sec),
        "a reference to " + (Count == 1 ? "row " + numberText(First)
                                        : numberText(Count) + " rows from " +
                                              numberText(First) + " on"),
        "rows below " + numberText(Have));
}

bool IndexBytes::check(Section Sec, uint64_t Block) const {
  const SectionRow &Row = table(Sec);
  uint64_t Begin = Block * SumBlockBytes;
  uint64_t Size = std::min<uint64_t>(SumBlockBytes, Row.SizeBytes - Begin);
  uint64_t Sum = hashBytes(Bytes.substr(Row.Offset + Begin, Size));
  if (!isWhole())
    return false;
  if (Sum != Sums[Row.FirstSum + Block])
    return fault("section " + tagOf(Row) + ", byte " +
                     numberText(Row.Offset + Begin),
                 "another checksum", "that of the table");
  Checked[Row.FirstSum + Block].store(true, std::memory_order_relaxed);
  return true;
}

bool IndexBytes::copy(void *Into, uint64_t Offset, size_t SizeBytes) const {
  if (File < 0) {
    std::memcpy(Into, Bytes.data() + Offset, SizeBytes);
    return true;
  }
  const MovedBytes Got = readWhole(File, Offset, Into, SizeBytes);
  if (Got.Reason != 0)
    return fault("byte " + numberText(Offset + Got.Done),
                 std::generic_category().message(Got.Reason), "to read it");
  return Got.Done == SizeBytes || cutFault();
}

bool IndexBytes::open() {
  if (Bytes.size() < sizeof(Header))
    return fault("", numberText(Bytes.size()) + " bytes",
                 "an index, which has at least " + numberText(sizeof(Header)));
  if (!copy(&Head, 0, sizeof(Header)))
    return false;
  if (std::string_view(Head.Magic, sizeof(Head.Magic)) != IndexMagic)
    return fault("byte 0", "another begin",
                 "'" + std::string(IndexMagic) + "', as of an index");
  // Before the first release there were others with these numbers.
  if (Head.Major != IndexMajor || Head.Minor != IndexMinor ||
      Head.SectionCount != SectionLimit)
    return fault("",
                 "an index of another version of Instantrace (" +
                     numberText(Head.Major) + "." + numberText(Head.Minor) +
                     ", " + counted(Head.SectionCount) + ")",
                 "version " + numberText(IndexMajor) + "." +
                     numberText(IndexMinor) + " with " + counted(SectionLimit) +
                     "; rerun `instantrace index` on the traces");
  if (Head.HeaderBytes != sizeof(Header))
    return fault("byte 12", numberText(Head.HeaderBytes) + " bytes of header",
                 numberText(sizeof(Header)));
  if (Head.FileBytes != Bytes.size())
    return fault("byte 16", numberText(Bytes.size()) + " bytes of file",
                 numberText(Head.FileBytes));
  if (Head.Reserved != 0)
    return fault("byte 48", numberText(Head.Reserved), "0");
  bool IsOpen = openTable() && isWhole();
  closeFile();
  return IsOpen;
}

/// Each section begins where the one before it ends, so that none overlap.
bool IndexBytes::openTable() {
  uint64_t TableBytes = Head.SectionCount * sizeof(SectionRow);
  uint64_t SumsAt = sizeof(Header) + TableBytes;
  uint64_t SumBytes = Head.SumCount * uint64_t(sizeof(uint64_t));
  if (Bytes.size() < SumsAt || SumBytes > Bytes.size() - SumsAt)
    return fault("byte 44", numberText(Head.SumCount) + " checksums",
                 "as many as there is room for");
  Sums = std::make_unique_for_overwrite<uint64_t[]>(Head.SumCount);
  if (!copy(Table, sizeof(Header), TableBytes) ||
      !copy(Sums.get(), SumsAt, SumBytes))
    return false;
  // Of what was copied.
  PieceHash Sum;
  Sum.add(&Head, HeadCheckOffset)
      .add(Table, TableBytes)
      .add(Sums.get(), SumBytes);
  if (Sum.value() != Head.HeadCheck)
    return fault("byte " + numberText(HeadCheckOffset), "another checksum",
                 "that of header and table");
  uint64_t End = SumsAt + SumBytes, SumCount = 0;
  for (size_t I = 0; I != Head.SectionCount; ++I) {
    const SectionRow &Row = Table[I];
    const SectionKind &Kind = SectionKinds[I];
    std::string Place =
        "byte " + numberText(sizeof(Header) + I * sizeof(SectionRow));
    if (tagOf(Row) != Kind.Tag || Row.Version != Kind.Version ||
        Row.RowBytes != Kind.RowBytes)
      return fault(Place, "another section",
                   std::string(Kind.Tag) + " of version " +
                       numberText(Kind.Version));
    if (Row.Offset != aligned(End) || Row.Offset > Bytes.size() ||
        Row.SizeBytes > Bytes.size() - Row.Offset)
      return fault(Place,
                   std::string(Kind.Tag) + " at byte " +
                       numberText(Row.Offset) + " with " +
                       numberText(Row.SizeBytes) + " bytes",
                   "it behind the section before, in the file");
    if (Row.SizeBytes % Kind.RowBytes != 0 || Row.FirstSum != SumCount ||
        Row.SumCount != sumBlocks(Row.SizeBytes))
      return fault(Place, "a size of " + numberText(Row.SizeBytes) + " bytes",
                   "whole rows, and a checksum for each block");
    RowCounts[I] = Row.SizeBytes / Kind.RowBytes;
    End = Row.Offset + Row.SizeBytes;
    SumCount += Row.SumCount;
  }
  if (End != Bytes.size() || SumCount != Head.SumCount)
    return fault("byte 16", numberText(End) + " bytes in sections",
                 numberText(Bytes.size()));
  Checked = std::make_unique<std::atomic<bool>[]>(Head.SumCount);
  return true;
}

bool IndexBytes::isPaddingZero() const {
  uint64_t End = sizeof(Header) + Head.SectionCount * sizeof(SectionRow) +
                 Head.SumCount * uint64_t(sizeof(uint64_t));
  for (const SectionRow &Row : Table) {
    for (; End != Row.Offset; ++End)
      if (Bytes[End] != '\0')
        return fault("byte " + numberText(End), "padding", "zero");
    End = Row.Offset + Row.SizeBytes;
  }
  return true;
}
