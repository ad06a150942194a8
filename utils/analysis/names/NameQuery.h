/// \file
/// Which entities a user means by a name.
///
/// Flow:   command line -> [NameQuery] -> why
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/names/NamePattern.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// `glob:` and `regex:` are patterns for the whole name with default arguments.
/// Any other text is a name as the tool prints it: of an entity, with default
/// arguments or without; of a template set, `std::vector<$>`; or without any
/// template arguments, which means all specializations, `std::vector`.
class NameQuery {
public:
  static Result<NameQuery> make(const std::string &Text);

  /// Of a trace that does not change until the last use.
  void enterTrace(const Trace &T);
  void enterSequence(const Sequence &S);
  /// Of the sequence that was entered.
  bool selects(EntityId Id);

  /// Names that have the text in them, for a message about one that is none:
  /// at most \p Most, shortest first.
  std::vector<std::string> similar(const Trace &T, size_t Most) const;
  /// Those of several traces likewise.
  static void keepNearest(std::vector<std::string> &Names, size_t Most);

private:
  bool isMeant(const Entity &E) const;

  std::string Text;
  NameKey Key, SetKey; // SetKey: of the template set that has this name
  std::optional<NamePattern> Pattern;
  size_t MatchedBytes = 0; // of names, with patterns
  const Sequence *S = nullptr;
  enum class Answer : char { Unknown, No, Yes };
  std::vector<Answer> Known; // by entity
};

} // namespace instantrace
