#include "utils/analysis/names/NameGroups.h"

#include <utility>

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

NameGroups::NameGroups(const Trace &T, NameGrouping Wanted,
                       const LearnedScopes *Learned)
    : Grouping(Wanted), Learned(Learned) {
  Sequences.reserve(T.Sequences.size());
  for (const Sequence &S : T.Sequences) {
    // Template sets are in no scopes, and to find those takes a table of them.
    static const Dictionary None;
    bool HasScopes = Wanted != NameGrouping::Template;
    Sequences.push_back(
        {&S.Names, NameScopes(HasScopes ? S.Names : None), {}, {}});
    if (Wanted != NameGrouping::Template && !Learned)
      learnClasses(S, Sequences.back());
  }
}

void NameGroups::learnClasses(const Sequence &S, SequenceNames &Known) {
  // Many entities may have one name, which may be long.
  std::vector<uint32_t> KindsSeen(S.Names.size() + 1); // a bit of each, by name
  for (const Entity &E : S.Entities) {
    if (E.Name.Value < KindsSeen.size()) {
      uint32_t Bit = uint32_t(1) << static_cast<uint32_t>(E.Kind);
      if (KindsSeen[E.Name.Value] & Bit)
        continue;
      KindsSeen[E.Name.Value] |= Bit;
    }
    switch (E.Kind) {
    case EntityKind::Class:
      if (NamePrefix Template = Known.Scopes.templateOf(E.Name); Template.Entry)
        Own.Classes.insert(S.Names.prefixKey(Template));
      [[fallthrough]];
    case EntityKind::ClassTemplate:
    case EntityKind::Enum:
      Own.Classes.insert(S.Names.key(E.Name));
      break;
    case EntityKind::Function:
    case EntityKind::FunctionTemplate:
    case EntityKind::TemplateParameter:
    case EntityKind::FunctionParameter:
      learnScope(E, Known);
      break;
    default:
      break;
    }
    if (E.Kind != EntityKind::File && E.Kind != EntityKind::TemplateParameter &&
        E.Kind != EntityKind::FunctionParameter)
      learnHolders(E, Known);
  }
}

void NameGroups::learnHolders(const Entity &E, SequenceNames &Known) {
  uint32_t Index = Known.Scopes.scopeOf(E.Name);
  Known.IsHolder.resize(Known.Scopes.scopes().size());
  for (; Index != NameScopes::Global && !Known.IsHolder[Index];
       Index = Known.Scopes.scopes()[Index].Outer) {
    Known.IsHolder[Index] = true;
    Own.Holders.insert(Known.Scopes.scopes()[Index].Key);
  }
}

bool NameGroups::isOwner(const NameKey &Key) const {
  const LearnedScopes &Scopes = Learned ? *Learned : Own;
  return Scopes.Owners.contains(Key) && !Scopes.Holders.contains(Key);
}

void NameGroups::learnScope(const Entity &E, SequenceNames &Known) {
  uint32_t Index = Known.Scopes.scopeOf(E.Name);
  if (Index == NameScopes::Global)
    return;
  const NameScopes::Scope &Scope = Known.Scopes.scopes()[Index];
  if (Scope.Form != ScopeForm::Identifier)
    return;
  if (E.Kind == EntityKind::TemplateParameter ||
      E.Kind == EntityKind::FunctionParameter) {
    if (!Known.Scopes.isOfOwner(E.Name))
      this->Own.Owners.insert(Scope.Key);
    return;
  }
  std::string_view Own = Known.Scopes.ownName(E.Name);
  if (!Own.empty() && (Own == Scope.Component || isMembersName(Own)))
    this->Own.Classes.insert(Scope.Key);
}

LearnedScopes::LearnedScopes(const Trace &T)
    : LearnedScopes(std::move(NameGroups(T, NameGrouping::Class).Own)) {}

void LearnedScopes::add(LearnedScopes More) {
  Classes.merge(More.Classes);
  Owners.merge(More.Owners);
  Holders.merge(More.Holders);
}

/// Scopes come after those around them, so one pass catches up.
const NameGroups::Surroundings &NameGroups::surroundings(SequenceNames &Known,
                                                         uint32_t Index) {
  while (Known.Around.size() <= Index) {
    auto Offset = static_cast<uint32_t>(Known.Around.size());
    const NameScopes::Scope &Scope = Known.Scopes.scopes()[Offset];
    Surroundings Outer;
    Outer.IsNamespace = true;
    if (Scope.Outer != NameScopes::Global)
      Outer = Known.Around[Scope.Outer];
    Surroundings &Own = Known.Around.emplace_back(Outer);
    bool IsClass = Scope.Form == ScopeForm::Specialization ||
                   Scope.Form == ScopeForm::Unnamed;
    if (Scope.Form == ScopeForm::Identifier) {
      IsClass = (Learned ? *Learned : this->Own).Classes.contains(Scope.Key) ||
                (!Outer.IsNamespace && !isOwner(Scope.Key));
      Own.IsNamespace = !IsClass && !isOwner(Scope.Key);
    } else {
      Own.IsNamespace = Scope.Form == ScopeForm::AnonymousNamespace;
    }
    if (IsClass)
      Own.Class = Offset;
    if (Own.IsNamespace)
      Own.Namespace = Offset;
  }
  return Known.Around[Index];
}

NameGroup NameGroups::groupOf(uint32_t SequenceIndex, const Entity &E) {
  SequenceNames &Known = Sequences[SequenceIndex];
  auto Named = [&Known](NameId Name) {
    return NameGroup{{}, {Name}, Known.Names->key(Name)};
  };
  if (Grouping == NameGrouping::Template)
    return Named(Known.Names->key(E.TemplateSet).SizeBytes != 0 ? E.TemplateSet
                                                                : E.Name);
  if (Grouping == NameGrouping::Class && isClass(E.Kind))
    return Named(E.Name);
  uint32_t Scope = Known.Scopes.scopeOf(E.Name);
  Surroundings Around;
  if (Scope != NameScopes::Global)
    Around = surroundings(Known, Scope);
  uint32_t Group =
      Grouping == NameGrouping::Class ? Around.Class : Around.Namespace;
  if (Group == NameScopes::Global)
    return fixedGroup(Grouping == NameGrouping::Class ? "(no class)"
                                                      : "(global namespace)");
  const NameScopes::Scope &Found = Known.Scopes.scopes()[Group];
  return {{}, Found.Name, Found.Key};
}
