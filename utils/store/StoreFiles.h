/// \file
/// The files of this folder that are in the tool: migrations and questions.
///
/// Flow: schema/*.sql, questions/*.sql -> EmbedFiles.cmake -> [StoreFiles]
#ifndef INSTANTRACE_UTILS_STORE_STOREFILES_H
#define INSTANTRACE_UTILS_STORE_STOREFILES_H

#include <span>
#include <string_view>

namespace instantrace {

struct StoreFile {
  std::string_view Name; ///< without .sql
  std::string_view Text;
};

/// In the order that they are run in; the first leads to version 1.
extern const std::span<const StoreFile> StoreMigrations;
/// By name.
extern const std::span<const StoreFile> StoreQuestionFiles;

} // namespace instantrace

#endif
