/// \file
/// The files of this folder that are in the tool: migrations, questions,
/// checks.
///
/// Flow: schema/*.sql, questions/*.sql, checks/*.sql, and those in clickhouse/
///       of each -> EmbedFiles.cmake -> [StoreFiles]
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct StoreFile {
  std::string_view Name; ///< without .sql
  std::string_view Text;
};

/// In the order that they are run in; the first leads to version 1.
extern const std::span<const StoreFile> StoreMigrations;
extern const std::span<const StoreFile> ClickHouseMigrations;
/// By name.
extern const std::span<const StoreFile> StoreQuestionFiles;
extern const std::span<const StoreFile> ClickHouseQuestionFiles;
/// A file of statements, each of which gives a line for each fault.
extern const std::span<const StoreFile> StoreChecks;
extern const std::span<const StoreFile> ClickHouseChecks;

/// Those of \p Sql, each without its semicolon, which ends a line.
std::vector<std::string> splitStatements(std::string_view Sql);

} // namespace instantrace
