#include "utils/session/BuildReading.h"

#include "utils/analysis/chains/Unfinished.h"
#include "utils/open/EachTrace.h"

#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// The counts of a sequence are all that is wanted of its events.
class CountedEvents final : public NoEvents {
  bool wantsEvents() const override { return true; }
};

/// Of one trace.
class UnitPart final : public StreamedTrace {
public:
  TraceSink &events() override { return Counted; }
  void finish() override {
    Losses = T.losses();
    for (size_t I = 0; I != T.Sequences.size(); ++I) {
      const Sequence &S = T.Sequences[I];
      SessionUnit Unit;
      Unit.Trace = fs::path(T.Files[S.FileIndex].Name).filename().string();
      if (S.Session) {
        Unit.Source = S.Session->Input;
        Unit.Clang = S.Session->ClangVersion;
      }
      Unit.WallNs = S.lastWallNs();
      Unit.IsComplete =
          S.Footer && !S.Footer->isInterrupted() && Losses.empty();
      IsUnfinished |= isUnfinished(S);
      Units.push_back(std::move(Unit));
    }
    for (const TraceInput &File : T.Files)
      SizeBytes += File.SizeBytes;
    T = {};
  }

  CountedEvents Counted;
  std::vector<SessionUnit> Units;
  std::vector<std::string> Losses;
  uint64_t SizeBytes = 0;
  bool IsUnfinished = false;
};

} // namespace

void BuildReading::add(const std::vector<std::string> &Paths,
                       const std::function<bool(size_t Done)> &AtTrace) {
  MessageList Seen(Problems);
  size_t Done = 0;
  Result<void> Read;
  try {
    Read = forEachStreamed(
        EachTrace{Paths, Seen, /*AreFailuresTold=*/true},
        [] { return std::make_unique<UnitPart>(); },
        [&](UnitPart &Part) -> Result<void> {
          std::move(Part.Units.begin(), Part.Units.end(),
                    std::back_inserter(Units));
          std::move(Part.Losses.begin(), Part.Losses.end(),
                    std::back_inserter(Problems));
          SizeBytes += Part.SizeBytes;
          if (Part.IsUnfinished)
            Unfinished.push_back(Part.Path);
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
