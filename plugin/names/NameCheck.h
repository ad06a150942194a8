/// \file
/// Compares every built name with what Clang prints: check-names=FILE.
///
/// Flow:   NamingPass (each entity, when named and at the end) -> [NameCheck]
///         -> FILE
/// Output: a line per difference, lines of statistics, and at last
///         "N entities, M differences"; docs/design/names.md has their form
/// Cost:   that of printing every name three times; for tests
#pragma once

#include "plugin/names/NameBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

namespace instantrace {

class NameCheck {
public:
  NameCheck(NameBuilder &Names, const StringTable &Strings)
      : Names(Names), Strings(Strings) {}

  /// Requires: \p D has just been named.
  void named(const clang::NamedDecl &D);
  /// Writes a line to \p OS if \p Name is not what Clang calls \p D.
  void compare(const clang::NamedDecl &D, StringId Name, llvm::raw_ostream &OS);
  void writeStatistics(llvm::raw_ostream &OS) const;

private:
  bool compareShortened(const clang::NamedDecl &D, StringId Name,
                        const std::string &Full, llvm::raw_ostream &OS);
  bool compareParameters(const clang::NamedDecl &D, StringId Name,
                         const std::string &Full, llvm::raw_ostream &OS);
  bool hasLeaf(StringId Name);

  NameBuilder &Names;
  const StringTable &Strings;
  /// Hashes of Clang's text when the name was built: what Clang calls a
  /// declaration may change while it compiles.
  llvm::DenseMap<const clang::NamedDecl *, uint64_t> PrintedWhenNamed;
  llvm::DenseMap<uint64_t, bool> HasLeaf; ///< by entry
  uint64_t Entities = 0, Differences = 0;
  uint64_t WithLeaves = 0, NamedByPattern = 0;
  uint64_t Renamed = 0, TooLarge = 0;               ///< not compared at all
  uint64_t ShortAsWritten = 0, ShortWithLeaves = 0; ///< not compared shortened
};

} // namespace instantrace
