#include "utils/analysis/EventSelection.h"

#include <regex.h>

using namespace instantrace;

namespace {

/// A longer name is matched by its first bytes.
constexpr size_t MatchedBytes = 1 << 16;

struct KindNames {
  EventKind Kind;
  std::string_view Name;
  std::string_view FilterName;
};
constexpr KindNames AllKinds[] = {
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  {EventKind::Name, #Name, FilterName},
#include "runtime/trace/EventKinds.def"
};

Result<std::bitset<256>> kindSet(const std::vector<std::string> &Wanted) {
  std::bitset<256> Set;
  for (const std::string &Kind : Wanted) {
    bool Found = false;
    for (const KindNames &Names : AllKinds) {
      if (Kind != Names.Name && Kind != Names.FilterName)
        continue;
      Set.set(static_cast<size_t>(Names.Kind));
      Found = true;
    }
    if (Found)
      continue;
    std::string Valid;
    for (const KindNames &Names : AllKinds)
      Valid.append(Valid.empty() ? "" : ", ").append(Names.Name);
    return Error{"unknown event kind '" + Kind + "'; the kinds are " + Valid};
  }
  if (Wanted.empty())
    Set.set();
  return Set;
}

} // namespace

struct EventSelection::CompiledPattern {
  regex_t Compiled{};
  bool IsCompiled = false;
  ~CompiledPattern() {
    if (IsCompiled)
      regfree(&Compiled);
  }
};

Result<EventSelection>
EventSelection::make(const std::vector<std::string> &Kinds,
                     const std::string &Pattern, bool WithPhases) {
  Result<std::bitset<256>> Set = kindSet(Kinds);
  if (!Set)
    return Set.error();
  EventSelection Selection;
  Selection.Kinds = *Set;
  if (!WithPhases)
    for (const KindNames &Names : AllKinds)
      if (!isTemplateWork(Names.Kind))
        Selection.Kinds.reset(static_cast<size_t>(Names.Kind));
  if (Pattern.empty())
    return Selection;
  Selection.Pattern = std::make_shared<CompiledPattern>();
  regex_t &Compiled = Selection.Pattern->Compiled;
  if (int Code =
          regcomp(&Compiled, Pattern.c_str(), REG_EXTENDED | REG_NOSUB)) {
    char Reason[256];
    regerror(Code, &Compiled, Reason, sizeof Reason);
    return Error{"'" + Pattern + "' is no regular expression: " + Reason};
  }
  Selection.Pattern->IsCompiled = true;
  return Selection;
}

void EventSelection::enterSequence(const Sequence &S) {
  if (Pattern)
    Matches.assign(S.Entities.size() + 1, Match::Unknown);
}

bool EventSelection::contains(const Sequence &S, EventKind Kind,
                              EntityId Entity) {
  if (!Kinds.test(static_cast<size_t>(Kind)))
    return false;
  if (!Pattern)
    return true;
  if (Entity.Value >= Matches.size())
    return false; // it has no name to match
  Match &Known = Matches[Entity.Value];
  if (Known == Match::Unknown)
    Known = matches(S, Entity) ? Match::Yes : Match::No;
  return Known == Match::Yes;
}

bool EventSelection::matches(const Sequence &S, EntityId Entity) const {
  const instantrace::Entity *E = S.entity(Entity);
  // Default arguments count, parameters do not: what a name is does not depend
  // on what is shown of it.
  std::string Name;
  if (E)
    S.Names.expandPrefix({E->Name}, NameStyle{true}, Name, MatchedBytes);
  return regexec(&Pattern->Compiled, Name.c_str(), 0, nullptr, 0) == 0;
}
