#include "utils/analysis/names/NameGroups.h"

using namespace instantrace;

namespace {

bool isClass(EntityKind Kind) {
  return Kind == EntityKind::Class || Kind == EntityKind::ClassTemplate;
}

/// Names that a function has only as a member, whatever the class is called.
bool isMembersName(std::string_view Own) {
  for (std::string_view Name :
       {"operator=", "operator()", "operator[]", "operator->"})
    if (Own == Name)
      return true;
  return Own.starts_with('~');
}

NameGroup fixedGroup(std::string_view Name) {
  return {Name, {}, Dictionary::keyOf(Name)};
}

} // namespace

NameGroups::NameGroups(const Trace &T, NameGrouping By) : By(By) {
  Sequences.reserve(T.Sequences.size());
  for (const Sequence &S : T.Sequences) {
    Sequences.push_back({&S.Names, NameScopes(S.Names), {}, {}});
    if (By != NameGrouping::Template)
      learnClasses(S, Sequences.back());
  }
}

void NameGroups::learnClasses(const Sequence &S, SequenceNames &Known) {
  for (const Entity &E : S.Entities) {
    switch (E.Kind) {
    case EntityKind::Class:
      if (NamePrefix Template = Known.Scopes.templateOf(E.Name); Template.Entry)
        Classes.insert(S.Names.prefixKey(Template));
      [[fallthrough]];
    case EntityKind::ClassTemplate:
    case EntityKind::Enum:
      Classes.insert(S.Names.key(E.Name));
      break;
    case EntityKind::Function:
    case EntityKind::FunctionTemplate:
    case EntityKind::TemplateParameter:
    case EntityKind::FunctionParameter:
      learnScope(S, E, Known);
      break;
    default:
      break;
    }
    if (E.Kind != EntityKind::File && E.Kind != EntityKind::TemplateParameter &&
        E.Kind != EntityKind::FunctionParameter)
      learnHolders(S, E, Known);
  }
}

void NameGroups::learnHolders(const Sequence &S, const Entity &E,
                              SequenceNames &Known) {
  uint32_t Index = Known.Scopes.scopeOf(E.Name);
  Known.IsHolder.resize(Known.Scopes.scopes().size());
  for (; Index != NameScopes::Global && !Known.IsHolder[Index];
       Index = Known.Scopes.scopes()[Index].Outer) {
    Known.IsHolder[Index] = true;
    Holders.insert(S.Names.prefixKey(Known.Scopes.scopes()[Index].Name));
  }
}

bool NameGroups::isOwner(const NameKey &Key) const {
  return Owners.contains(Key) && !Holders.contains(Key);
}

void NameGroups::learnScope(const Sequence &S, const Entity &E,
                            SequenceNames &Known) {
  uint32_t Index = Known.Scopes.scopeOf(E.Name);
  if (Index == NameScopes::Global)
    return;
  const NameScopes::Scope &Scope = Known.Scopes.scopes()[Index];
  if (Scope.Form != ScopeForm::Identifier)
    return;
  if (E.Kind == EntityKind::TemplateParameter ||
      E.Kind == EntityKind::FunctionParameter) {
    if (!Known.Scopes.isOfOwner(E.Name))
      Owners.insert(S.Names.prefixKey(Scope.Name));
    return;
  }
  std::string_view Own = Known.Scopes.ownName(E.Name);
  if (!Own.empty() && (Own == Scope.Component || isMembersName(Own)))
    Classes.insert(S.Names.prefixKey(Scope.Name));
}

/// Scopes come after those around them, so one pass catches up.
const NameGroups::Surroundings &NameGroups::surroundings(SequenceNames &Known,
                                                         uint32_t Index) {
  while (Known.Around.size() <= Index) {
    auto At = static_cast<uint32_t>(Known.Around.size());
    const NameScopes::Scope &Scope = Known.Scopes.scopes()[At];
    Surroundings Outer;
    Outer.IsNamespace = true;
    if (Scope.Outer != NameScopes::Global)
      Outer = Known.Around[Scope.Outer];
    Surroundings &Own = Known.Around.emplace_back(Outer);
    bool IsClass = Scope.Form == ScopeForm::Specialization ||
                   Scope.Form == ScopeForm::Unnamed;
    if (Scope.Form == ScopeForm::Identifier) {
      NameKey Key = Known.Names->prefixKey(Scope.Name);
      IsClass = Classes.contains(Key) || (!Outer.IsNamespace && !isOwner(Key));
      Own.IsNamespace = !IsClass && !isOwner(Key);
    } else {
      Own.IsNamespace = Scope.Form == ScopeForm::AnonymousNamespace;
    }
    if (IsClass)
      Own.Class = At;
    if (Own.IsNamespace)
      Own.Namespace = At;
  }
  return Known.Around[Index];
}

NameGroup NameGroups::named(const SequenceNames &Known,
                            const NamePrefix &Name) const {
  return {{}, Name, Known.Names->prefixKey(Name)};
}

NameGroup NameGroups::groupOf(uint32_t SequenceIndex, const Entity &E) {
  SequenceNames &Known = Sequences[SequenceIndex];
  if (By == NameGrouping::Template)
    return named(Known,
                 {Known.Names->key(E.TemplateSet).SizeBytes != 0 ? E.TemplateSet
                                                                 : E.Name});
  if (By == NameGrouping::Class && isClass(E.Kind))
    return named(Known, {E.Name});
  uint32_t Scope = Known.Scopes.scopeOf(E.Name);
  Surroundings Around;
  if (Scope != NameScopes::Global)
    Around = surroundings(Known, Scope);
  uint32_t Group = By == NameGrouping::Class ? Around.Class : Around.Namespace;
  if (Group == NameScopes::Global)
    return fixedGroup(By == NameGrouping::Class ? "(no class)"
                                                : "(global namespace)");
  return named(Known, Known.Scopes.scopes()[Group].Name);
}
