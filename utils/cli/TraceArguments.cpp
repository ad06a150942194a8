#include "utils/cli/TraceArguments.h"

#include "utils/cli/InputProgress.h"
#include "utils/input/TraceInputs.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/HookText.h"

using namespace instantrace;

namespace {

/// The line of progress is gone when it returns.
Result<Trace> readWithProgress(const std::vector<std::string> &Paths) {
  InputProgress Seen;
  return readTraces(Paths, Seen);
}

} // namespace

CLI::Option *instantrace::addTraceArguments(CLI::App &Command,
                                            std::vector<std::string> &Paths) {
  return Command
      .add_option("trace", Paths,
                  "traces; a folder means all *.itrace below it; - is the "
                  "standard input")
      ->required();
}

Result<Trace>
instantrace::readTraceArguments(const std::vector<std::string> &Paths) {
  Result<Trace> T = readWithProgress(Paths);
  if (!T)
    return T;
  for (const std::string &Loss : T->losses())
    printWarning(Loss);
  if (std::string Note = hookNote(*T); !Note.empty())
    printNote(Note);
  return T;
}

Result<CompileMatch> instantrace::matchBuilds(const Trace &Old,
                                              const std::string &OldPath,
                                              const Trace &New,
                                              const std::string &NewPath) {
  CompileMatch Match = matchCompiles(Old, New);
  if (Match.Pairs.empty())
    return Error{NewPath + ": found no compile of a file that is compiled in " +
                 OldPath + ", expected at least one"};
  if (std::string Difference = hookDifference(Old, New); !Difference.empty())
    printWarning(Difference);
  return Match;
}
