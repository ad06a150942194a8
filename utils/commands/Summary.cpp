/// \file
/// `instantrace summary`: where the time went.
///
/// Flow: TraceInputs -> costs -> sortCosts -> CostText -> stdout
#include "utils/analysis/Costs.h"
#include "utils/commands/Commands.h"
#include "utils/commands/NameOptions.h"
#include "utils/input/TraceInputs.h"
#include "utils/render/CostText.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NameText.h"
#include "utils/render/Output.h"

#include <map>
#include <memory>

using namespace instantrace;

namespace {

struct SummaryOptions {
  std::vector<std::string> Inputs;
  CostKey By = CostKey::Template;
  CostOrder Order = CostOrder::Self;
  size_t Rows = 20;
  bool Json = false;
  NameStyle Names;
};

const std::map<std::string, CostKey> Keys = {
    {"template", CostKey::Template},
    {"class", CostKey::Class},
    {"namespace", CostKey::Namespace},
    {"instantiation", CostKey::Instantiation},
    {"kind", CostKey::Kind},
    {"file", CostKey::File},
    {"user-frame", CostKey::UserFrame},
};
const std::map<std::string, CostOrder> Orders = {
    {"self", CostOrder::Self},   {"inclusive", CostOrder::Inclusive},
    {"count", CostOrder::Count}, {"memoized", CostOrder::Memoized},
    {"ast", CostOrder::Ast},     {"name", CostOrder::Name},
};

template <class Value>
std::string nameIn(const std::map<std::string, Value> &Names, Value Wanted) {
  for (const auto &[Name, V] : Names)
    if (V == Wanted)
      return Name;
  return {};
}

Result<int> runSummary(const SummaryOptions &Opts) {
  Result<Trace> T = readTraces(Opts.Inputs);
  if (!T)
    return T.error();
  for (const std::string &Loss : T->losses())
    printWarning(Loss);
  CostTable Table = costs(*T, Opts.By);
  sortCosts(Table, *T, Opts.Order, Opts.Rows);
  Output Out(stdout);
  if (Opts.Json)
    writeCostJson(Out, *T, Table, Opts.Rows, scriptStyle(Opts.Names));
  else
    writeCostTable(Out, *T, Table, Opts.Rows, nameIn(Keys, Opts.By), Opts.Names,
                   standardOutputTerminal());
  return Out.finish();
}

} // namespace

CommandRun instantrace::addSummary(CLI::App &App) {
  auto Opts = std::make_shared<SummaryOptions>();
  CLI::App *Command = App.add_subcommand(
      "summary", "Show which templates, classes, namespaces, kinds of work, "
                 "files or lines cost most.");
  Command
      ->add_option("trace", Opts->Inputs,
                   "traces; a folder means all *.itrace below it; - is the "
                   "standard input")
      ->required();
  // std::function and not the value: CLI11 would print the enum's numbers.
  Command
      ->add_option_function<std::string>(
          "--by", [Opts](const std::string &Name) { Opts->By = Keys.at(Name); },
          "what a row is: template (default), class, namespace, "
          "instantiation, kind, file or user-frame, a line outside system "
          "headers")
      ->check(CLI::IsMember({"template", "class", "namespace", "instantiation",
                             "kind", "file", "user-frame"}));
  Command
      ->add_option_function<std::string>(
          "--sort",
          [Opts](const std::string &Name) { Opts->Order = Orders.at(Name); },
          "self (default), inclusive, count, memoized, ast or name")
      ->check(CLI::IsMember(
          {"self", "inclusive", "count", "memoized", "ast", "name"}));
  Command->add_option("-n", Opts->Rows,
                      "how many rows to show; 0 means all (default 20)");
  Command->add_flag("--json", Opts->Json, "print one JSON object");
  addNameOptions(*Command, Opts->Names);
  Command->footer(
      "Columns:\n"
      "  self       time in the row itself, without the instantiations "
      "inside;\n"
      "             the rows' self times add up to the total\n"
      "  inclusive  time with everything inside, from begin to end, but for\n"
      "             Instantrace's own work, the row (profiling); recursion\n"
      "             is counted once. A body that Clang instantiates late "
      "counts\n"
      "             where it runs; requested_ns in the JSON tells for how "
      "much\n"
      "             of that a row is the one who asked\n"
      "  count      specializations that were instantiated: definitions, and "
      "1\n"
      "             for one that was only declared; otherwise intervals\n"
      "  memoized   how often a finished instantiation was used again\n"
      "  AST        memory that Clang allocated for the syntax tree\n"
      "Rows in parentheses are what is no template work: phases of the "
      "compile,\n"
      "file inclusion, leaves below the granularity; and what has no such "
      "group,\n"
      "(no class). With --by=class, a class has itself and its members, but "
      "not\n"
      "its nested classes; with --by=namespace, a row is the innermost one. "
      "With\n"
      "--by=file, template work counts for the file that asked for it (the "
      "point "
      "of\n"
      "instantiation),\n"
      "file inclusion for the included file. With --by=user-frame, work "
      "counts\n"
      "for the line outside system headers that it comes from: the first one "
      "on\n"
      "the way outwards over who asked for it; of a system header by itself, "
      "the\n"
      "line of the #include.\n"
      "\n"
      "Examples:\n"
      "  instantrace summary a.itrace\n"
      "  instantrace summary --by=instantiation --sort=inclusive -n 50 "
      "a.itrace\n"
      "  instantrace summary --json -n 0 build/ > costs.json");
  return [Opts] { return runSummary(*Opts); };
}
