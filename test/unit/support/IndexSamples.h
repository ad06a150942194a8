/// \file
/// Indexes of compiles that are made up, and what a naive reader says of them.
///
/// Flow: [IndexSamples] -> IndexBuilder -> bytes -> a test
#ifndef INSTANTRACE_TEST_UNIT_SUPPORT_INDEXSAMPLES_H
#define INSTANTRACE_TEST_UNIT_SUPPORT_INDEXSAMPLES_H

#include "runtime/base/Hash.h"
#include "runtime/index/Index.h"
#include "runtime/index/IndexBuilder.h"
#include "utils/analysis/index/IndexedCosts.h"
#include "utils/analysis/index/IndexedRequests.h"
#include "utils/analysis/index/IndexedTrace.h"
#include "utils/analysis/index/IndexedTree.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace instantrace::test {

inline constexpr uint32_t None = InstantiationIndex::None;

/// As the events say it, by number in its compile.
struct SampleInterval {
  uint64_t BeginNs = 0, EndNs = 0, AstBytes = 0;
  uint32_t Entity = 0, Location = 0; // 1-based, as in events; 0: none
  uint32_t Parent = None, Requester = None;
  uint8_t Kind = 1;
  bool IsOpen = true, IsDefinition = false;
};
struct SampleEvent {
  bool IsBegin;
  uint32_t Interval;
  uint64_t TimeNs;
};
struct SampleCompile {
  std::vector<SampleInterval> Intervals;
  std::vector<SampleEvent> Events;
  uint64_t LastNs = 0;

  uint32_t begin(uint64_t TimeNs, SampleInterval With = {}) {
    With.BeginNs = TimeNs;
    With.Parent = Open.empty() ? None : Open.back();
    auto Id = static_cast<uint32_t>(Intervals.size());
    Intervals.push_back(With);
    Events.push_back({true, Id, TimeNs});
    Open.push_back(Id);
    LastNs = TimeNs;
    return Id;
  }
  void end(uint64_t TimeNs) {
    SampleInterval &I = Intervals[Open.back()];
    I.IsOpen = false;
    I.EndNs = TimeNs;
    Events.push_back({false, Open.back(), TimeNs});
    Open.pop_back();
    LastNs = TimeNs;
  }
  /// What is open ends with the last event.
  void finish() {
    for (uint32_t Id : Open)
      Intervals[Id].EndNs = LastNs;
    Open.clear();
  }
  std::vector<uint32_t> Open;
};

/// Five entities of three template sets, one of them without a name, in two
/// files.
inline constexpr uint32_t SampleEntities = 5, SampleLocations = 6;
inline constexpr const char *SampleNames[] = {"A<int>", "A<char>", "b::f<1>",
                                              "b::f<2>", ""};
inline constexpr const char *SampleSets[] = {"A<$>", "A<$>", "b::f<$>",
                                             "b::f<$>", ""};
inline constexpr const char *SampleFiles[] = {"src/a.cpp", "inc/b.h"};
inline constexpr uint32_t SampleFileOf[] = {0, 0, 0, 1, 1, 1};
inline constexpr uint32_t SampleLineOf[] = {3, 3, 7, 3, 20, 20};
inline constexpr uint32_t SampleColumnOf[] = {1, 9, 5, 2, 2, 4};

struct SampleTables {
  Dictionary Names;
  IndexBuilder::Tables Rows;

  SampleTables() {
    auto Text = [this](const char *Name) {
      Names.add(Name, {});
      return NameId{Names.size()};
    };
    NameId Files[] = {Text(SampleFiles[0]), Text(SampleFiles[1])};
    // A name of parts: the head is shared.
    NameId Head = Text("A<");
    for (uint32_t I = 0; I != SampleLocations; ++I)
      Rows.Locations.push_back(
          {Files[SampleFileOf[I]], SampleLineOf[I], SampleColumnOf[I]});
    for (uint32_t I = 0; I != SampleEntities; ++I) {
      IndexBuilder::EntityIs Is;
      std::string_view Name = SampleNames[I];
      if (Name.starts_with("A<")) {
        Names.add(std::string(1, '\0') + std::string(Name.substr(2)),
                  std::vector{Head.Value});
        Is.Name = {Names.size()};
      } else if (!Name.empty()) {
        Is.Name = Text(SampleNames[I]);
      }
      if (!Name.empty())
        Is.TemplateSet = Text(SampleSets[I]);
      Is.Kind = 1;
      Is.Memoized = I + 1;
      Rows.Entities.push_back(Is);
      add(index::Table::Entities,
          {Is.Name.Value, Is.TemplateSet.Value, 0, Is.Kind, 0});
    }
    // A name that is no more than another one.
    Names.add(std::string(1, '\0'), std::vector{Head.Value});
    Rows.Names = &Names;
    for (const IndexBuilder::LocationIs &L : Rows.Locations)
      add(index::Table::Locations, {L.File.Value, L.LineNo, L.ColumnNo});
  }

  /// A little of all that has no effect on records.
  void addMore(bool HasRecords, IndexBuilder &Strings) {
    using index::Table;
    for (uint64_t Number = 0; Number != index::AboutNumberLimit; ++Number)
      add(Table::About, {Number});
    add(Table::Texts, {0, Strings.addText("tool") + 1});
    add(Table::Texts, {2, 0});
    add(Table::LocationDetails, {2, 1, 0, 0, 0, 0, 9, 9, 0, 0});
    add(Table::Declarations, {1, 4, 2});
    add(Table::Inclusions, {1, 0, 0, 0, 1});
    add(Table::Inclusions, {2, 1, 3, 1, 0});
    add(Table::WholeNames, {2});
    // The first entity's is an instant.
    for (uint64_t Entity = 2; Entity <= SampleEntities; ++Entity)
      add(Table::Memoized, {Entity, Entity});
    add(Table::Functions, {1, 5, uint64_t(1) << 63, 7, 8, 0, 0});
    if (HasRecords)
      add(Table::Elided, {0, 3, 4});
  }

private:
  void add(index::Table To, std::initializer_list<uint64_t> Row) {
    index::TableRows &Into = Rows.More[static_cast<size_t>(To)];
    Into.insert(Into.end(), Row);
  }
};

/// The bytes of a file that \p Write filled.
template <class Writer> std::string writtenBytes(Writer Write) {
  int Open = ::memfd_create("index", MFD_CLOEXEC);
  Write(Open);
  auto Size = static_cast<size_t>(::lseek(Open, 0, SEEK_END));
  std::string Bytes(Size, '\0');
  if (::pread(Open, Bytes.data(), Size, 0) != static_cast<ssize_t>(Size))
    std::abort();
  ::close(Open);
  return Bytes;
}

/// Tables as costs() makes them, of three rows that add up.
inline index::IndexSummary summaryOf(const std::vector<SampleCompile> &Compiles,
                                     const std::vector<uint64_t> &Names,
                                     IndexBuilder &Strings) {
  using namespace index;
  uint64_t TotalNs = 0;
  for (const SampleCompile &C : Compiles)
    for (const SampleInterval &I : C.Intervals)
      TotalNs += I.Parent == None ? I.EndNs - I.BeginNs : 0;
  IndexSummary S;
  S.About = {
      {{Strings.addText("x.itrace"), true}}, Compiles.size(), {1, 7, 2}, {}};
  for (size_t I = 0; I != Compiles.size(); ++I)
    S.About.Compiles.push_back(
        {{Strings.addText("/src/a.cpp"), Strings.addText("a.o"),
          SummaryCompile::NoString, Strings.addText("callback")}});
  uint64_t Path = Strings.addText("inc/b.h");
  S.Inclusions = {{None, Strings.addText("src/a.cpp"), 0, 1, 90},
                  {0, Path, 3, 2, 40},
                  {1, Path, 9, 300, 5}};
  for (uint32_t By = 0; By != std::size(CostKeyNames); ++By) {
    SummaryTable &T = S.Tables[By];
    T.Totals = {TotalNs, 3, 4, 5, By % 2, 6, 7, 8};
    SummaryRow Row;
    Row.Numbers = {1, 2, 3, 0, 5, 6, 7, By};
    Row.Kind = SummaryRow::ElidedKind;
    Row.Name = {Strings.addText("(elided)"), UINT64_MAX, 0,
                SummaryName::Form::Fixed};
    T.Rows.push_back(Row);
    Row.Kind = 1;
    Row.Name = {Path, UINT64_MAX, By, SummaryName::Form::Text};
    T.Rows.push_back(Row);
    Row.Numbers[SummaryRow::SelfNs] = TotalNs;
    Row.HasBackend = true;
    Row.Backend.fill(uint64_t(1) << 40);
    Row.Name = {Names.back(), By == 1 ? 1 : UINT64_MAX, 0,
                SummaryName::Form::Name};
    T.Rows.push_back(Row);
  }
  return S;
}

inline std::string indexBytes(const std::vector<SampleCompile> &Compiles,
                              uint64_t PostingsAtOnce = 1 << 22,
                              const std::vector<std::string> &Rules = {
                                  "collapse-defaults", "map /a=/b"}) {
  IndexBuilder Builder(std::filesystem::temp_directory_path().string(),
                       PostingsAtOnce);
  Builder.setRules(Rules);
  uint32_t No = 0;
  SampleTables All;
  for (const SampleCompile &C : Compiles) {
    SampleTables Tables;
    const bool HasRecords = !C.Intervals.empty();
    Tables.addMore(HasRecords, Builder);
    Builder.beginCompile();
    Builder.instant(std::array<uint64_t, 6>{3, 1, 2, HasRecords, 0, 28});
    for (const SampleEvent &E : C.Events) {
      const SampleInterval &I = C.Intervals[E.Interval];
      if (E.IsBegin)
        Builder.begin(E.TimeNs, I.Kind, I.Entity, I.Location, I.Requester);
      else
        Builder.end(E.TimeNs,
                    {I.AstBytes, I.IsDefinition, E.Interval == 0, I.AstBytes});
    }
    Builder.endCompile({"x.itrace", "a.cpp", ++No, 1000, 2000}, C.LastNs,
                       Tables.Rows);
  }
  Builder.setSummary(summaryOf(Compiles, Builder.addNames(All.Names), Builder));
  return writtenBytes([&](int Open) {
    if (!Builder.finish({77, 88}, Open))
      std::abort();
  });
}

/// Makes every sum of damaged bytes fit them again, as far as there are any.
inline void makeSumsFit(std::string &Bytes) {
  using namespace index;
  Header Head;
  SectionRow Table[SectionLimit];
  size_t SumsAt = sizeof(Head) + sizeof(Table);
  if (Bytes.size() < SumsAt)
    return;
  std::memcpy(&Head, Bytes.data(), sizeof(Head));
  std::memcpy(Table, Bytes.data() + sizeof(Head), sizeof(Table));
  uint64_t Room = (Bytes.size() - SumsAt) / sizeof(uint64_t);
  uint64_t Sums = std::min<uint64_t>(Head.SumCount, Room);
  for (const SectionRow &Row : Table)
    for (uint64_t At = 0, No = Row.FirstSum;
         At < Row.SizeBytes && No < Sums && Row.Offset < Bytes.size() &&
         At < Bytes.size() - Row.Offset;
         At += SumBlockBytes, ++No) {
      uint64_t Size = std::min<uint64_t>(SumBlockBytes, Row.SizeBytes - At);
      uint64_t Sum =
          hashBytes(std::string_view(Bytes).substr(Row.Offset + At, Size));
      std::memcpy(Bytes.data() + SumsAt + No * sizeof(Sum), &Sum, sizeof(Sum));
    }
  std::string Checked =
      Bytes.substr(0, HeadCheckOffset) +
      Bytes.substr(sizeof(Head), sizeof(Table) + Sums * sizeof(uint64_t));
  uint64_t Sum = hashBytes(Checked);
  std::memcpy(Bytes.data() + HeadCheckOffset, &Sum, sizeof(Sum));
}

/// What a summary is made of, or "?".
inline std::string summaryAnswers(const InstantiationIndex &X) {
  if (!X.hasSummary())
    return "none";
  Result<IndexedCosts> Costs = IndexedCosts::of(X);
  if (!Costs)
    return "?";
  std::string Text = std::to_string(Costs->sequences()) +
                     std::to_string(Costs->isIncomplete());
  Result<std::vector<std::string>> Traces = Costs->traces();
  for (size_t I = 0; Traces && I != Traces->size(); ++I)
    Text += (*Traces)[I];
  Result<Trace> Matched = Costs->compiles();
  Text += Matched ? "" : "?";
  for (size_t I = 0; Matched && I != Matched->Sequences.size(); ++I) {
    const TraceSession &Session = *Matched->Sequences[I].Session;
    Text += Session.Input + Session.Object + Session.Triple + Session.Hook;
  }
  Result<IncludeChains> Chains = Costs->chains();
  if (Chains)
    for (const std::string &Path : Chains->paths())
      for (const IncludeChain &C : Chains->chainsTo(Path, 5).Chains)
        Text += C.Steps.front() + std::to_string(C.Count);
  for (const CostKeyName &By : CostKeyNames) {
    Result<CostTable> Table =
        Costs->table(By.Key, CostOrder::Memoized, 0, false);
    Text += Table ? std::to_string(Table->TotalNs) : "?";
    for (size_t I = 0; Table && I != Table->Rows.size(); ++I) {
      const CostRow &Row = Table->Rows[I];
      Text +=
          Row.Name.text(Costs->names(), {}, 100) + std::string(Row.Kind) +
          std::to_string(Row.SelfNs + Row.Elided + Row.backend().ObjectBytes);
    }
    Result<CostTable> Keyed = Costs->keyedTable(By.Key);
    Text += Keyed ? "" : "?";
    for (size_t I = 0; Keyed && I != Keyed->Rows.size(); ++I)
      Text += std::to_string(Keyed->Rows[I].Key.Hash);
  }
  return Text;
}

/// All of a trace that is made of the index, or "?".
inline std::string traceAnswers(const InstantiationIndex &X) {
  Result<Trace> T = IndexedTrace::whole(X);
  if (!T)
    return "?";
  std::string Text;
  auto Say = [&Text](const auto &...Values) {
    ((Text += std::to_string(Values) + " "), ...);
    Text += "\n";
  };
  for (const Sequence &S : T->Sequences) {
    Say(S.Id, S.FileIndex, S.LastTimeNs, S.EventCount, S.OpenCount,
        S.FirstShortName, S.WholeNames.size(), S.Footer.has_value());
    if (S.Session)
      Text += S.Session->ToolVersion + std::to_string(S.Session->Argv.size());
    for (uint32_t Id = 1; Id <= S.Names.size(); ++Id)
      Text += S.Names.text({Id}, 100) + "\n";
    for (const Location &L : S.Locations.Rows)
      Say(L.File.Value, L.LineNo, L.ColumnNo);
    for (const LocationDetail &D : S.Locations.Details)
      Say(D.Number, D.In.Value, D.Macro.Value, D.ExpansionEndLineNo);
    for (const Inclusion &I : S.Inclusions)
      Say(I.Path.Value, I.From.Value, I.LineNo, I.ColumnNo, I.IsSystem);
    for (const Entity &E : S.Entities)
      Say(E.Name.Value, E.TemplateSet.Value, E.DeclaredAt.Value);
    for (const Interval &I : S.Intervals)
      Say(I.BeginNs, I.EndNs, I.AstBytes, I.Entity.Value, I.Location.Value,
          I.Parent.Value, I.Requester.Value, I.memoized(),
          static_cast<int>(I.Kind), I.Open, I.Definition, I.HasElided);
    for (const Instant &I : S.Instants)
      Say(I.TimeNs, I.Entity.Value, I.Location.Value, I.Parent.Value,
          I.BegunBefore, static_cast<int>(I.Kind));
    for (const ElidedLeaves &E : S.Elided)
      Say(E.Inside.Value, E.Count, E.SumNs);
    for (const MemoizedHits &M : S.Memoized)
      Say(M.Entity.Value, M.Hits);
    for (const Function &F : S.Functions)
      Say(F.Entity.Value, F.NameHash, F.ObjectBytes, static_cast<int>(F.Owner));
  }
  return Text;
}

/// What commands ask of an index, or "?".
inline std::string commandAnswers(const InstantiationIndex &X) {
  std::string Text;
  for (const char *Name : {"A", "b::f<1>", "glob:*"}) {
    NameQuery Query = *NameQuery::make(Name);
    FilterSpec Spec;
    Spec.Level = EntityLevel::Template;
    TraceFilter Filter = *TraceFilter::make(Spec);
    Result<IndexedRequests> Found =
        IndexedRequests::of(X, Name, Query, Spec, Filter);
    if (!Found)
      return "?";
    const RequestReport &R = Found->Report;
    Text += std::to_string(R.Entities) + " " + std::to_string(R.Total.SelfNs) +
            " " + std::to_string(R.Total.InclusiveNs) + "\n";
    for (const RequestChain &Chain : R.Chains)
      for (const RequestFrame &Frame : R.frames(Chain))
        Text += Frame.What.text(*Found->T, {}, 100) + Frame.Place + "\n";
  }
  Result<IndexedTree> Tree = IndexedTree::of(X);
  if (!Tree)
    return "?";
  for (const TreeLine &Line : foldTree(Tree->trace(), *Tree, {})) {
    if (Line.Node == TreeNode::None)
      continue;
    const TreeNode &Node = Tree->tree().Nodes[Line.Node];
    Text += Tree->name(Node.Group).text(Tree->trace(), {}, 100) +
            std::to_string(Node.InclusiveNs) + "\n";
  }
  return Tree->check() ? traceAnswers(X) + Text : "?";
}

/// Every question, and its answer or "?".
inline std::string answers(const InstantiationIndex &X) {
  std::string Text;
  auto Say = [&Text](bool Good, const auto &...Values) {
    if (!Good) {
      Text += "?";
      return;
    }
    ((Text += std::to_string(Values) + " "), ...);
    Text += "\n";
  };
  auto SayAll = [&](bool Good, const std::vector<uint32_t> &Values) {
    Say(Good, Values.size());
    for (uint32_t V : Values)
      Say(true, V);
  };
  auto SayText = [&](bool Good, const std::string &Value) {
    Text += Good ? Value + "\n" : "?";
  };
  std::vector<uint32_t> Ids;
  std::vector<uint64_t> Times = {0, 1, UINT64_MAX};
  for (uint32_t I = 0; I < std::min(X.recordCount(), 1000u); ++I) {
    InstantiationIndex::Record R = {};
    Say(X.record(I, R), R.BeginNs, R.EndNs, R.SelfNs, R.OwnBytes, R.AllBytes,
        R.Compile, R.Entity, R.Location, R.Parent, R.Requester, R.SubtreeEnd,
        R.Depth, R.Kind, R.IsOpen, R.IsDefinition);
    Times.insert(Times.end(), {R.BeginNs, R.EndNs - 1, R.EndNs});
    SayAll(X.chain(I, Ids), Ids);
  }
  for (uint32_t C = 0; C < std::min(X.compileCount(), 10u); ++C) {
    InstantiationIndex::Compile Is = {};
    bool Good = X.compile(C, Is);
    Say(Good, Is.Sequence, Is.RealtimeNs, Is.EndNs, Is.FirstRecord,
        Is.EndRecord, Is.OpenCount, Is.IsIncomplete);
    SayText(Good, Is.Trace + Is.Input);
    for (uint64_t At : Times)
      SayAll(X.stackAt(C, At, Ids), Ids);
    uint64_t Events = Good ? std::min<uint64_t>(X.eventCount(Is), 2000) : 0;
    for (uint64_t Event = 0; Event != Events; ++Event) {
      uint64_t Ns = 0;
      SayAll(X.stackAfter(C, Event, Ids, Ns), Ids);
      Say(true, Ns);
    }
  }
  for (uint32_t I = 0; I < std::min(X.entityCount(), 100u); ++I) {
    InstantiationIndex::Entity E = {};
    InstantiationIndex::Cost C = {};
    Say(X.entity(I, E), E.TemplateSet, E.DeclaredAt, E.Kind, E.RecordCount);
    Say(X.entityCost(I, C), C.SelfNs, C.InclusiveNs, C.AstBytes, C.Memoized,
        C.Count, C.Definitions, C.Costliest);
    std::string Name;
    SayText(X.entityName(I, {}, 100, Name), Name);
    SayAll(X.entitiesNamed(Name, Ids), Ids);
    SayAll(X.recordsOf(I, Ids), Ids);
  }
  for (uint32_t I = 0; I < std::min(X.templateSetCount(), 100u); ++I) {
    InstantiationIndex::Cost C = {};
    Say(X.templateSetCost(I, C), C.SelfNs, C.InclusiveNs, C.AstBytes,
        C.Memoized, C.Count, C.Definitions, C.Costliest);
    std::string Name;
    SayText(X.templateSetName(I, {}, 100, Name), Name);
  }
  for (uint32_t I = 0; I < std::min(X.fileCount(), 100u); ++I) {
    std::string Path;
    SayText(X.filePath(I, 100, Path), Path);
    SayAll(X.filesNamed(Path, Ids), Ids);
    for (uint32_t Line : {0u, 3u, 7u, 20u, UINT32_MAX})
      SayAll(X.recordsAt(I, Line, Ids), Ids);
  }
  for (uint32_t I = 0; I < std::min(X.locationCount(), 100u); ++I) {
    InstantiationIndex::Location L = {};
    Say(X.location(I, L), L.File, L.LineNo, L.ColumnNo, L.RecordCount);
  }
  using Order = InstantiationIndex::Order;
  for (Order By :
       {Order::Self, Order::Inclusive, Order::Memory, Order::Count}) {
    SayAll(X.costliestEntities(By, 2, Ids), Ids);
    SayAll(X.costliestTemplateSets(By, 0, Ids), Ids);
  }
  std::vector<std::string> Rules;
  bool HasRules = X.rules(Rules);
  for (const std::string &Rule : Rules)
    SayText(HasRules, Rule);
  Text += HasRules ? "" : "?";
  Text += summaryAnswers(X);
  return Text;
}

} // namespace instantrace::test

#endif
