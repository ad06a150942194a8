#include "utils/cli/IndexArguments.h"

#include "utils/input/TraceInputs.h"

using namespace instantrace;

Result<InstantiationIndex>
instantrace::readIndexArguments(const std::vector<std::string> &Paths,
                                IndexContent Content) {
  InputProgress Seen("indexing");
  return readIndexArguments(Paths, Content, Seen);
}

Result<InstantiationIndex>
instantrace::readIndexArguments(const std::vector<std::string> &Paths,
                                IndexContent Content, InputProgress &Seen) {
  std::string Made;
  Result<InstantiationIndex> X = openIndex(Paths, Content, Seen, Made);
  Seen.end();
  if (X && !Made.empty())
    printNote(Made);
  if (X) {
    std::vector<std::string> Rules;
    if (!X->rules(Rules))
      return Error{X->fault()};
    if (!Rules.empty())
      printNote(std::string(X->name()) + ": names are changed by " +
                rulesText(Rules));
  }
  return X;
}

void instantrace::addIndexOption(CLI::App &Command, bool &IsWanted) {
  Command.add_flag("--index", IsWanted,
                   "answer from the index of the traces, which is made beside "
                   "them if there is none");
}

bool instantrace::areIndexes(const std::vector<std::string> &Paths) {
  return Paths.size() == 1 && isIndex(Paths.front());
}

Result<std::vector<std::string>>
instantrace::indexedTraces(const std::vector<std::string> &Paths,
                           IndexedCosts &Costs) {
  if (areIndexes(Paths))
    return Costs.traces();
  Result<std::vector<std::string>> Files = findTraces(Paths);
  if (Files)
    for (std::string &Path : *Files)
      Path = inputName(Path);
  return Files;
}

Result<InstantiationIndex::NameParts>
instantrace::namePartsOf(const NameStyle &Style) {
  if (!Style.Arguments)
    return usageError(
        makeError({}, "--strip-args with a question to an index",
                  "none; an index has names with their template arguments"));
  return InstantiationIndex::NameParts{Style.DefaultArguments,
                                       Style.Parameters};
}
