/// \file
/// What something is called until its whole name is built.
///
/// Flow:   RecorderClient::entityMet -> [ShortName] -> TraceBuffer
/// Cost:   as long as a name, at the first meeting of each entity; allocates
///         nothing
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <string_view>

namespace clang {
class NamedDecl;
class TemplateArgument;
} // namespace clang

namespace instantrace {

class ShortName {
public:
  /// Longer ones are cut at a character, and end in an ellipsis.
  static constexpr size_t MaxBytes = 44;

  /// `vector<int, …>`, `Box<3>::value`, `operator new`, `(lambda)`: with the
  /// class around it, without namespaces, and with arguments that are quick to
  /// print.
  explicit ShortName(const clang::NamedDecl &D);
  /// `…/bits/stl_vector.h`: as much of the path's end as fits.
  static ShortName ofPath(std::string_view Path);

  std::string_view text() const { return {Text, SizeBytes}; }

private:
  ShortName() = default;
  /// As much as leaves room for \p Reserved more bytes, and an ellipsis if that
  /// is not all.
  void append(std::string_view More, size_t Reserved = 0);
  bool fits(std::string_view More, size_t Reserved) const {
    return SizeBytes + More.size() + Reserved <= MaxBytes;
  }
  void appendScope(const clang::NamedDecl &D);
  void appendName(const clang::NamedDecl &D, size_t Reserved);
  /// False: what follows does not fit either.
  bool appendArguments(llvm::ArrayRef<clang::TemplateArgument> Arguments);

  char Text[MaxBytes];
  size_t SizeBytes = 0;
};

} // namespace instantrace
