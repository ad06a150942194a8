/// \file
/// Advice: what a header of the program includes, and most that include the
/// header have no use for.
///
/// Flow:   HeaderFacts -> [adviseForwardDeclare, adviseSplitHeader] ->
///         AdviceFinder
///
/// An #include in a header is a *burden* for a compile that would not read the
/// included files otherwise, and uses nothing of them: none of their templates
/// is instantiated because another file asked, none of their names is mentioned
/// in a file of the program but in the header itself, and neither is anything
/// in the header that needs them. Where the header needs no definition of
/// theirs, because it has their names behind `*`, `&` and `class` alone or not
/// at all, a declaration does; otherwise what needs them can have a header of
/// its own.
///
/// Fires for an #include that is a burden for two compiles or more, and costs
/// those more than the ones that use it. One that is found later saves what
/// those before it leave over.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/HeaderFacts.h"

#include <algorithm>
#include <map>
#include <set>

using namespace instantrace;

namespace {

constexpr uint64_t FewestBurdened = 2;
constexpr size_t IncludesShown = 5, NamesShown = 5;

using Ways = HeaderFacts::Ways;
using IncludeEdge = std::pair<FileNumber, FileNumber>;

/// An #include, and what it costs whom.
struct Burden {
  IncludeEdge Edge;
  bool NeedsDefinition = false; ///< the header does
  bool HasSources = true;
  std::vector<uint32_t> Words;  ///< of the header, that need it
  std::vector<size_t> Burdened; ///< compiles
  std::vector<size_t> BurdenedInTrace;
  std::set<FileNumber> Users; ///< main files of the others
  uint64_t Readers = 0; ///< compiles that read it through the header alone
  uint64_t BurdenNs = 0, UsedNs = 0;
  Saving Saves; ///< beside what those before it save
};

class BurdenFinder final : public HeaderRule {
public:
  BurdenFinder(AdviceFacts &F, bool NeedDefinition)
      : HeaderRule(F), NeedDefinition(NeedDefinition) {}

  Suggestions take() override;
  void follow(const std::string &Subject) override;

private:
  std::vector<IncludeEdge> candidates();
  Burden burdenOf(const IncludeEdge &Edge);
  void findWords(Burden &B, const FileSet &Names, bool IsAsked);
  bool definesPromised(const CompileFiles &In, const FileSet &Dropped);
  bool isMentioned(const CompileFiles &In, const IncludeEdge &Edge,
                   const FileSet &Dropped, const FileSet &Names);
  void addSavings(std::vector<Burden> &Burdens);
  void addEdits(const Burden &B, TrialChange &Into);
  std::vector<CompileChange>
  compileChanges(const std::vector<const Burden *> &OfHeader);
  Suggestion suggestion(const std::vector<const Burden *> &OfHeader);

  const bool NeedDefinition; ///< of the header, or else no more than a name
  std::vector<Burden> Burdens;
};

/// Of headers of the program, those that take long enough in all.
std::vector<IncludeEdge> BurdenFinder::candidates() {
  std::map<IncludeEdge, uint64_t> WholeNs;
  FileSet IsMain;
  for (size_t Index = 0; Index != H.compileCount(); ++Index) {
    const CompileFiles In = H.compile(Index);
    for (FileNumber Main : In.Mains)
      IsMain.insert(Main);
    for (const CompileFiles::Reading &R : In.Readings)
      if (R.Includer != NoFile && !H.isSystem(R.Includer) && R.IsSelected)
        WholeNs[{R.Includer, R.File}] += R.WholeNs;
  }
  std::vector<IncludeEdge> Found;
  for (const auto &[Edge, Ns] : WholeNs)
    if (!IsMain.contains(Edge.first) && F.isWorth(Ns))
      Found.push_back(Edge);
  return Found;
}

/// In a file of the program that stays, but for the header itself.
bool BurdenFinder::isMentioned(const CompileFiles &In, const IncludeEdge &Edge,
                               const FileSet &Dropped, const FileSet &Names) {
  return std::any_of(In.Files.begin(), In.Files.end(), [&](FileNumber File) {
    return File != Edge.first && !H.isSystem(File) && !Dropped.contains(File) &&
           H.mentioned(File, Names, /*ByDefinition=*/false);
  });
}

/// Whether a file of the program that is dropped has the body of what one that
/// stays declares: whoever calls that is not linked without it.
bool BurdenFinder::definesPromised(const CompileFiles &In,
                                   const FileSet &Dropped) {
  FileSet Defined;
  for (FileNumber File : In.Files)
    if (Dropped.contains(File) && !H.isSystem(File))
      if (const SourceScan *Scan = H.scan(File))
        for (uint32_t Word : Scan->Defined)
          Defined.insert(Word);
  return std::any_of(In.Files.begin(), In.Files.end(), [&](FileNumber File) {
    const SourceScan *Scan =
        Dropped.contains(File) || H.isSystem(File) ? nullptr : H.scan(File);
    return Scan && std::any_of(Scan->Promised.begin(), Scan->Promised.end(),
                               [&Defined](uint32_t Word) {
                                 return Defined.contains(Word);
                               });
  });
}

/// What the header declares that needs a definition of one of \p Names, or
/// needs what does; what it has for itself, in a namespace of details, too.
void BurdenFinder::findWords(Burden &B, const FileSet &Names, bool IsAsked) {
  const SourceScan *Scan = H.scan(B.Edge.first);
  B.NeedsDefinition =
      IsAsked || H.mentioned(B.Edge.first, Names, /*ByDefinition=*/true);
  if (!Scan || !B.NeedsDefinition)
    return;
  FileSet Needed = Names, Words;
  std::vector<SourceScan::Declaration> All = Scan->Declarations;
  All.insert(All.end(), Scan->Internal.begin(), Scan->Internal.end());
  for (bool IsMore = true; IsMore;) {
    IsMore = false;
    for (const SourceScan::Declaration &D : All) {
      if (Words.contains(D.Word))
        continue;
      for (uint32_t Index = D.FirstMention; Index != D.EndMention; ++Index) {
        const SourceScan::Mention &M = Scan->Mentions[Index];
        if (M.NeedsDefinition && Needed.contains(M.Word) && M.Word != D.Word &&
            Words.insert(D.Word)) {
          Needed.insert(D.Word);
          IsMore = true;
          B.Words.push_back(D.Word);
        }
      }
    }
  }
  if (B.Words.empty()) // by what is no declaration that is understood
    for (const SourceScan::Declaration &D : Scan->Declarations)
      B.Words.push_back(D.Word);
}

Burden BurdenFinder::burdenOf(const IncludeEdge &Edge) {
  Burden B;
  B.Edge = Edge;
  auto IsOf = [&](FileNumber Includer, FileNumber Included) {
    return IncludeEdge(Includer, Included) == Edge;
  };
  struct Reader {
    size_t Compile;
    FileSet Dropped;
    uint64_t Ns;
    bool IsUsed;
  };
  std::vector<Reader> Readers;
  std::set<FileNumber> AllDropped;
  bool IsAsked = false;
  for (size_t Index = 0; Index != H.compileCount(); ++Index) {
    if (!H.isRead(Index, Edge.first) || !H.isRead(Index, Edge.second) ||
        H.isUnneeded(Index, Edge.first) || H.isUnneeded(Index, Edge.second))
      continue;
    const CompileFiles In = H.compile(Index);
    FileSet Kept = H.reached(In, IsOf, {}, Ways::All);
    if (!Kept.contains(Edge.first) || Kept.contains(Edge.second))
      continue;
    Reader &R = Readers.emplace_back();
    R.Compile = Index;
    R.Ns = HeaderFacts::nsWithout(In, Kept);
    for (FileNumber File : In.Files)
      if (!Kept.contains(File)) {
        R.Dropped.insert(File);
        AllDropped.insert(File);
      }
    R.IsUsed = In.IsForOthers || definesPromised(In, R.Dropped);
    for (const CompileFiles::Use &U : In.Uses) {
      if (!R.Dropped.contains(U.Declared) || R.Dropped.contains(U.Asker))
        continue;
      (U.Asker == Edge.first ? IsAsked : R.IsUsed) = true;
    }
  }
  std::vector<FileNumber> Below;
  FileSet Closure = H.closure(Edge.second, Ways::All);
  for (FileNumber File = 0; File != H.fileCount(); ++File)
    if (Closure.contains(File))
      Below.push_back(File);
  FileSet Names = H.namesOf({AllDropped.begin(), AllDropped.end()}, Below);
  findWords(B, Names, IsAsked);
  B.HasSources = H.hasSource(Edge.first) && H.hasSource(Edge.second);
  FileSet Asked = Names;
  for (uint32_t Word : B.Words)
    Asked.insert(Word);
  for (const Reader &R : Readers) {
    const CompileFiles In = H.compile(R.Compile);
    bool IsUsed = R.IsUsed || isMentioned(In, Edge, R.Dropped, Asked);
    ++B.Readers;
    (IsUsed ? B.UsedNs : B.BurdenNs) += R.Ns;
    if (!R.IsUsed)
      B.BurdenedInTrace.push_back(R.Compile);
    if (!IsUsed)
      B.Burdened.push_back(R.Compile);
    if (IsUsed)
      B.Users.insert(In.Mains.begin(), In.Mains.end());
    for (FileNumber Main : In.Mains)
      B.HasSources = B.HasSources && H.hasSource(Main);
  }
  return B;
}

/// Those that cost most come first; each compile with what is gone before.
void BurdenFinder::addSavings(std::vector<Burden> &Burdens) {
  std::vector<std::set<IncludeEdge>> GoneEdges(H.compileCount()),
      GoneInTrace(H.compileCount());
  auto marginNs = [&](size_t Compile, std::set<IncludeEdge> &Before,
                      const IncludeEdge &Edge, Ways Scope) {
    const CompileFiles In = H.compile(Compile);
    auto IsGone = [&](FileNumber Includer, FileNumber Included) {
      return Before.contains({Includer, Included});
    };
    uint64_t WasNs =
        HeaderFacts::nsWithout(In, H.reached(In, IsGone, {}, Scope));
    Before.insert(Edge);
    return HeaderFacts::nsWithout(In, H.reached(In, IsGone, {}, Scope)) - WasNs;
  };
  for (Burden &B : Burdens) {
    for (size_t Index : B.Burdened)
      B.Saves.EstimateNs +=
          marginNs(Index, GoneEdges[Index], B.Edge, Ways::All);
    for (size_t Index : B.BurdenedInTrace)
      B.Saves.MostNs +=
          marginNs(Index, GoneInTrace[Index], B.Edge, Ways::Recorded);
    if (!B.HasSources)
      B.Saves.EstimateNs /= 2; // as likely as not
    B.Saves.MostNs = std::max(B.Saves.MostNs, B.Saves.EstimateNs);
  }
}

/// Who removes an #include has no use for precompiling what it brought.
void BurdenFinder::follow(const std::string &Subject) {
  if (NeedDefinition)
    return;
  std::map<size_t, HeaderFacts::Changes> Changed;
  for (const Burden &B : Burdens)
    if (B.HasSources && B.Saves.EstimateNs != 0 &&
        H.path(B.Edge.first) == Subject)
      for (size_t Compile : B.Burdened)
        Changed[Compile].Removed.insert(B.Edge);
  for (const auto &[Compile, Each] : Changed)
    H.follow(Compile, Each);
}

/// Those that use it, and read it through this header alone, include it.
void BurdenFinder::addEdits(const Burden &B, TrialChange &Into) {
  const auto [Header, Included] = B.Edge;
  const uint32_t LineNo = H.includeLine(Header, Included);
  if (NeedDefinition || LineNo == 0)
    return;
  Into.Edits.push_back({H.path(Header), LineNo, {}});
  const std::string Name = H.spelling(Header, Included);
  const std::string Line =
      "#include " +
      (H.isSystem(Included) ? "<" + Name + ">" : '"' + Name + '"') + "\n";
  for (FileNumber User : B.Users)
    if (const SourceScan *Scan = H.scan(User); Scan && !Scan->Includes.empty())
      Into.Edits.push_back({H.path(User), Scan->Includes.front().LineNo, Line,
                            /*KeepsLine=*/true});
}

std::vector<CompileChange>
BurdenFinder::compileChanges(const std::vector<const Burden *> &OfHeader) {
  std::map<size_t, std::set<IncludeEdge>> Removed;
  for (const Burden *B : OfHeader)
    for (size_t Compile : B->Burdened)
      Removed[Compile].insert(B->Edge);
  std::vector<CompileChange> Changed;
  for (const auto &[Compile, Edges] : Removed) {
    const CompileFiles In = H.compile(Compile);
    auto reached = [&](const std::set<IncludeEdge> &Without) {
      return H.reached(
          In,
          [&Without](FileNumber Includer, FileNumber Included) {
            return Without.contains({Includer, Included});
          },
          {}, Ways::All);
    };
    Changed.push_back(H.change(Compile, In, reached({}), reached(Edges)));
  }
  return Changed;
}

Suggestion
BurdenFinder::suggestion(const std::vector<const Burden *> &OfHeader) {
  const Burden &First = *OfHeader.front();
  FileNumber Header = First.Edge.first;
  Suggestion S{RowName::fromText(H.path(Header)), {}, {}};
  if (H.includeLine(Header, First.Edge.second) != 0)
    S.Place = H.includePlace(Header, First.Edge.second);
  uint64_t OtherNs = 0;
  bool HasSources = true;
  for (size_t I = 0; I != OfHeader.size(); ++I) {
    const Burden &B = *OfHeader[I];
    S.Saves += B.Saves;
    HasSources = HasSources && B.HasSources;
    addEdits(B, S.Change);
    if (I >= IncludesShown) {
      OtherNs += B.Saves.EstimateNs;
      continue;
    }
    std::string Name = H.spelling(Header, B.Edge.second);
    S.count(B.Burdened.size(), "compiles read for it alone, and do not use",
            B.Saves.EstimateNs, EvidenceKey::UnusedInclude)
        .one("compile reads for it alone, and does not use")
        .name(H.isSystem(B.Edge.second) ? "<" + Name + ">" : '"' + Name + '"');
    S.countIfAny(B.Readers - B.Burdened.size(),
                 "compiles read it for that alone and use it",
                 "compile reads it for that alone and uses it");
  }
  if (OfHeader.size() > IncludesShown)
    S.countIfAny(OfHeader.size() - IncludesShown,
                 "#includes more of this header",
                 "#include more of this header", OtherNs);
  S.conclude(
      NeedDefinition
          ? "Give what needs it a header of its own, or a definition in a "
            "source file, so that the others no longer read it."
          : "Declare what the header needs of it by name alone, or take the "
            "#include away if that is nothing, and include it in the files "
            "that use it.",
      "the time in files that nothing else leads to without these #includes, "
      "in compiles that neither instantiate nor mention anything of them; at "
      "most what is not instantiated, with the ways of the traces alone",
      {"Operators, specializations and names that macros make may be needed "
       "without being mentioned: compile after the change."});
  if (HasSources && F.isWorth(S.Saves.EstimateNs))
    S.Compiles = compileChanges(OfHeader);
  if (!HasSources)
    S.Doubts.insert(S.Doubts.begin(),
                    "Not all sources are there: half is expected. What is no "
                    "template may be needed, and leaves no mark.");
  return S;
}

Suggestions BurdenFinder::take() {
  for (const IncludeEdge &Edge : candidates()) {
    Burden B = burdenOf(Edge);
    if (B.NeedsDefinition == NeedDefinition &&
        B.Burdened.size() >= FewestBurdened && B.BurdenNs >= B.UsedNs)
      Burdens.push_back(std::move(B));
  }
  std::stable_sort(
      Burdens.begin(), Burdens.end(),
      [](const Burden &A, const Burden &B) { return A.BurdenNs > B.BurdenNs; });
  addSavings(Burdens);
  std::map<FileNumber, std::vector<const Burden *>> ByHeader;
  for (const Burden &B : Burdens)
    if (B.Saves.EstimateNs != 0)
      ByHeader[B.Edge.first].push_back(&B);
  Suggestions All;
  for (const auto &[Header, OfHeader] : ByHeader) {
    Suggestion &S = All.emplace_back(suggestion(OfHeader));
    if (!NeedDefinition)
      continue;
    std::set<std::string> Names;
    for (const Burden *B : OfHeader)
      for (uint32_t Word : B->Words)
        Names.insert(H.word(Word));
    std::string Text;
    size_t Shown = 0;
    for (const std::string &Name : Names)
      if (Shown++ < NamesShown)
        Text += (Text.empty() ? "" : ", ") + Name;
    S.count(Names.size(), "names of the header that need it:")
        .one("name of the header that needs it:")
        .name(Text + (Names.size() > NamesShown ? ", ..." : ""));
  }
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseForwardDeclare(AdviceFacts &F) {
  return std::make_unique<BurdenFinder>(F, /*NeedDefinition=*/false);
}

std::unique_ptr<AdviceRule> instantrace::adviseSplitHeader(AdviceFacts &F) {
  return std::make_unique<BurdenFinder>(F, /*NeedDefinition=*/true);
}
