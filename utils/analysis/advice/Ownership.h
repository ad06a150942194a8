/// \file
/// Whether a program may instantiate a template explicitly that it does not
/// own.
///
/// Flow:   a name, whether a system header declares it -> ExternTemplate,
///         RecursionAdvice, DuplicateFunctions
/// Source: [lex.name] reserved identifiers; [namespace.std]: "a program may
///         explicitly instantiate a class template defined in the standard
///         library only if the declaration depends on the name of at least one
///         program-defined type"
#pragma once

#include <string_view>

namespace instantrace {

/// A component of the template's own name, outside its arguments, begins with
/// two underscores or one and a capital.
bool isReservedName(std::string_view Name);

/// A component of it outside its arguments says that it is nobody's but its
/// library's: it is reserved, or is `detail`, `internal`, `impl`.
bool isInternalName(std::string_view Name);

/// An argument names something that is neither built in nor in the namespace of
/// the template itself, in std, or reserved.
bool dependsOnProgram(std::string_view Name);

/// What may be advised: never a reserved name, and of what a system header
/// declares only what depends on types of the program, and is no detail of its
/// library.
inline bool isProgramsToInstantiate(std::string_view Name, bool IsSystem) {
  return !isReservedName(Name) && !(IsSystem && isInternalName(Name)) &&
         ((!IsSystem && !Name.starts_with("std::")) || dependsOnProgram(Name));
}

} // namespace instantrace
