#include "test/unit/runtime/record/Agreement/Replay.h"

#include <map>
#include <stdexcept>

namespace instantrace::test {

namespace {

[[noreturn]] void fail(const std::string &What) {
  throw std::runtime_error(What);
}

void expect(bool Holds, const char *What) {
  if (!Holds)
    fail(What);
}

/// Replays one sequence's packets in the order of the file.
class Replayer {
public:
  Replay Result;

  void packet(const proto::Packet &P) {
    switch (P.body_case()) {
    case proto::Packet::kFileHeader:
      Result.Header = P.file_header();
      return;
    case proto::Packet::kSession:
      Result.Session = P.session();
      return;
    case proto::Packet::kDictionary:
      return names(P.dictionary());
    case proto::Packet::kLocations:
      return locations(P.locations(), Result.Locations);
    case proto::Packet::kDeclarationLocations:
      return locations(P.declaration_locations(), Result.DeclarationLocations);
    case proto::Packet::kInclusions:
      return inclusions(P.inclusions());
    case proto::Packet::kEntities:
      return entities(P.entities());
    case proto::Packet::kEvents:
      return events(P.events());
    case proto::Packet::kMemoizedHits:
      expect(P.memoized_hits().entity_size() == P.memoized_hits().hits_size(),
             "columns of memoized hits differ in length");
      for (int I = 0; I < P.memoized_hits().entity_size(); ++I)
        Result.Memoized.emplace_back(P.memoized_hits().entity(I),
                                     P.memoized_hits().hits(I));
      return;
    case proto::Packet::kFunctions:
      return functions(P.functions());
    case proto::Packet::kFunctionSizes:
      return functionSizes(P.function_sizes());
    case proto::Packet::kMemorySamples:
      return memorySamples(P.memory_samples());
    case proto::Packet::kFooter:
      Result.Footer = P.footer();
      Result.HasFooter = true;
      return;
    case proto::Packet::BODY_NOT_SET:
      fail("a packet without a body");
    }
  }

private:
  void names(const proto::DictionaryBatch &Batch) {
    expect(Batch.first_id() == Result.Names.size() + 1,
           "names do not follow those before");
    for (const proto::DictionaryEntry &Entry : Batch.entry()) {
      uint64_t SizeBytes = Entry.marked_name().size() -
                           static_cast<uint64_t>(Entry.marker_ids_size());
      for (uint32_t Id : Entry.marker_ids()) {
        expect(Id >= 1 && Id <= Result.Names.size(), "a marker points forward");
        SizeBytes += Result.NameSizesBytes[Id - 1];
      }
      Result.Names.push_back(Entry);
      Result.NameSizesBytes.push_back(SizeBytes);
    }
  }

  void locations(const proto::LocationBatch &Batch,
                 Replay::LocationTable &Into) {
    expect(Batch.first_id() == Into.Rows.size() + 1,
           "locations do not follow those before");
    for (const proto::LocationDetail &D : Batch.detail()) {
      expect(D.element() < static_cast<uint32_t>(Batch.file_size()),
             "a detail of no location");
      expect(Into.Details.emplace(Batch.first_id() + D.element(), D).second,
             "two details of one location");
    }
    int64_t Line = 0;
    for (int I = 0; I < Batch.file_size(); ++I) {
      Line += Batch.line(I);
      Into.Rows.push_back(
          {Batch.file(I), static_cast<uint64_t>(Line), Batch.column(I)});
    }
  }

  void inclusions(const proto::InclusionBatch &Batch) {
    expect(Batch.first_id() == Result.Inclusions.size() + 1,
           "inclusions do not follow those before");
    for (int I = 0; I < Batch.path_size(); ++I) {
      expect(Batch.included_from(I) <= Result.Inclusions.size(),
             "an inclusion before the file that it is in");
      Result.Inclusions.push_back({Batch.path(I), Batch.included_from(I),
                                   Batch.line(I), Batch.column(I),
                                   Batch.is_system(I)});
    }
  }

  void entities(const proto::EntityBatch &Batch) {
    expect(Batch.first_id() == Result.Entities.size() + 1,
           "entities do not follow those before");
    int64_t Name = 0, Set = 0;
    for (int I = 0; I < Batch.name_size(); ++I) {
      Name += Batch.name(I);
      Set += Batch.template_set(I);
      Result.Entities.push_back(
          {static_cast<uint64_t>(Name), static_cast<uint64_t>(Set),
           Batch.declared_at_size() ? Batch.declared_at(I) : 0,
           static_cast<uint64_t>(Batch.kind(I)),
           Batch.declaration_size() ? Batch.declaration(I) : 0});
    }
  }

  void functions(const proto::FunctionBatch &Batch) {
    expect(Batch.first_id() == Result.Functions.size() + 1,
           "functions do not follow those before");
    for (int I = 0; I < Batch.entity_size(); ++I)
      Result.Functions.push_back(
          {Batch.entity(I), static_cast<uint64_t>(Batch.owner(I)),
           Batch.name_hash(I), static_cast<uint64_t>(Batch.linkage(I)),
           Batch.ir_instructions(I)});
  }

  void memorySamples(const proto::MemorySamples &Batch) {
    expect(Batch.interval_size() == Batch.depth_size() &&
               Batch.interval_size() == Batch.peak_rss_bytes_size(),
           "columns of memory samples differ in length");
    for (int I = 0; I < Batch.interval_size(); ++I)
      Result.Memory.push_back(
          {Batch.interval(I), Batch.depth(I), Batch.peak_rss_bytes(I)});
  }

  void functionSizes(const proto::FunctionSizes &Batch) {
    for (int I = 0; I < Batch.function_size(); ++I) {
      ReplayedFunction &F = Result.Functions.at(Batch.function(I) - 1);
      if (Batch.machine_instructions_size())
        F.MachineInstructions = Batch.machine_instructions(I);
      if (Batch.object_bytes_size())
        F.ObjectBytes = Batch.object_bytes(I);
    }
  }

  void events(const proto::EventBatch &Batch) {
    uint64_t UnitNs =
        Result.Session.time_unit_ns() ? Result.Session.time_unit_ns() : 1;
    uint64_t NowNs = Batch.first_time_ns() - WaitedNs; // on a processor
    uint64_t NextEntity = Batch.first_entity();
    uint64_t NextLocation = Batch.first_location();
    uint64_t FirstOfBatch = Result.Intervals.size();
    expect(Batch.first_interval() == FirstOfBatch, "a gap in the intervals");
    expect(Batch.depth() == Stack.size(), "the depth is another");
    int Index = 0;
    auto next = [&]() -> uint64_t {
      expect(Index < Batch.record_size(), "the last record is cut off");
      return Batch.record(Index++);
    };
    while (Index < Batch.record_size()) {
      uint64_t Head = next();
      uint64_t Op = Head & 3, Rest = Head >> 2;
      uint64_t SinceNs = next() * UnitNs;
      if (Op == 2 && Rest == 42) { // it did not run; about nothing
        expect(next() == 0 && next() == 0, "a wait of something");
        WaitedNs += SinceNs;
        continue;
      }
      NowNs += SinceNs;
      ++Result.EventCount;
      if (Op == 1) {
        expect(!Stack.empty(), "an end without a begin");
        ReplayedInterval &Ended =
            Result.Intervals[static_cast<size_t>(Stack.back())];
        Stack.pop_back();
        Ended.IsOpen = false;
        Ended.EndNs = NowNs;
        if (Rest & 1)
          Ended.AstBytes = next();
        if (Rest & 2)
          Ended.Memoized = next();
        if (Rest & 4) {
          Ended.ElidedCount = next();
          Ended.ElidedNs = next();
        }
        Ended.IsDefinition = Rest & 8;
        continue;
      }
      uint64_t Reference = next(), Entity = 0, Location = 0;
      bool HasLocation = true;
      if (Reference == 1) {
        Entity = NextEntity++;
      } else if (Reference > 1 && ((Reference - 2) & 1) == 0) {
        Entity = NextEntity - 1 - ((Reference - 2) >> 1);
      } else if (Reference > 1) {
        uint64_t Back = ((Reference - 2) >> 2) + 1;
        expect(Back <= Result.Intervals.size() - FirstOfBatch,
               "an interval before this batch");
        const ReplayedInterval &Earlier =
            Result.Intervals[Result.Intervals.size() - Back];
        Entity = Earlier.Entity;
        if ((Reference - 2) & 2) {
          Location = Earlier.Location;
          HasLocation = false;
        }
      }
      if (HasLocation) {
        uint64_t Place = next();
        if (Place == 1)
          Location = NextLocation++;
        else if (Place > 1)
          Location = NextLocation - (Place - 1);
      }
      int64_t Parent = Stack.empty() ? -1 : Stack.back();
      if (Op == 2) {
        Result.Instants.push_back(
            {NowNs, Rest, Entity, Location, Result.Intervals.size(), Parent});
        continue;
      }
      ReplayedInterval Interval;
      Interval.BeginNs = NowNs;
      Interval.Kind = Rest;
      Interval.Entity = Entity;
      Interval.Location = Location;
      Interval.Parent = Parent;
      auto Ordinal = static_cast<int64_t>(Result.Intervals.size());
      if (Op == 3)
        Interval.Requester = Ordinal - static_cast<int64_t>(next());
      Stack.push_back(Ordinal);
      Result.Intervals.push_back(Interval);
    }
  }

  std::vector<int64_t> Stack;
  uint64_t WaitedNs = 0;
};

} // namespace

std::string Replay::text(uint64_t NameId) const {
  std::string Out;
  if (NameId == 0)
    return Out;
  const proto::DictionaryEntry &Entry = Names.at(NameId - 1);
  int Marker = 0;
  for (char C : Entry.marked_name()) {
    uint32_t Part = C == '\0' ? Entry.marker_ids(Marker++) : 0;
    if (Part != 0)
      Out += text(Part);
    else
      Out += C;
  }
  return Out;
}

std::vector<Replay> replay(const proto::Trace &Trace) {
  std::vector<Replayer> Replayers;
  std::map<uint32_t, size_t> Running; // by sequence id
  for (const proto::Packet &P : Trace.packet()) {
    auto [It, IsNew] = Running.try_emplace(P.sequence_id(), Replayers.size());
    if (!IsNew && P.has_file_header()) { // the same trace once more
      It->second = Replayers.size();
      IsNew = true;
    }
    if (IsNew)
      Replayers.emplace_back().Result.Id = P.sequence_id();
    Replayers[It->second].packet(P);
  }
  std::vector<Replay> Results;
  for (Replayer &R : Replayers)
    Results.push_back(std::move(R.Result));
  return Results;
}

} // namespace instantrace::test
