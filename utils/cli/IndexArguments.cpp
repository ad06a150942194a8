#include "utils/cli/IndexArguments.h"

#include "utils/cli/InputProgress.h"
#include "utils/index/TraceIndex.h"

using namespace instantrace;

Result<InstantiationIndex>
instantrace::readIndexArguments(const std::vector<std::string> &Paths) {
  InputProgress Seen("indexing");
  std::string Made;
  Result<InstantiationIndex> X = openIndex(Paths, Seen, Made);
  Seen.end();
  if (X && !Made.empty())
    printNote(Made);
  return X;
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
