#include "utils/analysis/advice/ExternSuggestion.h"

#include "utils/analysis/advice/IncludeNames.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/view/PathRules.h"

#include <set>
#include <string_view>

using namespace instantrace;

namespace {

std::string_view fileName(std::string_view Place) {
  Place = Place.substr(0, Place.rfind(':'));
  return Place.substr(Place.rfind('/') + 1);
}

/// Which file the declarations have to be in.
std::string headerFor(const std::vector<ExternPart> &Parts) {
  const ExternCandidate &First = *Parts.front().Row;
  const std::string File =
      First.IsSystem
          ? '<' + includeName(First.Place.substr(0, First.Place.rfind(':'))) +
                '>'
          : std::string(fileName(First.Place));
  if (First.IsSystem ||
      std::any_of(Parts.begin(), Parts.end(), [](const ExternPart &Part) {
        return dependsOnProgram(Part.Name);
      }))
    return "// in a header that includes " + File +
           " and defines the types of the arguments\n";
  return "// in " + File + ", after the definitions\n";
}

std::string snippetFor(const std::vector<ExternPart> &Parts) {
  std::string Declarations, Definitions;
  size_t Shown = 0;
  for (const ExternPart &Part : Parts)
    if (const std::string Line = Part.definition();
        !Line.empty() && Shown < MostExternShown) {
      Declarations += "extern " + Line + "\n";
      Definitions += Line + "\n";
      ++Shown;
    }
  if (Shown == 0)
    return {};
  std::string More;
  if (Shown != Parts.size())
    More = "// and " + std::to_string(Parts.size() - Shown) +
           " more, which `instantrace duplicates` shows\n";
  std::string Snippet = headerFor(Parts) + Declarations + More;
  if (!Parts.front().Row->Explicit.empty())
    return Snippet;
  std::set<std::string> Targets;
  for (const ExternPart &Part : Parts)
    for (const auto &[Name, Target] : Part.Row->Targets)
      Targets.insert(Name);
  Snippet += Targets.size() == 1 ? "// in one source file\n"
                                 : "// in one source file of each target:";
  if (Targets.size() > 1) {
    for (const std::string &Name : Targets)
      Snippet += " " + (Name.empty() ? std::string("(others)") : Name);
    Snippet += "\n";
  }
  return Snippet + Definitions + More;
}

/// Their times add up to what is saved.
void addCompiles(Suggestion &S, const ExternPart &Part) {
  const ExternCandidate &Row = *Part.Row;
  if (Row.Targets.size() > 1) {
    for (const auto &[Name, Target] : Row.Targets) {
      BodySaving Saves = Target.Sum;
      if (Row.Explicit.empty())
        Saves -= Target.Largest;
      S.count(Target.Compiles, "compiles with bodies in the target",
              Saves.All.EstimateNs)
          .one("compile with bodies in the target")
          .name(Name.empty() ? std::string("(none)") : Name);
    }
    return;
  }
  size_t First = Row.Explicit.empty() ? 1 : 0;
  uint64_t ShownNs = 0;
  size_t End = std::min(Row.Dearest.size(), First + MostExternShown);
  for (size_t I = First; I < End; ++I) {
    const BodiesInCompile &In = Row.Dearest[I];
    ShownNs += In.Saves.All.EstimateNs;
    S.count(In.Bodies, "function bodies in the compile of",
            In.Saves.All.EstimateNs)
        .one("function body in the compile of")
        .name(RowName::fromText(In.Input));
  }
  S.countIfAny(Row.Compiles - End, "compiles more, with fewer of them",
               "compile more, with fewer of them",
               Part.Saves.All.EstimateNs - ShownNs);
  if (First != 0)
    S.count(Row.Dearest[0].Bodies, "function bodies stay in one compile, as in")
        .one("function body stays in one compile, as in")
        .name(RowName::fromText(Row.Dearest[0].Input));
}

void addSpecializations(Suggestion &S, const std::vector<ExternPart> &Parts) {
  size_t Shown = std::min(Parts.size(), MostExternShown);
  uint64_t Bodies = 0, OthersNs = 0;
  for (size_t I = 0; I != Parts.size(); ++I) {
    const ExternCandidate &Row = *Parts[I].Row;
    Bodies += Row.Avoided + Row.Unsure;
    if (I < Shown)
      S.count(Row.Compiles, "compiles with bodies of",
              Parts[I].Saves.All.EstimateNs)
          .one("compile with bodies of")
          .name(Row.Name, Row.Place);
    else
      OthersNs += Parts[I].Saves.All.EstimateNs;
  }
  S.countIfAny(Parts.size() - Shown, "specializations more",
               "specialization more", OthersNs);
  S.count(Bodies, "function bodies of all of them");
}

void addBodies(Suggestion &S, const std::vector<ExternPart> &Parts) {
  uint64_t Avoided = 0, Inline = 0;
  BodySaving Saves;
  for (const ExternPart &Part : Parts) {
    Avoided += Part.Row->Avoided;
    Inline += Part.Row->Inline;
    Saves += Part.Saves;
  }
  S.count(Avoided, "of them certainly not inline");
  S.countIfAny(
      Saves.Functions,
      "functions of them, and of what only they need, that LLVM need not "
      "be given, estimated and part of the above",
      "function of them, or of what only they need, that LLVM need not "
      "be given, estimated and part of the above",
      Saves.Backend.EstimateNs);
  S.countIfAny(Inline,
               "further bodies that are inline, constexpr or have a deduced "
               "type, and stay",
               "further body that is inline, constexpr or has a deduced type, "
               "and stays");
}

/// What the snippet says, but for functions, of which it has no types: the
/// declarations at the end of the header, the definitions in the compile that
/// has most of the bodies.
void addEdits(const std::vector<ExternPart> &Parts, TrialChange &Into) {
  const ExternCandidate &First = *Parts.front().Row;
  const size_t Colon = First.Place.rfind(':');
  if (First.IsFunction || First.IsSystem || Colon == std::string::npos)
    return;
  std::string Declared, Defined;
  for (const ExternPart &Part : Parts) {
    Declared += "extern " + Part.definition() + "\n";
    Defined += Part.definition() + "\n";
  }
  Into.Edits = {{normalPath(First.Place.substr(0, Colon)), 0, Declared},
                {First.Dearest.front().Input.text(), 0, Defined}};
}

} // namespace

Suggestion instantrace::suggestExtern(const std::vector<ExternPart> &Parts) {
  const ExternCandidate &First = *Parts.front().Row;
  const bool IsAlone = Parts.size() == 1;
  const bool IsExplicit = !First.Explicit.empty();
  auto has = [&Parts](auto Is) {
    return std::any_of(Parts.begin(), Parts.end(),
                       [&Is](const ExternPart &P) { return Is(P); });
  };
  Suggestion S{IsAlone ? First.Name : First.Template, First.Place, {}};
  for (const ExternPart &Part : Parts)
    S.Saves += Part.Saves.All;
  for (const ExternPart &Part : Parts)
    if (IsExplicit)
      S.count(1, "explicit instantiation lacks", {}, EvidenceKey::Explicit)
          .name(RowName::fromText("extern " + Part.definition()),
                Part.Row->Explicit);
  if (IsAlone)
    addCompiles(S, Parts.front());
  else
    addSpecializations(S, Parts);
  addBodies(S, Parts);
  S.Snippet = snippetFor(Parts);
  addEdits(Parts, S.Change);
  S.conclude(
      IsExplicit
          ? "Declare the explicit instantiation that is there already in a "
            "header that the others include."
          : "Instantiate it explicitly in one source file that has these "
            "headers anyway, and declare that in a header that the others "
            "include.",
      IsExplicit
          ? "bodies, and what only they need, in all compiles but the one that "
            "instantiates them; half of those that may be inline. Classes are "
            "still instantiated where they are used. With the code generation "
            "that is recorded for their functions"
          : "bodies, and what only they need, in all compiles of a target but "
            "the one with the most of them; half of those that may be inline. "
            "Classes are still instantiated where they are used. With the code "
            "generation that is recorded for their functions",
      {});
  if (IsExplicit)
    S.Doubts.push_back("What uses it and is not linked with that source needs "
                       "an explicit instantiation of its own.");
  if (has([](const ExternPart &P) { return P.Row->Unsure != 0; }))
    S.Doubts.push_back("Functions that are inline or defined in their class "
                       "are instantiated nevertheless; of some the sources "
                       "do not tell.");
  if (has([](const ExternPart &P) { return P.definition().empty(); }))
    S.Doubts.push_back(
        "For a member template, or one of several templates of a "
        "name, write the return type and the parameters as "
        "they are declared.");
  if (!First.IsFunction && !IsExplicit)
    S.Doubts.push_back("The explicit instantiation has all members, used or "
                       "not, and each must compile.");
  if (Parts.front().Name.starts_with("std::"))
    S.Doubts.push_back(
        "Templates of the standard library may be instantiated explicitly "
        "only where they depend on a type of the program.");
  S.Doubts.push_back("With optimization, callers no longer see the bodies "
                     "for inlining.");
  return S;
}
