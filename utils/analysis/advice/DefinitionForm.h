/// \file
/// Whether a function is defined in its class, and whether it is inline, by the
/// text of the source.
///
/// Flow:   source text, line, column -> [definitionForm] -> ExternTemplate
///
/// A trace says where a function is declared and not how. So this reads the
/// declaration around its name, without preprocessing: a keyword that is hidden
/// in a macro is found if the macro's name has "inline" in it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace instantrace {

enum class DefinitionForm {
  Unknown,      ///< the text is not there, or is none of the others
  Inline,       ///< by a keyword, a type to deduce, or as a friend with a body
  HasBody,      ///< a body follows; in a class that makes it inline
  OutsideClass, ///< a body follows, and the name is qualified
  DeclaredOnly, ///< no body here
};

/// The text of a file; null: it is not there. A relative path begins in \p
/// Folder, unless that is null. Valid as long as the reader, which any thread
/// may call.
using SourceReader = std::function<const std::string *(
    const std::string *Folder, const std::string &Path)>;

/// \p LineNo and \p ColumnNo, both from 1, are those of the function's name.
DefinitionForm definitionForm(std::string_view Source, uint32_t LineNo,
                              uint32_t ColumnNo);

/// Whether no other function template with the name that is there, and other
/// parameters, is declared in the file: then its name with arguments is enough
/// to declare it.
bool isOnlyTemplate(std::string_view Source, uint32_t LineNo,
                    uint32_t ColumnNo);

/// `template class X<int>;`, of which that place is a part.
bool isExplicitInstantiation(std::string_view Source, uint32_t LineNo,
                             uint32_t ColumnNo);

} // namespace instantrace
