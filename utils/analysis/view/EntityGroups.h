/// \file
/// Entities at a level of detail: each one, or what it belongs to.
///
/// Flow:   Trace -> [EntityGroups] -> RowIndex, TraceFilter, tree, why
/// Leaves: what is a template set, class or namespace, to NameGroups; what is a
///         library, to PathRules
///
/// Groups are numbered from 0 over all sequences of a trace, and equal names
/// are one group, found by key and never by text. An entity is looked up once.
#pragma once

#include "utils/analysis/names/NameGroups.h"
#include "utils/analysis/names/RowName.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace instantrace {

enum class EntityLevel { Specialization, Template, Class, Namespace, Library };

/// Whether groups depend on what is learned from the names of all traces.
inline bool needsLearnedScopes(EntityLevel Level) {
  return Level == EntityLevel::Class || Level == EntityLevel::Namespace;
}

class EntityGroups {
public:
  /// The trace must outlive the object and not change.
  EntityGroups(const Trace &T, EntityLevel Level,
               const LearnedScopes *Learned = nullptr);

  void enterSequence(uint32_t Index);

  /// Of the sequence that was entered. What has no name is "(unnamed)", what an
  /// interrupted compile did not get to name is "(unresolved)".
  uint32_t groupFor(EntityId Id);
  /// Of a file, at the level of libraries; otherwise the file itself.
  uint32_t fileGroup(NameId Path);
  /// Of what is no entity.
  uint32_t fixed(std::string_view Name);

  /// Of the sequence that was entered. Requires: groups are classes or
  /// namespaces.
  NameScopes &scopes() { return Names->scopes(SequenceIndex); }

  const RowName &name(uint32_t Group) const { return Groups[Group]; }
  const NameKey &key(uint32_t Group) const { return ByKey[Group]; }
  size_t size() const { return Groups.size(); }

private:
  static constexpr uint32_t Unknown = UINT32_MAX;
  uint32_t find(EntityId Id);
  uint32_t add(RowName Name, const NameKey &Key);

  const Trace &T;
  EntityLevel Level;
  std::optional<NameGroups> Names; // none for the levels that need none
  const Sequence *S = nullptr;
  uint32_t SequenceIndex = 0;
  std::vector<RowName> Groups;
  uint32_t Unnamed = Unknown; // of what has no entity, and is asked for often
  NameNumbers ByKey;          // by group
  std::vector<uint32_t> OfEntity;                       // of this sequence
  std::unordered_map<uint32_t, uint32_t> LibraryOfPath; // likewise
};

} // namespace instantrace
