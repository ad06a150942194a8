/// \file
/// POSIX extended regular expressions in machine code, by PCRE2: five to
/// eighteen times as fast as regexec() on names.
///
/// Flow:    NamePattern -> [JitRegex] -> PCRE2
/// Errors:  none: who gets no answer asks regexec(), which always has one
/// Threads: const calls may run at once
///
/// Only what means the same to both is translated: whether there is a match, of
/// what both have. What POSIX leaves open, what glibc adds to it, and what is
/// written the same and means something else in Perl (`a+?`) is not.
#ifndef INSTANTRACE_UTILS_ANALYSIS_NAMES_JITREGEX_H
#define INSTANTRACE_UTILS_ANALYSIS_NAMES_JITREGEX_H

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

/// The same in Perl's syntax; none: perhaps not the same. Requires: regcomp()
/// takes it as an extended one.
std::optional<std::string> perlRegexOf(std::string_view Extended);

class JitRegex {
public:
  /// Null: it cannot be translated, or this machine has no code for it.
  static std::unique_ptr<const JitRegex> make(std::string_view Extended);
  ~JitRegex();
  JitRegex(const JitRegex &) = delete;
  JitRegex &operator=(const JitRegex &) = delete;

  /// Whether it is found in \p Name; none: in this one it would take too long,
  /// or too much stack.
  std::optional<bool> matches(std::string_view Name) const;

private:
  struct Code;
  explicit JitRegex(std::unique_ptr<Code> Of);
  std::unique_ptr<Code> C;
};

} // namespace instantrace

#endif
