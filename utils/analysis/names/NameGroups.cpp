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

void NameGroups::learnClasses(const Sequence &S, SequenceNames &Of) {
  for (const Entity &E : S.Entities) {
    switch (E.Kind) {
    case EntityKind::Class:
      if (NamePrefix Template = Of.Scopes.templateOf(E.Name); Template.Entry)
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
      learnScope(S, E, Of);
      break;
    default:
      break;
    }
    if (E.Kind != EntityKind::File && E.Kind != EntityKind::TemplateParameter &&
        E.Kind != EntityKind::FunctionParameter)
      learnHolders(S, E, Of);
  }
}

void NameGroups::learnHolders(const Sequence &S, const Entity &E,
                              SequenceNames &Of) {
  uint32_t Index = Of.Scopes.scopeOf(E.Name);
  Of.IsHolder.resize(Of.Scopes.scopes().size());
  for (; Index != NameScopes::Global && !Of.IsHolder[Index];
       Index = Of.Scopes.scopes()[Index].Outer) {
    Of.IsHolder[Index] = true;
    Holders.insert(S.Names.prefixKey(Of.Scopes.scopes()[Index].Name));
  }
}

bool NameGroups::isOwner(const NameKey &Key) const {
  return Owners.contains(Key) && !Holders.contains(Key);
}

void NameGroups::learnScope(const Sequence &S, const Entity &E,
                            SequenceNames &Of) {
  uint32_t Index = Of.Scopes.scopeOf(E.Name);
  if (Index == NameScopes::Global)
    return;
  const NameScopes::Scope &Scope = Of.Scopes.scopes()[Index];
  if (Scope.Form != ScopeForm::Identifier)
    return;
  if (E.Kind == EntityKind::TemplateParameter ||
      E.Kind == EntityKind::FunctionParameter) {
    if (!Of.Scopes.isOfOwner(E.Name))
      Owners.insert(S.Names.prefixKey(Scope.Name));
    return;
  }
  std::string_view Own = Of.Scopes.ownName(E.Name);
  if (!Own.empty() && (Own == Scope.Component || isMembersName(Own)))
    Classes.insert(S.Names.prefixKey(Scope.Name));
}

/// Scopes come after those around them, so one pass catches up.
const NameGroups::Surroundings &NameGroups::around(SequenceNames &Of,
                                                   uint32_t Index) {
  while (Of.Around.size() <= Index) {
    auto At = static_cast<uint32_t>(Of.Around.size());
    const NameScopes::Scope &Scope = Of.Scopes.scopes()[At];
    Surroundings Outer;
    Outer.IsNamespace = true;
    if (Scope.Outer != NameScopes::Global)
      Outer = Of.Around[Scope.Outer];
    Surroundings &Own = Of.Around.emplace_back(Outer);
    bool IsClass = Scope.Form == ScopeForm::Specialization ||
                   Scope.Form == ScopeForm::Unnamed;
    if (Scope.Form == ScopeForm::Identifier) {
      NameKey Key = Of.Names->prefixKey(Scope.Name);
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
  return Of.Around[Index];
}

NameGroup NameGroups::named(const SequenceNames &Of,
                            const NamePrefix &Name) const {
  return {{}, Name, Of.Names->prefixKey(Name)};
}

NameGroup NameGroups::groupOf(uint32_t SequenceIndex, const Entity &E) {
  SequenceNames &Of = Sequences[SequenceIndex];
  if (By == NameGrouping::Template)
    return named(
        Of,
        {Of.Names->key(E.TemplateSet).SizeBytes != 0 ? E.TemplateSet : E.Name});
  if (By == NameGrouping::Class && isClass(E.Kind))
    return named(Of, {E.Name});
  uint32_t Scope = Of.Scopes.scopeOf(E.Name);
  Surroundings Around;
  if (Scope != NameScopes::Global)
    Around = around(Of, Scope);
  uint32_t Group = By == NameGrouping::Class ? Around.Class : Around.Namespace;
  if (Group == NameScopes::Global)
    return fixedGroup(By == NameGrouping::Class ? "(no class)"
                                                : "(global namespace)");
  return named(Of, Of.Scopes.scopes()[Group].Name);
}
