#include "runtime/base/Varint.h"
#include "test/fuzz/FuzzTargets.h"
#include "test/fuzz/TraceUses.h"
#include "utils/open/TemplightFields.h"
#include "utils/open/TemplightReader.h"

#include <protozero/pbf_writer.hpp>

namespace instantrace::fuzz {

void fuzzTemplight(const uint8_t *Data, size_t SizeBytes) {
  if (SizeBytes < 2)
    return;
  // A block of its own, so that a sanitizer sees what is read beyond it.
  std::string Bytes(reinterpret_cast<const char *>(Data) + 2, SizeBytes - 2);
  isTemplight(Bytes);
  Trace T;
  Result<void> Read = readTemplight(Bytes, "fuzzed", T);
  if (!Read) {
    require(Read.error().Message.starts_with("fuzzed: Templight trace, byte "));
    return;
  }
  for (const Sequence &S : T.Sequences) {
    uint64_t NameBytes = 0;
    for (size_t I = 0; I != S.Intervals.size(); ++I) {
      const Interval &Found = S.Intervals[I];
      require(!Found.Parent || Found.Parent.Value < I);
      require(Found.BeginNs <= Found.EndNs && Found.EndNs <= S.LastTimeNs);
      require(S.entity(Found.Entity) != nullptr || !Found.Entity);
    }
    for (const Entity &E : S.Entities)
      NameBytes += S.Names.text(E.TemplateSet, 1000).size();
    require(NameBytes <= 1000 * S.Entities.size());
    require(S.Footer.has_value() == (S.OpenCount == 0));
  }
  useTrace(T, Data[0], Data[1]);
}

std::vector<std::string> templightSeeds() {
  using namespace templight;
  auto message = [](auto Fill) {
    std::string Bytes;
    protozero::pbf_writer Writer(Bytes);
    Fill(Writer);
    return Bytes;
  };
  auto name = [&](const std::string &Text,
                  const std::vector<uint32_t> &Markers = {}) {
    return message([&](protozero::pbf_writer &W) {
      W.add_string(EntryMarkedName, Text);
      for (uint32_t Marker : Markers)
        W.add_uint32(EntryMarkers, Marker);
    });
  };
  auto place = [&](const char *File, uint32_t Id, uint32_t LineNo) {
    return message([&](protozero::pbf_writer &W) {
      if (File)
        W.add_string(PlaceFile, File);
      W.add_uint32(PlaceFileId, Id);
      W.add_uint32(PlaceLine, LineNo);
      W.add_uint32(PlaceColumn, 3);
    });
  };
  auto begin = [&](uint32_t Kind, uint32_t Name, const std::string &Place,
                   double Time, const std::string &Origin = {}) {
    std::string Begin = message([&](protozero::pbf_writer &W) {
      W.add_uint32(BeginKind, Kind);
      W.add_message(BeginName, message([&](protozero::pbf_writer &N) {
                      if (Name == 99)
                        N.add_string(NameText, "std::sort");
                      else
                        N.add_uint32(NameDictionaryId, Name);
                    }));
      W.add_message(BeginPlace, Place);
      W.add_double(BeginTime, Time);
      W.add_uint64(BeginMemory, 1000);
      if (!Origin.empty())
        W.add_message(BeginOrigin, Origin);
    });
    return message(
        [&](protozero::pbf_writer &W) { W.add_message(EntryBegin, Begin); });
  };
  auto end = [&](double Time) {
    std::string End = message([&](protozero::pbf_writer &W) {
      W.add_double(EndTime, Time);
      W.add_uint64(EndMemory, 1500);
    });
    return message(
        [&](protozero::pbf_writer &W) { W.add_message(EntryEnd, End); });
  };
  std::string Trace = message([&](protozero::pbf_writer &W) {
    W.add_message(TraceHeader, message([&](protozero::pbf_writer &H) {
                    H.add_uint32(HeaderVersion, Version);
                    H.add_string(HeaderSource, "a.cpp");
                  }));
    W.add_message(TraceName, name("B"));
    W.add_message(TraceName, name("i"));
    W.add_message(TraceName, name(std::string("\0<\0>\0", 5), {0, 1}));
    W.add_message(TraceEntry, begin(0, 2, place("a.cpp", 0, 10), 1.0,
                                    place("vec.h", 1, 42)));
    W.add_message(TraceEntry, begin(4, 99, place(nullptr, 0, 11), 1.25));
    W.add_message(TraceEntry, end(1.5));
    W.add_message(TraceEntry, begin(23, 2, place(nullptr, 1, 12), 1.6));
    W.add_message(TraceEntry, end(1.6));
    W.add_message(TraceEntry, end(2.0));
  });
  std::string Bytes = message(
      [&](protozero::pbf_writer &W) { W.add_message(CollectionTrace, Trace); });
  std::vector<std::string> Seeds;
  for (char Command = 0; Command != 13; ++Command)
    Seeds.push_back(std::string{Command, '\x15'} + Bytes);
  Seeds.push_back(std::string(2, '\0') + Bytes + "\n" + Bytes);
  return Seeds;
}

} // namespace instantrace::fuzz
