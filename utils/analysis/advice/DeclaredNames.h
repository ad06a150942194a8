/// \file
/// Which names of files that are no longer read a source mentions.
///
/// Flow:   SourceScan -> [DeclaredNames] -> CompileOnce
/// Shapes: names are numbers of words (HeaderFacts::word)
#pragma once

#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/SourceScan.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace instantrace {

/// Words that a part or a header declares, and nothing else that is read does.
struct DeclaredNames {
  FileSet Global, Scoped, Namespaces;
  FileSet Elsewhere, ElsewhereInStd;

  /// Before add(). A forward declaration is no other one.
  void addElsewhere(const SourceScan &Other) {
    for (const SourceScan::Declaration &D : Other.Declarations)
      if (!D.IsForward)
        (D.IsInStd ? ElsewhereInStd : Elsewhere).insert(D.Word);
  }
  void add(const SourceScan &Scan) {
    for (const std::vector<SourceScan::Declaration> *Declared :
         {&Scan.Declarations, &Scan.Internal})
      for (const SourceScan::Declaration &D : *Declared)
        if (!(D.IsInStd ? ElsewhereInStd : Elsewhere).contains(D.Word))
          (D.IsInNamespace ? Scoped : Global).insert(D.Word);
    for (uint32_t Word : Scan.Namespaces)
      Namespaces.insert(Word);
  }
  bool isUsed(const SourceScan &Source, const SourceScan::Mention &M) const {
    if (M.IsMember)
      return false;
    if (Global.contains(M.Word))
      return true;
    return Scoped.contains(M.Word) &&
           ((M.Qualifier != UINT32_MAX && Namespaces.contains(M.Qualifier)) ||
            std::any_of(
                Source.UsedNamespaces.begin(), Source.UsedNamespaces.end(),
                [this](uint32_t Word) { return Namespaces.contains(Word); }));
  }
};

/// Names that a file gives to its own variables, members and functions, and
/// that it calls in no other way: then they are not those of a C header.
inline FileSet ownNames(const SourceScan &Scan) {
  FileSet Declared, Called, Own;
  for (const SourceScan::Mention &M : Scan.Mentions) {
    if (M.IsDeclarator)
      Declared.insert(M.Word);
    else if ((M.IsCalled && !M.IsMember) || M.IsQualified)
      Called.insert(M.Word);
  }
  for (const SourceScan::Mention &M : Scan.Mentions)
    if (Declared.contains(M.Word) && !Called.contains(M.Word))
      Own.insert(M.Word);
  return Own;
}

} // namespace instantrace
