#include "utils/report/ReportModel.h"

#include "utils/analysis/costs/RowMatch.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/export/ExportJob.h"
#include "utils/render/AdviceSentence.h"
#include "utils/render/AdviceText.h"
#include "utils/render/CleanText.h"
#include "utils/render/NumberText.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

constexpr size_t InputsNamed = 20;
/// As many as `advise` writes by default.
constexpr size_t AdviceShown = 10;
constexpr size_t LinesShown = 12;
/// A name in a sentence has as many at most.
constexpr size_t SentenceColumns = 60;
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

/// A path below From as one below To.
std::string moved(const std::string &Path, const std::string &Source,
                  const std::string &Target) {
  if (Source == Target || Source.empty() ||
      Path.compare(0, Source.size(), Source) != 0 ||
      (Path.size() > Source.size() && Path[Source.size()] != '/'))
    return Path;
  return Target + Path.substr(Source.size());
}

/// Parsing alone, of what the options select.
FilterSpec inclusionSpec(FilterSpec Spec) {
  Spec.Kinds = {std::string(eventKindName(EventKind::FileInclusion)),
                std::string(eventKindName(EventKind::Statement))};
  return Spec;
}

std::vector<CostKey> costKeys() {
  std::vector<CostKey> Keys;
  for (const CostKeyName &Each : CostKeyNames)
    Keys.push_back(Each.Key);
  return Keys;
}

constexpr CheckFamily CheckFamilies[] = {CheckFamily::Constraints,
                                         CheckFamily::Candidates};
constexpr CostKey ByHeader = CostKey::Header;

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

ReportPart::ReportPart(const Reporter &Whole, ReportSideOf Side, const Trace &T)
    : Whole(Whole), Side(Side), T(T), Sinks([this](uint32_t Index) {
        const ReportInput::HasPartner &Keeps = this->Side == ReportSideOf::New
                                                   ? this->Whole.Input.KeepsNew
                                                   : this->Whole.Input.KeepsOld;
        return !Keeps || Keeps(this->T.Files.front().Name, Index);
      }) {
  const ReportOptions &Opts = Whole.Opts;
  const bool IsNew = Side == ReportSideOf::New;
  const LearnedScopes *Scopes =
      IsNew ? Whole.Input.Scopes : Whole.Input.OldScopes;
  if (!isSums() && IsNew)
    Sinks.add(ChainEvents.emplace(T, Whole.Filter, Whole.Wanted, Scopes));
  if (!isSums()) {
    FlameEvents.emplace(T, (IsNew ? Whole.New : Whole.Old).Kept,
                        Whole.HasRequests, Opts.Names, Opts.NameBytes);
    Sinks.add(*FlameEvents);
    if (IsNew && Whole.IsAdvisedTwice)
      Sinks.add(AdviceEvents.emplace(*Whole.Advisor, T));
    return;
  }
  if (IsNew)
    Inclusions.emplace();
  Costs.emplace(T, costKeys(), Whole.Filter, Scopes,
                Inclusions ? &*Inclusions : nullptr);
  Sinks.add(*Costs);
  InclusionCosts.emplace(T, std::span(&ByHeader, 1), Whole.OfInclusions,
                         Scopes);
  Sinks.add(*InclusionCosts);
  KeptEvents.emplace(T, Whole.Filter, FlameSink::MostDepth, Scopes);
  Sinks.add(*KeptEvents);
  if (!IsNew)
    return;
  Sinks.add(Constraints.emplace(T, CheckFamily::Constraints, Whole.Filter));
  Sinks.add(Candidates.emplace(T, CheckFamily::Candidates, Whole.Filter));
  Sinks.add(AdviceEvents.emplace(*Whole.Advisor, T));
  Overview.emplace(T, &Whole.Filter).addTo(Sinks);
}

bool ReportPart::isSums() const { return Whole.IsSums; }

void ReportPart::finish(Trace &T) {
  File = T.Files.front().Name;
  if (Costs) {
    Losses = T.losses();
    Sources = CompileFolders(T);
    Folders = PathFolders(T);
    Compiles.Files.emplace_back().Name = File;
    if (Overview)
      Sums = Overview->take();
    for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
      const Sequence &S = T.Sequences[Index];
      const ReportInput::HasPartner &Keeps = Side == ReportSideOf::New
                                                 ? Whole.Input.KeepsNew
                                                 : Whole.Input.KeepsOld;
      if (Keeps && !Keeps(File, Index))
        continue;
      Sequence &Copy = Compiles.Sequences.emplace_back();
      Copy.Session = S.Session;
      Copy.Footer = S.Footer;
      Copy.LastTimeNs = S.LastTimeNs;
      Copy.WaitedNs = S.WaitedNs;
      Copy.Clock = S.Clock;
      CodeNs.push_back(Overview ? Sums.CodeNs[Index] : 0);
    }
    Tables = Costs->take(/*AreKindsKept=*/true);
    ByInclusion =
        std::move(InclusionCosts->take(/*AreKindsKept=*/true).front());
    Kept = KeptEvents->take();
  }
  if (Constraints) {
    Checks[0] = Constraints->take();
    Checks[1] = Candidates->take();
  }
  if (FlameEvents)
    Flame = FlameEvents->take();
  if (ChainEvents)
    Chains = ChainEvents->take();
  if (AdviceEvents)
    Advice = AdviceEvents->take(T);
  else
    Names = takeNames(std::move(T));
  // They have a lot of the trace.
  AdviceEvents.reset();
  Overview.reset();
  ChainEvents.reset();
  FlameEvents.reset();
  KeptEvents.reset();
  Candidates.reset();
  Constraints.reset();
  InclusionCosts.reset();
  Costs.reset();
}

Reporter::Reporter(const ReportInput &Input, const ReportOptions &Opts)
    : Input(Input), Opts(Opts), Filter(*TraceFilter::make(Opts.Filter)),
      OfInclusions(*TraceFilter::make(inclusionSpec(Opts.Filter))) {
  New.Tables.resize(std::size(CostKeyNames));
  Old.Tables.resize(std::size(CostKeyNames));
  // What `advise` says of the build without options of its own.
  Advised.CMake = Opts.CMake;
  if (Opts.HasSource)
    Advised.Sources = [this](const std::string *Folder,
                             const std::string &Path) {
      std::lock_guard<std::mutex> Hold(SourcesLock);
      return Texts->text(Folder, Path);
    };
  Advisor.emplace(Filter, Advised, Input.Scopes);
}

/// Of its trace.
const Trace &Reporter::namesOf(const ReportPart &Part) {
  return Part.Advice ? Part.Advice->Names : Part.Names;
}

void Reporter::add(ReportPart &Part) {
  Build &Into = side(Part.Side);
  Into.Names.enterTrace(namesOf(Part));
  if (IsSums)
    addSums(Part, Into);
  else
    addPaths(Part, Into);
  if (Part.Advice)
    Advisor->add(std::move(*Part.Advice));
}

void Reporter::addSums(ReportPart &Part, Build &Into) {
  for (size_t I = 0; I != Part.Tables.size(); ++I)
    Into.Tables[I].add(std::move(Part.Tables[I]), Into.Names);
  Into.ByInclusion.add(std::move(Part.ByInclusion), Into.Names);
  Into.Compiles.append(std::move(Part.Compiles));
  Into.CodeNs.insert(Into.CodeNs.end(), Part.CodeNs.begin(), Part.CodeNs.end());
  std::move(Part.Losses.begin(), Part.Losses.end(),
            std::back_inserter(Into.Losses));
  Into.Removed.Intervals += Part.Kept.Removed.Intervals;
  Into.Removed.Instants += Part.Kept.Removed.Instants;
  Into.Removed.Ns += Part.Kept.Removed.Ns;
  HasRequests |= Part.Kept.HasRequests;
  Into.Kept.emplace(Part.File, std::move(Part.Kept));
  if (Part.Side == ReportSideOf::Old)
    return;
  Overview.add(Part.Sums);
  Sources.add(std::move(Part.Sources));
  Folders.add(std::move(Part.Folders));
  Inclusions.add(*Part.Inclusions);
  for (size_t I = 0; I != std::size(CheckFamilies); ++I)
    CheckSums[I].add(std::move(Part.Checks[I]), Into.Names);
}

void Reporter::addPaths(ReportPart &Part, Build &Into) {
  const bool IsOld = Part.Side == ReportSideOf::Old;
  ExportCost FlameNode::*Side = IsOld ? &FlameNode::OldSelf : &FlameNode::Self;
  if (!IsOld)
    Chains.add(Part.Chains, Into.Names);
  MergedFrames::Rename Renamed;
  if (IsOld)
    Renamed = [&](const FlameFrame &Frame) {
      return renamed(Frame, namesOf(Part));
    };
  const std::vector<uint32_t> Frames =
      AllFrames.add(Part.Flame.Frames, Into.Names, Renamed);
  Flame.add(Part.Flame.Around, Frames, Side);
  if (HasRequests)
    Requested.add(Part.Flame.Requested, Frames, Side);
}

/// What a path of the old build is called in the new one.
std::string Reporter::renamed(const FlameFrame &Frame, const Trace &T) const {
  std::string Text = Frame.Text;
  if (Text.empty())
    Text = boundedName(T.Sequences[Frame.SequenceIndex].Names, Frame.Name,
                       Opts.Names, Opts.NameBytes);
  if (!Frame.Kind.empty())
    return moved(Text, Input.OldRoot, Input.NewRoot);
  auto Partner = Input.InputOf.find(Text);
  return Partner == Input.InputOf.end() ? Text : Partner->second;
}

void Reporter::endSums() {
  if (Opts.HasSource) {
    Roots.emplace(Sources, Opts.MoreRoots);
    Texts.emplace(*Roots);
  }
  for (size_t I = 0; I != std::size(CheckFamilies); ++I)
    Checks.emplace_back(CheckFamilies[I], CheckSums[I].take(New.Names.trace()),
                        ReportLimits().Rows);
  rankTables();
  wantChains();
  IsAdvisedTwice = Advisor->endFirst();
  IsSums = false;
}

/// The rows of a smaller page are among those of the largest.
void Reporter::wantChains() {
  for (const KeptTable &Table : Costs) {
    RowKeys &Keys = Wanted.emplace_back(WantedRows{Table.Key.Key, {}}).Keys;
    for (const RankedCosts::Row &Row : Table.Costs.Rows)
      if (Row.New && Row.New->Name.Fixed.empty())
        Keys.try_emplace(Row.New->Key, static_cast<uint32_t>(Keys.size() + 1));
  }
}

void Reporter::endPaths() {
  Chains.end(New.Names.trace(), ReportLimits().Chains);
}

/// In the order of CostKeyNames.
void Reporter::rankTables() {
  for (size_t I = 0; I != std::size(CostKeyNames); ++I) {
    const CostKeyName &KeyName = CostKeyNames[I];
    CostTable ByKey = New.Tables[I].take(), Before = Old.Tables[I].take();
    New.TotalNs = ByKey.TotalNs;
    Old.TotalNs = Before.TotalNs;
    HasBackend |= ByKey.HasBackend || Before.HasBackend;
    if (KeyName.Key == CostKey::Kind) {
      New.Parts = timeParts(New.Names.trace(), ByKey, New.ByInclusion.take());
      Old.Parts = timeParts(Old.Names.trace(), Before, Old.ByInclusion.take());
    }
    matchRows(Before, Old.Names.trace(), ByKey, New.Names.trace(),
              {Input.OldRoot, Input.NewRoot});
    // Without, everything would be (no function).
    if (KeyName.Key != CostKey::Function || HasBackend)
      Costs.push_back(
          {KeyName, RankedCosts(ByKey, Input.HasOld ? &Before : nullptr,
                                ReportLimits().Rows)});
    if (!Opts.HasSource)
      continue;
    if (KeyName.Key == CostKey::Line)
      ByLine = std::move(ByKey);
    else if (KeyName.Key == CostKey::UserFrame)
      ByUserFrame = std::move(ByKey);
  }
}

/// What is not in the pictures.
std::vector<std::string> Reporter::missing(const Build &B) const {
  std::vector<std::string> Lines;
  for (const std::string &Loss : B.Losses)
    Lines.push_back(cleanText(Loss));
  ExportLimits Limits{0, FlameSink::MostDepth, 0, !Filter.selectsAll()};
  if (std::string Removed = removalText(B.Removed, Limits); !Removed.empty())
    Lines.push_back(std::move(Removed));
  return Lines;
}

ReportSide Reporter::shownSide(const Build &B) const {
  ReportSide Side{B.TotalNs, B.Compiles.Sequences.size(), {}, B.Parts};
  for (const Sequence &S : B.Compiles.Sequences) {
    if (Side.Inputs.size() == InputsNamed)
      break;
    Side.Inputs.push_back(inputText(B.Compiles, S));
  }
  return Side;
}

void Reporter::addChains(ReportModel &Model, const ReportLimits &Limits) {
  const Trace &Names = New.Names.trace();
  FrameCopy Copy(Chains.tree(), Names, Opts.Names, Opts.NameBytes, Model);
  for (size_t I = 0; I != Wanted.size(); ++I)
    for (ReportRow &Row : Model.Tables[I].Rows) {
      const RowChains &Table = Chains.tables()[I];
      auto Found =
          Row.New ? Wanted[I].Keys.find(Row.New->Key) : Wanted[I].Keys.end();
      if (Found == Wanted[I].Keys.end() || Found->second >= Table.size())
        continue;
      Row.Chains = Table[Found->second];
      Row.Chains.fold(Limits.Chains);
      for (RowChain &Chain : Row.Chains.Chains)
        Chain.Node = Copy.number(Chain.Node);
    }
}

void Reporter::addIncludes(ReportModel &Model, const ReportLimits &Limits) {
  auto Headers = std::find_if(
      Model.Tables.begin(), Model.Tables.end(),
      [](const ReportTable &Table) { return Table.Key == "header"; });
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

ProjectFolders Reporter::project() const {
  return Opts.Project.Base.empty()
             ? ProjectFolders{Overview.WorkingDirectory, {}}
             : Opts.Project;
}

/// Where, how and when it was compiled.
void Reporter::addOrigin(ReportModel &Model) {
  Model.Title = cleanText(Opts.Title);
  if (Model.Title.empty() && Model.New.Compiles > 1) {
    const ProjectFolders Folders = project();
    const std::string &Folder =
        Folders.Root.empty() ? Folders.Base : Folders.Root;
    Model.Title = cleanText(Folder.substr(Folder.rfind('/') + 1));
  }
  if (Model.Title.empty() && !Model.New.Inputs.empty())
    Model.Title = Model.New.Inputs.front();
  Model.Command = cleanText(Opts.Command);
  Model.WallNs = Opts.WallNs;
  if (Overview.FirstRealtimeNs != UINT64_MAX)
    Model.RealtimeNs = Overview.FirstRealtimeNs;
}

void Reporter::addLines(ReportModel &Model) {
  std::vector<UserLine> Lines = userLines(Overview);
  Lines.resize(std::min(Lines.size(), LinesShown));
  const ProjectFolders Folders = project();
  // Of what was changed since then, another line may be there.
  std::optional<SourceFiles> Unchanged;
  if (Roots)
    Unchanged.emplace(*Roots, Overview.FirstRealtimeNs);
  for (UserLine &Line : Lines) {
    ShownUserLine Shown{std::move(Line), {}, {}};
    const UserLine &L = Shown.Line;
    const std::string No = ":" + std::to_string(L.LineNo);
    if (Unchanged)
      Shown.Source = Unchanged->line(L.WorkingDirectory, L.Path, L.LineNo);
    Model.Lines.push_back(
        {cleanText(L.Path + No),
         cleanText(Folders.shown(L.Path, L.WorkingDirectory) + No),
         cleanText(sourceText(Shown)), L.Others, L.Ns, L.Units});
  }
}

void Reporter::addAdvice(ReportModel &Model) {
  if (!Advice) {
    Advice = Advisor->take();
    Opts.Trials.apply(*Advice, Advisor->names());
    if (HeaderFacts *Headers = Advisor->headers(); Opts.Touches && Headers)
      Touches = Opts.Touches(*Headers);
  }
  Model.Touches = Touches;
  const std::vector<Suggestion> &All = Advice->Suggestions;
  size_t Shown = std::min(AdviceShown, All.size());
  for (size_t I = 0; I != Shown; ++I) {
    const Suggestion &S = All[I];
    Model.Advice.push_back(
        {adviceKindName(S.Kind),
         cleanText(adviceSentence(
             S, Advisor->names(), Opts.Names, SentenceColumns,
             [Project = project(), this](const std::string &P) {
               return Project.shown(P, Overview.WorkingDirectory);
             })),
         cleanText(
             S.Subject.text(Advisor->names(), Opts.Names, Opts.NameBytes)),
         cleanText(S.Place), cleanText(S.Action), cleanLines(S.Snippet),
         S.Tried ? cleanText(trialText(S, Advice->TotalNs)) : std::string(),
         correctionText(S, Advice->TotalNs), S.Saves});
  }
  Model.OtherAdvice = All.size() - Shown;
}

ReportModel Reporter::model(const ReportLimits &Limits) {
  const Trace &Names = New.Names.trace();
  ReportModel Model;
  Model.New = shownSide(New);
  if (Input.HasOld)
    Model.Old = shownSide(Old);
  addAdvice(Model);
  addOrigin(Model);
  addLines(Model);
  for (const std::string &Note : Input.Notes)
    Model.Notes.push_back(cleanText(Note));
  for (std::string &Line : missing(New))
    Model.Notes.push_back(std::move(Line));
  for (const std::string &Line : missing(Old))
    Model.Notes.push_back("old: " + Line);
  if (Flame.isCut() || Requested.isCut())
    Model.Notes.push_back(fmt::format(
        "more than {} call paths: the smallest ones were folded while traces "
        "were read, and count once for each trace that has them",
        groupedText(FlameTree::MostNodes)));
  if (Chains.isCut())
    Model.Notes.push_back(fmt::format(
        "more than {} request chains: of a row, those after the first {} were "
        "folded while traces were read, and count once for each trace that "
        "has them",
        groupedText(MergedChains::MostSums), MergedChains::MostOfRow));
  std::unordered_map<uint32_t, FrameText> TextOfFrame;
  auto TextOf = [&](uint32_t Frame) {
    auto [Text, IsNew] = TextOfFrame.try_emplace(Frame);
    if (IsNew) {
      Text->second.Name =
          Model.Texts.index(AllFrames.text(Frame, Opts.Names, Opts.NameBytes));
      Text->second.Kind = Model.Texts.index(AllFrames.kind(Frame));
    }
    return Text->second;
  };
  Model.Flame = Flame.folded(Limits.FlameNodes, TextOf);
  for (const FlameNode &Node : Model.Flame)
    Model.FlameOthers += Node.Others;
  if (HasRequests)
    Model.Requested = Requested.folded((Limits.FlameNodes + 1) / 2, TextOf);
  for (const FlameNode &Node : Model.Requested)
    Model.RequestedOthers += Node.Others;
  Model.Timeline =
      reportTimeline(New.Compiles, New.CodeNs, Limits.Units, Model.Texts);
  for (const KeptTable &Compared : Costs)
    Model.Tables.push_back(
        reportTable(Compared.Key.Name, Compared.Costs, Names,
                    Input.HasOld ? &Old.Names.trace() : nullptr, Model.Texts,
                    {Limits.Rows, Opts.Names, Opts.NameBytes, Opts.Within}));
  for (const KeptChecks &Kept : Checks)
    Model.Checks.push_back(reportChecks(Names, Kept, Limits.Rows, Opts.Names,
                                        Opts.NameBytes, Model.Texts));
  addChains(Model, Limits);
  addIncludes(Model, Limits);
  Model.HasBackend = HasBackend;
  Model.HasSource = Opts.HasSource;
  if (Opts.HasSource)
    Model.Source = sourceExcerpts(Folders, ByLine, ByUserFrame, *Roots,
                                  Limits.SourceLines);
  return Model;
}
