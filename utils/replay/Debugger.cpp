#include "utils/replay/Debugger.h"

#include "utils/cli/Amounts.h"
#include "utils/replay/Interrupt.h"
#include "utils/replay/ScriptLines.h"
#include "utils/replay/Words.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

constexpr const char *HowOften = "how many times";

Result<void> expectNothing(std::string_view Text) {
  if (Text.empty())
    return {};
  return usageError(
      makeError({}, "'" + std::string(Text) + "'", "nothing behind it"));
}

/// In gdb's words.
std::string ignoreText(const Breakpoint &B) {
  const std::string Number = "breakpoint " + std::to_string(B.Number);
  if (B.Ignore == 0)
    return "Will stop next time " + Number + " is reached.";
  if (B.Ignore == 1)
    return "Will ignore next crossing of " + Number + ".";
  return "Will ignore next " + std::to_string(B.Ignore) + " crossings of " +
         Number + ".";
}

} // namespace

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Of a script, which may be anybody's, and may run others that run others.
Result<void> Debugger::checkScript() {
  constexpr uint64_t MostCommands = 100'000, MostBytes = 64 << 20;
  if (ScriptDepth == 0)
    return {};
  if (++Script.Commands > MostCommands)
    return makeError({},
                     "more than " + std::to_string(MostCommands) + " commands",
                     "fewer in one script and those that it runs");
  if (Writer.sizeBytes() - Script.FirstByte > MostBytes)
    return makeError({}, "answers of more than 64 MiB",
                     "fewer of one script and those that it runs");
  return {};
}

Result<void> Debugger::execute(std::string_view Line) {
  INSTANTRACE_TRY(checkScript());
  Line = trimmed(Line);
  if (Collected)
    return collect(Line);
  if (Line.empty() || Line.front() == '#')
    return {};
  std::string_view Rest = Line;
  std::string_view Word = takeWord(Rest);
  // As in print/f, with or without a space in front.
  if (size_t Slash = Word.find('/'); Slash != Word.npos && Slash != 0) {
    Rest = trimmed(Line.substr(Slash));
    Word = Word.substr(0, Slash);
  }
  Writer.begin();
  IsErrorPlaced = false;
  INSTANTRACE_TRY_ASSIGN(const ReplayCommand *Command, findReplayCommand(Word));
  if (EchoesCommands)
    Writer.text("+" + std::string(Line));
  // It may run others.
  std::string Arguments(Rest);
  Result<void> Done = (this->*Command->Run)(Arguments);
  if (Done)
    Done = runPending();
  Repeated = Done && Command->Repeats ? std::string(Line) : "";
  return Done;
}

Result<void> Debugger::executeTyped(std::string_view Line) {
  bool Repeats = !Collected && trimmed(Line).empty();
  std::string Whole(Repeats ? std::string_view(Repeated) : Line);
  return execute(Whole);
}

Result<void> Debugger::runScript(const std::string &Path) {
  constexpr size_t DeepestScript = 20;
  if (ScriptDepth == DeepestScript)
    return makeError(Path,
                     "a script in " + std::to_string(DeepestScript) + " others",
                     "none that runs itself");
  INSTANTRACE_TRY_ASSIGN(ScriptLines Lines, ScriptLines::open(Path));
  if (ScriptDepth++ == 0)
    Script = {0, Writer.sizeBytes()};
  Result<void> Done;
  while (Done && !ExitCode) {
    if (isInterrupted()) {
      Done = interruptedError();
      break;
    }
    Result<std::optional<std::string>> Line = Lines.next();
    if (!Line) {
      Done = Line.error();
      break;
    }
    if (!*Line)
      break;
    Done = execute(**Line);
    if (!Done && !std::exchange(IsErrorPlaced, true))
      Done = Error{Path + ":" + std::to_string(Lines.lineNo()) + ": " +
                   Done.error().Message};
    if (Done)
      Done = Writer.finish();
  }
  --ScriptDepth;
  if (std::exchange(Collected, {}) && Done)
    Done = makeError(Path, "no end of commands", "a line with end alone");
  return Done;
}

Result<void> Debugger::source(std::string_view Arguments) {
  if (Arguments.empty())
    return usageError(makeError({}, "nothing", "a file with commands"));
  return runScript(std::string(Arguments));
}

//===----------------------------------------------------------------------===//
// Motion
//===----------------------------------------------------------------------===//

Result<void> Debugger::showStop(const Stop &Stopped) {
  const Timeline &Line = R.timeline();
  StopView View;
  View.Is = Stopped;
  View.Compiles = static_cast<uint32_t>(Line.parts().size());
  INSTANTRACE_TRY_ASSIGN(Timeline::Event E, R.event());
  View.Event = E;
  if (E.Record != Timeline::None) {
    INSTANTRACE_TRY_ASSIGN(IndexFrame Frame, frameOfRecord(E.Record));
    View.Frame = std::move(Frame);
    View.TimeNs = E.IsBegin ? View.Frame.Is.BeginNs : View.Frame.Is.EndNs;
  }
  if (View.Compiles != 0) {
    uint32_t Compile = Line.compileAt(R.position());
    InstantiationIndex::Compile C;
    if (!R.index().compile(Compile, C))
      return fault();
    View.Events = R.index().eventCount(C);
    View.Input = C.Input.empty() ? C.Trace : C.Input;
    View.IsOtherCompile = Compile != ShownCompile;
    View.Event.Compile = ShownCompile = Compile;
  }
  for (uint32_t Number : Stopped.Hit)
    if (const Breakpoint *B = R.breakpoint(Number); B && B->IsWatch) {
      INSTANTRACE_TRY_ASSIGN(uint64_t Bytes,
                             StopSearch::endedBytes(Line, R.position()));
      View.EndedBytes = Bytes;
      // A record ends, and all that it had itself is added.
      View.BytesBefore = Bytes - std::min(Bytes, View.Frame.Is.OwnBytes);
    }
  if (ShowsSource && View.Event.Record != Timeline::None)
    if (const std::vector<std::string_view> *Lines =
            Sources.lines(View.Event.Compile, View.Frame.File);
        Lines && View.Frame.LineNo != 0 && View.Frame.LineNo <= Lines->size())
      View.Source = (*Lines)[View.Frame.LineNo - 1];
  Writer.stop(View);
  return {};
}

Result<void> Debugger::showPosition() {
  Writer.begin();
  return showStop({});
}

Result<void> Debugger::arrived(const Result<Stop> &Stopped) {
  if (!Stopped)
    return Stopped.error();
  Selected = 0;
  Listed = {};
  StoppedAt = Stopped->Hit;
  // Those of the stop come when all that is displayed was: they may move, and
  // change what is.
  Pending.clear();
  std::vector<std::string> Commands = Stopped->Commands;
  bool IsSilent = !Commands.empty() && Commands.front() == "silent";
  if (IsSilent)
    Commands.erase(Commands.begin());
  if (!IsSilent)
    INSTANTRACE_TRY(showStop(*Stopped));
  for (size_t I = 0; I != Displays.size(); ++I)
    if (Result<void> Displayed = runDisplay(Displays[I].Command); !Displayed)
      Writer.error(Displayed.error().Message); // as outside of any frame
  Pending = std::move(Commands);
  return {};
}

Result<void> Debugger::move(Direction Way, std::string_view Count,
                            Result<Stop> (Replay::*How)(Direction, uint64_t)) {
  INSTANTRACE_TRY_ASSIGN_AS(usageError, uint64_t Times,
                            countOf(Count, HowOften));
  return arrived((R.*How)(Way, Times));
}

Result<void> Debugger::step(std::string_view Count) {
  return move(Direction::Forward, Count, &Replay::step);
}
Result<void> Debugger::next(std::string_view Count) {
  return move(Direction::Forward, Count, &Replay::next);
}
/// Until there is a stop, or the end of a record if one is given. One that has
/// no end yet ends with everything.
Result<Stop> Debugger::runUpto(uint32_t Record) {
  InstantiationIndex::Shape Is = {};
  if (Record != Timeline::None && !R.index().shape(Record, Is))
    return fault();
  return Record == Timeline::None || Is.IsOpen
             ? R.run(Direction::Forward)
             : R.finish(Direction::Forward, Record);
}
/// Breakpoints that are pending, each with what is to be said of it.
void Debugger::sayPending(std::string_view Rest) {
  for (const Breakpoint &B : R.breakpoints())
    if (B.Search.isPending())
      Writer.text("Breakpoint " + std::to_string(B.Number) + " (" +
                  B.Search.spec().text() + ") " + std::string(Rest));
}
/// Behind the last event, what is to come.
Result<Stop> Debugger::runOn(uint32_t Upto) {
  while (true) {
    // What was done before its name was there.
    INSTANTRACE_TRY_ASSIGN(std::optional<Stop> Missed, R.stopMissed());
    if (Missed)
      return *Missed;
    Result<Stop> Stopped = runUpto(Upto);
    if (!Stopped || Stopped->Why != Stop::Reason::AtEnd || !More)
      return Stopped;
    INSTANTRACE_TRY_ASSIGN(bool IsMore, More());
    if (!IsMore) {
      More = nullptr;
      sayPending("is still pending: the compile has ended without it.");
      return Stopped;
    }
    INSTANTRACE_TRY(R.refresh());
  }
}
/// As gdb has it: where a breakpoint has stopped, that one is passed over N - 1
/// times.
Result<void> Debugger::passOver(std::string_view Count) {
  if (Count.empty())
    return {};
  Result<uint64_t> Times = numberOf(Count, "how many times");
  if (!Times || *Times == 0)
    return usageError(Times ? makeError({}, "0", "1 at least") : Times.error());
  bool IsAtOne = false;
  for (uint32_t Number : StoppedAt)
    if (Breakpoint *B = R.breakpoint(Number)) {
      IsAtOne = true;
      B->Ignore = *Times - 1;
      if (B->Ignore != 0)
        Writer.text(ignoreText(*B) + "  Continuing.");
    }
  if (!IsAtOne)
    Writer.text("Not stopped at any breakpoint; argument ignored.");
  return {};
}
Result<void> Debugger::proceed(std::string_view Count) {
  INSTANTRACE_TRY(passOver(Count));
  return arrived(runOn(Timeline::None));
}
Result<void> Debugger::reverseStep(std::string_view Count) {
  return move(Direction::Backward, Count, &Replay::step);
}
Result<void> Debugger::reverseNext(std::string_view Count) {
  return move(Direction::Backward, Count, &Replay::next);
}
Result<void> Debugger::reverseContinue(std::string_view Count) {
  INSTANTRACE_TRY(passOver(Count));
  return arrived(R.run(Direction::Backward));
}

Result<void> Debugger::finishFrame(Direction Way, std::string_view Arguments) {
  INSTANTRACE_TRY(expectNothing(Arguments));
  INSTANTRACE_TRY_ASSIGN(uint32_t Record, selectedRecord());
  bool Waits = Way == Direction::Forward && More;
  return arrived(Waits ? runOn(Record) : R.finish(Way, Record));
}
Result<void> Debugger::finish(std::string_view Arguments) {
  return finishFrame(Direction::Forward, Arguments);
}
Result<void> Debugger::reverseFinish(std::string_view Arguments) {
  return finishFrame(Direction::Backward, Arguments);
}

Result<void> Debugger::run(std::string_view Arguments) {
  INSTANTRACE_TRY(expectNothing(Arguments));
  Position Before = R.position();
  R.goTo(0);
  Result<Stop> Stopped = R.run(Direction::Forward);
  if (!Stopped)
    R.goTo(Before);
  return arrived(Stopped);
}

Result<Position> Debugger::destination(std::string_view Where) const {
  const Timeline &Line = R.timeline();
  std::string_view Rest = Where;
  std::string_view What = takeWord(Rest);
  if (What == "start" || What == "begin")
    return Position(0);
  if (What == "end")
    return Line.end();
  uint64_t Number = 0;
  if (What == "record") {
    INSTANTRACE_TRY_ASSIGN_AS(usageError, uint64_t Id,
                              numberOf(Rest, "the number of a record"));
    if (Id >= R.index().recordCount())
      return makeError(R.index().name(), "record " + std::to_string(Id),
                       "one below " + std::to_string(R.index().recordCount()));
    return Line.afterBegin(static_cast<uint32_t>(Id));
  }
  if (Line.parts().empty())
    return makeError(R.index().name(), "no compile", "one at least");
  if (What == "compile") {
    INSTANTRACE_TRY_ASSIGN_AS(usageError, uint64_t No,
                              numberOf(Rest, "the number of a compile"));
    if (No == 0 || No > Line.parts().size())
      return makeError(R.index().name(), "compile " + std::to_string(No),
                       "1 to " + std::to_string(Line.parts().size()));
    const Timeline::Part &P = Line.parts()[No - 1];
    return std::min(P.Begin + 1, P.End);
  }
  uint32_t Compile = Line.compileAt(R.position());
  const Timeline::Part &P = Line.parts()[Compile];
  if (What == "event" ? parseNumber(Rest, Number) : parseNumber(What, Number)) {
    if (Number >= P.End - P.Begin)
      return makeError(R.index().name(), "event " + std::to_string(Number),
                       "one below " + std::to_string(P.End - P.Begin));
    return P.Begin + Number + 1;
  }
  if (What.ends_with('%')) {
    Result<uint64_t> Part =
        parseSize(std::string(What.substr(0, What.size() - 1)) + "MB");
    constexpr uint64_t Whole = 100'000'000; // per cent in millionths
    if (!Part || *Part > Whole)
      return usageError(makeError({}, "'" + std::string(What) + "'",
                                  "a part from 0% to 100%"));
    auto Ns = static_cast<uint64_t>(static_cast<double>(P.EndNs) *
                                    static_cast<double>(*Part) / Whole);
    return Line.after(Compile, *Part == Whole ? UINT64_MAX : Ns);
  }
  Result<uint64_t> Ns = parseDuration(std::string(What));
  if (!Ns || !Rest.empty())
    return usageError(makeError({}, "'" + std::string(Where) + "'",
                                "a time such as 1.5s, an event, N%, record N, "
                                "compile N, start or end"));
  return Line.after(Compile, *Ns);
}

Result<void> Debugger::goTo(std::string_view Where) {
  INSTANTRACE_TRY_ASSIGN(Position Target, destination(Where));
  R.goTo(Target);
  return arrived(Stop{});
}

//===----------------------------------------------------------------------===//
// Breakpoints
//===----------------------------------------------------------------------===//

Result<void> Debugger::added(uint32_t Number) {
  Writer.breakpointAdded(viewOf(*R.breakpoint(Number)));
  return {};
}

Result<uint32_t> Debugger::addStop(std::string_view Arguments, bool IsRegex,
                                   bool IsTemporary) {
  INSTANTRACE_TRY_ASSIGN(std::string File, selectedFile());
  INSTANTRACE_TRY_ASSIGN(StopSpec Spec,
                         parseStopSpec(Arguments, IsRegex, File));
  return R.addBreakpoint(Spec, false, IsTemporary, More != nullptr);
}

Result<void> Debugger::add(std::string_view Arguments, bool IsRegex,
                           bool IsTemporary) {
  INSTANTRACE_TRY_ASSIGN(uint32_t Number,
                         addStop(Arguments, IsRegex, IsTemporary));
  return added(Number);
}

Result<void> Debugger::addBreakpoint(std::string_view Arguments) {
  return add(Arguments, false, false);
}
Result<void> Debugger::addTemporary(std::string_view Arguments) {
  return add(Arguments, false, true);
}
Result<void> Debugger::advance(std::string_view Arguments) {
  if (Arguments.empty())
    return next(Arguments);
  INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, R.stack());
  INSTANTRACE_TRY_ASSIGN(uint32_t Number, addStop(Arguments, false, true));
  // As gdb has it, no further than to where the selected frame is left.
  Result<Stop> Stopped =
      runOn(Open.empty() ? Timeline::None
                         : Open[std::min(Selected, Open.size() - 1)]);
  R.removeBreakpoint(Number);
  return arrived(Stopped);
}
Result<void> Debugger::addRegex(std::string_view Arguments) {
  return add(Arguments, true, false);
}
Result<void> Debugger::addWatch(std::string_view Arguments) {
  INSTANTRACE_TRY_ASSIGN(StopSpec Spec, parseWatch(Arguments));
  INSTANTRACE_TRY_ASSIGN(uint32_t Number, R.addBreakpoint(Spec, true, false));
  return added(Number);
}

/// Those of the numbers, or all.
Result<std::vector<Breakpoint *>>
Debugger::breakpointsOf(std::string_view Arguments) {
  std::vector<Breakpoint *> Found;
  if (trimmed(Arguments).empty())
    for (Breakpoint &B : R.breakpoints())
      Found.push_back(&B);
  for (std::string_view Rest = Arguments; !(Rest = trimmed(Rest)).empty();) {
    std::string_view Word = takeWord(Rest);
    uint64_t Number = 0;
    Breakpoint *B = parseNumber(Word, Number) ? R.breakpoint(Number) : nullptr;
    if (!B)
      return usageError(makeError({}, "'" + std::string(Word) + "'",
                                  "the number of a breakpoint, as info "
                                  "breakpoints shows it"));
    Found.push_back(B);
  }
  return Found;
}

Result<void> Debugger::removeBreakpoints(std::string_view Arguments) {
  INSTANTRACE_TRY_ASSIGN(std::vector<Breakpoint *> Found,
                         breakpointsOf(Arguments));
  std::vector<uint32_t> Numbers;
  for (const Breakpoint *B : Found)
    Numbers.push_back(B->Number);
  for (uint32_t Number : Numbers)
    R.removeBreakpoint(Number);
  return {};
}

Result<void> Debugger::setEnabled(std::string_view Arguments, bool IsEnabled) {
  INSTANTRACE_TRY_ASSIGN(std::vector<Breakpoint *> Found,
                         breakpointsOf(Arguments));
  for (Breakpoint *B : Found)
    B->IsEnabled = IsEnabled;
  return {};
}
Result<void> Debugger::enableBreakpoints(std::string_view Arguments) {
  return setEnabled(Arguments, true);
}
Result<void> Debugger::disableBreakpoints(std::string_view Arguments) {
  return setEnabled(Arguments, false);
}

Result<void> Debugger::setCondition(std::string_view Arguments) {
  std::string_view Rest = Arguments;
  std::string_view Number = takeWord(Rest);
  if (Number.empty())
    return usageError(makeError({}, "nothing", "the number of a breakpoint"));
  INSTANTRACE_TRY_ASSIGN(std::vector<Breakpoint *> Found,
                         breakpointsOf(Number));
  INSTANTRACE_TRY_ASSIGN_AS(usageError, Condition If, Condition::make(Rest));
  Found.front()->Search.setCondition(std::move(If));
  if (Rest.empty())
    Writer.text("Breakpoint " + std::string(Number) + " now unconditional.");
  return {};
}

Result<void> Debugger::setIgnore(std::string_view Arguments) {
  std::string_view Rest = Arguments;
  std::string_view Number = takeWord(Rest);
  if (Number.empty())
    return usageError(makeError({}, "nothing", "ignore N COUNT"));
  INSTANTRACE_TRY_ASSIGN(std::vector<Breakpoint *> Found,
                         breakpointsOf(Number));
  INSTANTRACE_TRY_ASSIGN_AS(usageError, uint64_t Count,
                            numberOf(Rest, "how many hits"));
  Found.front()->Ignore = Count;
  Writer.text(ignoreText(*Found.front()));
  return {};
}

Result<void> Debugger::quit(std::string_view Arguments) {
  uint64_t Code = 0;
  constexpr uint64_t MostCode = 255;
  if (!Arguments.empty() && (!parseNumber(Arguments, Code) || Code > MostCode))
    return usageError(makeError({}, "'" + std::string(Arguments) + "'",
                                "an exit code up to 255"));
  ExitCode = static_cast<int>(Code);
  return {};
}
