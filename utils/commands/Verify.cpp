/// \file
/// `instantrace verify`: every invariant of the format.
///
/// Flow: TraceInputs -> TraceReader -> all TraceInput::Issues -> text
#include "runtime/base/PrintableText.h"
#include "runtime/index/Index.h"
#include "runtime/read/TraceReader.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/InputProgress.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/index/TraceIndex.h"
#include "utils/open/FileKind.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/render/TextTable.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

using namespace instantrace;

namespace {

/// Damage of what a trace is wrapped in is a violation as well.
class VerifyProgress final : public InputProgress {
public:
  VerifyProgress() : InputProgress("verifying") {}
  void damaged(const std::string &Message) override { Damage = Message; }
  /// Of the last file that was read; then none.
  std::string takeDamage() { return std::exchange(Damage, {}); }

private:
  std::string Damage;
};

struct VerifyOptions {
  std::vector<std::string> Inputs;
};

/// What is missing from the sequences of one file; empty: nothing.
class MissingParts {
public:
  void add(const Sequence &S) {
    Open += S.OpenCount;
    if (!S.Footer) {
      ++WithoutFooter;
      return;
    }
    Fragments += S.Footer->FragmentsDropped;
    Events += S.Footer->EventsDropped;
    if (!S.Footer->isInterrupted())
      return;
    ++Interrupted;
    Signal = S.Footer->Signal;
    Missing += S.missingNames();
  }

  std::string text() const {
    std::string Text;
    auto Part = [&Text](const std::string &What) {
      Text.append(Text.empty() ? "" : ", ").append(What);
    };
    auto Count = [&Part](uint64_t Number, const char *Noun,
                         const char *Plural = "") {
      if (Number != 0)
        Part(counted(Number, Noun, Plural));
    };
    if (WithoutFooter)
      Part("no footer");
    if (Interrupted == 1)
      Part("interrupted" + (Signal ? " by " + signalText(Signal) : ""));
    else
      Count(Interrupted, "compile interrupted", "compiles interrupted");
    Count(Open, "interval open", "intervals open");
    Count(Missing.Short, "entity with a short name",
          "entities with a short name");
    Count(Missing.None, "entity without name", "entities without name");
    Count(Fragments, "fragment dropped", "fragments dropped");
    Count(Events, "event dropped", "events dropped");
    return Text;
  }

private:
  uint64_t WithoutFooter = 0, Interrupted = 0, Open = 0;
  MissingNames Missing;
  uint64_t Fragments = 0, Events = 0;
  uint32_t Signal = 0; // of the last one that was interrupted
};

void appendViolation(const std::string &Message, Output &Out) {
  TextStyles Styles(standardOutputTerminal());
  Out.append(Styles.Bold);
  appendPrintable(Out.buffer(), Message);
  Out.append(Styles.Plain);
  Out.append("\n");
}

/// Appends the verdict on the one file in T; true if it is good.
bool appendVerdict(const Trace &T, Output &Out) {
  const TraceInput &File = T.Files.front();
  for (const TraceIssue &Issue : File.Issues)
    appendViolation(Issue.message(File.Name), Out);
  if (File.IssuesNotKept)
    Out.append(printableText(File.Name) + ": " +
               counted(File.IssuesNotKept, "more violation") + "\n");
  if (!File.Issues.empty())
    return false;
  uint64_t Events = 0, Names = 0;
  MissingParts Missing;
  for (const Sequence &S : T.Sequences) {
    Events += S.EventCount;
    Names += S.Names.size();
    Missing.add(S);
  }
  std::string MissingText = Missing.text();
  Out.append(printableText(File.Name) + ": ok, " +
             counted(File.PacketCount, "packet") + ", " +
             counted(Events, "event") + ", " + counted(Names, "name") +
             (MissingText.empty() ? "" : ", incomplete: " + MissingText) +
             "\n");
  return true;
}

/// The same of an index.
bool verifyIndex(const std::string &Path, Output &Out) {
  InstantiationIndex X;
  std::string Why;
  bool IsOpen = InstantiationIndex::open(Path, X, Why);
  if (!IsOpen || !X.verify()) {
    appendViolation(IsOpen ? X.fault() : Why, Out);
    return false;
  }
  Out.append(printableText(Path) + ": ok, " +
             counted(X.compileCount(), "compile") + ", " +
             counted(X.recordCount(), "record") + ", " +
             counted(X.entityCount(), "entity", "entities") + "\n");
  return true;
}

Result<int> runVerify(const VerifyOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs, NamedTwice::LookOnce));
  VerifyProgress Seen;
  Seen.begin(totalBytes(Files));
  Output Out(stdout, Seen.shown());
  bool AllGood = true;
  uint64_t Before = 0;
  for (const std::string &Path : Files) {
    Seen.enter(inputName(Path));
    if (isIndex(Path)) {
      AllGood &= verifyIndex(Path, Out);
      continue;
    }
    INSTANTRACE_TRY_ASSIGN(std::string Bytes, readBytes(Path, &Seen));
    Trace T;
    readTrace(Bytes, inputName(Path), T,
              [&](uint64_t Done) { Seen.at(Before + Done); });
    nameForeignFile(Bytes, T.Files.front(),
                    "a trace of the plugin (x.itrace), or an index");
    Before += totalBytes({Path});
    if (std::string Damage = Seen.takeDamage(); !Damage.empty()) {
      appendViolation(Damage, Out);
      AllGood = false;
      continue;
    }
    AllGood &= appendVerdict(T, Out);
  }
  INSTANTRACE_TRY(Out.finish());
  return AllGood ? ExitSuccess : ExitBadInput;
}

} // namespace

CommandRun instantrace::addVerify(CLI::App &App) {
  auto Opts = std::make_shared<VerifyOptions>();
  CLI::App *Command = App.add_subcommand(
      "verify",
      "Check traces against every rule of the format, and indexes for damage.");
  addTraceArguments(*Command, Opts->Inputs);
  addColorOption(*Command);
  Command->footer(
      R"(Prints one line per file, or one line per violation: the packet, the rule, what
was found and what was expected. The trace of a compile that was killed breaks
no rule, with a footer by recover or without one; it is reported as incomplete,
with what is missing. An index is checked for damage alone. Exit code 1 if there
is any violation.

Examples:
  instantrace verify a.itrace
  instantrace verify build/)");
  return [Opts] { return runVerify(*Opts); };
}
