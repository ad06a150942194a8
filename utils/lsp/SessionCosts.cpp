#include "utils/lsp/SessionCosts.h"

#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/cli/TraceArguments.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr CostKey LineKeys[] = {CostKey::UserFrame, CostKey::Line};

/// What a compile adds.
struct CompileLines {
  std::string Folder, Unit, Trace;
  uint64_t RealtimeNs = 0;       ///< 0: not known
  std::vector<CostTable> Tables; ///< by LineKeys
};

class LinePart final : public NotedStream {
public:
  explicit LinePart(const TraceFilter &All) : Costs(T, LineKeys, All) {}

  TraceSink &events() override { return Costs; }
  void finish() override {
    Notes.add(T, Observed);
    for (size_t I = 0; I != Costs.Compiles.size(); ++I) {
      CompileLines &Added = Compiles.emplace_back();
      Added.Tables = std::move(Costs.Compiles[I]);
      Added.Trace = T.Files.front().Name;
      if (const auto &Session = T.Sequences[I].Session) {
        Added.Folder = Session->WorkingDirectory;
        Added.Unit = Session->Input;
        Added.RealtimeNs = Session->RealtimeNs;
      }
    }
    T = {};
  }

  std::vector<CompileLines> Compiles;

private:
  CompileCostSink Costs;
};

/// One row of each table, of one line.
struct LineRows {
  const CostRow *Caused = nullptr, *Inclusive = nullptr;
};

void addLine(EditorLine &Line, const LineRows &Rows, uint32_t Unit,
             uint64_t UnitNs) {
  const uint64_t CausedNs = Rows.Caused ? Rows.Caused->frontendNs() : 0;
  uint64_t InclusiveNs = 0;
  if (const CostRow *Row = Rows.Inclusive) {
    // LLVM's work for a function is inside no other work of the line.
    const uint64_t BackendNs = Row->backend().timeNs();
    InclusiveNs = Row->InclusiveNs - std::min(Row->InclusiveNs, BackendNs);
    Line.SelfNs += Row->frontendNs();
    Line.BackendNs += BackendNs;
  }
  Line.CausedNs += CausedNs;
  Line.InclusiveNs += InclusiveNs;
  Line.UnitsNs += UnitNs;
  ++Line.Units;
  LineUnit New{Unit, std::max(CausedNs, InclusiveNs)};
  for (LineUnit &Known : Line.Costliest)
    if (New.Ns > Known.Ns)
      std::swap(New, Known);
}

class CostsObserver final : public InputObserver {
public:
  CostsObserver(std::vector<std::string> &Problems,
                std::atomic<unsigned> &Percent)
      : Problems(Problems), Percent(Percent) {}

  void warn(const std::string &Message) override {
    Problems.push_back(Message);
  }
  void begin(uint64_t Bytes) override { TotalBytes = Bytes; }
  void enter(const std::string &) override {}
  void at(uint64_t DoneBytes) override {
    if (TotalBytes != 0)
      Percent = static_cast<unsigned>(
          100 * (static_cast<double>(std::min(DoneBytes, TotalBytes)) /
                 static_cast<double>(TotalBytes)));
  }

private:
  std::vector<std::string> &Problems;
  std::atomic<unsigned> &Percent;
  uint64_t TotalBytes = 0;
};

class SessionSum {
public:
  explicit SessionSum(SessionCosts &Into) : Into(Into) {}

  void add(const CompileLines &Compile) {
    const auto Unit = static_cast<uint32_t>(Into.Units.size());
    Into.Units.push_back(
        {pathFrom(Compile.Folder, Compile.Unit), Compile.Trace});
    std::map<std::pair<std::string, uint32_t>, LineRows> Rows;
    for (size_t Table = 0; Table != Compile.Tables.size(); ++Table)
      for (const CostRow &Row : Compile.Tables[Table].Rows) {
        const std::string &Path = Row.Name.Text.text();
        // `<built-in>:1` includes a precompiled header: nobody's line.
        if (Row.Name.LineNo == 0 || Path.starts_with('<'))
          continue;
        LineRows &Both = Rows[{Path, Row.Name.LineNo}];
        (Table == 0 ? Both.Caused : Both.Inclusive) = &Row;
      }
    EditorFile *File = nullptr;
    const std::string *Last = nullptr;
    for (const auto &[Place, Both] : Rows) {
      if (!Last || *Last != Place.first)
        File = &enterFile(pathFrom(Compile.Folder, Place.first), Compile);
      Last = &Place.first;
      addLine(File->Lines[Place.second], Both, Unit,
              Compile.Tables.front().compileNs());
    }
  }

private:
  EditorFile &enterFile(const std::string &Path, const CompileLines &Compile) {
    auto [Entry, IsNew] = Into.Files.try_emplace(Path);
    if (IsNew) {
      Entry->second.Path = Path;
      Into.ByName[fs::path(Path).filename()].push_back(Path);
    }
    if (Compile.RealtimeNs != 0)
      Entry->second.FirstRealtimeNs =
          std::min(Entry->second.FirstRealtimeNs, Compile.RealtimeNs);
    return Entry->second;
  }

  SessionCosts &Into;
};

} // namespace

const EditorFile *SessionCosts::find(const std::string &Path) const {
  if (auto Found = Files.find(Path); Found != Files.end())
    return &Found->second;
  auto Named = ByName.find(fs::path(Path).filename());
  if (Named == ByName.end())
    return nullptr;
  const std::string *Best = nullptr;
  uint32_t BestParts = 1; // a name alone means nothing
  for (const std::string &Known : Named->second) {
    std::error_code None;
    if (fs::equivalent(Known, Path, None))
      return &Files.at(Known); // by a link
    const uint32_t Parts = commonParts(Known, Path);
    if (Parts < BestParts || (Parts == BestParts && !Best) ||
        fs::exists(Known, None))
      continue;
    Best = Parts == BestParts ? nullptr : &Known;
    BestParts = Parts;
  }
  return Best ? &Files.at(*Best) : nullptr;
}

Result<SessionCosts> instantrace::readSessionCosts(const std::string &Path,
                                                   WorkState &State) {
  const std::vector<std::string> Inputs = {Path};
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Inputs));
  const Result<TraceFilter> All = TraceFilter::make({});
  SessionCosts Costs;
  SessionSum Sum(Costs);
  TraceNotes Notes;
  CostsObserver Seen(Costs.Problems, State.Percent);
  INSTANTRACE_TRY(forEachStreamed(
      EachTrace{Files, Seen, /*AreFailuresTold=*/true},
      [&All] { return std::make_unique<LinePart>(*All); },
      [&](LinePart &Part) -> Result<void> {
        if (State.IsStopped)
          return Error{"stopped"};
        Notes.add(std::move(Part.Notes));
        for (const CompileLines &Compile : Part.Compiles)
          Sum.add(Compile);
        return {};
      }));
  Notes.print();
  if (Costs.Units.empty())
    return Costs.Problems.empty() ? noCompile(Path)
                                  : Error{Costs.Problems.front()};
  return Costs;
}
