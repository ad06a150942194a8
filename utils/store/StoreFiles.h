/// \file
/// The files of this folder that are in the tool: migrations, questions, other
/// statements.
///
/// Flow: schema/*.sql, questions/*.sql, statements/*.sql, and those in
///       clickhouse/ of each -> EmbedFiles.cmake -> [StoreFiles]
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
extern const std::span<const StoreFile> StoreStatements;
extern const std::span<const StoreFile> ClickHouseStatements;

/// All of them, with a number for each.
std::string migrationText(std::span<const StoreFile> Migrations);

/// The text of the file of that name; empty: there is none.
std::string_view fileText(std::span<const StoreFile> Files,
                          std::string_view Name);

/// Those of \p Sql, each without its semicolon, which ends a line.
std::vector<std::string> splitStatements(std::string_view Sql);

/// Those of a file of ours for SQLite, or for a server, or the first of these.
/// Requires: there is one of that name.
std::vector<std::string> storeStatements(std::string_view Name);
std::string storeStatement(std::string_view Name);
std::vector<std::string> clickHouseStatements(std::string_view Name);
std::string clickHouseStatement(std::string_view Name);

} // namespace instantrace
