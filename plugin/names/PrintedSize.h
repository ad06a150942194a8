/// \file
/// How deep and how long Clang's text for something would be, found out
/// without printing it.
///
/// Flow:   QualType, NamedDecl -> [PrintedSize] -> may Clang print it?
/// Why:    Clang's printer recurses once per level and writes shared parts
///         again and again; a type that is cheap to have may overflow the
///         stack, or take gigabytes, when it is printed
/// Leaves: naming what is too big, to the NameBuilder
#pragma once

#include "plugin/memory/SteadyMap.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"

namespace clang {
class NamedDecl;
} // namespace clang

namespace instantrace {

/// Calls \p Part with the types that are printed as parts of \p T, among them
/// the arguments of the classes around it. Canonical types have canonical
/// parts. Loads nothing.
void forEachPart(clang::QualType T,
                 llvm::function_ref<void(clang::QualType)> Part);
/// Those in the template arguments and the scope of \p D.
void forEachPart(const clang::NamedDecl &D,
                 llvm::function_ref<void(clang::QualType)> Part);

class PrintedSize {
public:
  /// Clang's own stack of 8 MiB holds ten times as many levels.
  static constexpr unsigned MaxLevels = 512;
  /// Parts in the text: half a megabyte of it. Longer lists have a short name.
  static constexpr unsigned MaxParts = 65'536;

  bool isPrintable(clang::QualType T) { return size(T).isPrintable(); }
  bool isPrintable(const clang::NamedDecl &D);

private:
  struct Size {
    unsigned Levels = 0, Parts = 0; ///< the latter stops at the limit
    bool isPrintable() const { return Levels < MaxLevels && Parts < MaxParts; }
    void add(const Size &Part);
  };
  Size size(clang::QualType T);

  SteadyMap<const clang::Type *, Size> Sizes;
};

} // namespace instantrace
