/// \file
/// Values in a statement of ClickHouse: the one place that puts them there.
///
/// Flow:  statement with :NAME, values -> [bindValues] -> Server
/// Trust: a text may be anything; it is one literal, whatever is in it
///
/// A server could bind parameters itself from 19.14 on; 18.16 cannot.
/// Source: ClickHouse, "Syntax", string literals: only a backslash and the quote
///         have a meaning in one
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace instantrace {

/// Nothing is NULL.
using SqlValue =
    std::variant<std::monostate, int64_t, uint64_t, double, std::string>;
using SqlValues = std::map<std::string, SqlValue>;

/// \p With in place of each \p What.
void replaceAll(std::string &Text, std::string_view What,
                std::string_view With);
std::string sqlText(std::string_view Text);
std::string sqlLiteral(const SqlValue &Value);

/// \p Sql with a literal for each `:NAME` outside of quotes and comments.
/// Errors: one that has no value.
Result<std::string> bindValues(std::string_view Sql, const SqlValues &Values);

} // namespace instantrace
