#include "test/fuzz/FuzzTargets.h"
#include "utils/analysis/costs/Budget.h"
#include "utils/analysis/names/NameQuery.h"
#include "utils/cli/CommandLine.h"
#include "utils/commands/Commands.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

namespace instantrace::fuzz {

namespace {

void requireMessage(const Error &E) {
  require(!E.Message.empty() && E.Message.find('\n') == std::string::npos);
}

/// The command of that name; to make all of them takes most of the time of an
/// input. Of a wrong name, some that it might be.
std::vector<CommandAdder> addersFor(const std::string &Name) {
  static const std::map<std::string, CommandAdder> ByName = [] {
    std::map<std::string, CommandAdder> Made;
    for (CommandAdder Add : AllCommands) {
      CLI::App App;
      Add(App);
      Made[App.get_subcommands(nullptr).front()->get_name()] = Add;
    }
    return Made;
  }();
  auto Found = ByName.find(Name);
  if (Found != ByName.end())
    return {Found->second};
  return {ByName.at("completion"), ByName.at("verify")};
}

/// What commands look into only when they run.
void parseValue(const std::string &Word) {
  if (Result<Bound> B = parseBound(Word); !B)
    requireMessage(B.error());
  if (Result<std::vector<Bound>> B = parseBudget(Word, "budget"); !B)
    requireMessage(B.error());
  if (Result<NameQuery> Q = NameQuery::make(Word); !Q)
    requireMessage(Q.error());
  Result<NamePattern> P = NamePattern::make(Word);
  if (!P)
    return requireMessage(P.error());
  try {
    (void)P->matches("std::vector<int, std::allocator<int>>::push_back");
  } catch (const PatternLimitError &E) {
    requireMessage(Error{E.what()});
  }
}

} // namespace

void fuzzCommandLine(const uint8_t *Data, size_t SizeBytes) {
  std::string Input(reinterpret_cast<const char *>(Data), SizeBytes);
  std::vector<std::string> Words{"instantrace"};
  for (size_t Index = 0; Index < Input.size();) {
    size_t End = std::min(Input.find('\n', Index), Input.size());
    // An argument of a program ends with its first NUL.
    Words.emplace_back(Input.substr(Index, End - Index).c_str());
    Index = End + 1;
  }
  std::vector<char *> Argv;
  for (std::string &Word : Words)
    Argv.push_back(Word.data());
  Argv.push_back(nullptr);
  // What it gives is never run: that would be files and processes.
  std::vector<CommandAdder> Adders =
      addersFor(Words.size() > 1 ? Words[1] : std::string());
  Result<CommandRun> Parsed =
      parseCommandLine(Adders, static_cast<int>(Words.size()), Argv.data());
  if (Parsed)
    require(bool(*Parsed));
  else {
    require(Parsed.error().Kind == ErrorKind::Usage);
    requireMessage(Parsed.error());
  }
  for (const std::string &Word : Words)
    parseValue(Word);
}

std::vector<std::string> commandLineSeeds() {
  return {
      "",
      "--version",
      "--print-plugin-path",
      "--help",
      "sumary\na.itrace",
      "summary\n--help",
      "summary\n--by=header\n--sort=inclusive\n-n\n5\na.itrace",
      "summary\n--no-system\n--min-time=1.5ms\n--json\nbuild/",
      "summary\n--match\nglob:std::*\n--exclude\n[\n--kind\nx\n--in\n.\na",
      "summary\n--jsn\na",
      "dump\n--format=json\n--times\n--max-name\n10\na",
      "dump\n--inclusions\n--match=x\na",
      "tree\n--max-depth=3\n--requested-by\n--level=template\na",
      "why\n-n0\na.itrace\nglob:std::*",
      "names\n--by=class\na",
      "diff\n--fail-on\ntotal.count <= base * 1.1\nbase\nhead",
      "budget\n--budget\nx\na",
      "count(glob:std::*) <= 1200\nself(^Box<.*>$) < 1.5s\ntime<=+10%\n# x",
      "export\n--to=perfetto\n-o\n-\n--max-events=3\n--metric=count\na",
      "export\n--to=flamegraph\n-o\nx.svg\na",
      "report\n-o\nx.html\n--max-size\n5MB\n--source-root\n.\na",
      "query\n--csv\na\nSELECT 1",
      "query\n--json\n--csv\n--schema\na",
      "recover\n--remove\n-o\nx\nbuild/",
      "attach\n--once\n--json\n4711",
      "collect\n--socket\nx\n--\nmake\n-j8",
      "assemble\n-\n-o\nx",
      "completion\nbash",
      "man\nsummary",
      "advise\n--only=recursion\n--min-saving=1%\na",
      "annotate\n--no-source\na\nx.h",
      "constraints\n--csv\na",
      "overloads\n--markdown\na",
      "depth\n-n\n-1\na",
      "verify\n-\n-",
  };
}

} // namespace instantrace::fuzz
