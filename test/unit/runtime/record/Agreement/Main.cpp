/// \file
/// instantrace-agreement: libprotobuf and our reader read the same in a trace.
///
/// Flow:   file -> { libprotobuf -> Replay, TraceReader -> Sequence } -> equal?
/// Errors: the first difference on stderr, exit 1
///
/// usage: instantrace-agreement FILE...
///        instantrace-agreement --definitions FILE
///
/// The second form prints what the file says was defined by instantiation, one
/// line each in the order of their begins: the entity's kind as a number, a
/// tab, its name, a tab, its place. For comparisons with other tools.
///
/// Every field of every interval, instant, entity and location is compared.
/// Names are compared as text until TextBudgetBytes per file are expanded, the
/// rest by the size of their text: all texts of a large trace are gigabytes.

#include "test/unit/runtime/record/Agreement/Replay.h"

#include "runtime/read/Trace.h"
#include "runtime/read/TraceReader.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

using namespace instantrace;
using namespace instantrace::test;

namespace {

constexpr uint64_t TextBudgetBytes = 32 << 20;

template <class A, class B>
void same(const A &Ours, const B &Theirs, const char *What, uint64_t Index) {
  if (static_cast<uint64_t>(Ours) == static_cast<uint64_t>(Theirs))
    return;
  throw std::runtime_error(std::string(What) + " " + std::to_string(Index) +
                           ": our reader has " + std::to_string(Ours) +
                           ", libprotobuf " + std::to_string(Theirs));
}

void sameText(const std::string &Ours, const std::string &Theirs,
              const char *What, uint64_t Index) {
  if (Ours != Theirs)
    throw std::runtime_error(std::string(What) + " " + std::to_string(Index) +
                             ": our reader has '" + Ours + "', libprotobuf '" +
                             Theirs + "'");
}

uint64_t number(IntervalId Id) {
  return Id ? Id.Value : static_cast<uint64_t>(-1);
}

/// Modules are the session's and, where these are others, the footer's.
void compareModules(const TraceSession &Ours, const proto::Session &Theirs,
                    const proto::Footer &Footer) {
  std::vector<std::string> Modules(Theirs.module_inputs().begin(),
                                   Theirs.module_inputs().end());
  for (const std::string &Late : Footer.module_inputs())
    if (std::find(Modules.begin(), Modules.end(), Late) == Modules.end())
      Modules.push_back(Late);
  same(Ours.ModuleInputs.size(), Modules.size(), "modules", 0);
  for (size_t I = 0; I < Modules.size(); ++I)
    sameText(Ours.ModuleInputs[I], Modules[I], "module", I);
}

void compareSession(const TraceSession &Ours, const proto::Session &Theirs) {
  sameText(Ours.ToolVersion, Theirs.tool_version(), "session", 1);
  sameText(Ours.ClangVersion, Theirs.clang_version(), "session", 2);
  same(Ours.Argv.size(), Theirs.argv_size(), "session: arguments", 0);
  for (size_t I = 0; I < Ours.Argv.size(); ++I)
    sameText(Ours.Argv[I], Theirs.argv(static_cast<int>(I)), "argument", I);
  sameText(Ours.WorkingDirectory, Theirs.working_directory(), "session", 4);
  sameText(Ours.Input, Theirs.input(), "session", 5);
  sameText(Ours.Object, Theirs.object(), "session", 6);
  sameText(Ours.Triple, Theirs.triple(), "session", 7);
  sameText(Ours.LanguageStandard, Theirs.language_standard(), "session", 8);
  sameText(Ours.OptimizationLevel, Theirs.optimization_level(), "session", 9);
  same(Ours.Pid, Theirs.pid(), "session", 10);
  same(Ours.RealtimeNs, Theirs.realtime_ns(), "session", 11);
  same(Ours.MonotonicNs, Theirs.monotonic_ns(), "session", 12);
  // What the footer says of it later takes its place (Footer.hook).
  if (!std::string_view(Ours.Hook).starts_with("observer: "))
    sameText(Ours.Hook, Theirs.hook(), "session", 15);
  same(static_cast<uint32_t>(Ours.Memoization), Theirs.memoization(), "session",
       17);
  same(Ours.GranularityNs, Theirs.granularity_ns(), "session", 18);
  sameText(Ours.Buffer, Theirs.buffer(), "session", 20);
}

void compareFooter(const TraceFooter &Ours, const proto::Footer &Theirs) {
  same(static_cast<uint32_t>(Ours.State), Theirs.exit_state(), "footer", 1);
  same(Ours.EndTimeNs, Theirs.end_time_ns(), "footer", 2);
  same(Ours.PeakRssBytes, Theirs.peak_rss_bytes(), "footer", 3);
  same(Ours.UserTimeNs, Theirs.user_time_ns(), "footer", 4);
  same(Ours.SystemTimeNs, Theirs.system_time_ns(), "footer", 5);
  same(Ours.EventsRecorded, Theirs.events_recorded(), "footer", 6);
  same(Ours.EventsDropped, Theirs.events_dropped(), "footer", 7);
  same(Ours.EventsElided, Theirs.events_elided(), "footer", 8);
  same(Ours.MemoizedHits, Theirs.memoized_hits(), "footer", 9);
  same(Ours.Signal, Theirs.signal(), "footer", 11);
  same(Ours.FragmentsDropped, Theirs.fragments_dropped(), "footer", 12);
  sameText(Ours.Pass, Theirs.pass(), "footer", 14);
  sameText(Ours.Backend, Theirs.backend(), "footer", 15);
  same(Ours.CodeBytes, Theirs.code_bytes(), "footer", 16);
  same(Ours.FailedInside, Theirs.failed_inside(), "footer", 19);
}

void compareDetail(const LocationDetail &Our,
                   const proto::LocationDetail &Their) {
  uint64_t Index = Our.Number;
  same(Our.In.Value, Their.inclusion(), "inclusion of", Index);
  same(Our.Macro.Value, Their.macro(), "macro of", Index);
  same(Our.SpellingFile.Value, Their.spelling_file(), "spelling of", Index);
  same(Our.SpellingLineNo, Their.spelling_line(), "spelling line of", Index);
  same(Our.SpellingColumnNo, Their.spelling_column(), "spelling column of",
       Index);
  same(Our.ExpansionEndLineNo, Their.expansion_end_line(), "end line of",
       Index);
  same(Our.ExpansionEndColumnNo, Their.expansion_end_column(), "end of", Index);
  same(Our.PhysicalFile.Value, Their.physical_file(), "physical file of",
       Index);
  same(Our.PhysicalLineNo, Their.physical_line(), "physical line of", Index);
}

void compareLocations(const LocationTable &Ours,
                      const Replay::LocationTable &Theirs) {
  same(Ours.Rows.size(), Theirs.Rows.size(), "locations", 0);
  for (size_t I = 0; I < Theirs.Rows.size(); ++I) {
    same(Ours.Rows[I].File.Value, Theirs.Rows[I].File, "file of", I);
    same(Ours.Rows[I].LineNo, Theirs.Rows[I].Line, "line of", I);
    same(Ours.Rows[I].ColumnNo, Theirs.Rows[I].Column, "column", I);
  }
  same(Ours.Details.size(), Theirs.Details.size(), "details", 0);
  size_t Next = 0;
  for (const auto &[Number, Detail] : Theirs.Details) {
    same(Ours.Details[Next].Number, Number, "location of detail", Next);
    compareDetail(Ours.Details[Next++], Detail);
  }
}

void compareInclusions(const std::vector<Inclusion> &Ours,
                       const std::vector<Replay::Inclusion> &Theirs) {
  same(Ours.size(), Theirs.size(), "inclusions", 0);
  for (size_t I = 0; I < Theirs.size(); ++I) {
    same(Ours[I].Path.Value, Theirs[I].Path, "path of inclusion", I);
    same(Ours[I].Includer.Value, Theirs[I].Includer, "includer of inclusion",
         I);
    same(Ours[I].LineNo, Theirs[I].Line, "line of inclusion", I);
    same(Ours[I].ColumnNo, Theirs[I].Column, "column of inclusion", I);
    same(Ours[I].IsSystem, Theirs[I].IsSystem, "system flag of inclusion", I);
  }
}

void compareTables(const Sequence &Ours, const Replay &Theirs) {
  same(Ours.Names.size(), Theirs.Names.size(), "names", 0);
  uint64_t LeftBytes = TextBudgetBytes;
  for (uint32_t Id = 1; Id <= Theirs.Names.size(); ++Id) {
    uint64_t SizeBytes = Theirs.NameSizesBytes[Id - 1];
    same(Ours.Names.key({Id}).SizeBytes, SizeBytes, "size of name", Id);
    if (SizeBytes > LeftBytes)
      continue;
    LeftBytes -= SizeBytes;
    sameText(Ours.Names.text({Id}, SizeBytes), Theirs.text(Id), "name", Id);
  }
  compareLocations(Ours.Locations, Theirs.Locations);
  compareLocations(Ours.DeclarationLocations, Theirs.DeclarationLocations);
  compareInclusions(Ours.Inclusions, Theirs.Inclusions);
  same(Ours.Entities.size(), Theirs.Entities.size(), "entities", 0);
  for (size_t I = 0; I < Theirs.Entities.size(); ++I) {
    const Entity &Our = Ours.Entities[I];
    const Replay::Entity &Their = Theirs.Entities[I];
    same(Our.Name.Value, Their.Name, "name of entity", I);
    same(Our.TemplateSet.Value, Their.TemplateSet, "set of entity", I);
    bool IsOfEvents = !Our.DeclaredAt.isDeclaration();
    uint32_t DeclaredAt = Our.DeclaredAt.number();
    same(IsOfEvents ? DeclaredAt : 0, Their.DeclaredAt, "place of entity", I);
    same(IsOfEvents ? 0 : DeclaredAt, Their.Declaration, "declaration", I);
    same(static_cast<unsigned>(Our.Kind), Their.Kind, "kind of entity", I);
  }
  same(Ours.Functions.size(), Theirs.Functions.size(), "functions", 0);
  for (size_t I = 0; I < Theirs.Functions.size(); ++I) {
    const Function &Our = Ours.Functions[I];
    const ReplayedFunction &Their = Theirs.Functions[I];
    same(Our.Entity.Value, Their.Entity, "a function's entity", I);
    same(static_cast<uint8_t>(Our.Owner), Their.Owner, "owner", I);
    same(Our.NameHash, Their.NameHash, "hash of a function's name", I);
    same(static_cast<uint8_t>(Our.Link), Their.Linkage, "linkage", I);
    same(Our.IrInstructions, Their.IrInstructions, "IR instructions", I);
    same(Our.MachineInstructions, Their.MachineInstructions,
         "machine instructions", I);
    same(Our.ObjectBytes, Their.ObjectBytes, "bytes of a function", I);
  }
  same(Ours.Memoized.size(), Theirs.Memoized.size(), "memoized", 0);
  for (size_t I = 0; I < Theirs.Memoized.size(); ++I) {
    same(Ours.Memoized[I].Entity.Value, Theirs.Memoized[I].first, "entity", I);
    same(Ours.Memoized[I].Hits, Theirs.Memoized[I].second, "hits", I);
  }
  same(Ours.Memory.size(), Theirs.Memory.size(), "memory samples", 0);
  for (size_t I = 0; I < Theirs.Memory.size(); ++I) {
    const MemorySample &Our = Ours.Memory[I];
    same(Our.IntervalsBefore, Theirs.Memory[I].Interval, "intervals before", I);
    same(Our.Depth, Theirs.Memory[I].Depth, "depth", I);
    same(Our.PeakRssBytes, Theirs.Memory[I].PeakRssBytes, "peak", I);
  }
}

void compareEvents(const Sequence &Ours, const Replay &Theirs) {
  same(Ours.EventCount, Theirs.EventCount, "events", 0);
  same(Ours.Intervals.size(), Theirs.Intervals.size(), "intervals", 0);
  for (size_t I = 0; I < Theirs.Intervals.size(); ++I) {
    const Interval &Our = Ours.Intervals[I];
    const ReplayedInterval &Their = Theirs.Intervals[I];
    same(static_cast<unsigned>(Our.Kind), Their.Kind, "kind", I);
    same(Our.Open, Their.IsOpen, "open", I);
    same(Our.BeginNs, Their.BeginNs, "begin", I);
    if (!Their.IsOpen)
      same(Our.EndNs, Their.EndNs, "end", I);
    same(Our.AstBytes, Their.AstBytes, "AST bytes", I);
    same(Our.memoized(), Their.Memoized, "hits inside", I);
    same(Our.Definition, Their.IsDefinition, "definition", I);
    same(Our.Entity.Value, Their.Entity, "entity", I);
    same(Our.Location.Value, Their.Location, "location", I);
    same(number(Our.Parent), Their.Parent, "parent", I);
    same(number(Our.Requester), Their.Requester, "requester", I);
    ElidedLeaves Elided = Ours.elidedIn({static_cast<uint32_t>(I)});
    same(Elided.Count, Their.ElidedCount, "elided", I);
    same(Elided.SumNs, Their.ElidedNs, "elided time", I);
  }
  same(Ours.Instants.size(), Theirs.Instants.size(), "instants", 0);
  for (size_t I = 0; I < Theirs.Instants.size(); ++I) {
    const Instant &Our = Ours.Instants[I];
    const ReplayedInstant &Their = Theirs.Instants[I];
    same(static_cast<unsigned>(Our.Kind), Their.Kind, "kind of instant", I);
    same(Our.TimeNs, Their.TimeNs, "time of instant", I);
    same(Our.Entity.Value, Their.Entity, "entity of instant", I);
    same(Our.Location.Value, Their.Location, "location of instant", I);
    same(Our.BegunBefore, Their.BegunBefore, "place of instant", I);
    same(number(Our.Parent), Their.Parent, "parent of instant", I);
  }
}

proto::Trace parse(const std::string &Bytes) {
  proto::Trace Parsed;
  if (Bytes.empty() || !Parsed.ParseFromString(Bytes))
    throw std::runtime_error("libprotobuf does not read it");
  return Parsed;
}

std::string bytesOf(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(File)), {}};
}

void check(const std::string &Path) {
  std::string Bytes = bytesOf(Path);
  proto::Trace Parsed = parse(Bytes);
  std::vector<Replay> Theirs = replay(Parsed);
  Trace Read;
  readTrace(Bytes, Path, Read);
  if (!Read.Files.at(0).Issues.empty())
    throw std::runtime_error("our reader finds issues");
  same(Read.Files[0].PacketCount, Parsed.packet_size(), "packets", 0);
  same(Read.Sequences.size(), Theirs.size(), "sequences", 0);
  for (size_t I = 0; I < Theirs.size(); ++I) {
    const Sequence &Ours = Read.Sequences[I];
    same(Ours.Id, Theirs[I].Id, "sequence", I);
    same(Ours.FormatMinor, Theirs[I].Header.format_minor(), "format", I);
    compareSession(Ours.Session.value(), Theirs[I].Session);
    compareModules(*Ours.Session, Theirs[I].Session, Theirs[I].Footer);
    same(Ours.Footer.has_value(), Theirs[I].HasFooter, "footer", I);
    if (Ours.Footer)
      compareFooter(*Ours.Footer, Theirs[I].Footer);
    compareTables(Ours, Theirs[I]);
    compareEvents(Ours, Theirs[I]);
    std::printf(
        "%s: %zu intervals, %zu instants, %zu entities, %u names agree\n",
        Path.c_str(), Ours.Intervals.size(), Ours.Instants.size(),
        Ours.Entities.size(), Ours.Names.size());
  }
}

void printDefinitions(const std::string &Path) {
  for (const Replay &R : replay(parse(bytesOf(Path)))) {
    for (const ReplayedInterval &I : R.Intervals) {
      if (!I.IsDefinition)
        continue;
      const Replay::Entity &E = R.Entities.at(I.Entity - 1);
      std::string Place;
      if (E.DeclaredAt != 0 || E.Declaration != 0) {
        const Replay::Location &L =
            E.Declaration ? R.DeclarationLocations.Rows.at(E.Declaration - 1)
                          : R.Locations.Rows.at(E.DeclaredAt - 1);
        Place = R.text(L.File) + ":" + std::to_string(L.Line);
      }
      std::printf("%u\t%s\t%s\n", static_cast<unsigned>(E.Kind),
                  R.text(E.Name).c_str(), Place.c_str());
    }
  }
}

} // namespace

int main(int Count, char **Arguments) {
  int Status = Count < 2;
  bool PrintsDefinitions =
      Count > 1 && std::string(Arguments[1]) == "--definitions";
  for (int I = 1 + PrintsDefinitions; I < Count; ++I) {
    try {
      if (PrintsDefinitions)
        printDefinitions(Arguments[I]);
      else
        check(Arguments[I]);
    } catch (const std::exception &Difference) {
      std::fprintf(stderr, "%s: %s\n", Arguments[I], Difference.what());
      Status = 1;
    }
  }
  return Status;
}
