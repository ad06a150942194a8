#include "utils/analysis/advice/Advice.h"

#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

using namespace instantrace;

namespace {

/// Longer names are not for a program that people write.
constexpr size_t WritableBytes = 1 << 11;
constexpr size_t LongestPathBytes = 1 << 12;

/// As a floating-point number, for a thousand times a time need not fit.
double permille(uint64_t PartNs, uint64_t WholeNs) {
  return 1000 * static_cast<double>(PartNs) / static_cast<double>(WholeNs);
}

struct NamedHeader {
  std::string Name; ///< its path, or as it is included
  AdviceKind Kind;  ///< of the suggestion
  /// It stays, and loses an #include, which can be done beside precompiling it.
  bool StaysPrecompiled = false;
  uint64_t SavedNs = 0; ///< by the suggestion
};

/// Of a precompiled header and something else about the same header, where
/// people choose between them, what one saves of the other.
constexpr uint64_t ChoicePart = 3;

/// The headers that a suggestion names.
std::vector<NamedHeader> headersNamed(const Suggestion &S, const Trace &T) {
  std::vector<NamedHeader> Named;
  if (S.Kind == AdviceKind::NarrowInclude ||
      S.Kind == AdviceKind::ForwardDeclare ||
      S.Kind == AdviceKind::SplitHeader || S.Kind == AdviceKind::UnneededHeader)
    Named.push_back({S.Subject.text(T, {}, LongestPathBytes), S.Kind,
                     S.Kind == AdviceKind::ForwardDeclare});
  for (const AdviceEvidence &E : S.Evidence)
    if (E.Key == EvidenceKey::Header || E.Key == EvidenceKey::UnusedInclude) {
      std::string Name = E.Name.text(T, {}, LongestPathBytes);
      if (Name.starts_with('<') || Name.starts_with('"'))
        Name = Name.substr(1, Name.size() - 2);
      Named.push_back({std::move(Name), S.Kind});
    }
  for (NamedHeader &Header : Named)
    Header.SavedNs = S.Saves.EstimateNs;
  return Named;
}

bool areChoice(const NamedHeader &A, const NamedHeader &B) {
  return (A.Kind == AdviceKind::Precompile) !=
             (B.Kind == AdviceKind::Precompile) &&
         std::max(A.SavedNs, B.SavedNs) <=
             ChoicePart * std::min(A.SavedNs, B.SavedNs);
}

/// One of the two may be the end of the other's path.
bool areOneHeader(const std::string &A, const std::string &B) {
  return A == B || A.ends_with("/" + B) || B.ends_with("/" + A);
}

bool areOverlapping(const NamedHeader &A, const NamedHeader &B) {
  if (A.Kind == B.Kind || !areOneHeader(A.Name, B.Name) || areChoice(A, B))
    return false;
  return !(A.StaysPrecompiled && B.Kind == AdviceKind::Precompile) &&
         !(B.StaysPrecompiled && A.Kind == AdviceKind::Precompile);
}

bool areAboutOne(const Suggestion &A, const Suggestion &B, const Trace &T) {
  const std::vector<NamedHeader> Others = headersNamed(B, T);
  for (const NamedHeader &Header : headersNamed(A, T))
    for (const NamedHeader &Other : Others)
      if (areOneHeader(Header.Name, Other.Name))
        return true;
  return false;
}

/// Whoever follows one suggestion about a header finds the others out of date.
/// Within one kind, savings do not overlap: each target precompiles the same
/// header for itself.
void dropOverlapping(AdviceReport &Report, const Trace &Names) {
  std::vector<Suggestion> &All = Report.Suggestions;
  std::vector<size_t> Order(All.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::stable_sort(Order.begin(), Order.end(), [&All](size_t A, size_t B) {
    return All[A].Saves.EstimateNs > All[B].Saves.EstimateNs;
  });
  std::vector<NamedHeader> Taken;
  std::vector<bool> IsKept(All.size());
  for (size_t I : Order) {
    std::vector<NamedHeader> Headers = headersNamed(All[I], Names);
    IsKept[I] = std::none_of(
        Taken.begin(), Taken.end(), [&Headers](const NamedHeader &Before) {
          return std::any_of(Headers.begin(), Headers.end(),
                             [&Before](const NamedHeader &Header) {
                               return areOverlapping(Before, Header);
                             });
        });
    if (IsKept[I])
      std::move(Headers.begin(), Headers.end(), std::back_inserter(Taken));
  }
  Suggestions Kept;
  for (size_t I = 0; I != All.size(); ++I)
    (IsKept[I] ? Kept : Report.Overlapping).push_back(std::move(All[I]));
  All = std::move(Kept);
}

void sortBySaving(std::vector<Suggestion> &All, const Trace &Names) {
  std::stable_sort(All.begin(), All.end(),
                   [&Names](const Suggestion &A, const Suggestion &B) {
                     if (A.Saves.EstimateNs != B.Saves.EstimateNs)
                       return A.Saves.EstimateNs > B.Saves.EstimateNs;
                     if (A.Kind != B.Kind)
                       return A.Kind < B.Kind;
                     return A.Subject.text(Names, {}, ComparedNameBytes) <
                            B.Subject.text(Names, {}, ComparedNameBytes);
                   });
}

} // namespace

std::string_view instantrace::adviceKindName(AdviceKind Kind) {
  switch (Kind) {
#define ADVICE_KIND(Name, Word, About)                                         \
  case AdviceKind::Name:                                                       \
    return Word;
#include "utils/analysis/advice/AdviceKinds.def"
  }
  return "";
}

std::string_view instantrace::adviceKindMeaning(AdviceKind Kind) {
  switch (Kind) {
#define ADVICE_KIND(Name, Word, About)                                         \
  case AdviceKind::Name:                                                       \
    return About;
#include "utils/analysis/advice/AdviceKinds.def"
  }
  return "";
}

std::string_view instantrace::trialWord(TrialResult::Outcome Kind) {
  switch (Kind) {
  case TrialResult::Outcome::NotTried:
    return "not-tried";
  case TrialResult::Outcome::DoesNotBuild:
    return "does-not-build";
  case TrialResult::Outcome::DidNotPay:
    return "did-not-pay";
  case TrialResult::Outcome::Paid:
    return "paid";
  }
  return "";
}

std::string_view instantrace::whyNotTried(AdviceKind Kind) {
  switch (Kind) {
  case AdviceKind::Precompile:
  case AdviceKind::NarrowInclude:
  case AdviceKind::ForwardDeclare:
  case AdviceKind::ExternTemplate:
  case AdviceKind::UnneededHeader:
    return {};
  case AdviceKind::SplitHeader:
    return "someone has to move what needs it into a new header: a trace does "
           "not have where each declaration ends";
  case AdviceKind::CompileOnce:
    return "someone has to change what the targets of the build are made of";
  case AdviceKind::Recursion:
    return "someone has to write the template without the recursion";
  case AdviceKind::DefaultArguments:
    return "someone has to write the overloads without the default arguments";
  case AdviceKind::EnableIf:
    return "someone has to write the constraints";
  case AdviceKind::UnusedInstantiation:
    return "someone has to write the code without the class template";
  case AdviceKind::TypeIndependentPart:
    return "someone has to write the function that does not depend on the "
           "type: a trace does not have which lines do";
  case AdviceKind::NeverKept:
  case AdviceKind::Duplicates:
    return "someone has to move the definitions into a source file";
  case AdviceKind::ConstantEvaluation:
    return "someone has to write the constant in another way";
  }
  return {};
}

AdviceFacts::AdviceFacts(const AdviceSpec &Spec) : Spec(Spec) {}

AdviceFacts::~AdviceFacts() = default;

bool AdviceFacts::isWorth(uint64_t Ns) const {
  return Ns != 0 && permille(Ns, TotalNs) >= Spec.MinPermille;
}

HeaderFacts &AdviceFacts::headers() {
  if (!Headers)
    Headers = std::make_unique<HeaderFacts>(Spec.Sources);
  return *Headers;
}

bool AdviceUnit::isBody(const Interval &I) const {
  const Entity *E = S.entity(I.Entity);
  return I.Kind == EventKind::TemplateInstantiation && I.Definition && E &&
         E->Kind == EntityKind::Function;
}

bool AdviceUnit::isOwnFunction(EntityId Id) const {
  const Entity *E = S.entity(Id);
  return E && Id.Value < Functions.Costs.size() &&
         Functions.Costs[Id.Value].Given != 0 &&
         E->Name.Value != E->TemplateSet.Value && !S.isSystem(E->DeclaredAt) &&
         Filter.selectsFunction(Id, Functions.Homes.placeOf(Id));
}

std::string AdviceUnit::place(LocationId Id) const {
  const Location *L = S.location(Id);
  if (!L || !S.Names.contains(L->File))
    return {};
  return placeText(S, *L);
}

std::string AdviceUnit::declared(EntityId Id) const {
  const Entity *E = S.entity(Id);
  return E ? place(E->DeclaredAt) : std::string();
}

std::string instantrace::writableName(const Trace &T, const RowName &Name) {
  if (!Name.Fixed.empty())
    return {};
  std::string Text = Name.text(T, {}, WritableBytes + 1);
  if (Text.empty() || Text.size() > WritableBytes)
    return {};
  for (std::string_view Unwritable :
       {"(lambda", "(anonymous", "(unnamed", ")::", "\n"})
    if (Text.find(Unwritable) != Text.npos)
      return {};
  return Text;
}

AdviceFinder::AdviceFinder(const TraceFilter &Filter, const AdviceSpec &Spec,
                           const LearnedScopes *Compared)
    : Filter(Filter), Compared(Compared), Facts(Spec) {
  const std::vector<AdviceKind> &Only = Spec.Only;
  auto addIfWanted = [&](AdviceKind Kind, auto *Make) {
    if (Only.empty() || std::find(Only.begin(), Only.end(), Kind) != Only.end())
      Rules.emplace_back(Kind, Make(Facts));
  };
#define ADVICE_KIND(Name, Word, About)                                         \
  addIfWanted(AdviceKind::Name, advise##Name);
#include "utils/analysis/advice/AdviceKinds.def"
  if (Facts.knownHeaders())
    Passes.push_back(Facts.knownHeaders());
  for (auto &[Kind, Rule] : Rules)
    Passes.push_back(Rule.get());
}

AdviceFinder::~AdviceFinder() = default;

AdviceFinder::Views::Views(const Trace &T, TraceFilter Chosen,
                           const LearnedScopes *Compared,
                           const LearnedScopes *Scopes)
    : T(T), Filter(std::move(Chosen)), Templates(T, EntityLevel::Template) {
  Filter.enterTrace(T, Compared);
  if (Scopes)
    Classes.emplace(T, EntityLevel::Class, Scopes);
}

AdviceFinder::Parts AdviceFinder::partsOf(Views &V, uint32_t Index,
                                          uint32_t Number,
                                          uint64_t &TotalNs) const {
  const Sequence &S = V.T.Sequences[Index];
  CompileFacts Costs(S);
  FunctionCosts Functions(Costs);
  TotalNs += Costs.TotalNs;
  V.Filter.enterSequence(Index);
  V.Templates.enterSequence(Index);
  if (V.Classes)
    V.Classes->enterSequence(Index);
  AdviceUnit U{V.T,      Index,       Number,
               S,        Costs,       Functions,
               V.Filter, V.Templates, V.Classes ? &*V.Classes : nullptr};
  Parts Made(Passes.size());
  for (size_t I = 0; I != Passes.size(); ++I)
    if (Passes[I]->reads(Reading))
      Made[I] = Passes[I]->partOf(U, Reading);
  return Made;
}

bool AdviceFinder::areClassesAsked() const {
  return std::any_of(Rules.begin(), Rules.end(), [](const auto &Rule) {
    return Rule.first == AdviceKind::ExternTemplate ||
           Rule.first == AdviceKind::UnusedInstantiation;
  });
}

uint32_t AdviceFinder::numberOf(const std::string &File, uint32_t Index) const {
  auto Known = ByFile.find(File);
  return Known != ByFile.end() && Index < Known->second.Count
             ? Known->second.First + Index
             : NoIndex;
}

EventSink &AdviceSink::beginSequence(uint32_t Entered) {
  if (!Views)
    Views.emplace(T, Finder.Filter, Finder.Compared,
                  Finder.Reading == AdviceReading::First ? nullptr
                                                         : &Finder.Scopes);
  Index = Entered;
  Events = {};
  return *this;
}

void AdviceSink::begin(IntervalId, const Interval &I) {
  Events.Intervals.push_back(I);
}

void AdviceSink::end(IntervalId Id, const Interval &I,
                     const ElidedLeaves &Leaves) {
  Events.Intervals[Id.Value] = I;
  if (I.HasElided)
    Events.Elided.push_back(Leaves);
}

void AdviceSink::instant(const Instant &I) { Events.Instants.push_back(I); }

void AdviceSink::endSequence(Sequence &S) {
  S.Intervals.swap(Events.Intervals);
  S.Instants.swap(Events.Instants);
  S.Elided.swap(Events.Elided);
  std::sort(S.Elided.begin(), S.Elided.end(),
            [](const ElidedLeaves &A, const ElidedLeaves &B) {
              return A.Inside.Value < B.Inside.Value;
            });
  const bool IsFirst = Finder.Reading == AdviceReading::First;
  uint32_t Number =
      IsFirst ? NoIndex : Finder.numberOf(T.Files.front().Name, BeginCount);
  ++BeginCount;
  const uint64_t NsBefore = Made.TotalNs;
  if (IsFirst || Number != NoIndex)
    Made.Parts.push_back(Finder.partsOf(*Views, Index, Number, Made.TotalNs));
  if (IsFirst && Finder.Facts.Spec.KeepsCompiles)
    Made.Compiles.push_back({S.Session.value_or(TraceSession()), S.BuildFolder,
                             Made.TotalNs - NsBefore});
  S.Intervals = {};
  S.Instants = {};
  S.Elided = {};
}

AdviceFinder::TracePart AdviceSink::take(Trace &Source) {
  Made.File = T.Files.front().Name;
  if (Finder.Reading == AdviceReading::First && Finder.areClassesAsked())
    Made.Scopes = LearnedScopes(T);
  Views.reset();
  Made.Names = takeNames(std::move(Source));
  return std::move(Made);
}

void AdviceFinder::add(Parts &Added, const Trace &T) {
  for (size_t I = 0; I != Passes.size(); ++I)
    if (Added[I])
      Passes[I]->add(*Added[I], T, Reading);
}

void AdviceFinder::add(TracePart Added) {
  Facts.Names.enterTrace(Added.Names);
  for (Parts &Each : Added.Parts)
    add(Each, Added.Names);
  if (Reading == AdviceReading::Second)
    return;
  Facts.TotalNs += Added.TotalNs;
  Scopes.add(std::move(Added.Scopes));
  auto Count = static_cast<uint32_t>(Added.Parts.size());
  ByFile.try_emplace(Added.File,
                     Compilation{static_cast<uint32_t>(Compiles), Count});
  Compiles += Count;
  std::move(Added.Compiles.begin(), Added.Compiles.end(),
            std::back_inserter(KeptCompiles));
}

bool AdviceFinder::endFirst() {
  if (HeaderFacts *Headers = Facts.knownHeaders())
    Headers->finish();
  Reading = AdviceReading::Second;
  return std::any_of(Passes.begin(), Passes.end(), [](const AdvicePass *Pass) {
    return Pass->reads(AdviceReading::Second);
  });
}

/// The compiles that read what is edited, where the rule has not named them.
void AdviceFinder::addReaders(Suggestion &S) {
  HeaderFacts *Headers = Facts.knownHeaders();
  if (!Headers || !S.Change.Compiles.empty())
    return;
  for (size_t Compile = 0; Compile != Headers->compileCount(); ++Compile)
    if (std::any_of(S.Change.Edits.begin(), S.Change.Edits.end(),
                    [&](const SourceEdit &Edit) {
                      FileNumber File = Headers->find(Edit.Path);
                      return File != NoFile && Headers->isRead(Compile, File);
                    }))
      S.Change.Compiles.push_back(Compile);
}

AdviceReport AdviceFinder::take() {
  AdviceReport Report;
  Report.TotalNs = Facts.TotalNs;
  Report.Compiles = Compiles;
  auto addSuggestions = [&](auto IsWanted) {
    for (auto &[Kind, Rule] : Rules) {
      if (!IsWanted(Kind))
        continue;
      for (Suggestion &S : Rule->take()) {
        if (!Facts.isWorth(S.Saves.EstimateNs)) {
          ++Report.Smaller;
          continue;
        }
        S.Kind = Kind;
        addReaders(S);
        Report.Suggestions.push_back(std::move(S));
      }
    }
    sortBySaving(Report.Suggestions, names());
    dropOverlapping(Report, names());
  };
  auto isPrecompile = [](AdviceKind Kind) {
    return Kind == AdviceKind::Precompile;
  };
  auto isNarrow = [](AdviceKind Kind) {
    return Kind == AdviceKind::NarrowInclude;
  };
  Suggestions Larger; // than one that is shown beside it
  auto follow = [&](auto IsWanted) {
    for (const Suggestion &S : Report.Suggestions)
      for (auto &[Kind, Rule] : Rules)
        if (Kind == S.Kind && IsWanted(Kind) &&
            std::none_of(Larger.begin(), Larger.end(),
                         [&](const Suggestion &Other) {
                           return areAboutOne(S, Other, names());
                         }))
          Rule->follow(S.Subject.text(names(), {}, LongestPathBytes));
  };
  // What these have nobody read, no other one saves, nor need it be
  // precompiled: unless that saves more.
  addSuggestions(isNarrow);
  const uint64_t Smaller = Report.Smaller;
  addSuggestions(isPrecompile);
  for (const Suggestion &S : Report.Suggestions)
    if (isPrecompile(S.Kind))
      for (const Suggestion &Other : Report.Suggestions)
        if (isNarrow(Other.Kind) &&
            Other.Saves.EstimateNs < S.Saves.EstimateNs &&
            areAboutOne(S, Other, names()))
          Larger.push_back(S);
  for (std::vector<Suggestion> *All :
       {&Report.Suggestions, &Report.Overlapping})
    std::erase_if(*All,
                  [&](const Suggestion &S) { return isPrecompile(S.Kind); });
  Report.Smaller = Smaller;
  follow(isNarrow);
  addSuggestions(
      [&](AdviceKind Kind) { return !isNarrow(Kind) && !isPrecompile(Kind); });
  follow([&](AdviceKind Kind) { return !isNarrow(Kind); });
  addSuggestions(isPrecompile);
  sortBySaving(Report.Overlapping, names());
  return Report;
}
