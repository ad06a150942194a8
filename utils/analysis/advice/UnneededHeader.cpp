/// \file
/// Advice: a header that has things instantiated which nobody else needs.
///
/// Flow:   template work right in a file inclusion -> [adviseUnneededHeader] ->
///         AdviceFinder
///
/// What stands at namespace scope of a header, in the classes and the
/// non-template functions that it defines, is instantiated by each compile that
/// includes it: a variable, a static_assert, a member of class type, an inline
/// function. Of that, what has no memoized hit but the first one is for nothing
/// else in the compile.
///
/// What a system header asks for counts for the one that the program includes
/// to have it, if nothing outside of that uses a template that is in it:
/// otherwise the compile needs it.
///
/// Fires for a header, not a main file, that asks for at least FewestRoots
/// things of which the larger part of the time is needed by nobody else.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/CompileProduct.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <unordered_map>

using namespace instantrace;

namespace {

constexpr uint64_t FewestRoots = 4;
/// Outwards, to what includes a header; Clang itself stops at 200.
constexpr int MostFiles = 200;
/// Of the estimate, which goes for certain.
constexpr double CertainShare = 0.5;

struct HeaderCandidate {
  std::string Path;
  std::string IncludedAt; ///< outside system headers, or the first one
  bool IsSystem = false;
  uint64_t Roots = 0, Compiles = 0;
  Saving Saves;
  uint64_t LargestNs = 0; ///< inclusive, of a root
  RowName Largest;
  std::string LargestAt;

  void keepNames(MergedNames &Names) { Largest = Names.add(Largest); }
  void add(const HeaderCandidate &More, MergedNames &Names) {
    Roots += More.Roots;
    Compiles += More.Compiles;
    Saves += More.Saves;
    if (More.LargestNs <= LargestNs)
      return;
    LargestNs = More.LargestNs;
    Largest = More.Largest;
    Largest = Names.add(Largest);
    LargestAt = More.LargestAt;
  }
};

/// Of one compile.
class UnneededInCompile {
public:
  UnneededInCompile(const AdviceUnit &U, const HeaderFacts &Headers,
                    KeyedRows<HeaderCandidate> &Candidates)
      : U(U), Headers(Headers), Candidates(Candidates) {}

  void find() {
    const Sequence &S = U.S;
    std::vector<uint32_t> RootOf(S.Intervals.size(), NoRoot);
    for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      IntervalId Outer = outwards(I);
      if (!Outer || !isTemplateWork(I.Kind) || !U.Filter.selects(I))
        continue;
      const Interval &File = S.Intervals[Outer.Value];
      const Entity *E = S.entity(File.Entity);
      // A main file is not included from anywhere.
      if (File.Kind != EventKind::FileInclusion || !E || !File.Location)
        continue;
      uint32_t Number = candidateOf(Outer);
      HeaderCandidate &Row = Candidates[Number];
      if (Row.IsSystem && isUsed(Number))
        continue;
      ++Row.Roots;
      Row.Compiles = 1;
      // Twice: what the header alone needs, and what others may need as well.
      RootOf[Index] = 2 * Number + isNeededElsewhere(I);
      uint64_t Ns = U.Costs.InclusiveNs[Index];
      if (Ns > Row.LargestNs) {
        Row.LargestNs = Ns;
        const Entity *What = S.entity(I.Entity);
        Row.Largest = What ? U.name(What->Name) : RowName{};
        Row.LargestAt = U.place(I.Location);
      }
    }
    std::vector<RootSaving> Savings =
        savings(U.Costs, U.Functions, RootOf, size_t(2) * Candidates.size());
    for (size_t Number = 0; Number != Candidates.size(); ++Number) {
      Candidates[Number].Saves = Savings[2 * Number].Saves;
      Candidates[Number].Saves.MostNs += Savings[2 * Number + 1].Saves.MostNs;
    }
  }

private:
  /// A class with further hits; a function or variable may always be.
  bool isNeededElsewhere(const Interval &I) const {
    const Entity *E = U.S.entity(I.Entity);
    if (I.Kind != EventKind::TemplateInstantiation || !E)
      return false;
    return E->Kind != EntityKind::Class || !U.Costs.isUsedOnce(I.Entity);
  }

  bool isSystemFile(const Entity &E) const {
    const Sequence &S = U.S;
    auto First = S.FirstInclusions.find(E.Name.Value);
    const Inclusion *Entered =
        First == S.FirstInclusions.end() ? nullptr : S.inclusion(First->second);
    return Entered && Entered->IsSystem;
  }

  /// Of a system header, what the program includes to have it: that line can
  /// change, and no other.
  IntervalId changeable(IntervalId File) const {
    const Sequence &S = U.S;
    int Files = 0;
    for (IntervalId Outer = File; Outer && Files != MostFiles;
         Outer = S.Intervals[Outer.Value].Parent) {
      const Interval &I = S.Intervals[Outer.Value];
      const Entity *E = S.entity(I.Entity);
      if (I.Kind != EventKind::FileInclusion || !E)
        continue;
      ++Files;
      if (!I.Location || !isSystemFile(*E))
        break;
      File = Outer;
    }
    return File;
  }

  /// Of the file whose inclusion that is.
  uint32_t candidateOf(IntervalId Right) {
    auto [Known, IsUnknown] = CandidateOf.try_emplace(Right.Value, 0);
    if (!IsUnknown)
      return Known->second;
    const Sequence &S = U.S;
    IntervalId File = changeable(Right);
    const Entity &E = *S.entity(S.Intervals[File.Value].Entity);
    std::string Path = normalPathOf(S, E.Name);
    auto [Number, IsNew] = Candidates.enter(Dictionary::keyOf(Path));
    Known->second = Number;
    if (!IsNew)
      return Number;
    HeaderCandidate &Row = Candidates[Number];
    Row.Path = Path;
    Row.IsSystem = isSystemFile(E);
    LocationId Included;
    int Files = 0;
    for (IntervalId Outer = File; Outer && Files != MostFiles;
         Outer = S.Intervals[Outer.Value].Parent, ++Files) {
      const Interval &Around = S.Intervals[Outer.Value];
      if (Around.Kind != EventKind::FileInclusion || !Around.Location)
        break;
      Included = Around.Location;
      if (!S.isSystem(Included))
        break;
    }
    Row.IncludedAt = U.place(Included);
    return Number;
  }

  /// By something that neither the header nor what it reads asked for.
  bool isUsed(uint32_t Number) {
    auto [Known, IsUnknown] = IsUsed.try_emplace(Number, false);
    if (!IsUnknown)
      return Known->second;
    if (!Files)
      Files = Headers.compile(U.Number);
    FileSet Inside;
    FileNumber File = Headers.find(Candidates[Number].Path);
    if (Files->IsRead.contains(File))
      Inside = Headers.recordedClosure(File);
    // A part that is precompiled is not read, and may be used without a trace.
    if (Files->UsesPrecompiled && !isAllRead(Inside))
      return Known->second = true;
    return Known->second = std::any_of(Files->Uses.begin(), Files->Uses.end(),
                                       [&Inside](const CompileFiles::Use &Use) {
                                         return Inside.contains(Use.Declared) &&
                                                !Inside.contains(Use.Asker);
                                       });
  }

  bool isAllRead(const FileSet &Inside) const {
    for (FileNumber File = 0; File != Headers.fileCount(); ++File)
      if (Inside.contains(File) && !Files->IsRead.contains(File))
        return false;
    return true;
  }

  const AdviceUnit &U;
  const HeaderFacts &Headers;
  KeyedRows<HeaderCandidate> &Candidates;
  std::unordered_map<uint32_t, uint32_t> CandidateOf; // by inclusion
  std::unordered_map<uint32_t, bool> IsUsed;          // by candidate
  std::optional<CompileFiles> Files;
};

class HeaderFinder final : public RowRule<HeaderCandidate> {
public:
  explicit HeaderFinder(AdviceFacts &F)
      : RowRule(F, AdviceReading::Second, nullptr, adviseHeader),
        Headers(F.headers()) {}

  Suggestions take() override {
    Suggestions All;
    for (const HeaderCandidate &Row : Rows)
      if (isReadYet(Row.Path))
        adviseHeader(Row, F, All);
    return All;
  }

protected:
  void read(const AdviceUnit &U,
            KeyedRows<HeaderCandidate> &Candidates) const override {
    if (!isMadeForOthers(U.S))
      UnneededInCompile(U, Headers, Candidates).find();
  }

private:
  /// By a compile, once other suggestions are followed.
  bool isReadYet(const std::string &Path) const {
    const FileNumber File = Headers.find(Path);
    for (size_t Compile = 0; Compile != Headers.compileCount(); ++Compile)
      if (Headers.isRead(Compile, File) && !Headers.isUnneeded(Compile, File))
        return true;
    return false;
  }
  static void adviseHeader(const HeaderCandidate &Row, const AdviceFacts &,
                           Suggestions &Into);

  const HeaderFacts &Headers;
};

void HeaderFinder::adviseHeader(const HeaderCandidate &Row, const AdviceFacts &,
                                Suggestions &Into) {
  if (Row.Roots < FewestRoots ||
      static_cast<double>(Row.Saves.LeastNs) <
          CertainShare * static_cast<double>(Row.Saves.EstimateNs))
    return;
  Suggestion &S = Into.emplace_back(
      Suggestion{RowName::fromText(Row.Path), Row.IncludedAt, Row.Saves});
  S.count(Row.Roots, "instantiations that the header itself requests")
      .one("instantiation that the header itself requests");
  S.count(Row.Compiles, "compiles in which it does")
      .one("compile in which it does");
  S.count(1, "of them costs most:", Row.LargestNs, EvidenceKey::CostliestInside)
      .name(Row.Largest, Row.LargestAt);
  S.conclude(
      Row.IsSystem
          ? "Include it only where it is needed, or a smaller header instead; "
            "it is included at the line that is named."
          : "Move what needs these instantiations to a source file: the "
            "definition of a variable, the body of an ordinary function, a "
            "static_assert; or hold a class of this kind by pointer.",
      "what the header requests and nothing else requests again, in all "
      "compiles; not the parsing of the header",
      {"What else uses functions and variables is not known; they count in the "
       "upper limit only.",
       "What the source file needs itself is still instantiated there, once."});
  const size_t Colon = Row.IncludedAt.rfind(':');
  if (Row.IsSystem && Colon != std::string::npos)
    S.Change.Edits.push_back(
        {normalPath(Row.IncludedAt.substr(0, Colon)),
         static_cast<uint32_t>(
             std::strtoul(Row.IncludedAt.c_str() + Colon + 1, nullptr, 10)),
         {}});
  if (Row.IsSystem)
    S.Doubts.insert(S.Doubts.begin(),
                    "What is no template in it may be needed: the trace does "
                    "not say who uses that.");
  else
    S.Snippet =
        R"(// header                  // source file
extern Table const table;  Table const table = make<Key>();
int count(Users const &);  int count(Users const &U) { ... })";
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseUnneededHeader(AdviceFacts &F) {
  return std::make_unique<HeaderFinder>(F);
}
