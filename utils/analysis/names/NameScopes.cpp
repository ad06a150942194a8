#include "utils/analysis/names/NameScopes.h"

#include "runtime/strings/NameTokens.h"

using namespace instantrace;

namespace {

bool startsWithEntry(const Dictionary::EntryView &Entry) {
  return !Entry.MarkedName.empty() && Entry.MarkedName[0] == '\0' &&
         Entry.Markers[0] != 0;
}

/// "unnamed function parameter 1 of ", which its owner's name follows.
/// It is short, whatever the text is.
bool isOwnerPrefix(std::string_view Text) {
  constexpr size_t MostBytes = 128;
  return Text.starts_with("unnamed ") &&
         Text.substr(0, MostBytes).find(" of ") != Text.npos;
}

} // namespace

NameScopes::NameScopes(const Dictionary &Names)
    : Names(Names), ScopeOf(Names.size() + 1, Unknown) {
  for (uint32_t Id = 1; Id <= Names.size() && !HasParts; ++Id)
    HasParts = Names.entry({Id}).Part == NamePart::TemplateHead;
}

/// Traces of 1.1 have no marks; their heads end in `<`, and no other entry does
/// that is the first of another.
bool NameScopes::isHead(uint32_t Entry) const {
  if (Entry == 0)
    return false;
  Dictionary::EntryView View = Names.entry({Entry});
  return HasParts ? View.Part == NamePart::TemplateHead
                  : View.MarkedName.ends_with('<');
}

/// The entry that says what the scope is, when this one's text does not; 0:
/// none.
uint32_t NameScopes::nextEntry(const Dictionary::EntryView &Entry) const {
  if (!startsWithEntry(Entry))
    return 0;
  bool IsOwned = Entry.Markers.size() > 1 && Entry.MarkedName[1] == '\0' &&
                 isOwnerPrefix(Names.entry({Entry.Markers[0]}).MarkedName);
  return Entry.Markers[IsOwned ? 1 : 0];
}

bool NameScopes::isOfOwner(NameId Name) const {
  if (!Names.contains(Name))
    return false;
  Dictionary::EntryView View = Names.entry(Name);
  return isOwnerPrefix(View.MarkedName) ||
         (startsWithEntry(View) &&
          isOwnerPrefix(Names.entry({View.Markers[0]}).MarkedName));
}

uint32_t NameScopes::scopeOf(NameId Name) {
  if (!Names.contains(Name))
    return Global;
  // Entries refer to earlier ones, so this ends; outer scopes come first.
  std::vector<uint32_t> Chain;
  uint32_t Entry = Name.Value;
  for (; Entry != 0 && ScopeOf[Entry] == Unknown;
       Entry = nextEntry(Names.entry({Entry})))
    Chain.push_back(Entry);
  uint32_t Scope = Entry == 0 ? Global : ScopeOf[Entry];
  for (; !Chain.empty(); Chain.pop_back()) {
    addScopes(Chain.back(), Scope);
    Scope = ScopeOf[Chain.back()];
  }
  return Scope;
}

void NameScopes::addScopes(uint32_t Entry, uint32_t Outer) {
  Dictionary::EntryView View = Names.entry({Entry});
  ScopeOf[Entry] = Outer;
  // As one text, such a name does not begin with a scope.
  if (isOwnerPrefix(View.MarkedName))
    return;
  std::vector<size_t> Ends = scopeEnds(View.MarkedName, [&](size_t Marker) {
    return isHead(View.Markers[Marker]);
  });
  std::vector<uint64_t> NameEnds;
  for (size_t End : Ends)
    NameEnds.push_back(End - 2);
  std::vector<NameKey> Keys = Names.prefixKeys({Entry}, NameEnds);
  size_t Begin = 0;
  for (size_t I = 0; I != Ends.size(); ++I) {
    size_t End = Ends[I];
    NamePrefix Name{{Entry}, End - 2};
    std::string_view Component = View.MarkedName.substr(Begin, End - 2 - Begin);
    if (Begin == 0 && Component == std::string_view("\0", 1) &&
        View.Markers[0] != 0)
      Name = {{View.Markers[0]}};
    // `Outer::Inner::`: the first entry is the scope around.
    if (Begin == 0 && Component.size() > 1 && startsWithEntry(View) &&
        Names.entry({View.Markers[0]}).MarkedName.ends_with("::"))
      Component.remove_prefix(1);
    if (End > 2) // not the `::` of a name that begins with it
      Outer = addScope(Name, Keys[I], Outer, Component);
    Begin = End;
  }
  ScopeOf[Entry] = Outer;
}

uint32_t NameScopes::addScope(const NamePrefix &Name, const NameKey &Key,
                              uint32_t Outer, std::string_view Component) {
  Scopes.push_back({Name, Key, Outer, formOf(Name, Component), Component});
  return static_cast<uint32_t>(Scopes.size() - 1);
}

ScopeForm NameScopes::formOf(const NamePrefix &Name,
                             std::string_view Component) const {
  // What a chain of last entries ends in is looked at in the first few.
  constexpr int MostEntries = 64;
  char Last = Component.empty() ? '\0' : Component.back();
  uint32_t Entry = Name.Entry.Value;
  for (int I = 0; I != MostEntries && Last == '\0'; ++I) {
    Dictionary::EntryView View = Names.entry({Entry});
    std::string_view Text = View.MarkedName;
    if (Name.MarkedBytes != NamePrefix::Whole || Text.empty())
      break;
    Last = Text.back();
    if (Last != '\0' || View.Markers.back() == 0)
      break;
    Entry = View.Markers.back();
  }
  if (Last == '>')
    return ScopeForm::Specialization;
  if (Last != ')')
    return ScopeForm::Identifier;
  if (Component == "(anonymous namespace)")
    return ScopeForm::AnonymousNamespace;
  return Component.starts_with('(') ? ScopeForm::Unnamed : ScopeForm::Function;
}

/// Where an entry's own text goes on after the scopes.
size_t NameScopes::ownBegin(const Dictionary::EntryView &Entry) const {
  std::vector<size_t> Ends = scopeEnds(Entry.MarkedName, [&](size_t Marker) {
    return isHead(Entry.Markers[Marker]);
  });
  if (!Ends.empty())
    return Ends.back();
  return startsWithEntry(Entry) &&
                 Names.entry({Entry.Markers[0]}).MarkedName.ends_with("::")
             ? 1
             : 0;
}

std::string_view NameScopes::ownName(NameId Name) const {
  if (!Names.contains(Name))
    return {};
  Dictionary::EntryView View = Names.entry(Name);
  std::string_view Own = View.MarkedName.substr(ownBegin(View));
  return Own.substr(0, Own.find_first_of(std::string_view("\0<", 2)));
}

NamePrefix NameScopes::templateOf(NameId Name) {
  // Found at once, where the template has an entry of its own.
  if (Names.contains(Name))
    if (Dictionary::EntryView View = Names.entry(Name);
        startsWithEntry(View) && isHead(View.Markers[0]))
      return findTemplate(Name);
  auto [Entry, IsNew] = TemplateOf.try_emplace(Name.Value);
  if (IsNew)
    Entry->second = findTemplate(Name);
  return Entry->second;
}

NamePrefix NameScopes::findTemplate(NameId Name) const {
  if (!Names.contains(Name))
    return {};
  Dictionary::EntryView View = Names.entry(Name);
  if (startsWithEntry(View) && isHead(View.Markers[0])) {
    NameId Head{View.Markers[0]};
    return {Head, Names.entry(Head).MarkedName.size() - 1};
  }
  size_t Begin = ownBegin(View);
  size_t Bracket =
      View.MarkedName.find_first_of(std::string_view("\0<", 2), Begin);
  if (Bracket == std::string_view::npos || View.MarkedName[Bracket] != '<' ||
      opaqueLength(View.MarkedName, Begin) != 0)
    return {};
  return {Name, Bracket};
}
