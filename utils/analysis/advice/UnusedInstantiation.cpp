/// \file
/// Advice: class templates of which each specialization is used once.
///
/// Flow:   class definitions -> [adviseUnusedInstantiation] -> findAdvice
///
/// An instantiation is worth its time when its result is used again. What a
/// trace shows of use: a memoized hit each time that the class is needed
/// complete, of which the first is that of who had it instantiated; and
/// instantiations of its members. A class with neither was made for one
/// expression and never looked at again. It does not show uses of members that
/// need no instantiation, nor calls of functions, so bodies are not judged.
///
/// Fires for a class template with at least FewestUnused such specializations,
/// asked for outside system headers, that are nearly all that it has. One
/// inside another of the same template is a step of a recursion
/// (RecursionAdvice).
#include "utils/analysis/advice/AdviceFacts.h"
#include "utils/analysis/advice/Candidates.h"
#include "utils/analysis/view/EntityGroups.h"

#include <map>
#include <unordered_set>

using namespace instantrace;

namespace {

constexpr uint64_t FewestUnused = 32;
constexpr double UnusedShare = 0.9;

struct UnusedCandidate {
  RowName Template;
  std::string Place;
  RowName Example;
  std::string ExampleAt;
  uint64_t Unused = 0, Total = 0, InTries = 0;
  Saving Saves;
};

/// Classes of which a member is instantiated.
std::unordered_set<uint32_t> usedClasses(const Sequence &S,
                                         EntityGroups &Classes) {
  std::unordered_set<uint32_t> Used;
  for (const Interval &I : S.Intervals) {
    const Entity *E = S.entity(I.Entity);
    if (E && E->Kind != EntityKind::Class &&
        I.Kind == EventKind::TemplateInstantiation)
      Used.insert(Classes.groupFor(I.Entity));
  }
  return Used;
}

} // namespace

std::vector<Suggestion> instantrace::adviseUnusedInstantiation(AdviceFacts &F) {
  EntityGroups Templates(F.T, EntityLevel::Template);
  EntityGroups Classes(F.T, EntityLevel::Class);
  std::map<uint32_t, uint32_t> ByGroup;
  std::vector<UnusedCandidate> Candidates;
  for (uint32_t Index = 0; Index != F.Compiles.size(); ++Index) {
    const CompileFacts &C = F.Compiles[Index];
    const Sequence &S = *C.S;
    Templates.enterSequence(Index);
    Classes.enterSequence(Index);
    F.Filter.enterSequence(Index);
    std::unordered_set<uint32_t> Used = usedClasses(S, Classes);
    std::vector<bool> IsTried(S.Intervals.size());
    constexpr uint32_t NoGroup = UINT32_MAX;
    std::vector<uint32_t> GroupAround(S.Intervals.size(), NoGroup);
    std::vector<uint32_t> RootOf(S.Intervals.size(), NoRoot);
    for (uint32_t At = 0; At != RootOf.size(); ++At) {
      const Interval &I = S.Intervals[At];
      IsTried[At] =
          isCandidateTry(I.Kind) || (I.Parent && IsTried[I.Parent.Value]);
      const Entity *E = S.entity(I.Entity);
      uint32_t Outer = I.Parent ? GroupAround[I.Parent.Value] : NoGroup;
      GroupAround[At] = Outer;
      if (I.Kind != EventKind::TemplateInstantiation || !E ||
          E->Kind != EntityKind::Class)
        continue;
      uint32_t Group = GroupAround[At] = Templates.groupFor(I.Entity);
      if (!I.Definition || Group == Outer || S.isSystem(I.Location) ||
          !F.Filter.selects(I))
        continue;
      auto [Found, IsNew] =
          ByGroup.try_emplace(Group, static_cast<uint32_t>(Candidates.size()));
      if (IsNew)
        Candidates.push_back({Templates.name(Group),
                              F.declared(Index, I.Entity),
                              {},
                              {},
                              0,
                              0,
                              0,
                              {}});
      UnusedCandidate &Row = Candidates[Found->second];
      ++Row.Total;
      if (!C.isUsedOnce(I.Entity) || Used.contains(Classes.groupFor(I.Entity)))
        continue;
      if (Row.Unused++ == 0) {
        Row.Example = RowName::named(Index, {E->Name});
        Row.ExampleAt = F.place(Index, I.Location);
      }
      Row.InTries += IsTried[At];
      RootOf[At] = Found->second;
    }
    std::vector<RootSaving> Savings =
        savings(C, F.Functions[Index], RootOf, Candidates.size());
    for (size_t Number = 0; Number != Candidates.size(); ++Number)
      Candidates[Number].Saves += Savings[Number].Saves;
  }
  std::vector<Suggestion> Suggestions;
  for (const UnusedCandidate &Row : Candidates) {
    if (Row.Unused < FewestUnused ||
        static_cast<double>(Row.Unused) <
            UnusedShare * static_cast<double>(Row.Total))
      continue;
    Suggestion &S = Suggestions.emplace_back();
    S.Subject = Row.Template;
    S.Place = Row.Place;
    S.Saves = {0, Row.Saves.EstimateNs / 2, Row.Saves.MostNs};
    S.Evidence.push_back({"specializations that are used once, such as",
                          Row.Example,
                          Row.ExampleAt,
                          Row.Unused,
                          {}});
    S.Evidence.push_back({"specializations in all", {}, {}, Row.Total, {}});
    if (Row.InTries != 0)
      S.Evidence.push_back({"of them while a candidate of overload resolution "
                            "was tried",
                            {},
                            {},
                            Row.InTries,
                            {}});
    S.Action = "Ask without a class: an alias, a variable template, a built-in "
               "of the compiler (__is_same and the like), a constexpr "
               "function; or check something cheaper first.";
    S.Snippet = "template <class A, class B> inline constexpr bool same_v = "
                "__is_same(A, B);";
    S.Basis = "half of the time of those used once, with what only they need: "
              "whatever takes their place needs some";
    S.Doubts.push_back("A use that needs no complete class, such as one of its "
                       "name, leaves no mark in the trace.");
    S.Doubts.push_back(
        "A member that is only named, and a base class, count as "
        "one use; the result may matter.");
  }
  return Suggestions;
}
