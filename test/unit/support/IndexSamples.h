/// \file
/// Indexes of compiles that are made up, and what a naive reader says of them.
///
/// Flow: [IndexSamples] -> IndexBuilder -> bytes -> a test
#pragma once

#include "runtime/base/Hash.h"
#include "runtime/index/Index.h"
#include "runtime/index/IndexBuilder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
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
      Rows.Entities.push_back(Is);
    }
    // A name that is no more than another one.
    Names.add(std::string(1, '\0'), std::vector{Head.Value});
    Rows.Names = &Names;
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

inline std::string indexBytes(const std::vector<SampleCompile> &Compiles,
                              uint64_t PostingsAtOnce = 1 << 22) {
  IndexBuilder Builder(std::filesystem::temp_directory_path().string(),
                       PostingsAtOnce);
  uint32_t No = 0;
  for (const SampleCompile &C : Compiles) {
    SampleTables Tables;
    Builder.beginCompile();
    for (const SampleEvent &E : C.Events) {
      const SampleInterval &I = C.Intervals[E.Interval];
      if (E.IsBegin)
        Builder.begin(E.TimeNs, I.Kind, I.Entity, I.Location, I.Requester);
      else
        Builder.end(E.TimeNs, {I.AstBytes, I.IsDefinition});
    }
    Builder.endCompile(
        {"x.itrace", "a.cpp", "/src", {"/src", "/inc"}, ++No, 2000}, C.LastNs,
        Tables.Rows);
  }
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
    for (uint64_t Index = 0, No = Row.FirstSum;
         Index < Row.SizeBytes && No < Sums && Row.Offset < Bytes.size() &&
         Index < Bytes.size() - Row.Offset;
         Index += SumBlockBytes, ++No) {
      uint64_t Size = std::min<uint64_t>(SumBlockBytes, Row.SizeBytes - Index);
      uint64_t Sum =
          hashBytes(std::string_view(Bytes).substr(Row.Offset + Index, Size));
      std::memcpy(Bytes.data() + SumsAt + No * sizeof(Sum), &Sum, sizeof(Sum));
    }
  std::string Checked =
      Bytes.substr(0, HeadCheckOffset) +
      Bytes.substr(sizeof(Head), sizeof(Table) + Sums * sizeof(uint64_t));
  uint64_t Sum = hashBytes(Checked);
  std::memcpy(Bytes.data() + HeadCheckOffset, &Sum, sizeof(Sum));
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
  }
  for (uint32_t C = 0; C < std::min(X.compileCount(), 10u); ++C) {
    InstantiationIndex::Compile Is = {};
    bool Good = X.compile(C, Is);
    Say(Good, Is.Sequence, Is.RealtimeNs, Is.EndNs, Is.FirstRecord,
        Is.EndRecord, Is.OpenCount, Is.IsIncomplete);
    SayText(Good, Is.Trace + Is.Input + Is.WorkingDirectory);
    std::vector<std::string> Folders;
    SayText(X.folders(C, Folders),
            Folders.empty() ? "" : Folders.front() + Folders.back());
    for (uint64_t TimeNs : Times)
      SayAll(X.stackAt(C, TimeNs, Ids), Ids);
    uint64_t Events = Good ? std::min<uint64_t>(X.eventCount(Is), 2000) : 0;
    for (uint64_t Event = 0; Event != Events; ++Event) {
      uint64_t Ns = 0;
      SayAll(X.stackAfter(C, Event, Ids, Ns), Ids);
      Say(true, Ns);
    }
  }
  for (uint32_t I = 0; I < std::min(X.entityCount(), 100u); ++I) {
    InstantiationIndex::Entity E = {};
    Say(X.entity(I, E), E.TemplateSet, E.DeclaredAt, E.Kind, E.RecordCount);
    std::string Name;
    SayText(X.entityName(I, {}, 100, Name), Name);
    SayAll(X.entitiesNamed(Name, Ids), Ids);
    SayAll(X.recordsOf(I, Ids), Ids);
  }
  for (uint32_t I = 0; I < std::min(X.templateSetCount(), 100u); ++I) {
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
  return Text;
}

} // namespace instantrace::test
