#include "utils/session/BuildReading.h"

#include "utils/input/EachTrace.h"

#include <exception>
#include <filesystem>
#include <iterator>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Of one trace.
struct UnitPart {
  TraceCosts Costs;
  std::vector<SessionUnit> Units;
  std::vector<std::string> Losses;
  uint64_t SizeBytes = 0;
};

uint64_t wallNs(const Sequence &S) {
  uint64_t Ns = 0;
  for (const Interval &I : S.Intervals)
    if (!I.Parent)
      Ns += I.durationNs();
  return Ns;
}

UnitPart partOf(Trace T) {
  UnitPart Part;
  Part.Losses = T.losses();
  for (const Sequence &S : T.Sequences) {
    SessionUnit Unit;
    Unit.Trace = fs::path(T.Files[S.FileIndex].Name).filename().string();
    if (S.Session) {
      Unit.Source = S.Session->Input;
      Unit.Clang = S.Session->ClangVersion;
    }
    Unit.WallNs = wallNs(S);
    Unit.IsComplete =
        S.Footer && !S.Footer->isInterrupted() && Part.Losses.empty();
    Part.Units.push_back(std::move(Unit));
  }
  for (const TraceInput &File : T.Files)
    Part.SizeBytes += File.SizeBytes;
  Part.Costs =
      TraceCosts::of(std::move(T), std::vector<CostKey>(CostSums::Keys.begin(),
                                                        CostSums::Keys.end()));
  return Part;
}

} // namespace

void BuildReading::add(const std::vector<std::string> &Paths,
                       const std::function<bool(size_t Done)> &AtTrace) {
  MessageList Seen(Problems);
  size_t Done = 0;
  Result<void> Read;
  try {
    Read = forEachPart<UnitPart>(
        EachTrace{Paths, Seen, /*AreFailuresTold=*/true}, partOf,
        [&](UnitPart Part) -> Result<void> {
          Costs.add(Part.Costs);
          std::move(Part.Units.begin(), Part.Units.end(),
                    std::back_inserter(Units));
          std::move(Part.Losses.begin(), Part.Losses.end(),
                    std::back_inserter(Problems));
          SizeBytes += Part.SizeBytes;
          ++Done;
          bool GoesOn = AtTrace(Done) || Done == Paths.size();
          return GoesOn ? Result<void>() : Error{"stopped"};
        });
  } catch (const std::exception &E) {
    Read = Error{std::string("stopped by ") + E.what()};
  }
  if (!Read)
    Problems.push_back(Read.error().Message + " while traces were read: " +
                       std::to_string(Paths.size() - Done) +
                       " are not in the sums");
}
