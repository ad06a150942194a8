#include "utils/open/TemplightReader.h"

#include "utils/open/TemplightFields.h"
#include "utils/open/TemplightKinds.h"
#include "utils/open/TemplightNames.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace instantrace;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

namespace {

constexpr uint32_t bytesTag(uint32_t Field) {
  return protozero::tag_and_type(Field, pbf_wire_type::length_delimited);
}
constexpr uint32_t varintTag(uint32_t Field) {
  return protozero::tag_and_type(Field, pbf_wire_type::varint);
}
constexpr uint32_t doubleTag(uint32_t Field) {
  return protozero::tag_and_type(Field, pbf_wire_type::fixed64);
}

/// What went wrong, thrown to where the file's name is known.
struct Damage {
  size_t OffsetBytes;
  std::string Found, Expected;
};

// Numbers of kinds in Clang 14, 19 and 22 where they are not those of Clang 16.
constexpr uint64_t Memoization14 = 21;
constexpr uint64_t Last16 = std::size(TemplightKinds) - 1;
constexpr uint64_t Lambda19 = 5;
constexpr uint64_t Memoization19 = 24;
constexpr uint64_t BuildingDeductionGuides19 = 25;
constexpr uint64_t TypeAliasTemplate19 = 26;
constexpr uint64_t PartialOrderingTTP22 = 27;

std::optional<EventKind> kindOf(uint64_t Number, uint64_t Largest) {
  if (Number > Largest)
    return std::nullopt;
  if (Largest <= Last16) {
    // Memoization is the last of 14's: one kind fewer before 17, one after 20.
    if (Largest == Memoization14 && Number >= 17)
      return Number == Memoization14 ? EventKind::Memoization
                                     : TemplightKinds[Number + 1];
    return TemplightKinds[Number];
  }
  switch (Number) {
  case Lambda19:
    return EventKind::LambdaExpressionSubstitution;
  case BuildingDeductionGuides19:
    return EventKind::BuildingDeductionGuides;
  case TypeAliasTemplate19:
    return EventKind::TypeAliasTemplateInstantiation;
  case PartialOrderingTTP22:
    return EventKind::PartialOrderingTTP;
  default:
    if (Number > Memoization19)
      return std::nullopt;
    return TemplightKinds[Number < Lambda19 ? Number : Number - 1];
  }
}

struct Place {
  NameId File;
  uint32_t LineNo = 0, ColumnNo = 0;
};

struct BeginFields {
  uint64_t Kind = 0;
  TemplightNameFields Name;
  Place P, Origin;
  double Time = 0;
  uint64_t MemoryBytes = 0;
};

class TraceDecoder {
public:
  TraceDecoder(std::string_view File, Sequence &Into)
      : File(File), Into(Into), Names(Into.Names, File.size()) {}

  void decode(std::string_view Trace) {
    LargestKind = largestKind(Trace);
    // Templight writes a name before its first use; what writes the fields in
    // the order of their numbers does not.
    pbf_reader Entries = reader(Trace);
    while (Entries.next(templight::TraceName, pbf_wire_type::length_delimited))
      dictionaryEntry(view(Entries));
    pbf_reader Fields = reader(Trace);
    while (Fields.next()) {
      switch (Fields.tag_and_type()) {
      case bytesTag(templight::TraceHeader):
        header(Fields.get_message());
        break;
      case bytesTag(templight::TraceEntry):
        entry(view(Fields));
        break;
      default:
        Fields.skip();
      }
    }
    Into.OpenCount = Open.size();
    for (const OpenInterval &O : Open)
      Into.Intervals[O.Index].EndNs = Into.LastTimeNs;
    // Without ends it is not complete, and so has no footer.
    if (Open.empty()) {
      TraceFooter &Footer = Into.Footer.emplace();
      Footer.EndTimeNs = Into.LastTimeNs;
      Footer.EventsRecorded = Into.EventCount;
    }
  }

private:
  struct OpenInterval {
    uint32_t Index;
    uint64_t BeginBytes, InsideBytes;
  };

  [[noreturn]] void damaged(std::string_view What, std::string Found,
                            std::string Expected) const {
    throw Damage{static_cast<size_t>(What.data() - File.data()),
                 std::move(Found), std::move(Expected)};
  }

  static std::string_view view(pbf_reader &Fields) {
    protozero::data_view View = Fields.get_view();
    return {View.data(), View.size()};
  }
  static pbf_reader reader(std::string_view Message) {
    return pbf_reader(Message.data(), Message.size());
  }

  /// Memoization, nearly always there, has the largest number of each Clang, so
  /// the file's largest one tells which Clang's they are.
  uint64_t largestKind(std::string_view Trace) {
    uint64_t Largest = 0;
    pbf_reader Fields = reader(Trace);
    while (
        Fields.next(templight::TraceEntry, pbf_wire_type::length_delimited)) {
      pbf_reader Entry = Fields.get_message();
      while (
          Entry.next(templight::EntryBegin, pbf_wire_type::length_delimited)) {
        pbf_reader Begin = Entry.get_message();
        while (Begin.next(templight::BeginKind, pbf_wire_type::varint))
          Largest = std::max(Largest, Begin.get_uint64());
      }
    }
    if (Largest > PartialOrderingTTP22)
      damaged(Trace, "kind " + std::to_string(Largest),
              "at most " + std::to_string(PartialOrderingTTP22));
    return Largest == Memoization14 ? Largest : std::max(Largest, Last16);
  }

  void header(pbf_reader Header) {
    while (Header.next()) {
      if (Header.tag_and_type() == bytesTag(templight::HeaderSource))
        Into.Session->Input = Header.get_string();
      else
        Header.skip();
    }
  }

  void dictionaryEntry(std::string_view Entry) {
    std::string_view Text;
    std::vector<uint32_t> Markers;
    pbf_reader Fields = reader(Entry);
    while (Fields.next()) {
      switch (Fields.tag_and_type()) {
      case bytesTag(templight::EntryMarkedName):
        Text = view(Fields);
        break;
      case varintTag(templight::EntryMarkers):
        Markers.push_back(Fields.get_uint32());
        break;
      default:
        Fields.skip();
      }
    }
    Result<void> Defined = Names.define(Text, Markers);
    if (!Defined)
      damaged(Entry, Defined.error().Message,
              "as many markers as NUL bytes, each the number of "
              "an earlier entry");
  }

  void entry(std::string_view Entry) {
    pbf_reader Fields = reader(Entry);
    while (Fields.next()) {
      switch (Fields.tag_and_type()) {
      case bytesTag(templight::EntryBegin):
        begin(view(Fields));
        break;
      case bytesTag(templight::EntryEnd):
        end(view(Fields));
        break;
      default:
        Fields.skip();
      }
    }
  }

  void begin(std::string_view Begin) {
    BeginFields Found;
    pbf_reader Fields = reader(Begin);
    while (Fields.next()) {
      switch (Fields.tag_and_type()) {
      case varintTag(templight::BeginKind):
        Found.Kind = Fields.get_uint64();
        break;
      case bytesTag(templight::BeginName):
        Found.Name = name(view(Fields));
        break;
      case bytesTag(templight::BeginPlace):
        Found.P = place(view(Fields));
        break;
      case doubleTag(templight::BeginTime):
        Found.Time = Fields.get_double();
        break;
      case varintTag(templight::BeginMemory):
        Found.MemoryBytes = Fields.get_uint64();
        break;
      case bytesTag(templight::BeginOrigin):
        Found.Origin = place(view(Fields));
        break;
      default:
        Fields.skip();
      }
    }
    advance(Begin, Found.Time);
    std::optional<EventKind> Kind = kindOf(Found.Kind, LargestKind);
    if (!Kind)
      damaged(Begin, "kind " + std::to_string(Found.Kind),
              "one of a Clang from 14 to 22");
    add(*Kind, Found, Begin);
  }

  void add(EventKind Kind, const BeginFields &Found, std::string_view Begin) {
    EntityId Entity = entity(Found, Begin);
    LocationId Location = location(Into.Locations, ByPlace, Found.P);
    ++Into.EventCount;
    IntervalId Parent;
    if (!Open.empty())
      Parent.Value = Open.back().Index;
    // Templight has no instants; a memoization is one with an end behind it.
    if (Kind == EventKind::Memoization) {
      Into.Instants.push_back({Into.LastTimeNs, Entity, Location, Parent,
                               static_cast<uint32_t>(Into.Intervals.size()),
                               Kind});
      ++OpenInstants;
      return;
    }
    if (OpenInstants != 0)
      damaged(Begin, "a begin inside a memoization", "its end");
    Interval I;
    I.BeginNs = Into.LastTimeNs;
    I.Entity = Entity;
    I.Location = Location;
    I.Parent = Parent;
    I.Kind = Kind;
    Open.push_back(
        {static_cast<uint32_t>(Into.Intervals.size()), Found.MemoryBytes, 0});
    Into.Intervals.push_back(I);
  }

  void end(std::string_view End) {
    double Time = LastTime;
    uint64_t MemoryBytes = 0;
    pbf_reader Fields = reader(End);
    while (Fields.next()) {
      switch (Fields.tag_and_type()) {
      case doubleTag(templight::EndTime):
        Time = Fields.get_double();
        break;
      case varintTag(templight::EndMemory):
        MemoryBytes = Fields.get_uint64();
        break;
      default:
        Fields.skip();
      }
    }
    advance(End, Time);
    if (OpenInstants != 0) {
      --OpenInstants;
      return;
    }
    if (Open.empty())
      damaged(End, "an end with nothing open", "a begin before it");
    ++Into.EventCount;
    OpenInterval O = Open.back();
    Open.pop_back();
    Interval &I = Into.Intervals[O.Index];
    I.EndNs = Into.LastTimeNs;
    I.Open = false;
    uint64_t GrownBytes =
        MemoryBytes > O.BeginBytes ? MemoryBytes - O.BeginBytes : 0;
    I.AstBytes = GrownBytes > O.InsideBytes ? GrownBytes - O.InsideBytes : 0;
    if (!Open.empty())
      Open.back().InsideBytes += GrownBytes;
  }

  void advance(std::string_view What, double Time) {
    constexpr double LimitSeconds = 1e8;
    if (!std::isfinite(Time) || Time < 0 || Time > LimitSeconds)
      damaged(What, "a time of " + std::to_string(Time) + " s",
              "0 to 100000000 s");
    if (!HasTime)
      FirstTime = LastTime = Time;
    HasTime = true;
    if (Time < LastTime)
      damaged(What, std::to_string(Time) + " s",
              std::to_string(LastTime) + " s or later");
    LastTime = Time;
    Into.LastTimeNs =
        static_cast<uint64_t>(std::llround((Time - FirstTime) * 1e9));
  }

  TemplightNameFields name(std::string_view Name) {
    TemplightNameFields Found;
    pbf_reader Fields = reader(Name);
    while (Fields.next()) {
      switch (Fields.tag_and_type()) {
      case bytesTag(templight::NameText):
        Found.Text = view(Fields);
        break;
      case bytesTag(templight::NameCompressed):
        damaged(Name, "a name that is compressed by itself",
                "a text, or the number of a dictionary entry");
      case varintTag(templight::NameDictionaryId):
        Found.DictionaryId = Fields.get_uint32();
        break;
      default:
        Fields.skip();
      }
    }
    return Found;
  }

  Place place(std::string_view Message) {
    Place Found;
    uint32_t FileId = 0;
    std::optional<std::string_view> FileName;
    pbf_reader Fields = reader(Message);
    while (Fields.next()) {
      switch (Fields.tag_and_type()) {
      case bytesTag(templight::PlaceFile):
        FileName = view(Fields);
        break;
      case varintTag(templight::PlaceFileId):
        FileId = Fields.get_uint32();
        break;
      case varintTag(templight::PlaceLine):
        Found.LineNo = Fields.get_uint32();
        break;
      case varintTag(templight::PlaceColumn):
        Found.ColumnNo = Fields.get_uint32();
        break;
      default:
        Fields.skip();
      }
    }
    if (FileName)
      Files[FileId] = FileName->empty() ? NameId{} : Names.text(*FileName);
    auto Known = Files.find(FileId);
    if (Known == Files.end())
      damaged(Message, "file " + std::to_string(FileId) + " without a name",
              "its name with its first use");
    Found.File = Known->second;
    return Found;
  }

  using PlaceKey = std::tuple<uint32_t, uint32_t, uint32_t>;
  /// None for a place without file.
  static LocationId location(LocationTable &Table,
                             std::map<PlaceKey, uint32_t> &Known,
                             const Place &P) {
    if (!P.File)
      return {};
    auto [Number, IsNew] =
        Known.try_emplace({P.File.Value, P.LineNo, P.ColumnNo},
                          static_cast<uint32_t>(Table.Rows.size() + 1));
    if (IsNew)
      Table.Rows.push_back({P.File, P.LineNo, P.ColumnNo});
    return {Number->second};
  }

  /// Of a name and a place of declaration.
  EntityId entity(const BeginFields &Found, std::string_view Begin) {
    std::optional<NameId> Name = Names.nameFor(Found.Name);
    if (!Name)
      damaged(Begin,
              "name " + std::to_string(Found.Name.DictionaryId.value_or(0)),
              "the number of a dictionary entry, below " +
                  std::to_string(Names.defined()));
    LocationId Declared =
        location(Into.DeclarationLocations, ByDeclaration, Found.Origin);
    auto [Number, IsNew] =
        ByName.try_emplace({Name->Value, Declared.Value},
                           static_cast<uint32_t>(Into.Entities.size() + 1));
    if (IsNew)
      Into.Entities.push_back({*Name, Names.templateSet(*Name),
                               LocationId::declaration(Declared.Value),
                               EntityKind::Unknown});
    return {Number->second};
  }

  std::string_view File;
  Sequence &Into;
  TemplightNames Names;
  uint64_t LargestKind = 0;
  std::vector<OpenInterval> Open;
  uint64_t OpenInstants = 0;
  double FirstTime = 0, LastTime = 0;
  bool HasTime = false;
  std::map<uint32_t, NameId> Files;
  std::map<PlaceKey, uint32_t> ByPlace, ByDeclaration;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> ByName;
};

/// Of several compiles in one file, Templight ends each with a line feed, which
/// is the tag of a trace as well; behind a tag comes the length, and behind
/// that the tag of the header, 0x0A again.
bool isLineFeed(std::string_view Rest) {
  return Rest[0] == '\n' &&
         (Rest.size() == 1 ||
          (Rest[1] == '\n' && Rest.size() > 2 && Rest[2] != '\n'));
}

} // namespace

bool instantrace::isTemplight(std::string_view Bytes) {
  // Trace 1 { header 1 { version 1: 1 } }
  if (Bytes.size() < 2 || Bytes[0] != '\n')
    return false;
  size_t Index = 1;
  while (Index < Bytes.size() && Index < 10 && (Bytes[Index] & 0x80))
    ++Index;
  ++Index; // behind the length
  return Bytes.size() >= Index + 4 && Bytes[Index] == '\n' &&
         Bytes[Index + 2] == '\x08' && Bytes[Index + 3] == '\x01';
}

Result<void> instantrace::readTemplight(std::string_view Bytes,
                                        const std::string &Name, Trace &Into) {
  TraceInput &Input = Into.Files.emplace_back();
  Input.Name = Name;
  Input.SizeBytes = Bytes.size();
  size_t Offset = 0;
  auto Refused = [&Name](size_t Index, const std::string &Found,
                         const std::string &Expected) {
    return makeError(Name + ": Templight trace, byte " + std::to_string(Index),
                     Found, Expected);
  };
  try {
    while (Offset != Bytes.size()) {
      std::string_view Rest = Bytes.substr(Offset);
      if (isLineFeed(Rest)) {
        ++Offset;
        continue;
      }
      pbf_reader Collection(Rest.data(), Rest.size());
      if (!Collection.next() ||
          Collection.tag_and_type() != bytesTag(templight::CollectionTrace))
        return Refused(Offset, "another field", "a trace, field 1");
      protozero::data_view Trace = Collection.get_view();
      Sequence &S = Into.Sequences.emplace_back();
      S.Id = static_cast<uint32_t>(++Input.PacketCount);
      S.FileIndex = static_cast<uint32_t>(Into.Files.size() - 1);
      S.Session.emplace().Hook = "templight";
      TraceDecoder(Bytes, S).decode({Trace.data(), Trace.size()});
      Offset = static_cast<size_t>(Trace.data() - Bytes.data()) + Trace.size();
    }
  } catch (const Damage &D) {
    return Refused(D.OffsetBytes, D.Found, D.Expected);
  } catch (const protozero::exception &) {
    return Refused(Offset, "no whole trace",
                   "protobuf that goes on to its end");
  }
  return {};
}
