/// \file
/// Patterns that names are compared with.
///
/// Flow:    option, budget, script -> [NamePattern] -> filters, searches
/// Errors:  what is no regular expression, with the byte that is wrong
/// Threads: const calls may run at once
/// Trust:   a pattern may be anybody's, such as a budget's: how deep and how
///          long it is, and what a match may cost, have limits
#pragma once

#include "runtime/base/Result.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace instantrace {

/// A name took more steps or memory than a match may. It is thrown, as a lack
/// of memory is, since it can happen at any name and ends the command.
struct PatternLimitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `glob:TEXT` is compared with the whole name: `*` is any text, `?` any byte,
/// and `\` takes a special meaning away; brackets are no sets, since names have
/// them. Anything else is a regular expression in PCRE2's syntax, found
/// anywhere in the name. `regex:TEXT` is the same for one that begins with
/// `glob:`.
class NamePattern {
public:
  static Result<NamePattern> make(const std::string &Text);

  /// Throws PatternLimitError.
  bool matches(std::string_view Name) const;

private:
  struct Compiled;
  std::shared_ptr<const Compiled> Regex; // null: a glob
  std::string Glob;
};

} // namespace instantrace
