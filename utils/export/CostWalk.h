/// \file
/// Gives each interval, fold and group of elided leaves its own share, for the
/// formats that add up.
///
/// Flow:   Trace, ExportPlan, ExportFrames -> [walkCosts] -> CallTree,
/// CallGraph
///
/// The shares of a sequence add up to the time of its outermost intervals, and
/// each sequence has its input as root.
#pragma once

#include "utils/export/ExportFrames.h"
#include "utils/export/ExportWalk.h"

#include <algorithm>
#include <vector>

namespace instantrace {

struct ExportCost {
  uint64_t Ns = 0;
  uint64_t AstBytes = 0;
  uint64_t Count = 0; // intervals; a fold or leaves: so many

  ExportCost &operator+=(const ExportCost &Other) {
    Ns += Other.Ns;
    AstBytes += Other.AstBytes;
    Count += Other.Count;
    return *this;
  }
};

/// Where something was asked for. File 0: not known.
struct CallSite {
  uint32_t File = 0;
  uint32_t LineNo = 0;
  friend auto operator<=>(const CallSite &, const CallSite &) = default;
};

template <class Sink> class CostWalk {
public:
  CostWalk(const Sequence &S, ExportFrames &Frames, Sink &Out)
      : S(S), Frames(Frames), Out(Out) {}

  void begin(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    CallSite Site;
    if (const Location *L =
            Sink::NeedsCallSites ? S.location(I.Location) : nullptr)
      Site = {Frames.file(L->File), L->LineNo};
    Out.enter(Frames.frameFor(I), Site);
    InsideNs.push_back(0);
  }
  void end(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    uint64_t SelfNs = I.durationNs() - InsideNs.back();
    InsideNs.pop_back();
    if (I.HasElided) {
      ElidedLeaves Leaves = S.elidedIn(Id);
      // A lying trace has no more of them than there is time.
      uint64_t Ns = std::min(Leaves.SumNs, SelfNs);
      leaf(ElidedFrame, {Ns, 0, Leaves.Count});
      SelfNs -= Ns;
    }
    Out.leave({SelfNs, I.AstBytes, 1});
    addInside(I.durationNs());
  }
  void fold(const Fold &F) {
    leaf(FoldedFrame, {F.DurationNs, F.AstBytes, F.Intervals});
    addInside(F.DurationNs);
  }
  void instant(const Instant &) {} // takes no time

private:
  void leaf(std::string_view Name, const ExportCost &Self) {
    Out.enter(Frames.fixed(Name), {});
    Out.leave(Self);
  }
  void addInside(uint64_t Ns) {
    if (!InsideNs.empty())
      InsideNs.back() += Ns;
  }

  const Sequence &S;
  ExportFrames &Frames;
  Sink &Out;
  std::vector<uint64_t> InsideNs; // by open interval
};

/// Calls To.enter(uint32_t Frame, CallSite) and To.leave(ExportCost Self). The
/// site is known where Sink::NeedsCallSites.
template <class Sink>
void walkCosts(const Trace &T, const ExportPlan &Plan, ExportFrames &Frames,
               Sink &Out) {
  for (size_t Index = 0; Index != T.Sequences.size(); ++Index) {
    Frames.enterSequence(Index);
    Out.enter(Frames.ofInput(), {});
    walkExport(T.Sequences[Index], Index, Plan,
               CostWalk<Sink>(T.Sequences[Index], Frames, Out));
    Out.leave({});
  }
}

} // namespace instantrace
