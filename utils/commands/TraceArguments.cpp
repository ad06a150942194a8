#include "utils/commands/TraceArguments.h"

#include "utils/input/TraceInputs.h"
#include "utils/render/Diagnostics.h"

using namespace instantrace;

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
  Result<Trace> T = readTraces(Paths);
  if (T)
    for (const std::string &Loss : T->losses())
      printWarning(Loss);
  return T;
}
