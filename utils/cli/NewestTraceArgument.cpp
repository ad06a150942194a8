#include "utils/cli/NewestTraceArgument.h"

#include "utils/cli/NewestTrace.h"
#include "utils/cli/TraceArguments.h"
#include "utils/index/TraceIndex.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/FileKind.h"
#include "utils/open/TimeTraceReader.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NumberText.h"

#include <filesystem>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Or a folder of traces, or an index, by its name or what it has: other files
/// and folders may well be called as what is asked.
bool isTrace(const std::string &Word) {
  if (hasTraceName(Word) || Word.ends_with(".itx") || isIndex(Word))
    return true;
  std::error_code None;
  if (fs::is_directory(Word, None))
    return bool(findTraces({Word}));
  FileDescriptor File = openRegularFile(Word);
  if (!File)
    return false;
  std::string Head = headOf(File);
  return isTraceFile(File) || isTimeTrace(Head);
}

std::string lookedAt(const NewestTraces &Newest) {
  if (Newest.IsComplete)
    return "";
  return " (of " + counted(Newest.Entries, "entry", "entries") +
         ", and there are more)";
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
  NewestTraces Newest = newestTracesBelow({"."});
  if (Newest.Found.empty())
    return makeError({}, "no trace below this folder" + lookedAt(Newest),
                     "one that is named, or made by `instantrace run -- "
                     "clang++ -c a.cpp`");
  const FoundTrace &First = Newest.Found.front();
  printNote("reading " + First.Path + ", the newest " +
            (First.IsSession ? "session" : "trace") + " below this folder" +
            lookedAt(Newest));
  Paths.push_back(First.Path);
  return {};
}

Result<void> instantrace::nameNewestSessions(std::vector<std::string> &Paths) {
  if (!Paths.empty())
    return {};
  NewestTraces Newest = newestTracesBelow({"."});
  for (const FoundTrace &Each : Newest.Found)
    if (Each.IsSession && Paths.size() != 2)
      Paths.insert(Paths.begin(), Each.Path);
  if (Paths.size() != 2)
    return usageError(makeError({},
                                counted(Paths.size(), "session") +
                                    " below this folder" + lookedAt(Newest),
                                "OLD and NEW, or two sessions to compare"));
  printNote("comparing " + Paths[0] + " with " + Paths[1] +
            ", the newest sessions below this folder" + lookedAt(Newest));
  return {};
}

Result<std::string> instantrace::takeLastWord(std::vector<std::string> &Words,
                                              const std::string &What) {
  if (Words.empty())
    return usageError(makeError({}, "nothing", What));
  std::string Last = std::move(Words.back());
  Words.pop_back();
  // The other way round is clear as well.
  if (!Words.empty() && isTrace(Last) && !isTrace(Words.front())) {
    std::swap(Last, Words.front());
    return Last;
  }
  if (Words.empty() && isTrace(Last))
    return usageError(makeError({}, Last + " and nothing behind it", What));
  INSTANTRACE_TRY(nameNewestTrace(Words));
  return Last;
}
