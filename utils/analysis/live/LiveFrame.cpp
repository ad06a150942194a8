#include "utils/analysis/live/LiveFrame.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>

using namespace instantrace;

namespace {

double perSecond(uint64_t Count, uint64_t Ns) {
  return Ns == 0 ? 0
                 : static_cast<double>(Count) * 1e9 / static_cast<double>(Ns);
}

} // namespace

/// `identifier<…>` for an entity whose name the producer still owes, or the
/// path of a file. Empty for none.
std::string LiveCompile::nameOf(const BufferSnapshot &Buffer, EntityId Id,
                                const TextFunction &TextOf) const {
  if (!Id)
    return {};
  const Sequence &S = Trace.sequence();
  const Entity *E = S.entity(Id);
  if (E && (!E->Name || S.Names.contains(E->Name)))
    return TextOf(S.Names, E->Name);
  const BufferSnapshot::Newest *Newest = Buffer.newestEntity(Id.Value);
  if (Newest && S.Names.contains({Newest->Name}))
    return TextOf(S.Names, {Newest->Name});
  if (Newest && !Newest->Text.empty())
    return Newest->Text;
  return "<entity " + std::to_string(Id.Value) + ">";
}

void LiveCompile::addStack(LiveFrame &Frame, const BufferSnapshot &Buffer,
                           uint64_t NowNs, const TextFunction &TextOf) const {
  const Sequence &S = Trace.sequence();
  for (IntervalId Id = Trace.innermost(); Id;
       Id = S.Intervals[Id.Value].Parent) {
    const Interval &I = S.Intervals[Id.Value];
    LiveLevel &Level = Frame.Stack.emplace_back();
    Level.Kind = eventKindName(I.Kind);
    Level.Name = nameOf(Buffer, I.Entity, TextOf);
    Level.OpenNs = NowNs - std::min(NowNs, I.BeginNs);
    const Location *L = S.location(I.Location);
    if (L && S.Names.contains(L->File)) {
      Level.File = S.Names.text(L->File, ShownPathBytes);
      Level.LineNo = L->LineNo;
      Level.ColumnNo = L->ColumnNo;
    } else {
      Level.IsPlaceLate = static_cast<bool>(I.Location);
    }
  }
  std::reverse(Frame.Stack.begin(), Frame.Stack.end());
}

LiveFrame LiveCompile::look(const BufferSnapshot &Buffer,
                            const BufferImage *Partial,
                            LiveFrame::StateKind State, uint64_t NowNs,
                            const TextFunction &TextOf) {
  auto Update = [&] {
    return Trace.update(Buffer, Partial,
                        [this](const Sequence &S) { Costs.update(S); });
  };
  if (!Update()) {
    Costs = LiveCosts();
    Update();
  }
  const Sequence &S = Trace.sequence();
  LiveFrame Frame;
  Frame.State = State;
  Frame.Input = S.Session ? S.Session->Input : std::string();
  Frame.Pid = Buffer.Pid;
  Frame.Signal = Buffer.Signal;
  Frame.FinalPath = Buffer.FinalPath;
  Frame.AstBytes = Buffer.AstBytes;
  Frame.Events = S.EventCount;
  Frame.EventsDropped = Buffer.EventsDropped;
  Frame.Pass = Buffer.Pass;
  // Of a compile that is dead nobody knows for how long.
  uint64_t SinceStartNs = S.lastWallNs();
  if (State == LiveFrame::StateKind::Running)
    SinceStartNs =
        std::max(SinceStartNs, NowNs - std::min(NowNs, Buffer.MonotonicNs));
  Frame.RunningNs = SinceStartNs;
  Frame.SinceEventNs = SinceStartNs - S.lastWallNs();
  Frame.AverageEventsPerSecond = perSecond(Frame.Events, SinceStartNs);
  Frame.EventsPerSecond =
      LastLookNs == 0
          ? Frame.AverageEventsPerSecond
          : perSecond(Frame.Events - std::min(LastEvents, Frame.Events),
                      NowNs - LastLookNs);
  LastLookNs = NowNs;
  LastEvents = Frame.Events;
  const uint64_t EventNs = SinceStartNs - std::min(SinceStartNs, S.WaitedNs);
  addStack(Frame, Buffer, EventNs, TextOf);
  Frame.Hottest =
      Costs.hottest(S, EventNs, HottestRows, [&](NameId Name, EntityId Id) {
        return Name ? TextOf(S.Names, Name) : nameOf(Buffer, Id, TextOf);
      });
  Frame.Problems = Buffer.Problems;
  if (!Trace.problem().empty())
    Frame.Problems.push_back(Trace.problem());
  return Frame;
}
