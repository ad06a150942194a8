/// \file
/// A pattern for names that a user wrote.
///
/// Errors: what is no regular expression
#ifndef INSTANTRACE_UTILS_ANALYSIS_NAMES_NAMEPATTERN_H
#define INSTANTRACE_UTILS_ANALYSIS_NAMES_NAMEPATTERN_H

#include "runtime/base/Result.h"

#include <memory>
#include <string>
#include <string_view>

namespace instantrace {

/// `glob:TEXT` is compared with the whole name: `*` is any text, `?` any byte,
/// and `\` takes a special meaning away; brackets are no sets, since names have
/// them. Anything else is a POSIX extended regular expression, found anywhere
/// in the name; unlike std::regex, matching one takes no stack in proportion to
/// the name. `regex:TEXT` is the same for one that begins with `glob:`.
class NamePattern {
public:
  static Result<NamePattern> make(const std::string &Text);

  bool matches(std::string_view Name) const;

private:
  struct Compiled;
  std::shared_ptr<const Compiled> Regex; // null: a glob
  std::string Glob;
};

} // namespace instantrace

#endif
