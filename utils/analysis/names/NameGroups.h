/// \file
/// What names have in common: the template set, the class or the namespace.
///
/// Flow:   Trace -> [NameGroups] -> RowIndex, names --by
/// Leaves: where scopes are, to NameScopes
///
/// A trace does not say of a scope whether it is a class or a namespace. It is
/// a class when it has template arguments, here or elsewhere, or no name; when
/// it is in a class or a function; when an entity of the trace says that it is
/// a class or an enum; when a member has the name of a constructor, or one that
/// only members have
/// (`~T`, `operator=`, `operator()`, `operator[]`, `operator->`).
/// It is a function when it has parameters, and one or the other when template
/// parameters are in it and nothing else: those of an alias or of a template
/// template parameter are in the namespace. Any other is taken for a namespace.
/// So a class without template arguments of which the trace says nothing else
/// is taken for one, too.
#pragma once

#include "runtime/base/KeyNumbers.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/names/NameScopes.h"

#include <string_view>
#include <unordered_set>
#include <vector>

namespace instantrace {

enum class NameGrouping { Template, Class, Namespace };

/// Groups are equal when their keys are, in every sequence of the trace.
struct NameGroup {
  std::string_view Fixed; ///< what has no such group; otherwise:
  NamePrefix Name;        ///< in the dictionary of the entity's sequence
  NameKey Key;
};

struct NameKeyHash {
  size_t operator()(const NameKey &Key) const {
    // The hash of a name has no uppermost bits, which KeyNumbers looks at.
    return (Key.Hash ^ Key.SizeBytes) * 0x9E3779B97F4A7C15u;
  }
};
/// Names by first appearance.
using NameNumbers = KeyNumbers<NameKey, NameKeyHash>;

/// What the names of traces say of scopes. What a scope is called in one trace,
/// another one may say to be a class; so whoever reads traces one by one has
/// to learn from all of them before the first one is grouped.
class LearnedScopes {
public:
  LearnedScopes() = default;
  /// From one trace.
  explicit LearnedScopes(const Trace &T);
  void add(LearnedScopes More);

private:
  friend class NameGroups;
  std::unordered_set<NameKey, NameKeyHash> Classes;
  std::unordered_set<NameKey, NameKeyHash> Owners;  ///< of parameters
  std::unordered_set<NameKey, NameKeyHash> Holders; ///< of anything else
};

class NameGroups {
public:
  /// The trace must outlive the object and not change. Without \p Learned, it
  /// learns from the trace.
  NameGroups(const Trace &T, NameGrouping Wanted,
             const LearnedScopes *Learned = nullptr);

  /// Requires: the entity has a name that its dictionary contains.
  NameGroup groupOf(uint32_t SequenceIndex, const Entity &E);
  /// Without any where groups are templates.
  NameScopes &scopes(uint32_t SequenceIndex) {
    return Sequences[SequenceIndex].Scopes;
  }

private:
  struct Surroundings {
    uint32_t Class = NameScopes::Global; ///< indices of scopes
    uint32_t Namespace = NameScopes::Global;
    bool IsNamespace = false;
  };
  struct SequenceNames {
    const Dictionary *Names;
    NameScopes Scopes;
    std::vector<Surroundings> Around; ///< by scope: itself or outside
    std::vector<bool> IsHolder;       ///< by scope, as far as there are any
  };

  void learnClasses(const Sequence &S, SequenceNames &Known);
  void learnScope(const Entity &E, SequenceNames &Known);
  void learnHolders(const Entity &E, SequenceNames &Known);
  bool isOwner(const NameKey &Key) const;
  const Surroundings &surroundings(SequenceNames &Known, uint32_t Scope);

  friend class LearnedScopes;
  NameGrouping Grouping;
  std::vector<SequenceNames> Sequences;
  LearnedScopes Own;
  const LearnedScopes *Learned; ///< null: Own
};

} // namespace instantrace
