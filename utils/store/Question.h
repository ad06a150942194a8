/// \file
/// A question that a store is asked: a file of questions/.
///
/// Flow:   questions/*.sql -> [Question] -> AskStore -> Answer
///
/// Lines `-- KEY: VALUE` at the begin of a file say what it is:
///   text     what it asks
///   takes    the options that it has
///   needs    those of them without which it cannot be asked
///   draws    `bars` or `line`, the column that is drawn, the column of labels
///   analysis `steps`: the rows are a series, in which steps are looked for
/// Then comes the SQL, in which {{chosen}} stands for a table of the builds
/// that options like --since choose, and `:NAME` for a value; behind
/// `-- section: detail`, that of what a step consists of. The same question as
/// ClickHouse is asked it is clickhouse/NAME.sql: versions of it that are in
/// use have neither WITH for tables nor windows, and tables of a cluster are
/// joined in another way. What is between `-- named` and `-- end named` there
/// is asked with --name alone.
#pragma once

#include "runtime/base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct Question {
  std::string Name, Text;
  std::vector<std::string> Takes, Needs;
  bool DrawsLine = false;
  std::string DrawnColumn, LabelColumn; ///< empty: nothing is drawn
  bool HasSteps = false;
  std::string Sql, DetailSql;                     ///< for SQLite
  std::string ClickHouseSql, ClickHouseDetailSql; ///< empty: it cannot be asked

  bool takes(const std::string &Option) const;
};

/// Errors: a file that is not as above, which is one of ours. \p ClickHouse:
/// the text of the other file.
Result<Question> parseQuestion(std::string_view Name, std::string_view Text,
                               std::string_view ClickHouse = {});

/// All that there are, by name.
const std::vector<Question> &storeQuestions();
/// Errors: there is none of that name; the names are in the message.
Result<Question> findQuestion(const std::string &Name);

} // namespace instantrace
