#include "utils/render/BuildText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

/// In the line of status.
constexpr size_t UnitColumns = 20;

} // namespace

std::string instantrace::unitOfTrace(std::string_view Trace) {
  constexpr size_t HashBytes = 13; // "-0123456789ab"
  Trace.remove_prefix(Trace.rfind('/') + 1);
  for (std::string_view Ending : {".zst", ".itrace"})
    if (Trace.ends_with(Ending))
      Trace.remove_suffix(Ending.size());
  if (Trace.size() > HashBytes && Trace[Trace.size() - HashBytes] == '-')
    Trace.remove_suffix(HashBytes);
  return std::string(Trace);
}

std::string instantrace::buildStatusText(const BuildStatus &Status,
                                         size_t Columns) {
  std::string Text =
      fmt::format("instantrace: {} recorded, {} running",
                  counted(Status.Ended, "compile"), Status.Running.size());
  auto Slowest =
      std::max_element(Status.Running.begin(), Status.Running.end(),
                       [](const RunningCompile &A, const RunningCompile &B) {
                         return A.SinceNs < B.SinceNs;
                       });
  if (Slowest != Status.Running.end())
    Text += fmt::format(
        ", longest {} for {}{}{}{}",
        elideName(printableText(unitOfTrace(Slowest->Trace)), UnitColumns),
        timeText(Slowest->SinceNs), Slowest->Doing,
        Slowest->ResidentBytes ? ", " + sizeText(Slowest->ResidentBytes) : "",
        Slowest->IsGrowing ? ", still growing" : "");
  return columnsOf(Text) <= Columns ? Text : elideName(Text, Columns);
}
