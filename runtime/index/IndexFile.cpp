#include "runtime/index/IndexFile.h"

#include "runtime/base/Hash.h"
#include "runtime/index/IndexFormat.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <unistd.h>

using namespace instantrace;
using namespace instantrace::index;

bool IndexFile::put(std::string_view Bytes, uint64_t Offset) {
  while (!Bytes.empty()) {
    ssize_t Put = ::pwrite(Descriptor, Bytes.data(), Bytes.size(),
                           static_cast<off_t>(Offset));
    if (Put < 0 && errno == EINTR)
      continue;
    if (Put <= 0)
      return false;
    Bytes.remove_prefix(static_cast<size_t>(Put));
    Offset += static_cast<uint64_t>(Put);
  }
  return true;
}

/// A piece is summed and written while it is at hand.
bool IndexFile::putSummed(const Content &From, uint64_t Offset,
                          std::vector<uint64_t> &Sums) {
  constexpr size_t PieceBytes = 4 * SumBlockBytes;
  for (uint64_t At = 0; At < From.Bytes.size(); At += PieceBytes) {
    std::string_view Piece = From.Bytes.substr(At, PieceBytes);
    for (size_t Block = 0; Block < Piece.size(); Block += SumBlockBytes)
      Sums.push_back(hashBytes(Piece.substr(Block, SumBlockBytes)));
    if (!put(Piece, Offset + At))
      return false;
    if (From.AtByte)
      From.AtByte(At + Piece.size());
  }
  return true;
}

Result<void> IndexFile::write(uint64_t TraceBytes, uint64_t TraceHash) {
  std::vector<SectionRow> Table(SectionLimit);
  uint64_t SumCount = 0;
  for (size_t I = 0; I != SectionLimit; ++I) {
    SectionRow &Row = Table[I];
    std::memcpy(Row.Tag, SectionKinds[I].Tag, sizeof(Row.Tag));
    Row.Version = SectionKinds[I].Version;
    Row.RowBytes = SectionKinds[I].RowBytes;
    Row.SizeBytes = Contents[I].Bytes.size();
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
  bool IsWritten = ::ftruncate(Descriptor, static_cast<off_t>(End)) == 0;
  std::vector<uint64_t> Sums;
  Sums.reserve(SumCount);
  for (size_t I = 0; IsWritten && I != SectionLimit; ++I)
    IsWritten = putSummed(Contents[I], Table[I].Offset, Sums);
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
  if (!IsWritten || !put(Front + Rest, 0))
    return Error{std::generic_category().message(errno)};
  return {};
}
