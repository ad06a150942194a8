#include "utils/commands/OutputOptions.h"

#include "utils/commands/NameOptions.h"
#include "utils/render/NameText.h"

using namespace instantrace;

NameStyle OutputOptions::style() const {
  return Records ? scriptStyle(Names) : Names;
}

void instantrace::addOutputOptions(CLI::App &Command, OutputOptions &Options,
                                   const std::string &What) {
  Command.add_option("-n", Options.Rows,
                     "how many " + What + " to show; 0 means all (default " +
                         std::to_string(Options.Rows) + ")");
  CLI::Option *Json = Command.add_flag_callback(
      "--json", [&Options] { Options.Records = RecordFormat::Json; },
      "print one JSON object");
  Command
      .add_flag_callback(
          "--csv", [&Options] { Options.Records = RecordFormat::Csv; },
          "print the rows as CSV, with a line of names first")
      ->excludes(Json);
  addNameOptions(Command, Options.Names);
}
