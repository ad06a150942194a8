#include "utils/analysis/names/NameRules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <unordered_map>

using namespace instantrace;

namespace {

/// The inline namespaces of the standard libraries: libstdc++'s ABI and
/// versions, libc++'s, those of Android, Chromium and Fuchsia. A trace does not
/// say which namespace is inline.
constexpr std::array InlineNamespaces = {
    std::string_view("__1"),     std::string_view("__2"),
    std::string_view("__7"),     std::string_view("__8"),
    std::string_view("__cxx11"), std::string_view("__cxx1998"),
    std::string_view("_V2"),     std::string_view("__ndk1"),
    std::string_view("__Cr"),    std::string_view("__u"),
};

constexpr std::array Allocators = {
    std::string_view("std::allocator<"),
    std::string_view("std::pmr::polymorphic_allocator<"),
};

/// Longer than any of them, with inline namespaces.
constexpr size_t HeadBytes = 64;
/// How lines of them begin.
constexpr std::string_view MapWord = "map ", MergeWord = "merge ";

constexpr size_t RuleNameBytes = 1 << 16;

bool isIdentifier(char C) {
  return C == '_' || C == '$' || (C >= '0' && C <= '9') ||
         (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C < 0;
}

/// A marker, which is a NUL, ends an identifier: scopes are whole entries.
void stripInlineNamespaces(std::string &Text) {
  for (std::string_view Name : InlineNamespaces) {
    std::string Scope = std::string(Name) + "::";
    for (size_t At = 0; (At = Text.find(Scope, At)) != Text.npos;)
      if (At != 0 && isIdentifier(Text[At - 1]))
        ++At;
      else
        Text.erase(At, Scope.size());
  }
}

/// Of `LEFT=RIGHT` the two; false: there are none, or it is no line.
bool split(const std::string &Text, std::string &Left, std::string &Right) {
  size_t At = Text.rfind('=');
  bool HasControl = std::any_of(Text.begin(), Text.end(), [](char C) {
    return (C >= 0 && C < ' ') || C == 0x7f;
  });
  if (At == Text.npos || At == 0 || HasControl)
    return false;
  Left = Text.substr(0, At);
  Right = Text.substr(At + 1);
  return true;
}

} // namespace

Result<NameRules> NameRules::make(const NameRulesSpec &Spec) {
  NameRules R;
  for (const NameTransformName &Each : NameTransforms)
    if (std::find(Spec.Transforms.begin(), Spec.Transforms.end(), Each.Name) !=
        Spec.Transforms.end()) {
      R.Transforms.push_back(Each.Is);
      R.Lines.emplace_back(Each.Name);
    }
  for (const std::string &Name : Spec.Transforms)
    if (std::none_of(std::begin(NameTransforms), std::end(NameTransforms),
                     [&](const auto &Each) { return Name == Each.Name; }))
      return usageError(
          makeError("--transform", Name,
                    "strip-inline-namespaces, collapse-allocators or "
                    "collapse-defaults"));
  for (const std::string &Text : Spec.Maps) {
    std::string Old, New;
    if (!split(Text, Old, New))
      return usageError(makeError("--map", Text, "OLD=NEW"));
    while (Old.size() > 1 && Old.back() == '/')
      Old.pop_back();
    while (New.size() > 1 && New.back() == '/')
      New.pop_back();
    R.Lines.push_back(std::string(MapWord) + Old + "=" + New);
    R.Maps.emplace_back(std::move(Old), std::move(New));
  }
  for (const std::string &Text : Spec.Merges) {
    std::string Pattern, Name;
    if (!split(Text, Pattern, Name) || Name.empty())
      return usageError(makeError("--merge", Text, "PATTERN=NAME"));
    Result<NamePattern> Compiled = NamePattern::make(Pattern);
    if (!Compiled)
      return Error{"--merge: " + Compiled.error().Message};
    R.Lines.push_back(std::string(MergeWord) + Text);
    R.Merges.push_back({std::move(*Compiled), std::move(Name)});
  }
  return R;
}

Result<NameRules> NameRules::fromLines(const std::vector<std::string> &Lines) {
  NameRulesSpec Spec;
  for (std::string_view Line : Lines)
    if (Line.starts_with(MapWord))
      Spec.Maps.emplace_back(Line.substr(MapWord.size()));
    else if (Line.starts_with(MergeWord))
      Spec.Merges.emplace_back(Line.substr(MergeWord.size()));
    else
      Spec.Transforms.emplace_back(Line);
  return make(Spec);
}

bool NameRules::has(NameTransform Wanted) const {
  return std::find(Transforms.begin(), Transforms.end(), Wanted) !=
         Transforms.end();
}

/// The same ids with other texts.
Dictionary NameRules::transformed(const Dictionary &Names) const {
  const bool Strips = has(NameTransform::StripInlineNamespaces);
  const bool CollapsesAllocators = has(NameTransform::CollapseAllocators);
  const bool CollapsesDefaults = has(NameTransform::CollapseDefaults);
  Dictionary New;
  std::string Text, Head;
  for (uint32_t Id = 1; Id <= Names.size(); ++Id) {
    Dictionary::EntryView E = Names.entry({Id});
    if (CollapsesDefaults && E.Part == NamePart::DefaultArguments) {
      New.add({}, {}, E.Part);
      continue;
    }
    if (CollapsesAllocators && E.HasArguments) {
      Head.clear();
      New.expand({E.Markers.front()}, Head, HeadBytes);
      if (!Strips)
        stripInlineNamespaces(Head);
      if (std::find(Allocators.begin(), Allocators.end(), Head) !=
          Allocators.end()) {
        // What is before the head stays, as of a type that is const.
        Text.assign(E.MarkedName.substr(0, E.MarkedName.find('\0') + 1));
        Text += "$>";
        New.add(Text, E.Markers.first(1), E.Part);
        continue;
      }
    }
    Text.assign(E.MarkedName);
    if (Strips)
      stripInlineNamespaces(Text);
    New.add(Text, E.Markers, E.Part);
  }
  return New;
}

std::string NameRules::mapped(std::string Path) const {
  for (const auto &[Old, New] : Maps) {
    const bool IsRoot = Old == "/";
    if (!Path.starts_with(Old) ||
        (!IsRoot && Path.size() != Old.size() && Path[Old.size()] != '/'))
      continue;
    std::string Rest = Path.substr(IsRoot ? 0 : Old.size());
    return New == "/" && !Rest.empty() ? Rest : New + Rest;
  }
  return Path;
}

void NameRules::mapPaths(Sequence &S) const {
  std::unordered_map<uint32_t, uint32_t> Known;
  auto Map = [&](NameId &Path) {
    if (!S.Names.contains(Path))
      return;
    auto [At, IsNew] = Known.try_emplace(Path.Value, Path.Value);
    if (IsNew) {
      std::string Old = S.Names.text(Path, RuleNameBytes);
      if (std::string New = mapped(Old); New != Old) {
        S.Names.add(New, {});
        At->second = S.Names.size();
      }
    }
    Path.Value = At->second;
  };
  for (LocationTable *Table : {&S.Locations, &S.DeclarationLocations}) {
    for (Location &L : Table->Rows)
      Map(L.File);
    for (LocationDetail &D : Table->Details) {
      Map(D.SpellingFile);
      Map(D.PhysicalFile);
    }
  }
  for (Inclusion &I : S.Inclusions)
    Map(I.Path);
  S.FirstInclusions.clear();
  for (uint32_t Id = 1; Id <= S.Inclusions.size(); ++Id)
    S.FirstInclusions.try_emplace(S.Inclusions[Id - 1].Path.Value,
                                  InclusionId{Id});
  for (Entity &E : S.Entities)
    if (E.Kind == EntityKind::File) {
      bool IsOneName = E.TemplateSet.Value == E.Name.Value;
      Map(E.Name);
      if (IsOneName)
        E.TemplateSet = E.Name;
    }
  if (S.Session)
    for (std::string *Path :
         {&S.Session->WorkingDirectory, &S.Session->Input, &S.Session->Object})
      *Path = mapped(std::move(*Path));
}

void NameRules::mergeSets(Sequence &S) const {
  std::unordered_map<uint32_t, uint32_t> Known;
  for (Entity &E : S.Entities) {
    if (!S.Names.contains(E.TemplateSet))
      continue;
    auto [At, IsNew] =
        Known.try_emplace(E.TemplateSet.Value, E.TemplateSet.Value);
    if (IsNew) {
      std::string Name = S.Names.text(E.TemplateSet, RuleNameBytes);
      auto Rule =
          std::find_if(Merges.begin(), Merges.end(), [&](const Merge &Each) {
            return Each.Pattern.matches(Name);
          });
      if (Rule != Merges.end()) {
        S.Names.add(Rule->Name, {});
        At->second = S.Names.size();
      }
    }
    E.TemplateSet.Value = At->second;
  }
}

void NameRules::apply(Sequence &S) const {
  if (!Transforms.empty())
    S.Names = transformed(S.Names);
  if (!Maps.empty())
    mapPaths(S);
  if (!Merges.empty())
    mergeSets(S);
}

std::string instantrace::rulesText(const std::vector<std::string> &Lines) {
  std::string Text;
  for (const std::string &Line : Lines)
    Text.append(Text.empty() ? "" : ", ").append(Line);
  return Text.empty() ? "no rules" : Text;
}
