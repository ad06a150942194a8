#include "utils/cli/NewestTraceArgument.h"

#include "utils/cli/TraceArguments.h"
#include "utils/input/CompressedTrace.h"
#include "utils/input/NewestTrace.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NumberText.h"

#include <filesystem>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

bool isTraceOrFolder(const std::string &Word, LastWord Kind) {
  std::error_code None;
  return hasTraceName(Word) || Word.ends_with(".itx") ||
         fs::is_directory(Word, None) ||
         (Kind == LastWord::Other && fs::exists(Word, None));
}

} // namespace

CLI::Option *instantrace::addTracesOrNewest(CLI::App &Command,
                                            std::vector<std::string> &Paths) {
  CLI::Option *Option = addTraceArguments(Command, Paths);
  return Option->required(false)->description(Option->get_description() +
                                              NewestIfNone);
}

Result<void> instantrace::nameNewestTrace(std::vector<std::string> &Paths) {
  if (!Paths.empty())
    return {};
  NewestTrace Newest = newestTraceBelow(".");
  std::string Looked = Newest.IsComplete
                           ? ""
                           : " (of " +
                                 counted(Newest.Entries, "entry", "entries") +
                                 ", and there are more)";
  if (Newest.Path.empty())
    return makeError({}, "no trace below this folder" + Looked,
                     "one that is named, or made by `instantrace run -- "
                     "clang++ -c a.cpp`");
  printNote("reading " + Newest.Path + ", the newest " +
            (Newest.IsSession ? "session" : "trace") + " below this folder" +
            Looked);
  Paths.push_back(std::move(Newest.Path));
  return {};
}

Result<std::string> instantrace::takeLastWord(std::vector<std::string> &Words,
                                              const std::string &What,
                                              LastWord Kind) {
  if (Words.empty())
    return usageError(makeError({}, "nothing", What));
  std::string Last = std::move(Words.back());
  Words.pop_back();
  if (Words.empty() && isTraceOrFolder(Last, Kind))
    return usageError(makeError({}, Last + " and nothing behind it", What));
  if (Result<void> Named = nameNewestTrace(Words); !Named)
    return Named.error();
  return Last;
}
