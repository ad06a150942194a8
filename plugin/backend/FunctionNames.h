/// \file
/// Which entity pays for a function of LLVM, by the function's linkage name.
///
/// Flow:   EntityTable -> Clang's MangleContext -> [FunctionNames]
///         <- BackendRecorder
/// Limits: a closure that has no number in its type gets one from the order in
///         which a compiler mangles, and a context of our own has another
///         order. Such numbers are left out of what is compared; where that
///         leaves several entities, none of them pays
/// Harm:   mangles nothing but what the compiler may emit, and says nothing
/// Cost:   some closures nest so deep that a name takes a millisecond, in Clang
///         as here; so no more than a share of the compile's time is spent
#pragma once

#include "plugin/memory/SteadyMap.h"
#include "plugin/recorder/EntityTable.h"
#include "runtime/base/Hash.h"
#include "runtime/format/Schema.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace instantrace {

/// Of a linkage name as objects have it.
inline uint64_t linkageHash(llvm::StringRef LinkageName) {
  return hashBytes({LinkageName.data(), LinkageName.size()});
}

/// The members of classes among \p Entities that the compiler defined itself
/// and may emit: such a definition is an instantiation that nobody is told of.
std::vector<const clang::Decl *>
synthesizedMembers(const EntityTable &Entities);

class FunctionNames {
public:
  struct Payer {
    const void *Key = nullptr; ///< of an entity; null: none of them
    FunctionOwner Owner = FunctionOwner::Itself;
  };

  /// Learns the functions among \p Entities that have an id, until the time for
  /// it is up. \p HasBothForms: constructors and destructors of a whole object
  /// have code of their own even where they do what those of a base do. The AST
  /// may go afterwards; the keys are compared and not followed.
  void learn(clang::ASTContext &Context, const EntityTable &Entities,
             bool HasBothForms);
  /// How many functions there was no time for.
  uint32_t notLearned() const { return NotLearned; }

  Payer find(llvm::StringRef LinkageName) const;

private:
  void add(llvm::StringRef LinkageName, const void *Key);
  const void *lookUp(llvm::StringRef LinkageName) const;

  SteadyMap<uint64_t, const void *> Keys; ///< by nameKey(); null: of several
  uint32_t NotLearned = 0;
};

} // namespace instantrace
