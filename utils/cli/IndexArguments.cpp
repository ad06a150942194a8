#include "utils/cli/IndexArguments.h"

#include "utils/cli/InputProgress.h"
#include "utils/input/TraceIndex.h"

using namespace instantrace;

Result<InstantiationIndex>
instantrace::readIndexArguments(const std::vector<std::string> &Paths) {
  InputProgress Seen("indexing");
  std::string Made;
  Result<InstantiationIndex> X = openIndex(Paths, Seen, Made);
  if (X && !Made.empty()) {
    if (Seen.shown())
      Seen.shown()->makeRoom();
    printNote(Made);
  }
  return X;
}

InstantiationIndex::NameParts instantrace::namePartsOf(const NameStyle &Style) {
  return {Style.DefaultArguments, Style.Parameters};
}
