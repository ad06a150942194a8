#include "utils/report/ReportModel.h"

#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/input/OrderedWork.h"
#include "utils/input/SourceFiles.h"
#include "utils/render/AdviceText.h"
#include "utils/render/CleanText.h"
#include "utils/render/NumberText.h"

#include <algorithm>
#include <functional>
#include <map>
#include <thread>
#include <utility>

using namespace instantrace;

namespace {

/// A picture of more levels is taller than anybody scrolls.
constexpr ExportLimits FlameLimits{0, 256, 0, false};
constexpr size_t InputsNamed = 20;
/// As many as `advise` writes by default.
constexpr size_t AdviceShown = 10;
/// Going through a trace costs about as much as a table of it; all of a large
/// build's tables at once, with all their rows, would be many times the traces.
/// So there are a few of each walk, and a few walks at once.
constexpr size_t TablesOfWalk = 3;
constexpr unsigned MostWalks = 4;

/// As many tables for each walk over a trace as may be made at once.
std::vector<std::span<const CostKeyName>> walksOverTables() {
  std::span<const CostKeyName> All = CostKeyNames;
  std::vector<std::span<const CostKeyName>> Walks;
  for (size_t I = 0; I < All.size(); I += TablesOfWalk)
    Walks.push_back(All.subspan(I, std::min(TablesOfWalk, All.size() - I)));
  return Walks;
}

/// Makes results, a few at once, and uses them in their order.
template <class Made, class MakeOne, class UseOne>
void walkAtOnce(size_t Count, const MakeOne &Make, const UseOne &Use) {
  std::vector<Made> Results(Count);
  workInOrder({std::vector<uint64_t>(Count),
               [&](size_t I) { Results[I] = Make(I); },
               [&](size_t I) {
                 Use(std::exchange(Results[I], Made()));
                 return true;
               },
               {}},
              std::clamp(std::thread::hardware_concurrency(), 1u, MostWalks));
}

/// Does things that have nothing to do with each other.
void atOnce(const std::vector<std::function<void()>> &Things) {
  workInOrder({std::vector<uint64_t>(Things.size()),
               [&Things](size_t I) { Things[I](); },
               [](size_t) { return true; },
               {}});
}

/// Of several lines.
std::string cleanLines(std::string_view Text) {
  std::string Clean;
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size());
    Clean += (Clean.empty() ? "" : "\n") + cleanText(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Clean;
}

ReportSide side(const Trace &T, uint64_t TotalNs, const TimeParts &Parts) {
  ReportSide Side{TotalNs, T.Sequences.size(), {}, Parts};
  for (const Sequence &S : T.Sequences) {
    if (Side.Inputs.size() == InputsNamed)
      break;
    Side.Inputs.push_back(inputText(T, S));
  }
  return Side;
}

bool hasRequests(const Trace &T) {
  return std::any_of(
      T.Sequences.begin(), T.Sequences.end(), [](const Sequence &S) {
        return std::any_of(
            S.Intervals.begin(), S.Intervals.end(),
            [](const Interval &I) { return static_cast<bool>(I.Requester); });
      });
}

/// A path below From as one below To.
std::string moved(const std::string &Path, const std::string &From,
                  const std::string &To) {
  if (From == To || From.empty() || Path.compare(0, From.size(), From) != 0 ||
      (Path.size() > From.size() && Path[From.size()] != '/'))
    return Path;
  return To + Path.substr(From.size());
}

void addNotes(std::vector<std::string> &Notes, const std::string &Whose,
              const ExportJob &Job) {
  for (const std::string &Line : missingFrom(Job))
    Notes.push_back(Whose + Line);
}

/// Of a place, whose path may be long and is there with each frame.
constexpr size_t PlaceBytes = 1024;

/// Copies the frames of chains that rows have, and what is outside them.
class FrameCopy {
public:
  FrameCopy(const ChainTree &Tree, const Trace &T, const NameStyle &Names,
            size_t LimitBytes, ReportModel &Model)
      : Tree(Tree), T(T), Names(Names), LimitBytes(LimitBytes), Model(Model),
        NumberOf(Tree.size()) {}

  /// From 1.
  uint32_t number(uint32_t Node) {
    std::vector<uint32_t> Way;
    for (; Node != ChainTree::None && NumberOf[Node] == 0;
         Node = Tree[Node].Outer)
      Way.push_back(Node);
    uint32_t Number = Node == ChainTree::None ? 0 : NumberOf[Node];
    for (; !Way.empty(); Way.pop_back()) {
      RequestFrame Frame = Tree.frame(Way.back());
      Model.Frames.push_back(
          {Number,
           Model.Texts.index(T, Frame.What, Tree.key(Way.back()), Names,
                             LimitBytes),
           Model.Texts.index(
               cleanText(pathEnd(std::move(Frame.Place), PlaceBytes))),
           Frame.IsLate, Frame.IsInclusion});
      Number = static_cast<uint32_t>(Model.Frames.size());
      NumberOf[Way.back()] = Number;
    }
    return Number;
  }

private:
  const ChainTree &Tree;
  const Trace &T;
  const NameStyle &Names;
  size_t LimitBytes;
  ReportModel &Model;
  std::vector<uint32_t> NumberOf;
};

} // namespace

Reporter::Reporter(const ReportInput &Input, const ReportOptions &Opts)
    : Input(Input), Opts(Opts), Filter(*TraceFilter::make(Opts.Filter)) {
  if (Opts.HasSource)
    Roots.emplace(*Input.New, Opts.MoreRoots);
  // What takes longest comes first.
  atOnce({[this] { makeAdvice(); }, [this] { makeFlame(); },
          [this] { makeRequested(); }, [this] { findNodes(); },
          [this] { learnScopes(); }, [this] { countChecks(); },
          [this] { findInclusions(); }});
  makeAllTables();
}

/// What `advise` says of the build without options of its own.
void Reporter::makeAdvice() {
  AdviceSpec Spec;
  std::optional<SourceFiles> Sources;
  if (Roots) {
    Sources.emplace(*Roots);
    Spec.Sources = [&](const std::string *Folder, const std::string &Path) {
      return Sources->text(Folder, Path);
    };
  }
  TraceFilter Own = Filter;
  Advice = findAdvice(*Input.New, Own, Spec);
}

void Reporter::findInclusions() { Inclusions.add(*Input.New); }

void Reporter::findNodes() {
  TraceFilter Own = Filter;
  Nodes = chainNodes(*Input.New, Own, Tree);
}

void Reporter::learnScopes() {
  Learned = LearnedScopes(*Input.New);
  if (Input.Old)
    OldLearned = LearnedScopes(*Input.Old);
}

void Reporter::countChecks() {
  for (CheckFamily Family :
       {CheckFamily::Constraints, CheckFamily::Candidates}) {
    const Trace &T = *Input.New;
    CheckSink Sink(T, Family, Filter);
    for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index)
      feedEvents(T.Sequences[Index], Sink.beginSequence(Index));
    CheckCosts Costs = Sink.take();
    settleChecks(Costs, T);
    Checks.emplace_back(Family, std::move(Costs), ReportLimits().Rows);
  }
}

void Reporter::makeAllTables() {
  std::vector<std::span<const CostKeyName>> Walks = walksOverTables();
  walkAtOnce<std::vector<MadeTable>>(
      Walks.size(), [&](size_t I) { return makeTables(Walks[I]); },
      [&](std::vector<MadeTable> Made) {
        for (MadeTable &Each : Made)
          keep(std::move(Each));
      });
}

std::vector<Reporter::MadeTable>
Reporter::makeTables(std::span<const CostKeyName> Names) const {
  std::vector<CostKey> Keys;
  for (const CostKeyName &Each : Names)
    Keys.push_back(Each.Key);
  std::vector<CostTable> News, Olds;
  News = costTables(*Input.New, Keys, Filter, &Learned);
  if (Input.Old)
    Olds = costTables(*Input.Old, Keys, Filter, &OldLearned);
  std::vector<MadeTable> Made;
  for (size_t I = 0; I != Keys.size(); ++I) {
    CostTable New = std::move(News[I]), Old;
    TimeParts NewParts{}, OldParts{};
    bool IsByKind = Keys[I] == CostKey::Kind;
    if (IsByKind)
      NewParts = timeParts(*Input.New, Opts.Filter, New);
    if (Input.Old) {
      Old = std::move(Olds[I]);
      if (IsByKind)
        OldParts = timeParts(*Input.Old, Opts.Filter, Old);
      moveRoot(Old, Input.OldRoot, Input.NewRoot);
    }
    RankedCosts Ranked(New, Input.Old ? &Old : nullptr, ReportLimits().Rows);
    bool IsForSource = Opts.HasSource && (Keys[I] == CostKey::Line ||
                                          Keys[I] == CostKey::UserFrame);
    if (!IsForSource)
      New.Rows.clear();
    New.Rows.shrink_to_fit();
    std::vector<CostRow>().swap(Old.Rows);
    Made.push_back({Names[I], std::move(Ranked), std::move(New), std::move(Old),
                    NewParts, OldParts});
  }
  return Made;
}

/// In the order of CostKeyNames.
void Reporter::keep(MadeTable Table) {
  CostKey Key = Table.Of.Key;
  HasBackend |= Table.New.HasBackend || Table.Old.HasBackend;
  if (Key == CostKey::Function && !HasBackend)
    return; // everything would be (no function)
  TotalNs = Table.New.TotalNs;
  OldTotalNs = Table.Old.TotalNs;
  if (Key == CostKey::Kind) {
    Parts = Table.Parts;
    OldParts = Table.OldParts;
  }
  Costs.push_back({Table.Of, std::move(Table.Costs)});
  if (Key == CostKey::Line)
    ByLine = std::move(Table.New);
  else if (Key == CostKey::UserFrame)
    ByUserFrame = std::move(Table.New);
}

void Reporter::makeFlame() { FlameNotes = fill(Flame); }

void Reporter::makeRequested() {
  HasRequests =
      hasRequests(*Input.New) || (Input.Old && hasRequests(*Input.Old));
  if (HasRequests)
    fill(Requested);
}

/// Returns what is not in it.
std::vector<std::string> Reporter::fill(FlameTree &Flame) const {
  std::vector<std::string> Notes;
  ExportLimits Export = FlameLimits;
  Export.HasFilter = !Filter.selectsAll();
  TraceFilter Own = Filter;
  ExportPlan Plan(*Input.New, Export, Own);
  ExportJob Job{*Input.New, Plan, Export, Opts.Names, Opts.NameBytes};
  Flame.add(Job);
  addNotes(Notes, "", Job);
  if (Input.Old) {
    std::map<std::string, std::string> InputOf; // the partner's, by the old one
    for (size_t I = 0; I != Input.Old->Sequences.size(); ++I)
      InputOf.emplace(inputText(*Input.Old, Input.Old->Sequences[I]),
                      inputText(*Input.New, Input.New->Sequences[I]));
    ExportPlan OldPlan(*Input.Old, Export, Own);
    ExportJob OldJob{*Input.Old, OldPlan, Export, Opts.Names, Opts.NameBytes};
    Flame.addOld(OldJob, [&](const ExportFrame &Frame) {
      auto Partner = InputOf.find(Frame.Name);
      if (Frame.Kind.empty() && Partner != InputOf.end())
        return Partner->second;
      return Frame.Kind == eventKindName(EventKind::FileInclusion)
                 ? moved(Frame.Name, Input.OldRoot, Input.NewRoot)
                 : Frame.Name;
    });
    addNotes(Notes, "old: ", OldJob);
  }
  Flame.finish();
  return Notes;
}

/// The rows of a smaller table are among those of the largest.
void Reporter::makeChains(const ReportModel &Largest, size_t Most) {
  std::vector<WantedRows> Wanted;
  for (size_t I = 0; I != Costs.size(); ++I) {
    RowKeys &Keys = Wanted.emplace_back(WantedRows{Costs[I].Of.Key, {}}).Keys;
    for (const ReportRow &Row : Largest.Tables[I].Rows)
      if (Row.New && Row.New->Name.Fixed.empty())
        Keys.insert(Row.New->Key);
  }
  // One table a walk: sums of several are not where the processor has them
  // near.
  walkAtOnce<RowChains>(
      Wanted.size(),
      [&](size_t I) {
        return rowChains(*Input.New, Nodes, Wanted[I], Most, Tree, Learned);
      },
      [&](RowChains Made) { Chains.push_back(std::move(Made)); });
  Nodes = {};
}

void Reporter::addChains(ReportModel &Model, const ReportLimits &Limits) {
  if (Chains.empty())
    makeChains(Model, Limits.Chains);
  FrameCopy Copy(Tree, *Input.New, Opts.Names, Opts.NameBytes, Model);
  for (size_t I = 0; I != Costs.size(); ++I)
    for (ReportRow &Row : Model.Tables[I].Rows) {
      auto Found = Row.New ? Chains[I].find(Row.New->Key) : Chains[I].end();
      if (Found == Chains[I].end())
        continue;
      Row.Chains = Found->second;
      Row.Chains.fold(Limits.Chains);
      for (RowChain &Chain : Row.Chains.Chains)
        Chain.Node = Copy.number(Chain.Node);
    }
}

void Reporter::addIncludes(ReportModel &Model, const ReportLimits &Limits) {
  auto Headers = std::find_if(
      Model.Tables.begin(), Model.Tables.end(),
      [](const ReportTable &Table) { return Table.By == "header"; });
  std::vector<uint32_t> Wanted;
  for (ReportRow &Row : Headers->Rows) {
    if (!Row.New || Row.New->Name.Text.empty())
      continue;
    size_t All = 0;
    Row.Includes =
        Inclusions.nodesTo(Row.New->Name.Text.text(), Limits.Chains, All);
    Row.OtherIncludes = All - Row.Includes.size();
    Wanted.insert(Wanted.end(), Row.Includes.begin(), Row.Includes.end());
  }
  ReportIncludes Tree =
      reportIncludes(Inclusions, Wanted, Limits.Includes, Model.Texts);
  for (ReportRow &Row : Headers->Rows)
    for (uint32_t &Node : Row.Includes)
      Node = Tree.NumberOf[Node];
  Model.Includes = std::move(Tree.Nodes);
}

void Reporter::addAdvice(ReportModel &Model) const {
  const std::vector<Suggestion> &All = Advice.Suggestions;
  size_t Shown = std::min(AdviceShown, All.size());
  for (size_t I = 0; I != Shown; ++I) {
    const Suggestion &S = All[I];
    Model.Advice.push_back(
        {adviceKindName(S.Kind),
         cleanText(S.Subject.text(*Input.New, Opts.Names, Opts.NameBytes)),
         cleanText(S.Place), cleanText(S.Action), cleanLines(S.Snippet),
         S.Saves});
  }
  Model.OtherAdvice = All.size() - Shown;
}

ReportModel Reporter::model(const ReportLimits &Limits) {
  ReportModel Model;
  Model.New = side(*Input.New, TotalNs, Parts);
  if (Input.Old)
    Model.Old = side(*Input.Old, OldTotalNs, OldParts);
  addAdvice(Model);
  Model.Title = cleanText(Opts.Title);
  if (Model.Title.empty() && !Model.New.Inputs.empty())
    Model.Title = Model.New.Inputs.front();
  if (Opts.Title.empty() && Model.New.Compiles > 1)
    Model.Title += fmt::format(" and {} more", Model.New.Compiles - 1);
  for (const std::string &Note : Input.Notes)
    Model.Notes.push_back(cleanText(Note));
  Model.Notes.insert(Model.Notes.end(), FlameNotes.begin(), FlameNotes.end());
  Model.Flame = Flame.folded(Limits.FlameNodes, Model.Texts);
  for (const FlameNode &Node : Model.Flame)
    Model.FlameOthers += Node.Others;
  if (HasRequests)
    Model.Requested =
        Requested.folded((Limits.FlameNodes + 1) / 2, Model.Texts);
  for (const FlameNode &Node : Model.Requested)
    Model.RequestedOthers += Node.Others;
  Model.Timeline = reportTimeline(*Input.New, Limits.Units, Model.Texts);
  for (const KeptTable &Compared : Costs)
    Model.Tables.push_back(reportTable(
        Compared.Of.Name, Compared.Costs, *Input.New, Input.Old, Model.Texts,
        {Limits.Rows, Opts.Names, Opts.NameBytes, Opts.Within}));
  for (const KeptChecks &Kept : Checks)
    Model.Checks.push_back(reportChecks(*Input.New, Kept, Limits.Rows,
                                        Opts.Names, Opts.NameBytes,
                                        Model.Texts));
  addChains(Model, Limits);
  addIncludes(Model, Limits);
  Model.HasBackend = HasBackend;
  Model.HasSource = Opts.HasSource;
  if (Opts.HasSource)
    Model.Source = sourceExcerpts(*Input.New, ByLine, ByUserFrame, *Roots,
                                  Limits.SourceLines);
  return Model;
}
