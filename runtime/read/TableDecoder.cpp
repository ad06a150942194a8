#include "runtime/read/TableDecoder.h"

#include "runtime/read/FieldReader.h"
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
  using Field = schema::Session;
  TraceSession &S = Into.Session.emplace();
  readFields(Body, into(Field::ToolVersion, S.ToolVersion),
             into(Field::ClangVersion, S.ClangVersion),
             into(Field::Argv, S.Argv),
             into(Field::WorkingDirectory, S.WorkingDirectory),
             into(Field::Input, S.Input), into(Field::Object, S.Object),
             into(Field::Triple, S.Triple),
             into(Field::LanguageStandard, S.LanguageStandard),
             into(Field::OptimizationLevel, S.OptimizationLevel),
             into(Field::Pid, S.Pid), into(Field::RealtimeNs, S.RealtimeNs),
             into(Field::MonotonicNs, S.MonotonicNs),
             into(Field::PchInputs, S.PchInputs),
             into(Field::ModuleInputs, S.ModuleInputs),
             into(Field::Hook, S.Hook), into(Field::Memoization, S.Memoization),
             into(Field::GranularityNs, S.GranularityNs),
             into(Field::TimeUnitNs, S.TimeUnitNs),
             into(Field::Buffer, S.Buffer), into(Field::Clock, S.Clock));
  S.TimeUnitNs = std::max(S.TimeUnitNs, 1U);
}

void instantrace::decodeDictionary(pbf_reader Body, Sequence &Into,
                                   IssueSink &Issues) {
  Into.DictionaryBytes += Body.length();
  if (auto Fault = readDictionaryBatch(Body, Into.Names))
    Issues.fatal(Fault->Invariant, std::move(Fault->Found),
                 std::move(Fault->Expected));
}

void instantrace::decodeEntities(pbf_reader Body, Sequence &Into,
                                 IssueSink &Issues) {
  using Field = schema::EntityBatch;
  uint32_t FirstId = 0;
  std::vector<int32_t> NameDeltas, SetDeltas;
  std::vector<uint32_t> DeclaredAt, Kinds, Declarations;
  readFields(Body, into(Field::FirstId, FirstId), into(Field::Name, NameDeltas),
             into(Field::TemplateSet, SetDeltas),
             into(Field::DeclaredAt, DeclaredAt), into(Field::Kind, Kinds),
             into(Field::Declaration, Declarations));
  size_t Rows = NameDeltas.size();
  auto LengthOf = [Rows](const std::vector<uint32_t> &MayBeAbsent) {
    return MayBeAbsent.empty() ? Rows : MayBeAbsent.size();
  };
  if (!isContiguous(FirstId, Into.Entities.size(), Issues) ||
      !isEvenTable({{Field::Name.Name, Rows},
                    {Field::TemplateSet.Name, SetDeltas.size()},
                    {Field::DeclaredAt.Name, LengthOf(DeclaredAt)},
                    {Field::Kind.Name, Kinds.size()},
                    {Field::Declaration.Name, LengthOf(Declarations)}},
                   Issues))
    return;
  uint32_t Name = 0, Set = 0;
  for (size_t I = 0; I != Rows; ++I) {
    if (!addDelta(Name, NameDeltas[I], Field::Name.Name, Issues) ||
        !addDelta(Set, SetDeltas[I], Field::TemplateSet.Name, Issues))
      return;
    // A kind of a newer minor version is some other kind to this reader.
    EntityKind Kind = knownOr(Kinds[I], EntityKind::Other);
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
  using Field = schema::MemoizedHits;
  std::vector<uint32_t> Ids;
  std::vector<uint64_t> Hits;
  readFields(Body, into(Field::Entity, Ids), into(Field::Hits, Hits));
  if (!isEvenTable(
          {{Field::Entity.Name, Ids.size()}, {Field::Hits.Name, Hits.size()}},
          Issues))
    return;
  for (size_t I = 0; I != Ids.size(); ++I)
    Into.Memoized.push_back({{Ids[I]}, Hits[I]});
}

void instantrace::decodeFunctions(pbf_reader Body, Sequence &Into,
                                  IssueSink &Issues) {
  using Field = schema::FunctionBatch;
  uint32_t FirstId = 0;
  std::vector<uint32_t> Entities, Owners, Linkages, IrInstructions;
  std::vector<uint64_t> Hashes;
  readFields(Body, into(Field::FirstId, FirstId), into(Field::Entity, Entities),
             into(Field::Owner, Owners), into(Field::NameHash, Hashes),
             into(Field::Linkage, Linkages),
             into(Field::IrInstructions, IrInstructions));
  if (!isContiguous(FirstId, Into.Functions.size(), Issues) ||
      !isEvenTable({{Field::Entity.Name, Entities.size()},
                    {Field::Owner.Name, Owners.size()},
                    {Field::NameHash.Name, Hashes.size()},
                    {Field::Linkage.Name, Linkages.size()},
                    {Field::IrInstructions.Name, IrInstructions.size()}},
                   Issues))
    return;
  for (size_t I = 0; I != Entities.size(); ++I) {
    Function &F = Into.Functions.emplace_back();
    F.Entity = {Entities[I]};
    // One of a newer minor version is some way that this reader does not know.
    F.Owner = knownOr(Owners[I], FunctionOwner::Enclosing);
    F.NameHash = Hashes[I];
    F.Link = knownOr(Linkages[I], Linkage::Unknown);
    F.IrInstructions = IrInstructions[I];
  }
}

void instantrace::decodeFunctionSizes(pbf_reader Body, Sequence &Into,
                                      IssueSink &Issues) {
  using Field = schema::FunctionSizes;
  std::vector<uint32_t> Ids, MachineInstructions;
  std::vector<uint64_t> ObjectBytes;
  readFields(Body, into(Field::Function, Ids),
             into(Field::MachineInstructions, MachineInstructions),
             into(Field::ObjectBytes, ObjectBytes));
  auto LengthOf = [Rows = Ids.size()](const auto &MayBeAbsent) {
    return MayBeAbsent.empty() ? Rows : MayBeAbsent.size();
  };
  if (!isEvenTable(
          {{Field::Function.Name, Ids.size()},
           {Field::MachineInstructions.Name, LengthOf(MachineInstructions)},
           {Field::ObjectBytes.Name, LengthOf(ObjectBytes)}},
          Issues))
    return;
  for (size_t I = 0; I != Ids.size(); ++I) {
    if (Ids[I] == 0 || Ids[I] > Into.Functions.size()) {
      Issues.fatal("function-range", "function " + std::to_string(Ids[I]),
                   "1 to " + std::to_string(Into.Functions.size()));
      return;
    }
    Function &F = Into.Functions[Ids[I] - 1];
    if (!MachineInstructions.empty())
      F.MachineInstructions = MachineInstructions[I];
    if (!ObjectBytes.empty())
      F.ObjectBytes = ObjectBytes[I];
  }
}

void instantrace::decodeMemorySamples(pbf_reader Body, Sequence &Into,
                                      IssueSink &Issues) {
  using Field = schema::MemorySamples;
  std::vector<uint64_t> Intervals, Bytes;
  std::vector<uint32_t> Depths;
  readFields(Body, into(Field::Interval, Intervals), into(Field::Depth, Depths),
             into(Field::PeakRssBytes, Bytes));
  if (!isEvenTable({{Field::Interval.Name, Intervals.size()},
                    {Field::Depth.Name, Depths.size()},
                    {Field::PeakRssBytes.Name, Bytes.size()}},
                   Issues))
    return;
  for (size_t I = 0; I != Intervals.size(); ++I)
    Into.Memory.push_back({Intervals[I], Depths[I], Bytes[I]});
}

void instantrace::decodeFooter(pbf_reader Body, Sequence &Into,
                               std::vector<std::string> &LateModules) {
  using Field = schema::Footer;
  TraceFooter &F = Into.Footer.emplace();
  std::string Hook;
  std::vector<uint32_t> OpenLocations, OpenLines;
  readFields(Body, into(Field::ExitState, F.State),
             into(Field::EndTimeNs, F.EndTimeNs),
             into(Field::PeakRssBytes, F.PeakRssBytes),
             into(Field::UserTimeNs, F.UserTimeNs),
             into(Field::SystemTimeNs, F.SystemTimeNs),
             into(Field::EventsRecorded, F.EventsRecorded),
             into(Field::EventsDropped, F.EventsDropped),
             into(Field::EventsElided, F.EventsElided),
             into(Field::MemoizedHits, F.MemoizedHits),
             into(Field::ModuleInputs, LateModules),
             into(Field::Signal, F.Signal),
             into(Field::FragmentsDropped, F.FragmentsDropped),
             into(Field::FirstShortName, Into.FirstShortName),
             into(Field::Pass, F.Pass), into(Field::Backend, F.Backend),
             into(Field::CodeBytes, F.CodeBytes),
             into(Field::WholeNames, Into.WholeNames), into(Field::Hook, Hook),
             into(Field::FailedInside, F.FailedInside),
             into(Field::OpenLocations, OpenLocations),
             into(Field::OpenLines, OpenLines),
             into(Field::RanOutOfMemory, F.RanOutOfMemory));
  for (size_t I = 0; I != std::min(OpenLocations.size(), OpenLines.size()); ++I)
    Into.OpenLines.emplace(OpenLocations[I], OpenLines[I]);
  if (Into.Session && !Hook.empty())
    Into.Session->Hook = std::move(Hook);
}
