/// \file
/// How formats quote text that is clean (utils/render/CleanText.h).
#ifndef INSTANTRACE_UTILS_EXPORT_EXPORTTEXT_H
#define INSTANTRACE_UTILS_EXPORT_EXPORTTEXT_H

#include <string>
#include <string_view>

namespace instantrace {

/// For element text and attributes in double quotes.
void appendXml(std::string &Out, std::string_view Clean);
/// In double quotes; escapes that a quoted string of DOT and YAML share.
void appendQuoted(std::string &Out, std::string_view Clean);

} // namespace instantrace

#endif
