/// \file
/// Debugger: what there is, and what is known of it.
#include "runtime/format/EventKind.h"
#include "runtime/format/Schema.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/replay/Debugger.h"
#include "utils/replay/Interrupt.h"
#include "utils/replay/NameMatch.h"
#include "utils/replay/Words.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// A pattern could mean all that there are.
constexpr size_t MostEntities = 20;

Error noFrame() {
  return usageError(makeError({}, "no frame", "a position in a record"));
}

} // namespace

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

Result<uint32_t> Debugger::selectedRecord() const {
  INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, R.stack());
  if (Open.empty())
    return noFrame();
  return Open[std::min(Selected, Open.size() - 1)];
}

Result<std::string> Debugger::selectedFile() const {
  INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, R.stack());
  if (Open.empty())
    return std::string();
  INSTANTRACE_TRY_ASSIGN(
      IndexFrame F, frameOfRecord(Open[std::min(Selected, Open.size() - 1)]));
  return std::move(F.File);
}

Result<void> Debugger::backtrace(std::string_view Arguments) {
  StackView View;
  INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, R.stack());
  INSTANTRACE_TRY_ASSIGN(View.TimeNs, R.timeline().timeNs(R.position()));
  size_t First = 0, End = Open.size();
  if (!Arguments.empty()) {
    bool IsOutermost = Arguments.starts_with('-');
    INSTANTRACE_TRY_ASSIGN_AS(
        usageError, uint64_t Count,
        numberOf(Arguments.substr(IsOutermost ? 1 : 0), "how many frames"));
    size_t Shown = std::min<uint64_t>(Count, End);
    (IsOutermost ? First : End) = IsOutermost ? End - Shown : Shown;
  }
  View.Depth = Open.size();
  View.Selected = Selected;
  for (size_t No = First; No != End; ++No) {
    if (isInterrupted())
      return interruptedError();
    INSTANTRACE_TRY_ASSIGN(IndexFrame F, frameOfRecord(Open[No]));
    View.Rows.push_back({No, std::move(F)});
  }
  Writer.stack(View);
  return {};
}

Result<void> Debugger::showFrame(bool IsWhole) {
  INSTANTRACE_TRY_ASSIGN(uint32_t Record, selectedRecord());
  INSTANTRACE_TRY_ASSIGN(uint64_t Ns, R.timeline().timeNs(R.position()));
  INSTANTRACE_TRY_ASSIGN(IndexFrame F, frameOfRecord(Record));
  Writer.frame(Selected, F, Ns, IsWhole);
  return {};
}

Result<void> Debugger::moveFrame(std::string_view Count, bool IsUp) {
  INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, R.stack());
  if (Open.empty())
    return noFrame();
  INSTANTRACE_TRY_ASSIGN_AS(usageError, uint64_t Times,
                            countOf(Count, "how many frames"));
  size_t Last = Open.size() - 1;
  if (Times != 0 && Selected == (IsUp ? Last : 0))
    return usageError(
        makeError({}, IsUp ? "the outermost frame" : "the innermost frame",
                  IsUp ? "one around it" : "one inside it"));
  Listed = {};
  Selected = IsUp ? Selected + std::min<uint64_t>(Times, Last - Selected)
                  : Selected - std::min<uint64_t>(Times, Selected);
  return showFrame(false);
}

Result<void> Debugger::up(std::string_view Count) {
  return moveFrame(Count, true);
}
Result<void> Debugger::down(std::string_view Count) {
  return moveFrame(Count, false);
}

Result<void> Debugger::selectFrame(std::string_view Arguments) {
  if (!Arguments.empty()) {
    INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, R.stack());
    INSTANTRACE_TRY_ASSIGN_AS(usageError, uint64_t No,
                              numberOf(Arguments, "the number of a frame"));
    if (No >= Open.size())
      return usageError(makeError(
          {}, "frame " + std::to_string(No),
          Open.empty() ? "a position in a record"
                       : "one up to " + std::to_string(Open.size() - 1)));
    Listed = {};
    Selected = No;
  }
  return showFrame(false);
}

//===----------------------------------------------------------------------===//
// print
//===----------------------------------------------------------------------===//

namespace {

struct PrintFormat {
  enum class FormatKind { Plain, Full, Arguments, Levels };
  FormatKind Kind = FormatKind::Plain;
  size_t Levels = 0;
};

/// Takes "/f" off the begin.
Result<PrintFormat> takeFormat(std::string_view &Rest) {
  PrintFormat Format;
  Rest = trimmed(Rest);
  if (!Rest.starts_with('/'))
    return Format;
  std::string_view Word = takeWord(Rest).substr(1);
  uint64_t Levels = 0;
  if (Word == "f")
    Format.Kind = PrintFormat::FormatKind::Full;
  else if (Word == "a")
    Format.Kind = PrintFormat::FormatKind::Arguments;
  else if (parseNumber(Word, Levels))
    Format = {PrintFormat::FormatKind::Levels, Levels};
  else
    return usageError(makeError({}, "format '" + std::string(Word) + "'",
                                "f, a, or how many levels"));
  return Format;
}

struct PrintedFact {
  std::string_view Name;
  RecordFact Fact;
};

std::string factText(RecordFact Fact, uint64_t Is) {
  switch (Fact) {
  case RecordFact::Duration:
  case RecordFact::Self:
  case RecordFact::Time:
    return timeText(Is);
  case RecordFact::Memory:
  case RecordFact::OwnMemory:
    return sizeText(Is);
  case RecordFact::Kind:
    return std::string(eventKindName(static_cast<EventKind>(Is)));
  case RecordFact::Open:
  case RecordFact::Definition:
    return Is ? "yes" : "no";
  case RecordFact::Depth:
  case RecordFact::Line:
  case RecordFact::Inside:
    break;
  }
  return groupedText(Is);
}

} // namespace

Result<void> Debugger::print(std::string_view Arguments) {
  std::string_view Rest = Arguments;
  INSTANTRACE_TRY_ASSIGN(PrintFormat Format, takeFormat(Rest));
  using Kind = PrintFormat::FormatKind;
  std::vector<std::string> Names;
  InstantiationIndex::NameParts Shown = Parts;
  if (Format.Kind == Kind::Full)
    Shown = {true, true};
  if (std::optional<RecordFact> Fact = recordFact(Rest)) {
    INSTANTRACE_TRY_ASSIGN(uint32_t Record, selectedRecord());
    RecordFacts Facts(R.index(), Record);
    uint64_t Is = 0;
    if (!Facts.read(*Fact, Is))
      return fault();
    Writer.text(factText(*Fact, Is));
    return {};
  }
  if (Rest.empty()) {
    INSTANTRACE_TRY_ASSIGN(uint32_t Record, selectedRecord());
    INSTANTRACE_TRY_ASSIGN(IndexFrame F, indexFrame(R.index(), Record, Shown));
    Names.push_back(F.Name.empty() ? "<unnamed>" : F.Name);
  } else {
    size_t More = 0;
    INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Ids,
                           entitiesOf(Rest, false, MostEntities, More));
    for (uint32_t Id : Ids) {
      Names.emplace_back();
      if (!R.index().entityName(Id, Shown, IndexNameBytes, Names.back()))
        return fault();
    }
    if (More != 0)
      Names.push_back("… " + groupedText(More) + " more");
  }
  std::string Text;
  for (std::string &Name : Names) {
    if (Format.Kind == Kind::Levels)
      Name = nameToLevel(Name, Format.Levels);
    if (Format.Kind == Kind::Arguments)
      Name = argumentLines(Name);
    Text += (Text.empty() ? "" : "\n") + Name;
  }
  Writer.name(Text);
  return {};
}

//===----------------------------------------------------------------------===//
// info
//===----------------------------------------------------------------------===//

BreakpointView Debugger::viewOf(const Breakpoint &B) {
  BreakpointView View;
  View.Number = B.Number;
  View.IsWatch = B.IsWatch;
  View.IsTemporary = B.IsTemporary;
  View.IsEnabled = B.IsEnabled;
  View.Hits = B.Hits;
  View.Ignore = B.Ignore;
  View.IsPending = B.Search.isPending();
  if (!View.IsPending)
    View.Places = B.Search.knownCount();
  View.What = B.Search.spec().text();
  View.Condition = B.Search.spec().If.text();
  View.Commands = B.Commands;
  return View;
}

Result<void> Debugger::showBreakpoints() {
  std::vector<BreakpointView> Rows;
  for (const Breakpoint &B : R.breakpoints())
    Rows.push_back(viewOf(B));
  Writer.breakpoints(Rows);
  return {};
}

namespace {

/// What its records have in common.
Result<void> addRecords(const InstantiationIndex &X, EntityView &View) {
  std::vector<uint32_t> Ids;
  if (!X.recordsOf(View.Id, Ids))
    return Error{X.fault()};
  uint32_t Until = 0;
  for (uint32_t Id : Ids) {
    InstantiationIndex::Record Is;
    if (isInterrupted())
      return interruptedError();
    if (!X.record(Id, Is))
      return Error{X.fault()};
    View.Costs.add(Id, Is, Until);
    View.Definitions += Is.IsDefinition;
    View.AstBytes += Is.OwnBytes;
    if (View.Longest == Timeline::None ||
        Is.EndNs - Is.BeginNs > View.LongestNs) {
      View.Longest = Id;
      View.LongestNs = Is.EndNs - Is.BeginNs;
    }
  }
  return {};
}

} // namespace

Result<EntityView> Debugger::entityView(uint32_t Id) const {
  const InstantiationIndex &X = R.index();
  InstantiationIndex::Entity E = {};
  EntityView View;
  View.Id = Id;
  InstantiationIndex::Location L = {};
  std::string File;
  bool IsRead = X.entity(Id, E) &&
                X.entityName(Id, Parts, IndexNameBytes, View.Name) &&
                (E.TemplateSet == Timeline::None ||
                 X.templateSetName(E.TemplateSet, Parts, IndexNameBytes,
                                   View.TemplateSet)) &&
                (E.DeclaredAt == Timeline::None ||
                 (X.location(E.DeclaredAt, L) &&
                  (L.File == Timeline::None ||
                   X.filePath(L.File, IndexNameBytes, File))));
  if (!IsRead)
    return fault();
  INSTANTRACE_TRY(addRecords(X, View));
  View.Kind = shownName(static_cast<EntityKind>(E.Kind));
  if (!File.empty())
    View.DeclaredAt = File + ":" + std::to_string(L.LineNo) + ":" +
                      std::to_string(L.ColumnNo);
  return View;
}

/// The first \p Wanted that a name means, as for break, or a pattern.
Result<std::vector<uint32_t>> Debugger::entitiesOf(std::string_view Name,
                                                   bool IsRegex, size_t Wanted,
                                                   size_t &More) const {
  StopSpec Spec;
  (IsRegex ? Spec.Regex : Spec.Name) = Name;
  INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Ids,
                         entitiesMeant(R.timeline(), Spec));
  if (Ids.empty())
    return noEntity(R.timeline(), Spec);
  More = Ids.size() - std::min(Ids.size(), Wanted);
  Ids.resize(Ids.size() - More);
  return Ids;
}

Result<void> Debugger::showEntity(std::string_view Name, bool IsRegex) {
  std::vector<EntityView> Rows;
  std::vector<uint32_t> Ids;
  size_t More = 0;
  if (Name.empty()) {
    INSTANTRACE_TRY_ASSIGN(uint32_t Record, selectedRecord());
    InstantiationIndex::Shape Is;
    if (!R.index().shape(Record, Is))
      return fault();
    if (Is.Entity == Timeline::None)
      return makeError({}, "a record of no entity",
                       "a frame of one, or info entity NAME");
    Ids.push_back(Is.Entity);
  } else {
    INSTANTRACE_TRY_ASSIGN(Ids, entitiesOf(Name, IsRegex, MostEntities, More));
  }
  for (uint32_t Id : Ids) {
    INSTANTRACE_TRY_ASSIGN(EntityView View, entityView(Id));
    Rows.push_back(std::move(View));
  }
  Writer.entities(Rows, More);
  return {};
}

Result<void> Debugger::showStatistics() {
  const InstantiationIndex &X = R.index();
  const Timeline &Line = R.timeline();
  StatisticsView View;
  View.Compiles = X.compileCount();
  View.Records = X.recordCount();
  View.Entities = X.entityCount();
  View.Templates = X.templateSetCount();
  if (View.Compiles != 0) {
    View.Compile = Line.compileAt(R.position());
    const Timeline::Part &P = Line.parts()[View.Compile];
    InstantiationIndex::Compile C;
    INSTANTRACE_TRY_ASSIGN(View.TimeNs, Line.timeNs(R.position()));
    INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, R.stack());
    INSTANTRACE_TRY_ASSIGN(View.EndedBytes,
                           StopSearch::endedBytes(Line, R.position()));
    if (!X.compile(View.Compile, C) ||
        !X.ownBytes(P.FirstRecord, P.EndRecord, View.AllBytes))
      return fault();
    View.Input = C.Input.empty() ? C.Trace : C.Input;
    View.Event = R.position() - std::min(R.position(), P.Begin);
    View.Events = P.End - P.Begin;
    View.EndNs = P.EndNs;
    View.Depth = Open.size();
  }
  Writer.statistics(View);
  return {};
}

Result<void> Debugger::showCompiles() {
  const InstantiationIndex &X = R.index();
  std::vector<CompileView> Rows;
  InstantiationIndex::Compile C;
  for (uint32_t Id = 0; Id != X.compileCount(); ++Id) {
    if (!X.compile(Id, C))
      return fault();
    Rows.push_back({Id + 1, C.Input, C.Trace, X.eventCount(C), C.EndNs,
                    Id == R.timeline().compileAt(R.position()),
                    C.IsIncomplete});
  }
  Writer.compiles(Rows);
  return {};
}

Result<void> Debugger::whatIs(std::string_view Name) {
  return showEntity(Name, false);
}
Result<void> Debugger::whatIsLike(std::string_view Regex) {
  if (Regex.empty())
    return usageError(makeError({}, "nothing", "a regular expression"));
  return showEntity(Regex, true);
}

Result<void> Debugger::info(std::string_view Arguments) {
  std::string_view Rest = Arguments;
  std::string_view Topic = takeWord(Rest);
  auto Is = [&](std::string_view Name) {
    return !Topic.empty() && Name.starts_with(Topic);
  };
  // In the order in which a single letter means one.
  if (Is("breakpoints") || Is("watchpoints"))
    return showBreakpoints();
  if (Topic == "s" || Is("stack"))
    return backtrace(Rest);
  if (Is("frame"))
    return showFrame(true);
  if (Is("entity"))
    return showEntity(Rest, false);
  if (Is("statistics"))
    return showStatistics();
  if (Is("display"))
    return showDisplays();
  if (Is("compiles") || Is("inferiors"))
    return showCompiles();
  return usageError(makeError(
      {}, Topic.empty() ? "nothing" : "'" + std::string(Topic) + "'",
      "breakpoints, stack, frame, entity, statistics, compiles or display"));
}

Result<void> Debugger::help(std::string_view Arguments) {
  if (Arguments.empty()) {
    Writer.text(replayHelp());
    return {};
  }
  INSTANTRACE_TRY_ASSIGN(const ReplayCommand *Command,
                         findReplayCommand(Arguments));
  Writer.text(replayHelp(*Command));
  return {};
}
