/// \file
/// An index in its parts, of which a test changes some: whoever damages one on
/// purpose makes all sums fit again.
///
/// Flow: bytes -> [EditedIndex] -> bytes that only verify() can find a fault in
#pragma once

#include "runtime/base/Hash.h"
#include "runtime/index/IndexFormat.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace::test {

class EditedIndex {
public:
  /// Of a good one.
  explicit EditedIndex(std::string_view Source) {
    std::memcpy(&Head, Source.data(), sizeof(Head));
    Table.resize(Head.SectionCount);
    std::memcpy(Table.data(), Source.data() + sizeof(Head),
                Table.size() * sizeof(Table.front()));
    for (const index::SectionRow &Row : Table)
      Contents.emplace_back(Source.substr(Row.Offset, Row.SizeBytes));
  }

  std::string &section(index::Section Sec) {
    return Contents.at(static_cast<size_t>(Sec));
  }
  template <class T> T row(index::Section Sec, size_t RowNo) {
    T Row;
    std::memcpy(&Row, section(Sec).data() + place<T>(Sec, RowNo), sizeof(T));
    return Row;
  }
  template <class T>
  void setRow(index::Section Sec, size_t RowNo, const T &Row) {
    std::memcpy(section(Sec).data() + place<T>(Sec, RowNo), &Row, sizeof(T));
  }
  template <class T, class M>
  void set(index::Section Sec, size_t RowNo, M T::*Member, M Value) {
    T Row = row<T>(Sec, RowNo);
    Row.*Member = Value;
    setRow(Sec, RowNo, Row);
  }
  template <class T> void addRow(index::Section Sec, const T &Row) {
    section(Sec).append(reinterpret_cast<const char *>(&Row), sizeof(T));
  }
  void dropRow(index::Section Sec) {
    std::string &Rows = section(Sec);
    Rows.resize(Rows.size() - Table[static_cast<size_t>(Sec)].RowBytes);
  }

  std::string bytes() const {
    using namespace index;
    Header NewHead = Head;
    std::vector<SectionRow> Rows = Table;
    std::vector<uint64_t> Sums;
    for (size_t I = 0; I != Rows.size(); ++I) {
      Rows[I].SizeBytes = Contents[I].size();
      Rows[I].FirstSum = static_cast<uint32_t>(Sums.size());
      for (size_t Begin = 0; Begin < Contents[I].size(); Begin += SumBlockBytes)
        Sums.push_back(hashBytes(
            std::string_view(Contents[I]).substr(Begin, SumBlockBytes)));
      Rows[I].SumCount = static_cast<uint32_t>(Sums.size()) - Rows[I].FirstSum;
    }
    uint64_t End = sizeof(Header) + Rows.size() * sizeof(SectionRow) +
                   Sums.size() * sizeof(uint64_t);
    for (SectionRow &Row : Rows) {
      Row.Offset = aligned(End);
      End = Row.Offset + Row.SizeBytes;
    }
    NewHead.FileBytes = End;
    NewHead.SumCount = static_cast<uint32_t>(Sums.size());
    std::string Rest(reinterpret_cast<const char *>(Rows.data()),
                     Rows.size() * sizeof(SectionRow));
    Rest.append(reinterpret_cast<const char *>(Sums.data()),
                Sums.size() * sizeof(uint64_t));
    std::string Bytes(reinterpret_cast<const char *>(&NewHead),
                      HeadCheckOffset);
    NewHead.HeadCheck = hashBytes(Bytes + Rest);
    Bytes.append(reinterpret_cast<const char *>(&NewHead.HeadCheck),
                 sizeof(NewHead.HeadCheck));
    Bytes += Rest;
    for (size_t I = 0; I != Rows.size(); ++I) {
      Bytes.resize(Rows[I].Offset);
      Bytes += Contents[I];
    }
    return Bytes;
  }

private:
  template <class T> size_t place(index::Section Sec, size_t RowNo) {
    if ((RowNo + 1) * sizeof(T) > section(Sec).size())
      throw std::out_of_range("no such row");
    return RowNo * sizeof(T);
  }

  index::Header Head;
  std::vector<index::SectionRow> Table;
  std::vector<std::string> Contents;
};

} // namespace instantrace::test
