/// \file
/// Advice: recursion that a fold, a pack expansion or a built-in replaces.
///
/// Flow:   recursionsOf -> [adviseRecursion] -> AdviceFinder
///
/// Fires for a template with a recursion of at least FewestSteps
/// specializations, unless it is a detail of a system header. All its
/// instantiations go. What they need of other templates is mostly the elements,
/// such as the conditions of a conjunction, which are needed in any case, so
/// the estimate has no more of it than goes for certain; what is a recursion of
/// its own inside has its own suggestion.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/chains/Recursion.h"

#include <algorithm>
#include <optional>

using namespace instantrace;

namespace {

constexpr uint64_t FewestSteps = 16;

constexpr std::string_view PackAction =
    "Each step has the arguments of all others in its name. Do the whole list "
    "at once: expand the pack, fold it, take an element with "
    "__type_pack_element, make indices with std::make_integer_sequence.";
constexpr std::string_view NumberAction =
    "Compute the value in a constexpr function, with a loop, which "
    "instantiates nothing; or fold over std::make_integer_sequence, which is a "
    "built-in.";

constexpr std::string_view SystemAction =
    "This recursion is inside a library: give it fewer elements, or use "
    "something that does not recurse once per element: a struct for a tuple, a "
    "fold for a conjunction.";

constexpr std::string_view PackSnippet =
    R"(template <class... T> struct all
    : std::bool_constant<(check<T>::value && ...)> {};      // a fold
template <std::size_t I, class... T>
using nth = __type_pack_element<I, T...>;                   // a built-in
template <int... N> list<item<N>...> make(std::integer_sequence<int, N...>);
using made = decltype(make(std::make_integer_sequence<int, 40>{}));)";
constexpr std::string_view NumberSnippet =
    R"(constexpr int value(int N) {
  int Result = 0;
  for (int Step = 1; Step <= N; ++Step)
    Result = /* what one step made of the one before */;
  return Result;
})";

NameKey keyOf(const Trace &T, const RowName &Name) {
  return Name.Fixed.empty() ? Name.names(T).prefixKey(Name.Name) : NameKey();
}

/// As all compiles together have it.
struct RecursionFound {
  RecursionRow Row;
  NameKey InnermostKey;

  void keepNames(MergedNames &Names) {
    Row.Template = Names.add(Row.Template);
    Row.Innermost = Names.add(Row.Innermost);
  }
  void add(RecursionFound More, MergedNames &Names) {
    uint64_t Recursions = Row.Recursions + More.Row.Recursions;
    if (isMore(More)) {
      *this = std::move(More);
      keepNames(Names);
    }
    Row.Recursions = Recursions;
  }

private:
  bool isMore(const RecursionFound &Other) const {
    const RecursionRow &A = Row, &B = Other.Row;
    return A.Depth != B.Depth ? A.Depth < B.Depth
           : A.Specializations != B.Specializations
               ? A.Specializations < B.Specializations
               : Other.InnermostKey < InnermostKey;
  }
};

/// Of a template that has one.
struct RecursionSteps {
  Saving Saves;
  uint64_t Steps = 0, Total = 0, SelfNs = 0;
  std::string Place;
  bool IsSystem = false;

  void keepNames(MergedNames &) {}
  void add(RecursionSteps More, MergedNames &) {
    Saves += More.Saves;
    Steps += More.Steps;
    Total += More.Total;
    SelfNs += More.SelfNs;
    if (!Place.empty())
      return;
    Place = std::move(More.Place);
    IsSystem = More.IsSystem;
  }
};

class RecursionRule final : public AdviceRule {
public:
  explicit RecursionRule(AdviceFacts &F) : F(F) {}
  bool reads(AdviceReading Reading) const override {
    // Those of two compiles are one, so all have to be known first.
    return Reading == AdviceReading::First || HasLong;
  }
  std::unique_ptr<AdvicePart> partOf(const AdviceUnit &U,
                                     AdviceReading Reading) const override;
  void add(AdvicePart &Part, const Trace &T, AdviceReading Reading) override;
  Suggestions take() override;

private:
  struct Recursions : AdvicePart {
    KeyedRows<RecursionFound> Rows;
  };
  struct Steps : AdvicePart {
    KeyedRows<RecursionSteps> Rows;
  };
  void findSteps(const AdviceUnit &U,
                 KeyedRows<RecursionSteps> &Candidates) const;
  bool isLong(const NameKey &Key) const {
    uint32_t Known = Found.find(Key);
    return Known != NoIndex && Found[Known].Row.Depth >= FewestSteps;
  }

  AdviceFacts &F;
  KeyedRows<RecursionFound> Found;
  KeyedRows<RecursionSteps> Sums;
  bool HasLong = false;
};

std::unique_ptr<AdvicePart> RecursionRule::partOf(const AdviceUnit &U,
                                                  AdviceReading Reading) const {
  if (Reading == AdviceReading::Second) {
    auto Made = std::make_unique<Steps>();
    findSteps(U, Made->Rows);
    return Made;
  }
  auto Made = std::make_unique<Recursions>();
  for (RecursionRow &Row : recursionsOf(U.T, U.Index, U.Filter, U.Templates)) {
    if (!Row.Template.Fixed.empty())
      continue;
    RecursionFound &Found =
        Made->Rows[Made->Rows.enter(keyOf(U.T, Row.Template)).first];
    Found.InnermostKey = keyOf(U.T, Row.Innermost);
    Found.Row = std::move(Row);
  }
  return Made;
}

void RecursionRule::findSteps(const AdviceUnit &U,
                              KeyedRows<RecursionSteps> &Candidates) const {
  const Sequence &S = U.S;
  std::vector<uint32_t> RootOf(S.Intervals.size(), NoRoot);
  std::vector<bool> IsKnown(S.Entities.size() + 1);
  std::vector<std::optional<bool>> IsLong; // by group
  for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    if (I.Kind != EventKind::TemplateInstantiation || !I.Entity ||
        !U.Filter.selects(I))
      continue;
    const uint32_t Group = U.Templates.groupFor(I.Entity);
    if (Group >= IsLong.size())
      IsLong.resize(U.Templates.size());
    if (!IsLong[Group])
      IsLong[Group] = isLong(U.Templates.key(Group));
    if (!*IsLong[Group])
      continue;
    uint32_t Number = RootOf[Index] =
        Candidates.enter(U.Templates, Group).first;
    RecursionSteps &Row = Candidates[Number];
    ++Row.Steps;
    const Entity *E = S.entity(I.Entity);
    if (E && !(E->TemplateSet == E->Name)) {
      Row.SelfNs += U.Costs.SelfNs[Index];
      Row.Total += !IsKnown[I.Entity.Value];
      IsKnown[I.Entity.Value] = true;
    }
    if (!Row.Place.empty())
      continue;
    Row.Place = U.declared(I.Entity);
    if (E)
      Row.IsSystem = S.isSystem(E->DeclaredAt);
  }
  U.save(RootOf, Candidates);
}

void RecursionRule::add(AdvicePart &Part, const Trace &,
                        AdviceReading Reading) {
  if (Reading == AdviceReading::Second) {
    Sums.add(std::move(static_cast<Steps &>(Part).Rows), F.Names);
    return;
  }
  KeyedRows<RecursionFound> &Rows = static_cast<Recursions &>(Part).Rows;
  HasLong |= std::any_of(Rows.begin(), Rows.end(), [](const RecursionFound &R) {
    return R.Row.Depth >= FewestSteps;
  });
  Found.add(std::move(Rows), F.Names);
}

Suggestions RecursionRule::take() {
  Suggestions All;
  for (uint32_t Number = 0; Number != Sums.size(); ++Number) {
    const RecursionSteps &Known = Sums[Number];
    RecursionRow Row = Found[Found.find(Sums.key(Number))].Row;
    Row.Total = Known.Total;
    // How a library does inside what it is asked for is not for its users.
    if (Known.IsSystem && isInternalName(Row.Template.text(F.Names.trace(), {},
                                                           ComparedNameBytes)))
      continue;
    bool IsPack = Row.hasGrowingNames();
    Suggestion &S = All.emplace_back(Suggestion{
        Row.Template,
        Known.Place,
        {Known.Saves.LeastNs, Known.Saves.LeastNs, Known.Saves.MostNs}});
    S.count(Row.Depth, "steps inside one another, down to", {},
            EvidenceKey::Depth)
        .name(Row.Innermost);
    S.count(Row.Total, "specializations in all recursions");
    S.count(Known.Steps, "instantiations of it, without what they need",
            Known.SelfNs);
    if (Row.isRepeated())
      S.count(Row.Recursions,
              "recursions that are together quadratic in the steps");
    if (IsPack)
      S.count(Row.LongestBytes,
              "bytes of the longest name, which grows with each step");
    if (!Known.IsSystem)
      S.Snippet = IsPack ? PackSnippet : NumberSnippet;
    S.conclude(
        Known.IsSystem ? SystemAction
        : IsPack       ? PackAction
                       : NumberAction,
        "all its instantiations, with what nothing else requests; nothing is "
        "subtracted for what replaces them",
        {"The trace has no bodies: steps may differ in more than a number or "
         "an element, such as one that stops early.",
         "A program that names one of the steps still needs it."});
  }
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseRecursion(AdviceFacts &F) {
  return std::make_unique<RecursionRule>(F);
}
