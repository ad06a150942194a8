/// \file
/// Debugger: sources, what is done at each stop, and settings.
#include "utils/replay/Debugger.h"
#include "utils/replay/Interrupt.h"
#include "utils/replay/Words.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Records whose times are added up for one listing; more take too long.
constexpr uint64_t MostTimed = 10000;

} // namespace

//===----------------------------------------------------------------------===//
// list
//===----------------------------------------------------------------------===//

/// What a line requests; times of the outermost ones.
Result<void> Debugger::addCosts(const std::vector<uint32_t> &Files,
                                SourceView::Line &Line, uint64_t &Timed) {
  const InstantiationIndex &X = R.index();
  std::vector<uint32_t> Ids;
  for (uint32_t File : Files) {
    if (!X.recordsAt(File, Line.LineNo, Ids))
      return fault();
    Line.Count += Ids.size();
    Timed += Ids.size();
    if (Timed > MostTimed) {
      Line.IsTimed = false;
      continue;
    }
    uint32_t Until = 0;
    InstantiationIndex::Record Is;
    for (uint32_t Id : Ids) {
      if (Id < Until)
        continue;
      if (!X.record(Id, Is))
        return fault();
      Line.InclusiveNs += Is.EndNs - Is.BeginNs;
      Until = Is.SubtreeEnd;
    }
  }
  return {};
}

Result<void> Debugger::listAround(const std::string &File, uint64_t First,
                                  uint64_t Last, uint32_t Current) {
  uint32_t Compile =
      R.timeline().parts().empty() ? 0 : R.timeline().compileAt(R.position());
  const std::vector<std::string_view> *Lines = Sources.lines(Compile, File);
  if (!Lines)
    return makeError(File, "no source that may be shown",
                     "the file as it was compiled, in a folder of its compile "
                     "or of --source-root");
  First = std::max<uint64_t>(First, 1);
  if (First > Lines->size() || Last < First)
    return makeError(File, "line " + std::to_string(First),
                     Lines->empty() ? "a file with lines"
                                    : "1 to " + std::to_string(Lines->size()));
  std::vector<uint32_t> Files;
  if (!R.index().filesNamed(File, Files))
    return fault();
  SourceView View;
  View.File = File;
  View.Current = Current;
  uint64_t Timed = 0;
  Last = std::min<uint64_t>(Last, Lines->size());
  for (uint64_t No = First; No <= Last; ++No) {
    SourceView::Line Line = {static_cast<uint32_t>(No),
                             std::string((*Lines)[No - 1])};
    INSTANTRACE_TRY(addCosts(Files, Line, Timed));
    View.Lines.push_back(std::move(Line));
  }
  Listed = {File, First, Last};
  Writer.source(View);
  return {};
}

Result<void> Debugger::list(std::string_view Arguments) {
  INSTANTRACE_TRY_ASSIGN(std::string Selected, selectedFile());
  const uint64_t Half = ListSize / 2;
  if (Arguments == "-") {
    if (Listed.First <= 1)
      return usageError(makeError({}, "no line before", "a line listed last"));
    return listAround(Listed.File,
                      Listed.First - std::min(ListSize, Listed.First - 1),
                      Listed.First - 1, 0);
  }
  if (Arguments.empty() && Listed.Last != 0)
    return listAround(Listed.File, Listed.Last + 1, Listed.Last + ListSize, 0);
  if (Arguments.empty()) {
    INSTANTRACE_TRY_ASSIGN(uint32_t Record, selectedRecord());
    INSTANTRACE_TRY_ASSIGN(IndexFrame F, frameOfRecord(Record));
    if (F.File.empty())
      return makeError({}, "a frame without a place", "one, or list FILE:LINE");
    return listAround(F.File, F.LineNo - std::min<uint64_t>(Half, F.LineNo),
                      F.LineNo + Half, F.LineNo);
  }
  std::string_view Text = Arguments;
  std::string File = Listed.File.empty() ? Selected : Listed.File;
  if (size_t Colon = Text.rfind(':'); Colon != Text.npos) {
    File = Text.substr(0, Colon);
    Text = Text.substr(Colon + 1);
  }
  size_t Comma = std::min(Text.find(','), Text.size());
  constexpr uint64_t MostLines = 1000000000;
  Result<uint64_t> First = numberOf(trimmed(Text.substr(0, Comma)), "a line");
  Result<uint64_t> Last = First;
  if (Comma != Text.size())
    Last = numberOf(trimmed(Text.substr(Comma + 1)), "a line");
  if (!First || !Last || *First > MostLines)
    return usageError(First ? Last
                                  ? makeError({}, "'" + std::string(Text) + "'",
                                              "a line of a file")
                                  : Last.error()
                            : First.error());
  if (File.empty())
    return usageError(makeError({}, "no file", "FILE:LINE"));
  if (Comma == Text.size())
    return listAround(File, *First - std::min(Half, *First), *First + Half,
                      static_cast<uint32_t>(*First));
  return listAround(File, *First, *Last, 0);
}

//===----------------------------------------------------------------------===//
// display
//===----------------------------------------------------------------------===//

Result<void> Debugger::display(std::string_view Arguments) {
  if (Arguments.empty())
    return showDisplays();
  std::string_view Rest = Arguments;
  std::string_view Word = takeWord(Rest);
  Word = Word.substr(0, Word.find('/'));
  INSTANTRACE_TRY_ASSIGN(const ReplayCommand *Command, findReplayCommand(Word));
  std::string_view Name = Command->name();
  static constexpr std::string_view Shown[] = {"backtrace", "print", "info",
                                               "list",      "frame", "whatis"};
  if (std::find(std::begin(Shown), std::end(Shown), Name) == std::end(Shown))
    return usageError(makeError({}, "'" + std::string(Name) + "'",
                                "backtrace, print, info, list, whatis or "
                                "frame, which only show something"));
  constexpr size_t MostDisplays = 100;
  if (Displays.size() == MostDisplays)
    return usageError(makeError({}, "one more", "no more than 100"));
  Displays.push_back({++LastDisplay, std::string(Arguments)});
  return runDisplay(Displays.back().Command);
}

Result<void> Debugger::undisplay(std::string_view Arguments) {
  if (Arguments.empty()) {
    Displays.clear();
    return {};
  }
  INSTANTRACE_TRY_ASSIGN_AS(usageError, uint64_t Number,
                            numberOf(Arguments, "the number of a display"));
  if (std::erase_if(Displays,
                    [&](const Display &D) { return D.Number == Number; }) == 0)
    return usageError(makeError({}, "display " + std::to_string(Number),
                                "one that info display shows"));
  return {};
}

Result<void> Debugger::showDisplays() {
  std::string Text;
  for (const Display &D : Displays)
    Text += (Text.empty() ? "" : "\n") + std::to_string(D.Number) + ": " +
            D.Command;
  Writer.text(Text.empty() ? "There is nothing to display." : Text);
  return {};
}

/// It only shows something, so \p Line stays as long as its display.
Result<void> Debugger::runDisplay(const std::string &Line) {
  std::string Before = Repeated;
  Listed = {};
  Result<void> Done = execute(Line);
  Listed = {};
  Repeated = std::move(Before);
  return Done;
}

//===----------------------------------------------------------------------===//
// commands
//===----------------------------------------------------------------------===//

Result<void> Debugger::addCommands(std::string_view Arguments) {
  if (R.breakpoints().empty())
    return usageError(makeError({}, "no breakpoint", "one to run commands at"));
  Collection New;
  if (Arguments.empty()) {
    New.Breakpoints.push_back(R.breakpoints().back().Number);
  } else {
    INSTANTRACE_TRY_ASSIGN(std::vector<Breakpoint *> Found,
                           breakpointsOf(Arguments));
    for (const Breakpoint *B : Found)
      New.Breakpoints.push_back(B->Number);
  }
  Collected = std::move(New);
  return {};
}

Result<void> Debugger::collect(std::string_view Line) {
  constexpr size_t MostLines = 1000;
  if (Line != "end") {
    if (Collected->Lines.size() == MostLines) {
      Collected.reset();
      return usageError(makeError({}, "one more command",
                                  "no more than " + std::to_string(MostLines)));
    }
    if (!Line.empty() && Line.front() != '#')
      Collected->Lines.emplace_back(Line);
    return {};
  }
  for (uint32_t Number : Collected->Breakpoints)
    if (Breakpoint *B = R.breakpoint(Number))
      B->Commands = Collected->Lines;
  Collected.reset();
  return {};
}

/// Those of the last stop. What comes behind one that moves is left out, since
/// it was meant for where one was.
Result<void> Debugger::runPending() {
  if (IsRunningPending)
    return {};
  IsRunningPending = true;
  Result<void> Done;
  while (Done && !Pending.empty() && !ExitCode) {
    std::string Line = std::move(Pending.front());
    Pending.erase(Pending.begin());
    Done = isInterrupted() ? interruptedError() : execute(Line);
    // What it said is read now, and not when the last one is done.
    if (Done)
      Done = Writer.finish();
  }
  Pending.clear();
  IsRunningPending = false;
  return Done;
}

//===----------------------------------------------------------------------===//
// set
//===----------------------------------------------------------------------===//

Result<void> Debugger::set(std::string_view Arguments) {
  std::string_view Rest = Arguments;
  std::string_view What = takeWord(Rest);
  if (What == "listsize") {
    constexpr uint64_t MostLines = 10000;
    Result<uint64_t> Lines = numberOf(Rest, "how many lines");
    if (!Lines || *Lines == 0 || *Lines > MostLines)
      return usageError(Lines ? makeError({}, std::to_string(*Lines),
                                          "1 to " + std::to_string(MostLines))
                              : Lines.error());
    ListSize = *Lines;
    return {};
  }
  bool *Switch = What == "source"           ? &ShowsSource
                 : What == "trace-commands" ? &EchoesCommands
                 : What == "default-args"   ? &Parts.DefaultArguments
                 : What == "parameters"     ? &Parts.Parameters
                                            : nullptr;
  if (!Switch)
    return usageError(
        makeError({}, "'" + std::string(What) + "'",
                  "source, default-args, parameters, trace-commands or "
                  "listsize"));
  if (Rest != "on" && Rest != "off")
    return usageError(
        makeError({}, "'" + std::string(Rest) + "'", "on or off"));
  *Switch = Rest == "on";
  return {};
}
