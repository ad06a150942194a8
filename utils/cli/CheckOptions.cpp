#include "utils/cli/CheckOptions.h"

#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/TraceArguments.h"
#include "utils/render/CheckText.h"

#include <memory>
#include <optional>
#include <utility>

using namespace instantrace;

namespace {

/// What one trace adds.
class CheckPart final : public NotedStream {
public:
  CheckPart(CheckFamily Family, const TraceFilter &Filter)
      : Events(std::in_place, T, Family, Filter) {}

  TraceSink &events() override { return *Events; }
  /// Of the trace, names are left.
  void finish() override {
    Notes.add(T, Observed);
    Costs = Events->take();
    Events.reset();
    T = takeNames(std::move(T));
  }

  CheckCosts Costs;

private:
  std::optional<CheckSink> Events;
};

} // namespace

void instantrace::addCheckOptions(CLI::App &Command, CheckOptions &Options) {
  addTracesOrNewest(Command, Options.Inputs);
  addFilterOptions(Command, Options.Filter);
  addOutputOptions(Command, Options.Output, "rows");
}

Result<int> instantrace::runChecks(const CheckOptions &Options,
                                   CheckFamily Family) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Options.Filter));
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Options.Inputs));
  INSTANTRACE_TRY_ASSIGN(std::unique_ptr<LearnedScopes> Scopes,
                         learnScopesOf(Filter, Files, Options.Inputs));
  MergedNames Names;
  MergedChecks Merged;
  INSTANTRACE_TRY(streamEachTrace(
      Files, [&] { return std::make_unique<CheckPart>(Family, Filter); },
      [&](CheckPart &Part) -> Result<void> {
        Names.enterTrace(Part.T);
        Merged.add(std::move(Part.Costs), Names);
        return {};
      },
      /*AreFailuresTold=*/false, &Options.Inputs));
  const Trace &T = Names.trace();
  CheckCosts Costs = Merged.take(T);
  Output Out(stdout);
  if (Options.Output.Records)
    writeCheckRecords(Out, *Options.Output.Records, T, Costs, Family,
                      Options.Output.Rows, Options.Output.style());
  else
    writeCheckText(Out, T, Costs, Family, Options.Output.Rows,
                   Options.Output.style(), standardOutputTerminal());
  return Out.finish();
}
