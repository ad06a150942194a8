#include "utils/cli/NameOptions.h"

using namespace instantrace;

void instantrace::addNameOptions(CLI::App &Command, NameStyle &Style) {
  constexpr const char *Group = "Names";
  Command
      .add_flag("--default-args", Style.DefaultArguments,
                "show template arguments that equal their defaults; JSON "
                "always has them")
      ->group(Group);
  Command
      .add_flag("--parameters", Style.Parameters,
                "show the parameters of functions, if the trace has them")
      ->group(Group);
  Command
      .add_flag_callback(
          "--strip-args", [&Style] { Style.Arguments = false; },
          "leave out template arguments")
      ->group(Group);
}
