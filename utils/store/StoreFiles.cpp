#include "utils/store/StoreFiles.h"

#include <sstream>

using namespace instantrace;

std::string instantrace::migrationText(std::span<const StoreFile> Migrations) {
  std::string Text;
  for (const StoreFile &File : Migrations)
    Text.append(Text.empty() ? "" : "\n")
        .append("-- Migration ")
        .append(File.Name)
        .append("\n")
        .append(File.Text);
  return Text;
}

std::string_view instantrace::fileText(std::span<const StoreFile> Files,
                                       std::string_view Name) {
  for (const StoreFile &File : Files)
    if (File.Name == Name)
      return File.Text;
  return {};
}

std::vector<std::string> instantrace::splitStatements(std::string_view Sql) {
  std::vector<std::string> All;
  std::string Statement;
  std::istringstream In{std::string(Sql)};
  for (std::string Line; std::getline(In, Line);) {
    if (Line.starts_with("--") || Line.empty())
      continue;
    Statement.append(Line).append("\n");
    if (!Line.ends_with(";"))
      continue;
    Statement.resize(Statement.size() - 2);
    All.push_back(std::move(Statement));
    Statement.clear();
  }
  return All;
}

std::vector<std::string> instantrace::storeStatements(std::string_view Name) {
  return splitStatements(fileText(StoreStatements, Name));
}

std::string instantrace::storeStatement(std::string_view Name) {
  return storeStatements(Name).front();
}

std::vector<std::string>
instantrace::clickHouseStatements(std::string_view Name) {
  return splitStatements(fileText(ClickHouseStatements, Name));
}

std::string instantrace::clickHouseStatement(std::string_view Name) {
  return clickHouseStatements(Name).front();
}
