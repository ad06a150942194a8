/// \file
/// Intervals, folds and instants as rows, for the formats that have columns.
///
/// Flow: walkExport -> [IntervalRows] -> CSV, JSON lines
#pragma once

#include "utils/export/ExportJob.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace instantrace {

/// A number 0 where there is nothing: no parent, no line. Texts are clean, and
/// valid as long as the call.
struct IntervalRow {
  uint64_t Id = 0;     // in its sequence, from 1; 0: a fold or an instant
  uint64_t Parent = 0; // innermost interval around it
  uint64_t Requester = 0;
  uint64_t Depth = 0; // intervals around it that are exported
  std::string_view Kind;
  std::string_view Name;
  std::string_view File;
  uint32_t LineNo = 0, ColumnNo = 0;
  uint64_t BeginNs = 0, DurationNs = 0, SelfNs = 0;
  uint64_t AstBytes = 0; // without the intervals inside
  uint64_t Memoized = 0;
  uint64_t Count = 0; // 1; of a fold, the intervals in it; of an instant 0
  uint64_t ElidedCount = 0, ElidedNs = 0;
  bool Definition = false, Unfinished = false;
};

/// Calls To.row(const IntervalRow &) with each interval when it ends, so that
/// its self time is known: children come before their parents.
template <class Sink> class IntervalRows {
public:
  IntervalRows(const Sequence &S, ExportFrames &Frames, Sink &Out)
      : S(S), Frames(Frames), Out(Out) {}

  void begin(IntervalId Id) { Open.push_back({Id, 0}); }

  void end(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    uint64_t InsideNs = Open.back().InsideNs;
    Open.pop_back();
    addInside(I.durationNs());
    IntervalRow Row = place(I.Location);
    name(Row, Frames.frameFor(I));
    Row.Id = uint64_t(Id.Value) + 1;
    Row.Requester = I.Requester ? uint64_t(I.Requester.Value) + 1 : 0;
    Row.BeginNs = I.BeginNs;
    Row.DurationNs = I.durationNs();
    Row.SelfNs = I.durationNs() - InsideNs;
    Row.AstBytes = I.AstBytes;
    Row.Memoized = I.memoized();
    Row.Count = 1;
    Row.Definition = I.Definition;
    Row.Unfinished = I.Open;
    if (I.HasElided) {
      ElidedLeaves Leaves = S.elidedIn(Id);
      Row.ElidedCount = Leaves.Count;
      Row.ElidedNs = std::min(Leaves.SumNs, Row.SelfNs);
      Row.SelfNs -= Row.ElidedNs;
    }
    Out.row(Row);
  }

  void fold(const Fold &F) {
    addInside(F.DurationNs);
    IntervalRow Row = place({});
    Row.Kind = FoldedFrame;
    Row.BeginNs = F.BeginNs;
    Row.DurationNs = Row.SelfNs = F.DurationNs;
    Row.AstBytes = F.AstBytes;
    Row.Count = F.Intervals;
    Out.row(Row);
  }

  void instant(const Instant &I) {
    IntervalRow Row = place(I.Location);
    name(Row, Frames.frameFor(I));
    Row.BeginNs = I.TimeNs;
    Out.row(Row);
  }

private:
  struct OpenInterval {
    IntervalId Id;
    uint64_t InsideNs;
  };

  IntervalRow place(LocationId Id) {
    IntervalRow Row;
    Row.Depth = Open.size();
    Row.Parent = Open.empty() ? 0 : uint64_t(Open.back().Id.Value) + 1;
    if (const Location *L = S.location(Id)) {
      Row.File = Frames.fileName(Frames.file(L->File));
      Row.LineNo = L->LineNo;
      Row.ColumnNo = L->ColumnNo;
    }
    return Row;
  }
  void name(IntervalRow &Row, uint32_t Frame) {
    Row.Kind = Frames[Frame].Kind;
    Row.Name = Frames[Frame].Name;
  }
  void addInside(uint64_t Ns) {
    if (!Open.empty())
      Open.back().InsideNs += Ns;
  }

  const Sequence &S;
  ExportFrames &Frames;
  Sink &Out;
  std::vector<OpenInterval> Open;
};

/// Calls To.sequence(size_t) and then To.row() for what is in it.
template <class Sink> void walkRows(const ExportJob &Job, Sink &Out) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameOnly);
  for (size_t Index = 0; Index != Job.T.Sequences.size(); ++Index) {
    const Sequence &S = Job.T.Sequences[Index];
    Frames.enterSequence(Index);
    Out.sequence(Index);
    walkExport(S, Index, Job.Plan, IntervalRows<Sink>(S, Frames, Out));
  }
}

} // namespace instantrace
