#include "runtime/index/IndexSummary.h"

#include "runtime/base/Varint.h"
#include "runtime/format/EventKind.h"

#include <utility>

using namespace instantrace;
using namespace instantrace::index;

namespace {

constexpr uint32_t AboutPart = 0, InclusionsPart = 1, FirstTable = 2;

/// Of a row, behind the two bits of the form of its name.
constexpr unsigned FormMask = 3, LineFlag = 4, PrefixFlag = 8, BackendFlag = 16,
                   RowFlagLimit = 32;

class Encoder {
public:
  void number(uint64_t Value) {
    uint8_t Room[10];
    Bytes.append(reinterpret_cast<const char *>(Room),
                 static_cast<size_t>(writeVarint(Room, Value) - Room));
  }
  template <class Numbers> void numbers(const Numbers &Values) {
    for (uint64_t Value : Values)
      number(Value);
  }
  void about(const SummaryAbout &A) {
    number(A.Traces.size());
    for (const SummaryTrace &T : A.Traces) {
      number(T.Path);
      number(T.IsIncomplete);
    }
    number(A.Sequences);
    numbers(A.Observed);
    for (const SummaryCompile &C : A.Compiles)
      numbers(C.Strings);
  }
  void inclusions(const std::vector<SummaryInclusion> &Rows) {
    number(Rows.size());
    for (const SummaryInclusion &I : Rows) {
      number(I.Outer == SummaryInclusion::None ? 0 : I.Outer + uint64_t(1));
      number(I.Path);
      number(I.LineNo);
      number(I.Count);
      number(I.InclusiveNs);
    }
  }
  void table(const SummaryTable &T) {
    numbers(T.Totals);
    number(T.Rows.size());
    for (const SummaryRow &R : T.Rows)
      row(R);
  }

  std::string Bytes;

private:
  void row(const SummaryRow &R) {
    unsigned Flags = static_cast<unsigned>(R.Name.Is) |
                     (R.Name.LineNo != 0 ? LineFlag : 0) |
                     (R.Name.MarkedBytes != UINT64_MAX ? PrefixFlag : 0) |
                     (R.HasBackend ? BackendFlag : 0);
    Bytes += static_cast<char>(Flags);
    Bytes += static_cast<char>(R.Kind);
    number(R.Name.String);
    if (Flags & LineFlag)
      number(R.Name.LineNo);
    if (Flags & PrefixFlag)
      number(R.Name.MarkedBytes);
    numbers(R.Numbers);
    if (R.HasBackend)
      numbers(R.Backend);
  }
};

} // namespace

std::string instantrace::index::encodeSummary(const IndexSummary &S) {
  std::vector<std::pair<uint32_t, std::string>> Parts;
  auto Add = [&Parts](uint32_t Number, auto Write) {
    Encoder Part;
    Write(Part);
    Parts.emplace_back(Number, std::move(Part.Bytes));
  };
  Add(AboutPart, [&](Encoder &E) { E.about(S.About); });
  Add(InclusionsPart, [&](Encoder &E) { E.inclusions(S.Inclusions); });
  for (const auto &[Number, Table] : S.Tables)
    Add(FirstTable + Number, [&T = Table](Encoder &E) { E.table(T); });
  Encoder All;
  All.number(Parts.size());
  for (const auto &[Number, Bytes] : Parts) {
    All.number(Number);
    All.number(Bytes.size());
  }
  for (const auto &[Number, Bytes] : Parts)
    All.Bytes += Bytes;
  return std::move(All.Bytes);
}

bool SummaryReader::fault(const char *What, const char *Wanted) {
  if (Found.empty()) {
    Found = What;
    Expected = Wanted;
    FaultAt = At;
  }
  return false;
}

bool SummaryReader::number(uint64_t &Into) {
  Into = 0;
  for (unsigned Shift = 0; Shift < 64; Shift += 7) {
    if (At >= End)
      return fault("no end of a number", "one within its part");
    auto Byte = static_cast<uint8_t>(Bytes[At++]);
    if (Shift == 63 && Byte > 1)
      break;
    Into |= uint64_t(Byte & 0x7f) << Shift;
    if (Byte < 0x80)
      return true;
  }
  return fault("a number of more than 64 bits", "a smaller one");
}

bool SummaryReader::number(uint32_t &Into) {
  uint64_t Wide = 0;
  if (!number(Wide))
    return false;
  Into = static_cast<uint32_t>(Wide);
  return Wide <= UINT32_MAX ||
         fault("a number of more than 32 bits", "a smaller one");
}

bool SummaryReader::count(uint64_t BytesEach, uint64_t &Into) {
  return number(Into) && (Into <= (End - At) / BytesEach ||
                          fault("more rows than there are bytes", "fewer"));
}

bool SummaryReader::open() {
  if (!Found.empty())
    return false;
  if (IsOpen)
    return true;
  End = Bytes.size();
  uint64_t Count = 0;
  if (!count(2, Count))
    return false;
  uint64_t Size = 0;
  for (uint64_t I = 0; I != Count; ++I) {
    uint32_t Number = 0;
    uint64_t PartBytes = 0;
    if (!number(Number) || !number(PartBytes))
      return false;
    if (!Parts.empty() && Number <= Parts.back().Number)
      return fault("a part that is not behind the one before",
                   "ascending numbers");
    if (Number >= FirstTable + SummaryTable::TableLimit)
      return fault("another part", "those of this version");
    if (PartBytes > Bytes.size() - Size)
      return fault("a part that ends behind the section", "it within");
    Parts.push_back({Number, Size, Size + PartBytes});
    Size += PartBytes;
  }
  if (Bytes.size() - At != Size)
    return fault("parts of another size", "that of the section");
  for (Part &P : Parts) {
    P.Begin += At;
    P.End += At;
  }
  return IsOpen = true;
}

bool SummaryReader::part(uint32_t Number) {
  if (!open())
    return false;
  for (const Part &P : Parts)
    if (P.Number == Number) {
      At = P.Begin;
      End = P.End;
      return true;
    }
  At = 0;
  return fault("no such part", "all parts");
}

bool SummaryReader::endOfPart() {
  return At == End || fault("bytes behind the last row", "the end of the part");
}

bool SummaryReader::about(SummaryAbout &Into) {
  uint64_t Count = 0;
  if (!part(AboutPart) || !count(2, Count))
    return false;
  for (uint64_t I = 0; I != Count; ++I) {
    SummaryTrace T;
    uint64_t Flag = 0;
    if (!number(T.Path) || !number(Flag))
      return false;
    if (Flag > 1)
      return fault("another flag", "0 or 1");
    T.IsIncomplete = Flag != 0;
    Into.Traces.push_back(T);
  }
  if (!number(Into.Sequences))
    return false;
  for (uint64_t &Number : Into.Observed)
    if (!number(Number))
      return false;
  if (At == End) // version 1.1
    return true;
  if (Into.Sequences > (End - At) / SummaryCompile::StringLimit)
    return fault("more compiles than there are bytes", "fewer");
  Into.Compiles.resize(Into.Sequences);
  for (SummaryCompile &C : Into.Compiles)
    for (uint64_t &String : C.Strings)
      if (!number(String))
        return false;
  return endOfPart();
}

bool SummaryReader::inclusions(std::vector<SummaryInclusion> &Into) {
  constexpr uint64_t LeastBytes = 5;
  uint64_t Count = 0;
  if (!part(InclusionsPart) || !count(LeastBytes, Count))
    return false;
  for (uint64_t I = 0; I != Count; ++I) {
    SummaryInclusion Row;
    uint64_t Outer = 0;
    if (!number(Outer))
      return false;
    if (Outer > I)
      return fault("an outer inclusion that is not before", "an earlier one");
    Row.Outer = static_cast<uint32_t>(Outer - 1);
    if (!number(Row.Path) || !number(Row.LineNo) || !number(Row.Count) ||
        !number(Row.InclusiveNs))
      return false;
    Into.push_back(Row);
  }
  return endOfPart();
}

bool SummaryReader::name(uint8_t Flags, SummaryName &Into) {
  if ((Flags & FormMask) > static_cast<uint8_t>(SummaryName::Form::Name))
    return fault("another form of a name", "one of three");
  Into.Is = static_cast<SummaryName::Form>(Flags & FormMask);
  return number(Into.String) && (!(Flags & LineFlag) || number(Into.LineNo)) &&
         (!(Flags & PrefixFlag) || number(Into.MarkedBytes));
}

bool SummaryReader::row(SummaryRow &Into) {
  if (End - At < 2)
    return fault("no end of a row", "a whole one");
  auto Flags = static_cast<uint8_t>(Bytes[At++]);
  if (Flags >= RowFlagLimit)
    return fault("another flag", "those of this version");
  Into.Kind = static_cast<uint8_t>(Bytes[At++]);
  // A trace of a later version may have more kinds; the largest is elided.
  if (!isEventKind(Into.Kind) && Into.Kind < EventKindLimit)
    return fault("another kind", "one of this version");
  Into.HasBackend = (Flags & BackendFlag) != 0;
  if (!name(Flags, Into.Name))
    return false;
  for (uint64_t &Number : Into.Numbers)
    if (!number(Number))
      return false;
  if (Into.HasBackend)
    for (uint64_t &Number : Into.Backend)
      if (!number(Number))
        return false;
  return true;
}

bool SummaryReader::table(uint32_t Number, SummaryTable &Into) {
  constexpr uint64_t LeastBytes = 3 + SummaryRow::NumberLimit;
  if (!part(FirstTable + Number))
    return false;
  for (uint64_t &Total : Into.Totals)
    if (!number(Total))
      return false;
  uint64_t Count = 0;
  if (!count(LeastBytes, Count))
    return false;
  Into.Rows.resize(Count);
  for (SummaryRow &Row : Into.Rows)
    if (!row(Row))
      return false;
  return endOfPart();
}

bool SummaryReader::tables(std::vector<uint32_t> &Into) {
  if (!open())
    return false;
  for (const Part &P : Parts)
    if (P.Number >= FirstTable)
      Into.push_back(P.Number - FirstTable);
  return true;
}
