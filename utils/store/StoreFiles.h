/// \file
/// The files of this folder that are in the tool: migrations and questions.
///
/// Flow: schema/*.sql, questions/*.sql, and those in clickhouse/ of both ->
///       EmbedFiles.cmake -> [StoreFiles]
#pragma once

#include <span>
#include <string_view>

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

} // namespace instantrace
