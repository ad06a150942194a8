#include "utils/cli/CheckOptions.h"

#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/TraceArguments.h"
#include "utils/render/CheckText.h"

using namespace instantrace;

void instantrace::addCheckOptions(CLI::App &Command, CheckOptions &Options) {
  addTracesOrNewest(Command, Options.Inputs);
  addFilterOptions(Command, Options.Filter);
  addOutputOptions(Command, Options.Output, "rows");
}

Result<int> instantrace::runChecks(const CheckOptions &Options,
                                   CheckFamily Family) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Options.Filter));
  INSTANTRACE_TRY_ASSIGN(Trace T, readTraceArguments(Options.Inputs));
  CheckCosts Costs = checkCosts(T, Family, Filter);
  Output Out(stdout);
  if (Options.Output.Records)
    writeCheckRecords(Out, *Options.Output.Records, T, Costs, Family,
                      Options.Output.Rows, Options.Output.style());
  else
    writeCheckText(Out, T, Costs, Family, Options.Output.Rows,
                   Options.Output.style(), standardOutputTerminal());
  return Out.finish();
}
