#include "utils/cli/OutputOptions.h"

#include "utils/cli/ColorOption.h"
#include "utils/cli/NameOptions.h"
#include "utils/render/NameText.h"

using namespace instantrace;

NameStyle OutputOptions::style() const {
  return Records ? scriptStyle(Names) : Names;
}

void instantrace::addRecordOptions(CLI::App &Command,
                                   std::optional<RecordFormat> &Records,
                                   const std::string &What) {
  CLI::Option *Json = Command.add_flag_callback(
      "--json", [&Records] { Records = RecordFormat::Json; },
      "print one JSON object");
  Command
      .add_flag_callback(
          "--csv", [&Records] { Records = RecordFormat::Csv; },
          "print the " + What + " as CSV, with a header line")
      ->excludes(Json);
}

void instantrace::addMarkdownOption(CLI::App &Command, bool &IsMarkdown) {
  Command
      .add_flag("--markdown", IsMarkdown,
                "print Markdown tables, for the summary of a CI job")
      ->excludes(Command.get_option("--json"))
      ->excludes(Command.get_option("--csv"));
}

CLI::Option *instantrace::addSarifOption(CLI::App &Command, bool &IsSarif) {
  return Command
      .add_flag("--sarif", IsSarif,
                "print SARIF 2.1.0, which code hosts and editors show beside "
                "the lines")
      ->excludes(Command.get_option("--json"))
      ->excludes(Command.get_option("--csv"));
}

void instantrace::addOutputOptions(CLI::App &Command, OutputOptions &Options,
                                   const std::string &What) {
  Command.add_option("-n,--limit", Options.Rows,
                     "how many " + What + " to show; 0 means all (default " +
                         std::to_string(Options.Rows) + ")");
  addRecordOptions(Command, Options.Records, "rows");
  addColorOption(Command);
  addNameOptions(Command, Options.Names);
}
