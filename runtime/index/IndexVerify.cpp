/// \file
/// InstantiationIndex::verify(): that all of a file is as it was written.
/// Leaves: what a whole file says, to the questions, which check what they read
#include "runtime/index/Index.h"
#include "runtime/index/IndexState.h"

using namespace instantrace;
using namespace instantrace::index;

bool InstantiationIndex::verify() const {
  const IndexBytes &Bytes = *S->Bytes;
  for (size_t I = 0; I != SectionLimit; ++I) {
    auto Sec = static_cast<Section>(I);
    if (!Bytes.rows<char>(Sec, 0, Bytes.table(Sec).SizeBytes))
      return false;
  }
  return Bytes.isPaddingZero() && Bytes.isWhole();
}
