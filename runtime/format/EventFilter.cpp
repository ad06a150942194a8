#include "runtime/format/EventFilter.h"

namespace instantrace {

namespace {

constexpr uint64_t bit(EventKind Kind) {
  return uint64_t(1) << static_cast<unsigned>(Kind);
}

template <class Predicate> uint64_t maskOf(Predicate Wanted) {
  uint64_t Mask = 0;
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  if (Wanted(EventKind::Name))                                                 \
    Mask |= bit(EventKind::Name);
#include "runtime/format/EventKinds.def"
  return Mask;
}

uint64_t groupMask(EventGroup Group) {
  return maskOf([Group](EventKind K) { return eventGroup(K) == Group; });
}

/// No filter leaves them out: the root is the total that every share refers to,
/// and waits are what is not in it.
constexpr uint64_t AlwaysRecorded =
    bit(EventKind::Frontend) | bit(EventKind::NotRunning);

struct GroupName {
  std::string_view Name;
  EventGroup Group;
};
constexpr GroupName GroupNames[] = {
    {"instantiation", EventGroup::Instantiation},
    {"substitution", EventGroup::Substitution},
    {"default-argument", EventGroup::DefaultArgument},
    {"exception-spec", EventGroup::ExceptionSpec},
    {"constraint", EventGroup::Constraint},
    {"synthesis", EventGroup::Synthesis},
    {"phase", EventGroup::Phase},
    {"file", EventGroup::File},
    {"line", EventGroup::Line},
    {"backend", EventGroup::Backend},
};

std::string_view trimmed(std::string_view S) {
  size_t First = S.find_first_not_of(" \t");
  if (First == std::string_view::npos)
    return {};
  return S.substr(First, S.find_last_not_of(" \t") - First + 1);
}

} // namespace

std::optional<uint64_t> eventKindMask(std::string_view Name) {
  if (Name == "default")
    return EventFilter::defaults().Mask;
  if (Name == "all")
    return maskOf([](EventKind) { return true; });
  if (Name == "none")
    return 0;
  for (const GroupName &G : GroupNames)
    if (Name == G.Name)
      return groupMask(G.Group);
#define INSTANTRACE_EVENT_KIND(KindName, Number, FilterName, Group)            \
  if (Name == FilterName || Name == #KindName)                                 \
    return bit(EventKind::KindName);
#include "runtime/format/EventKinds.def"
  return std::nullopt;
}

EventFilter EventFilter::defaults() {
  return {maskOf([](EventKind K) { return K != EventKind::Memoization; })};
}

EventFilterSpec parseEventFilter(std::string_view Spec) {
  EventFilterSpec Result;
  Result.Filter = EventFilter::defaults();
  bool IsFirst = true;
  while (!Spec.empty()) {
    size_t Comma = Spec.find(',');
    std::string_view Item = trimmed(Spec.substr(0, Comma));
    Spec = Comma == std::string_view::npos ? "" : Spec.substr(Comma + 1);
    if (Item.empty())
      continue;
    bool IsSigned = Item[0] == '+' || Item[0] == '-';
    bool IsRemoved = Item[0] == '-';
    std::string_view Name = IsSigned ? trimmed(Item.substr(1)) : Item;
    std::optional<uint64_t> Mask = eventKindMask(Name);
    if (!Mask) {
      Result.Unknown.emplace_back(Name);
      continue;
    }
    if (IsFirst && !IsSigned)
      Result.Filter.Mask = 0;
    IsFirst = false;
    if (IsRemoved)
      Result.Filter.Mask &= ~*Mask;
    else
      Result.Filter.Mask |= *Mask;
  }
  Result.Filter.Mask |= AlwaysRecorded;
  return Result;
}

std::string validEventFilterNames() {
  std::string Names = "default, all, none";
  for (const GroupName &G : GroupNames)
    Names.append(", ").append(G.Name);
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  if ((AlwaysRecorded & bit(EventKind::Name)) == 0)                            \
    Names.append(", ").append(FilterName);
#include "runtime/format/EventKinds.def"
  return Names;
}

} // namespace instantrace
