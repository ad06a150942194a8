#include "utils/cli/CheckOptions.h"

#include "utils/cli/NamedPart.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/QuestionTraces.h"
#include "utils/cli/TraceArguments.h"
#include "utils/render/CheckText.h"

#include <memory>
#include <utility>

using namespace instantrace;

void instantrace::addCheckOptions(CLI::App &Command, CheckOptions &Options) {
  addTracesOrNewest(Command, Options.Inputs);
  addFilterOptions(Command, Options.Filter);
  addOutputOptions(Command, Options.Output, "rows");
}

Result<int> instantrace::runChecks(const CheckOptions &Options,
                                   CheckFamily Family) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Options.Filter));
  QuestionTraces Traces(Options.Inputs);
  INSTANTRACE_TRY(Traces.find(Filter));
  MergedNames Names;
  MergedChecks Merged;
  INSTANTRACE_TRY(Traces.stream(
      [&] { return std::make_unique<NamedPart<CheckSink>>(Family, Filter); },
      [&](NamedPart<CheckSink> &Part) -> Result<void> {
        Names.enterTrace(Part.T);
        Merged.add(std::move(Part.Taken), Names);
        return {};
      }));
  const Trace &T = Names.trace();
  CheckCosts Costs = Merged.take(T);
  return Options.Output.print(writeCheckText, writeCheckRecords, T, Costs,
                              Family, Options.Output.Rows,
                              Options.Output.style());
}
