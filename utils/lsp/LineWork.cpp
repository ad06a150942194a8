#include "utils/lsp/LineWork.h"

#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/FunctionHomes.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/open/EachTrace.h"
#include "utils/open/TraceInputs.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

constexpr size_t NameBytes = 100;

class LineStream final : public StreamedTrace, TraceSink, EventSink {
public:
  LineStream(const EditorUnit &Unit, std::string Path, uint32_t LineNo)
      : Unit(Unit), Path(std::move(Path)), LineNo(LineNo) {}

  TraceSink &events() override { return *this; }

  EventSink &beginSequence(uint32_t Index) override {
    const Sequence &S = T.Sequences[Index];
    if (!Groups)
      Groups.emplace(T, EntityLevel::Template);
    Groups->enterSequence(Index);
    Times = {};
    Depth = OuterDepth = 0;
    IsOfLine.assign(S.Locations.Rows.size() + 1, false);
    const std::string Folder = S.Session ? S.Session->WorkingDirectory : "";
    if (S.Session && pathFrom(Folder, S.Session->Input) == Unit.Source)
      for (size_t Id = 1; Id != IsOfLine.size(); ++Id) {
        const Location &L = S.Locations.Rows[Id - 1];
        IsOfLine[Id] = L.LineNo == LineNo &&
                       pathFrom(Folder, normalPathOf(S, L.File)) == Path;
      }
    return *this;
  }
  void endSequence(Sequence &) override {}

  void finish() override {
    std::ranges::sort(Rows, [](const auto &A, const auto &B) {
      return A.second.InclusiveNs > B.second.InclusiveNs;
    });
    for (size_t I = 0; I != Rows.size(); ++I) {
      LineRow &Row = Rows[I].second;
      if (I < MostLineRows) {
        Row.Name = Groups->name(Rows[I].first).text(T, {}, NameBytes);
        if (Row.Name.starts_with('/'))
          Row.Name = normalPath(Row.Name);
        Work.Largest.push_back(std::move(Row));
        continue;
      }
      ++Work.Others.Count;
      Work.Others.InclusiveNs += Row.InclusiveNs;
      Work.Others.AstBytes += Row.AstBytes;
    }
    T = {};
  }

  LineWork Work;

private:
  void begin(IntervalId, const Interval &I) override {
    Times.begin();
    ++Depth;
    if (OuterDepth != 0 || !isOfLine(I.Location) || isFunctionWork(I) ||
        I.Kind == EventKind::Profiling)
      return;
    OuterDepth = Depth;
    RowDepth = Depth + (I.Kind == EventKind::FileInclusion);
    InsideBytes = 0;
  }

  void end(IntervalId, const Interval &I, const ElidedLeaves &) override {
    const OpenTimes::Ended Ns = Times.end(I);
    const uint32_t EndedDepth = Depth--;
    if (OuterDepth == 0)
      return;
    InsideBytes += I.AstBytes;
    if (EndedDepth == RowDepth && I.Kind != EventKind::Profiling)
      add(I, Ns.InclusiveNs);
    else if (EndedDepth == OuterDepth)
      add(I, Ns.SelfNs).IsItself = true;
    if (EndedDepth == OuterDepth)
      OuterDepth = 0;
  }
  void instant(const Instant &) override {}

  bool isOfLine(LocationId Id) const {
    return Id.Value < IsOfLine.size() && IsOfLine[Id.Value];
  }

  LineRow &add(const Interval &I, uint64_t Ns) {
    const uint32_t Group = I.Entity ? Groups->groupFor(I.Entity)
                                    : Groups->fixed(eventKindName(I.Kind));
    auto [Place, IsNew] = RowNumbers.try_emplace(Group, Rows.size());
    if (IsNew)
      Rows.emplace_back(Group, LineRow());
    LineRow &Row = Rows[Place->second].second;
    Row.InclusiveNs += Ns;
    Row.AstBytes += std::exchange(InsideBytes, 0);
    ++Row.Count;
    return Row;
  }

  const EditorUnit &Unit;
  const std::string Path;
  const uint32_t LineNo;
  std::optional<EntityGroups> Groups;
  OpenTimes Times;
  uint32_t Depth = 0;
  uint32_t OuterDepth = 0; ///< of the line's interval; 0: none is open
  uint32_t RowDepth = 0;   ///< of what has a row in it
  uint64_t InsideBytes = 0;
  std::vector<bool> IsOfLine; ///< by location
  std::unordered_map<uint32_t, size_t> RowNumbers;
  std::vector<std::pair<uint32_t, LineRow>> Rows; ///< by group
};

} // namespace

Result<LineWork> instantrace::readLineWork(const EditorUnit &Unit,
                                           const std::string &Path,
                                           uint32_t LineNo) {
  const std::vector<std::string> Files = {Unit.Trace};
  KeptMessages Seen; // reading the costs has said them
  LineWork Work;
  INSTANTRACE_TRY(forEachStreamed(
      EachTrace{Files, Seen},
      [&] { return std::make_unique<LineStream>(Unit, Path, LineNo); },
      [&Work](LineStream &Read) -> Result<void> {
        Work = std::move(Read.Work);
        return {};
      }));
  return Work;
}
