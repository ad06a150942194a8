#include "utils/analysis/view/TraceFilter.h"

#include "runtime/format/EventFilter.h"
#include "utils/analysis/names/NameLimit.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// A trace of a newer version may have kinds that have no name here, up to 255.
/// They are one: no option means them, and without options all are meant.
constexpr unsigned UnknownKind = 63;
static_assert(EventKindLimit <= UnknownKind, "a mask has one bit per kind");

constexpr uint64_t bit(EventKind Kind) {
  return uint64_t(1) << std::min(static_cast<unsigned>(Kind), UnknownKind);
}

std::string kindNames() {
  std::string Names;
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  Names.append(Names.empty() ? "" : ", ").append(#Name);
#include "runtime/format/EventKinds.def"
  return Names;
}

uint64_t phaseMask() {
  uint64_t Mask = 0;
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  if (!isTemplateWork(EventKind::Name) &&                                      \
      EventGroup::Group != EventGroup::Backend)                                \
    Mask |= bit(EventKind::Name);
#include "runtime/format/EventKinds.def"
  return Mask;
}

Result<uint64_t> kindMask(const std::vector<std::string> &Names) {
  uint64_t Mask = 0;
  for (const std::string &Name : Names) {
    std::optional<uint64_t> Found = eventKindMask(Name);
    if (!Found)
      return Error{"unknown event kind '" + Name + "'; the kinds are " +
                   kindNames() +
                   "; a group of kinds, such as constraint, is all of them"};
    Mask |= *Found;
  }
  return Names.empty() ? ~uint64_t(0) : Mask;
}

Result<std::vector<NamePattern>>
patterns(const char *Option, const std::vector<std::string> &Texts) {
  std::vector<NamePattern> Patterns;
  for (const std::string &Text : Texts) {
    Result<NamePattern> Pattern = NamePattern::make(Text);
    if (!Pattern)
      return Error{std::string(Option) + ": " + Pattern.error().Message};
    Patterns.push_back(*Pattern);
  }
  return Patterns;
}

} // namespace

Result<TraceFilter> TraceFilter::make(const FilterSpec &Spec) {
  TraceFilter Filter;
  INSTANTRACE_TRY_ASSIGN(uint64_t Kinds, kindMask(Spec.Kinds));
  INSTANTRACE_TRY_ASSIGN(std::vector<NamePattern> Match,
                         patterns("--match", Spec.Match));
  INSTANTRACE_TRY_ASSIGN(std::vector<NamePattern> Exclude,
                         patterns("--exclude", Spec.Exclude));
  Filter.KindMask = Spec.NoPhases ? Kinds & ~phaseMask() : Kinds;
  Filter.Match = std::move(Match);
  Filter.Exclude = std::move(Exclude);
  for (const std::string &Path : Spec.In)
    Filter.In.push_back(normalPath(Path));
  Filter.MinTimeNs = Spec.MinTimeNs;
  Filter.NoSystem = Spec.NoSystem;
  Filter.NoPhases = Spec.NoPhases;
  Filter.Level = Spec.Level;
  Filter.IsEmpty = Spec.Kinds.empty() && !Spec.NoPhases && Spec.Match.empty() &&
                   Spec.Exclude.empty() && Spec.In.empty() &&
                   Spec.MinTimeNs == 0 && !Spec.NoSystem;
  return Filter;
}

void TraceFilter::enterTrace(const Trace &Entered,
                             const LearnedScopes *Learned) {
  T = &Entered;
  Groups.reset();
  ByGroup.clear();
  if (Match.empty() && Exclude.empty())
    return;
  Groups.emplace(Entered, Level, Learned ? Learned : Scopes);
  MatchedBytes = affordableNameBytes(Entered, MatchedNames);
}

void TraceFilter::enterSequence(uint32_t Index) {
  S = &T->Sequences[Index];
  if (Groups)
    Groups->enterSequence(Index);
  if (!In.empty())
    ByFile.assign(S->Names.size() + 1, Answer::Unknown);
  if (NoSystem)
    ByLocation.assign(S->Locations.Rows.size() + 1, Answer::Unknown);
}

bool TraceFilter::selectsSome(const Interval &I) {
  return I.durationNs() >= MinTimeNs && selects(I.Kind, I.Entity, I.Location);
}

bool TraceFilter::selects(const Instant &I) {
  return MinTimeNs == 0 && selects(I.Kind, I.Entity, I.Location);
}

bool TraceFilter::selectsHits(EntityId Entity) {
  return MinTimeNs == 0 && In.empty() &&
         (KindMask & bit(EventKind::Memoization)) && selectsName(Entity);
}

bool TraceFilter::selectsFunction(EntityId Entity, LocationId Location) {
  return MinTimeNs == 0 &&
         (selects(EventKind::OptimizeFunction, Entity, Location) ||
          selects(EventKind::MachineCode, Entity, Location));
}

bool TraceFilter::selects(EventKind Kind, EntityId Entity,
                          LocationId Location) {
  if (NoPhases && eventGroup(Kind) == EventGroup::Backend && !Entity)
    return false;
  return (KindMask & bit(Kind)) && selectsPlace(Kind, Entity, Location) &&
         selectsName(Entity);
}

bool TraceFilter::selectsPlace(EventKind Kind, EntityId Entity,
                               LocationId Place) {
  if (In.empty() && !NoSystem)
    return true;
  // An inclusion is where the included file is, not the #include.
  const instantrace::Entity *File =
      Kind == EventKind::FileInclusion ? S->entity(Entity) : nullptr;
  const Location *L = S->location(Place);
  if (!In.empty()) {
    NameId Path = File ? File->Name : L ? L->File : NameId{};
    if (!isInFolders(Path))
      return false;
  }
  if (!NoSystem)
    return true;
  if (File)
    return !isSystemInclusion(Entity);
  if (!L || Place.isDeclaration())
    return true;
  Answer &Known = ByLocation[Place.Value];
  if (Known == Answer::Unknown)
    Known = S->isSystem(Place) ? Answer::No : Answer::Yes;
  return Known == Answer::Yes;
}

bool TraceFilter::isInFolders(NameId Path) {
  if (!S->Names.contains(Path))
    return false;
  Answer &Known = ByFile[Path.Value];
  if (Known == Answer::Unknown) {
    std::string Normal = normalPathOf(*S, Path);
    bool IsIn =
        std::any_of(In.begin(), In.end(), [&](const std::string &Wanted) {
          return isWithin(Normal, Wanted);
        });
    Known = IsIn ? Answer::Yes : Answer::No;
  }
  return Known == Answer::Yes;
}

bool TraceFilter::isSystemInclusion(EntityId Entity) const {
  const instantrace::Entity *File = S->entity(Entity);
  auto First = S->FirstInclusions.find(File->Name.Value);
  if (First == S->FirstInclusions.end())
    return false;
  const Inclusion *I = S->inclusion(First->second);
  return I && I->IsSystem;
}

bool TraceFilter::selectsName(EntityId Entity) {
  if (!Groups)
    return true;
  if (!Entity)
    return findName(Entity);
  uint32_t Group = Groups->groupFor(Entity);
  if (Group >= ByGroup.size())
    ByGroup.resize(Groups->size(), Answer::Unknown);
  Answer &Known = ByGroup[Group];
  if (Known == Answer::Unknown)
    Known = findName(Entity) ? Answer::Yes : Answer::No;
  return Known == Answer::Yes;
}

bool TraceFilter::findName(EntityId Entity) {
  std::string Name;
  // Default arguments count, parameters do not: what a name is does not depend
  // on what is shown of it. What has no name is an empty one.
  if (Entity) {
    const RowName &Row = Groups->name(Groups->groupFor(Entity));
    if (Row.Fixed != "(unnamed)" && Row.Fixed != "(unresolved)")
      Name = Row.text(*T, NameStyle{true}, MatchedBytes);
  }
  auto IsMatch = [&Name](const NamePattern &P) { return P.matches(Name); };
  return (Match.empty() || std::any_of(Match.begin(), Match.end(), IsMatch)) &&
         std::none_of(Exclude.begin(), Exclude.end(), IsMatch);
}
