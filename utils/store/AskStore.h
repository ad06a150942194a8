/// \file
/// Asks a store a question.
///
/// Flow:   Question, options -> [ask] -> Answer
/// Errors: a build that there is not, a value that an option does not take;
///         what SQLite says of a damaged store
#pragma once

#include "runtime/base/Result.h"
#include "utils/store/Answer.h"
#include "utils/store/Question.h"
#include "utils/store/Store.h"

#include <map>
#include <optional>
#include <string>

namespace instantrace {

/// Values of options, by their names without dashes.
using AskOptions = std::map<std::string, std::string>;

/// As it is given on the command line: "--by", "-n".
std::string optionName(const std::string &Option);

/// "2026-11-24", "2026-11-24T12:00", with or without seconds and Z, all UTC; or
/// "7d", "12h", "30m": so long before \p NowNs. In nanoseconds since 1970.
Result<uint64_t> parseMoment(const std::string &Text, uint64_t NowNs);

/// Errors, as well: an option that the question does not take, or lacks.
Result<Answer> ask(Store &Db, const Question &Asked, const AskOptions &Options);

/// All builds, latest first.
Result<AnswerTable> listBuilds(Store &Db);

} // namespace instantrace
