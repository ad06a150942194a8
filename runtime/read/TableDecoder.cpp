#include "runtime/read/TableDecoder.h"

#include "runtime/format/FieldTag.h"
#include "runtime/read/TableColumns.h"
#include "runtime/strings/DictionaryBatch.h"

#include <algorithm>

using namespace instantrace;
using protozero::pbf_reader;

namespace {

/// Where an entity is declared, by the two columns for it. Declaration is null
/// when its column is absent.
bool declaredAt(uint32_t DeclaredAt, const uint32_t *Declaration,
                LocationId &Id, IssueSink &Issues) {
  if (Declaration && DeclaredAt != 0) {
    Issues.fatal("one-declaration",
                 "declared_at " + std::to_string(DeclaredAt) +
                     " beside a declaration column",
                 "0");
    return false;
  }
  uint32_t Number = Declaration ? *Declaration : DeclaredAt;
  // No table is so long, and the bit is taken.
  if (Number >= LocationId::DeclarationBit) {
    Issues.note("location-range",
                std::string("an entity's ") +
                    (Declaration ? "declaration " : "declared_at ") +
                    std::to_string(Number),
                "at most " + std::to_string(LocationId::DeclarationBit - 1));
    Number = 0;
  }
  Id = Declaration ? LocationId::declaration(Number) : LocationId{Number};
  return true;
}

} // namespace

void instantrace::decodeSession(pbf_reader Body, Sequence &Into) {
  TraceSession &S = Into.Session.emplace();
  while (Body.next()) {
    switch (Body.tag_and_type()) {
    case lengthDelimited(1):
      S.ToolVersion = Body.get_bytes();
      break;
    case lengthDelimited(2):
      S.ClangVersion = Body.get_bytes();
      break;
    case lengthDelimited(3):
      S.Argv.push_back(Body.get_bytes());
      break;
    case lengthDelimited(4):
      S.WorkingDirectory = Body.get_bytes();
      break;
    case lengthDelimited(5):
      S.Input = Body.get_bytes();
      break;
    case lengthDelimited(6):
      S.Object = Body.get_bytes();
      break;
    case lengthDelimited(7):
      S.Triple = Body.get_bytes();
      break;
    case lengthDelimited(8):
      S.LanguageStandard = Body.get_bytes();
      break;
    case lengthDelimited(9):
      S.OptimizationLevel = Body.get_bytes();
      break;
    case varint(10):
      S.Pid = Body.get_uint32();
      break;
    case fixed64(11):
      S.RealtimeNs = Body.get_fixed64();
      break;
    case fixed64(12):
      S.MonotonicNs = Body.get_fixed64();
      break;
    case lengthDelimited(13):
      S.PchInputs.push_back(Body.get_bytes());
      break;
    case lengthDelimited(14):
      S.ModuleInputs.push_back(Body.get_bytes());
      break;
    case lengthDelimited(15):
      S.Hook = Body.get_bytes();
      break;
    case varint(17):
      S.MemoizationMode = Body.get_uint32();
      break;
    case varint(18):
      S.GranularityNs = Body.get_uint64();
      break;
    case varint(19):
      S.TimeUnitNs = std::max(Body.get_uint32(), 1U);
      break;
    case lengthDelimited(20):
      S.Buffer = Body.get_bytes();
      break;
    default:
      Body.skip();
    }
  }
}

void instantrace::decodeDictionary(pbf_reader Body, Sequence &Into,
                                   IssueSink &Issues) {
  Into.DictionaryBytes += Body.length();
  auto note = [&Issues](DictionaryFault TooLong) {
    Issues.note(TooLong.Invariant, std::move(TooLong.Found),
                std::move(TooLong.Expected));
  };
  if (auto Fault = readDictionaryBatch(Body, Into.Names, note))
    Issues.fatal(Fault->Invariant, std::move(Fault->Found),
                 std::move(Fault->Expected));
}

void instantrace::decodeEntities(pbf_reader Body, Sequence &Into,
                                 IssueSink &Issues) {
  uint32_t FirstId = 0;
  std::vector<int32_t> NameDeltas, SetDeltas;
  std::vector<uint32_t> DeclaredAt, Kinds, Declarations;
  while (Body.next()) {
    switch (Body.tag_and_type()) {
    case varint(1):
      FirstId = Body.get_uint32();
      break;
    case lengthDelimited(2):
      append(Body.get_packed_sint32(), NameDeltas);
      break;
    case lengthDelimited(3):
      append(Body.get_packed_sint32(), SetDeltas);
      break;
    case lengthDelimited(4):
      append(Body.get_packed_uint32(), DeclaredAt);
      break;
    case lengthDelimited(5):
      append(Body.get_packed_uint32(), Kinds);
      break;
    case lengthDelimited(6):
      append(Body.get_packed_uint32(), Declarations);
      break;
    default:
      Body.skip();
    }
  }
  size_t Rows = NameDeltas.size();
  auto LengthOf = [Rows](const std::vector<uint32_t> &MayBeAbsent) {
    return MayBeAbsent.empty() ? Rows : MayBeAbsent.size();
  };
  if (!isContiguous(FirstId, Into.Entities.size(), Issues) ||
      !isEvenTable({{"name", Rows},
                    {"template_set", SetDeltas.size()},
                    {"declared_at", LengthOf(DeclaredAt)},
                    {"kind", Kinds.size()},
                    {"declaration", LengthOf(Declarations)}},
                   Issues))
    return;
  uint32_t Name = 0, Set = 0;
  for (size_t I = 0; I != Rows; ++I) {
    if (!addDelta(Name, NameDeltas[I], "name", Issues) ||
        !addDelta(Set, SetDeltas[I], "template_set", Issues))
      return;
    // A kind of a newer minor version is some other kind to this reader.
    auto Kind = static_cast<TraceEntityKind>(std::min<uint32_t>(
        Kinds[I], static_cast<uint32_t>(TraceEntityKind::Other)));
    LocationId DeclaredIn;
    if (!declaredAt(DeclaredAt.empty() ? 0 : DeclaredAt[I],
                    Declarations.empty() ? nullptr : &Declarations[I],
                    DeclaredIn, Issues))
      return;
    Into.Entities.push_back({{Name}, {Set}, DeclaredIn, Kind});
  }
}

void instantrace::decodeMemoizedHits(pbf_reader Body, Sequence &Into,
                                     IssueSink &Issues) {
  std::vector<uint32_t> Ids;
  std::vector<uint64_t> Hits;
  while (Body.next()) {
    switch (Body.tag_and_type()) {
    case lengthDelimited(1):
      append(Body.get_packed_uint32(), Ids);
      break;
    case lengthDelimited(2):
      append(Body.get_packed_uint64(), Hits);
      break;
    default:
      Body.skip();
    }
  }
  if (!isEvenTable({{"entity", Ids.size()}, {"hits", Hits.size()}}, Issues))
    return;
  for (size_t I = 0; I != Ids.size(); ++I)
    Into.Memoized.push_back({{Ids[I]}, Hits[I]});
}

void instantrace::decodeFooter(pbf_reader Body, Sequence &Into,
                               std::vector<std::string> &LateModules) {
  TraceFooter &F = Into.Footer.emplace();
  while (Body.next()) {
    switch (Body.tag_and_type()) {
    case varint(1):
      F.ExitState = Body.get_uint32();
      break;
    case varint(2):
      F.EndTimeNs = Body.get_uint64();
      break;
    case varint(3):
      F.PeakRssBytes = Body.get_uint64();
      break;
    case varint(4):
      F.UserTimeNs = Body.get_uint64();
      break;
    case varint(5):
      F.SystemTimeNs = Body.get_uint64();
      break;
    case varint(6):
      F.EventsRecorded = Body.get_uint64();
      break;
    case varint(7):
      F.EventsDropped = Body.get_uint64();
      break;
    case varint(8):
      F.EventsElided = Body.get_uint64();
      break;
    case varint(9):
      F.MemoizedHits = Body.get_uint64();
      break;
    case lengthDelimited(10):
      LateModules.push_back(Body.get_bytes());
      break;
    case varint(11):
      F.Signal = Body.get_uint32();
      break;
    case varint(12):
      F.FragmentsDropped = Body.get_uint64();
      break;
    default:
      Body.skip();
    }
  }
}

void instantrace::decodeTable(PacketBody Kind, pbf_reader Body, Sequence &Into,
                              IssueSink &Issues) {
  switch (Kind) {
  case PacketBody::Dictionary:
    return decodeDictionary(Body, Into, Issues);
  case PacketBody::Locations:
    return decodeLocations(Body, Into.Locations, Issues);
  case PacketBody::DeclarationLocations:
    return decodeLocations(Body, Into.DeclarationLocations, Issues);
  case PacketBody::Inclusions:
    return decodeInclusions(Body, Into, Issues);
  case PacketBody::Entities:
    return decodeEntities(Body, Into, Issues);
  case PacketBody::MemoizedHits:
    return decodeMemoizedHits(Body, Into, Issues);
  case PacketBody::None:
  case PacketBody::FileHeader:
  case PacketBody::Session:
  case PacketBody::Events:
  case PacketBody::Footer:
    return;
  }
}
