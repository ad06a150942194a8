/// \file
/// Which template arguments Clang leaves out of a diagnostic, because they
/// equal their parameters' defaults.
///
/// Flow:   TemplateArgument -> [writtenArguments] -> NameBuilder (marks)
/// Leaves: nothing loaded, instantiated or diagnosed
/// Source: clang/lib/AST/TypePrinter.cpp, printTo: from 17 on, Sema notes with
///         each argument whether it is defaulted; before, the printer compares
#pragma once

#include "clang/AST/TemplateBase.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class TemplateParameterList;
} // namespace clang

namespace instantrace {

/// How many of \p Arguments are left when Clang drops trailing defaults; all of
/// them when \p Parameters is null, as it is for functions.
size_t writtenArguments(llvm::ArrayRef<clang::TemplateArgument> Arguments,
                        const clang::TemplateParameterList *Parameters);

} // namespace instantrace
