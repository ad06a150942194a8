/// \file
/// The commands of `instantrace replay`, one line each.
///
/// Flow:   line -> [Debugger] -> Replay -> ReplayText
/// Errors: of a command, as a value; the state is then as before
#pragma once

#include "utils/replay/Replay.h"
#include "utils/replay/ReplayCommands.h"
#include "utils/replay/ReplaySources.h"
#include "utils/replay/ReplayText.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

class Debugger {
public:
  /// \p Source and \p Answers must outlive the object.
  Debugger(Replay &Source, ReplayText &Answers,
           InstantiationIndex::NameParts Parts,
           std::vector<std::string> SourceFolders = {})
      : R(Source), Writer(Answers), Parts(Parts),
        Sources(Source.index(), std::move(SourceFolders)) {}

  /// Asked at the end of what a running compile has done: true when there is
  /// more, false when nothing will come. Waits, until ^C.
  using MoreFunction = std::function<Result<bool>()>;
  void follow(MoreFunction Asked) { More = std::move(Asked); }

  /// Runs one command, and writes its answer. A comment is none.
  Result<void> execute(std::string_view Line);
  /// Of a prompt: an empty line repeats the last motion.
  Result<void> executeTyped(std::string_view Line);
  /// Each line of a file, until one fails, or until it and those that it runs
  /// have run or printed too much.
  Result<void> runScript(const std::string &Path);
  /// Where it begins.
  Result<void> showPosition();

  /// Whether the next line is kept for a breakpoint, and not run.
  bool isCollecting() const { return Collected.has_value(); }
  void stopCollecting() { Collected.reset(); }
  /// What `quit` has said.
  std::optional<int> exitCode() const { return ExitCode; }

private:
  friend struct ReplayCommandTable;

#define REPLAY_COMMAND(Handler, Names, Repeats, Argument, Usage, Help)         \
  Result<void> Handler(std::string_view Arguments);
#include "utils/replay/ReplayCommands.def"

  Result<void> move(Direction Way, std::string_view Count,
                    Result<Stop> (Replay::*How)(Direction, uint64_t));
  Result<void> finishFrame(Direction Way, std::string_view Arguments);
  Result<void> arrived(const Result<Stop> &Stopped);
  Result<void> showStop(const Stop &Stopped);
  /// A breakpoint of what is written; its number.
  Result<uint32_t> addStop(std::string_view Arguments, bool IsRegex,
                           bool IsTemporary);
  /// The same, and says so.
  Result<void> add(std::string_view Arguments, bool IsRegex, bool IsTemporary);
  Result<void> added(uint32_t Number);
  Result<std::vector<Breakpoint *>> breakpointsOf(std::string_view Arguments);
  Result<void> setEnabled(std::string_view Arguments, bool IsEnabled);
  Result<void> moveFrame(std::string_view Count, bool IsUp);
  Result<void> showFrame(bool IsWhole);
  /// The record of the selected frame; an error when there is no frame.
  Result<uint32_t> selectedRecord() const;
  Result<std::string> selectedFile() const;
  Result<IndexFrame> frameOfRecord(uint32_t Id) const {
    return indexFrame(R.index(), Id, Parts);
  }
  Result<Position> destination(std::string_view Where) const;

  Result<void> showBreakpoints();
  Result<void> showEntity(std::string_view Name, bool IsRegex);
  Result<void> showStatistics();
  Result<void> showCompiles();
  Result<EntityView> entityView(uint32_t Id) const;
  Result<std::vector<uint32_t>> entitiesOf(std::string_view Name, bool IsRegex,
                                           size_t Wanted, size_t &More) const;
  static BreakpointView viewOf(const Breakpoint &B);
  Result<void> listAround(const std::string &File, uint64_t First,
                          uint64_t Last, uint32_t Current);
  Result<void> addCosts(const std::vector<uint32_t> &Files,
                        SourceView::Line &Line, uint64_t &Timed);
  Result<Stop> runUpto(uint32_t Record);
  Result<Stop> runOn(uint32_t Upto);
  void sayPending(std::string_view Rest);
  Result<void> passOver(std::string_view Count);
  Result<void> showDisplays();
  Result<void> runDisplay(const std::string &Line);
  Result<void> collect(std::string_view Line);
  /// Whether a script may go on.
  Result<void> checkScript();
  Result<void> runPending();
  Error fault() const { return Error{R.index().fault()}; }

  Replay &R;
  ReplayText &Writer;
  InstantiationIndex::NameParts Parts;
  size_t Selected = 0;             ///< frame, 0 is the innermost
  std::vector<uint32_t> StoppedAt; ///< breakpoints of the last stop
  uint32_t ShownCompile = Timeline::None;
  std::string Repeated; ///< by an empty line
  std::optional<int> ExitCode;
  MoreFunction More; ///< empty: nothing follows
  size_t ScriptDepth = 0;
  struct {
    uint64_t Commands = 0, FirstByte = 0;
  } Script; ///< the outermost that runs, with those that it runs
  bool IsErrorPlaced = false; ///< with the line of the innermost script
  ReplaySources Sources;
  bool ShowsSource = true, EchoesCommands = false;
  struct {
    std::string File;
    uint64_t First = 0, Last = 0; ///< 0: nothing was listed here
  } Listed;
  uint64_t ListSize = 10;
  struct Display {
    uint64_t Number;
    std::string Command;
  };
  std::vector<Display> Displays;
  uint64_t LastDisplay = 0;
  /// Lines behind `commands`, up to `end`.
  struct Collection {
    std::vector<uint32_t> Breakpoints; ///< breakpoints
    std::vector<std::string> Lines;
  };
  std::optional<Collection> Collected;
  std::vector<std::string> Pending; ///< of the breakpoints that have stopped
  bool IsRunningPending = false;
};

} // namespace instantrace
