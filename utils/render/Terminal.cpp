#include "utils/render/Terminal.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace instantrace;

namespace {

/// Between these a table is readable and its lines are not absurd.
constexpr size_t FewestColumns = 60;
constexpr size_t MostColumns = 10000;

std::string_view environment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

/// None: no terminal, or one that does not say.
std::optional<size_t> widthOf(int File) {
  winsize Size{};
  if (::ioctl(File, TIOCGWINSZ, &Size) != 0 || Size.ws_col == 0)
    return std::nullopt;
  return Size.ws_col;
}

bool isDumb() { return environment("TERM") == "dumb"; }

bool isWithColours(int File) {
  switch (colorChoice()) {
  case ColorChoice::Always:
    return true;
  case ColorChoice::Never:
    return false;
  case ColorChoice::Auto:
    break;
  }
  return ::isatty(File) && environment("NO_COLOR").empty() && !isDumb();
}

Terminal terminalOf(int File) {
  Terminal T;
  std::optional<size_t> Width = widthOf(File);
  if (size_t Wanted = std::strtoul(environment("COLUMNS").data(), nullptr, 10))
    Width = Wanted;
  T.HasWidth = Width.has_value();
  T.Columns = Width.value_or(T.Columns);
  T.Columns = std::clamp(T.Columns, FewestColumns, MostColumns);
  T.HasColours = isWithColours(File);
  return T;
}

} // namespace

ColorChoice &instantrace::colorChoice() {
  static ColorChoice Choice = ColorChoice::Auto;
  return Choice;
}

Terminal instantrace::standardOutputTerminal() {
  return terminalOf(STDOUT_FILENO);
}

Terminal instantrace::standardErrorTerminal() {
  return terminalOf(STDERR_FILENO);
}

bool instantrace::canShowProgress() {
  struct stat Output;
  bool IsPiped = ::fstat(STDOUT_FILENO, &Output) == 0 &&
                 (S_ISFIFO(Output.st_mode) || S_ISSOCK(Output.st_mode));
  return ::isatty(STDERR_FILENO) && !isDumb() && !IsPiped;
}

size_t instantrace::standardErrorColumns() {
  constexpr size_t Usual = 80;
  return std::min(widthOf(STDERR_FILENO).value_or(Usual), MostColumns);
}
