/// \file
/// How a command prints its table: --json, --csv, -n.
///
/// Flow: command line -> [OutputOptions] -> RecordText or TextTable
#pragma once

#include "runtime/strings/Dictionary.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace instantrace {

struct OutputOptions {
  size_t Rows = 20; ///< 0: all
  std::optional<RecordFormat> Records;
  NameStyle Names;

  /// What names are shown in: scripts get default arguments.
  NameStyle style() const;

  /// Prints by \p AsText(Output, Parts..., Terminal) or, for scripts, by
  /// \p AsRecords(Output, RecordFormat, Parts...). The exit code.
  template <class... Parts>
  Result<int> print(auto AsText, auto AsRecords, const Parts &...Shown) const {
    Output Out(stdout);
    if (Records)
      AsRecords(Out, *Records, Shown...);
    else
      AsText(Out, Shown..., standardOutputTerminal());
    return Out.finish();
  }
};

/// Adds --json and --csv, of which one can be given; \p What a row of CSV is.
void addRecordOptions(CLI::App &Command, std::optional<RecordFormat> &Records,
                      const std::string &What);

/// --markdown, instead of either. Requires: addRecordOptions().
void addMarkdownOption(CLI::App &Command, bool &IsMarkdown);

/// --sarif, instead of either. Requires: addRecordOptions().
CLI::Option *addSarifOption(CLI::App &Command, bool &IsSarif);

/// Adds -n for \p What, --json, --csv and the options for names. \p Options
/// must live until the command has run.
void addOutputOptions(CLI::App &Command, OutputOptions &Options,
                      const std::string &What);

} // namespace instantrace
