#include "utils/report/ReportModel.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/render/CleanText.h"

#include <algorithm>
#include <map>

using namespace instantrace;

namespace {

/// A picture of more levels is taller than anybody scrolls.
constexpr ExportLimits FlameLimits{0, 256, 0, false};
constexpr size_t InputsNamed = 20;

ReportSide side(const Trace &T, uint64_t TotalNs) {
  ReportSide Side{TotalNs, T.Sequences.size(), {}};
  for (const Sequence &S : T.Sequences) {
    if (Side.Inputs.size() == InputsNamed)
      break;
    Side.Inputs.push_back(inputText(T, S));
  }
  return Side;
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
    : Input(Input), Opts(Opts), Filter(*TraceFilter::make(Opts.Filter)),
      Inclusions(*Input.New), Tree(*Input.New, EntityLevel::Template) {
  for (const auto &[By, Key] : CostKeyNames) {
    CostTable New = costs(*Input.New, Key, Filter), Old;
    if (Input.Old) {
      Old = costs(*Input.Old, Key, Filter);
      moveRoot(Old, Input.OldRoot, Input.NewRoot);
    }
    HasBackend |= New.HasBackend || Old.HasBackend;
    if (Key == CostKey::Function && !HasBackend)
      continue; // everything would be (no function)
    TotalNs = New.TotalNs;
    OldTotalNs = Old.TotalNs;
    Costs.push_back(
        {By, Key,
         RankedCosts(New, Input.Old ? &Old : nullptr, ReportLimits().Rows)});
    bool IsByLine = Key == CostKey::Line;
    if (Opts.HasSource && (IsByLine || Key == CostKey::UserFrame)) {
      New.Rows.shrink_to_fit();
      (IsByLine ? ByLine : ByUserFrame) = std::move(New);
    }
  }
  if (Opts.HasSource)
    Roots.emplace(*Input.New, Opts.MoreRoots);
  makeFlame();
}

void Reporter::makeFlame() {
  ExportLimits Export = FlameLimits;
  Export.HasFilter = !Filter.selectsAll();
  ExportPlan Plan(*Input.New, Export, Filter);
  ExportJob Job{*Input.New, Plan, Export, Opts.Names, Opts.NameBytes};
  Flame.add(Job);
  addNotes(FlameNotes, "", Job);
  if (Input.Old) {
    std::map<std::string, std::string> InputOf; // the partner's, by the old one
    for (size_t I = 0; I != Input.Old->Sequences.size(); ++I)
      InputOf.emplace(inputText(*Input.Old, Input.Old->Sequences[I]),
                      inputText(*Input.New, Input.New->Sequences[I]));
    ExportPlan OldPlan(*Input.Old, Export, Filter);
    ExportJob OldJob{*Input.Old, OldPlan, Export, Opts.Names, Opts.NameBytes};
    Flame.addOld(OldJob, [&](const ExportFrame &Frame) {
      auto Partner = InputOf.find(Frame.Name);
      if (Frame.Kind.empty() && Partner != InputOf.end())
        return Partner->second;
      return Frame.Kind == eventKindName(EventKind::FileInclusion)
                 ? moved(Frame.Name, Input.OldRoot, Input.NewRoot)
                 : Frame.Name;
    });
    addNotes(FlameNotes, "old: ", OldJob);
  }
  Flame.finish();
}

/// The rows of a smaller table are among those of the largest.
void Reporter::makeChains(const ReportModel &Largest, size_t Most) {
  for (size_t I = 0; I != Costs.size(); ++I) {
    RowKeys Wanted;
    for (const ReportRow &Row : Largest.Tables[I].Rows)
      if (Row.New && Row.New->Name.Fixed.empty())
        Wanted.insert(Row.New->Key);
    Chains.push_back(
        rowChains(*Input.New, Costs[I].Key, Wanted, Most, Filter, Tree));
  }
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

void Reporter::addIncludes(ReportTable &Headers, size_t Most) {
  for (ReportRow &Row : Headers.Rows) {
    if (!Row.New || Row.New->Name.Text.empty())
      continue;
    IncludeChainList List =
        Inclusions.chainsTo(Row.New->Name.Text.text(), Most);
    Row.Includes = std::move(List.Chains);
    Row.OtherIncludes = List.OtherChains;
  }
}

ReportModel Reporter::model(const ReportLimits &Limits) {
  ReportModel Model;
  Model.New = side(*Input.New, TotalNs);
  if (Input.Old)
    Model.Old = side(*Input.Old, OldTotalNs);
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
  for (const Tables &Compared : Costs)
    Model.Tables.push_back(reportTable(
        Compared.By, Compared.Costs, *Input.New, Input.Old, Model.Texts,
        {Limits.Rows, Opts.Names, Opts.NameBytes, Opts.Within}));
  addChains(Model, Limits);
  for (ReportTable &Table : Model.Tables)
    if (Table.By == "header")
      addIncludes(Table, Limits.Chains);
  Model.HasBackend = HasBackend;
  Model.HasSource = Opts.HasSource;
  if (Opts.HasSource)
    Model.Source = sourceExcerpts(*Input.New, ByLine, ByUserFrame, *Roots,
                                  Limits.SourceLines);
  return Model;
}
