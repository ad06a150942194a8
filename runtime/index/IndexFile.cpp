#include "runtime/index/IndexFile.h"

#include "runtime/base/Hash.h"
#include "runtime/index/IndexFormat.h"
#include "runtime/index/WholeBytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <string>
#include <system_error>
#include <unistd.h>

using namespace instantrace;
using namespace instantrace::index;

int IndexFile::put(const char *Bytes, size_t SizeBytes, uint64_t Offset) {
  return writeWhole(Descriptor, Offset, Bytes, SizeBytes).errorOf(SizeBytes);
}

/// A piece is summed and written while it is at hand. It has whole rows and
/// whole blocks of sums.
int IndexFile::putSection(const Content &Sec, size_t RowBytes, uint64_t Offset,
                          std::vector<uint64_t> &Sums) {
  constexpr uint64_t LeastBytes = 4 * SumBlockBytes;
  const uint64_t Whole = std::lcm<uint64_t>(RowBytes, SumBlockBytes);
  const uint64_t PieceBytes = (LeastBytes + Whole - 1) / Whole * Whole;
  for (uint64_t Index = 0; Index < Sec.SizeBytes; Index += PieceBytes) {
    const uint64_t Count = std::min(PieceBytes, Sec.SizeBytes - Index);
    Piece.resize(std::max<size_t>(Piece.size(), Count));
    if (int Reason = Sec.S(Index, Count, Piece.data()))
      return Reason;
    for (uint64_t Block = 0; Block < Count; Block += SumBlockBytes)
      Sums.push_back(hashBytes(
          {Piece.data() + Block, std::min(SumBlockBytes, Count - Block)}));
    if (int Reason = put(Piece.data(), Count, Offset + Index))
      return Reason;
  }
  return 0;
}

Result<void> IndexFile::write(uint64_t TraceBytes, uint64_t TraceHash) {
  std::vector<SectionRow> Table(SectionLimit);
  uint64_t SumCount = 0;
  for (size_t I = 0; I != SectionLimit; ++I) {
    SectionRow &Row = Table[I];
    std::memcpy(Row.Tag, SectionKinds[I].Tag, sizeof(Row.Tag));
    Row.Version = SectionKinds[I].Version;
    Row.RowBytes = SectionKinds[I].RowBytes;
    Row.SizeBytes = Contents[I].SizeBytes;
    Row.FirstSum = static_cast<uint32_t>(SumCount);
    Row.SumCount = static_cast<uint32_t>(sumBlocks(Row.SizeBytes));
    SumCount += Row.SumCount;
  }
  uint64_t End = sizeof(Header) + Table.size() * sizeof(SectionRow) +
                 SumCount * sizeof(uint64_t);
  for (SectionRow &Row : Table) {
    Row.Offset = aligned(End);
    End = Row.Offset + Row.SizeBytes;
  }
  // The padding before a section stays a hole of zeros.
  int Reason =
      ::ftruncate(Descriptor, static_cast<off_t>(End)) == 0 ? 0 : errno;
  std::vector<uint64_t> Sums;
  Sums.reserve(SumCount);
  for (size_t I = 0; Reason == 0 && I != SectionLimit; ++I)
    Reason = putSection(Contents[I], Table[I].RowBytes, Table[I].Offset, Sums);
  if (Reason != 0)
    return Error{std::generic_category().message(Reason)};
  Header Head = {};
  std::memcpy(Head.Magic, IndexMagic.data(), sizeof(Head.Magic));
  Head.Major = IndexMajor;
  Head.Minor = IndexMinor;
  Head.HeaderBytes = sizeof(Header);
  Head.FileBytes = End;
  Head.TraceBytes = TraceBytes;
  Head.TraceHash = TraceHash;
  Head.SectionCount = static_cast<uint32_t>(SectionLimit);
  Head.SumCount = static_cast<uint32_t>(SumCount);
  std::string Front(reinterpret_cast<const char *>(&Head), HeadCheckOffset);
  std::string Rest(reinterpret_cast<const char *>(Table.data()),
                   Table.size() * sizeof(SectionRow));
  Rest.append(reinterpret_cast<const char *>(Sums.data()),
              Sums.size() * sizeof(uint64_t));
  Head.HeadCheck = hashBytes(Front + Rest);
  Front.append(reinterpret_cast<const char *>(&Head.HeadCheck),
               sizeof(Head.HeadCheck));
  Front += Rest;
  Reason = put(Front.data(), Front.size(), 0);
  if (Reason != 0)
    return Error{std::generic_category().message(Reason)};
  return {};
}
