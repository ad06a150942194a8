#include "utils/render/Terminal.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/ioctl.h>
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

} // namespace

Terminal instantrace::standardOutputTerminal() {
  Terminal T;
  bool IsTerminal = isatty(STDOUT_FILENO);
  winsize Size{};
  if (size_t Wanted = std::strtoul(environment("COLUMNS").data(), nullptr, 10))
    T.Columns = Wanted;
  else if (IsTerminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) == 0 &&
           Size.ws_col != 0)
    T.Columns = Size.ws_col;
  T.Columns = std::clamp(T.Columns, FewestColumns, MostColumns);
  T.HasColours = IsTerminal && environment("NO_COLOR").empty() &&
                 environment("TERM") != "dumb";
  return T;
}
