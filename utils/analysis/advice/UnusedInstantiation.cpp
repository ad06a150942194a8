/// \file
/// Advice: class templates of which each specialization is used once.
///
/// Flow:   class definitions -> [adviseUnusedInstantiation] -> AdviceFinder
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
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/Candidates.h"
#include "utils/analysis/advice/CompileProduct.h"

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

  void keepNames(MergedNames &Names) {
    Template = Names.add(Template);
    Example = Names.add(Example);
  }
  void add(const UnusedCandidate &More, MergedNames &Names) {
    if (Unused == 0 && More.Unused != 0) {
      Example = More.Example;
      Example = Names.add(Example);
      ExampleAt = More.ExampleAt;
    }
    Unused += More.Unused;
    Total += More.Total;
    InTries += More.InTries;
    Saves += More.Saves;
  }
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

void readUnused(const AdviceUnit &U, KeyedRows<UnusedCandidate> &Candidates) {
  const Sequence &S = U.S;
  if (isMadeForOthers(S))
    return;
  std::unordered_set<uint32_t> Used = usedClasses(S, *U.Classes);
  std::vector<bool> IsTried(S.Intervals.size());
  constexpr uint32_t NoGroup = UINT32_MAX;
  std::vector<uint32_t> GroupAround(S.Intervals.size(), NoGroup);
  std::vector<uint32_t> RootOf(S.Intervals.size(), NoRoot);
  for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    IsTried[Index] =
        isCandidateTry(I.Kind) || (I.Parent && IsTried[I.Parent.Value]);
    const Entity *E = S.entity(I.Entity);
    uint32_t Outer = I.Parent ? GroupAround[I.Parent.Value] : NoGroup;
    GroupAround[Index] = Outer;
    if (I.Kind != EventKind::TemplateInstantiation || !E ||
        E->Kind != EntityKind::Class)
      continue;
    uint32_t Group = GroupAround[Index] = U.Templates.groupFor(I.Entity);
    if (!I.Definition || Group == Outer || S.isSystem(I.Location) ||
        !U.Filter.selects(I))
      continue;
    auto [Number, IsNew] = Candidates.enter(U.Templates, Group);
    UnusedCandidate &Row = Candidates[Number];
    if (IsNew) {
      Row.Template = U.Templates.name(Group);
      Row.Place = U.declared(I.Entity);
    }
    ++Row.Total;
    if (!U.Costs.isUsedOnce(I.Entity) ||
        Used.contains(U.Classes->groupFor(I.Entity)))
      continue;
    if (Row.Unused++ == 0) {
      Row.Example = U.name(E->Name);
      Row.ExampleAt = U.place(I.Location);
    }
    Row.InTries += IsTried[Index];
    RootOf[Index] = Number;
  }
  U.save(RootOf, Candidates);
}

void adviseUnused(const UnusedCandidate &Row, const AdviceFacts &,
                  Suggestions &Into) {
  if (Row.Unused < FewestUnused ||
      static_cast<double>(Row.Unused) <
          UnusedShare * static_cast<double>(Row.Total))
    return;
  Suggestion &S = Into.emplace_back(
      Suggestion{Row.Template,
                 Row.Place,
                 {0, Row.Saves.EstimateNs / 2, Row.Saves.MostNs}});
  S.count(Row.Unused, "specializations that are used once, such as")
      .name(Row.Example, Row.ExampleAt);
  S.count(Row.Total, "specializations in all");
  S.countIfAny(Row.InTries,
               "of them while a candidate of overload resolution was tried");
  S.Snippet = "template <class A, class B> inline constexpr bool same_v = "
              "__is_same(A, B);";
  S.conclude(
      "Ask without a class: an alias, a variable template, a built-in of the "
      "compiler (__is_same and the like), a constexpr function; or check "
      "something cheaper first.",
      "half of the time of those used once, with what only they need: whatever "
      "takes their place needs some",
      {"A use that needs no complete class, such as one of its name, leaves no "
       "mark in the trace.",
       "A member that is only named, and a base class, count as one use; the "
       "result may matter."});
}

} // namespace

std::unique_ptr<AdviceRule>
instantrace::adviseUnusedInstantiation(AdviceFacts &F) {
  return rowRule(F, AdviceReading::Second, readUnused, adviseUnused);
}
