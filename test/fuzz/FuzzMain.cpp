/// \file
/// One fuzz target as libFuzzer wants it. INSTANTRACE_FUZZ_TARGET names the
/// function, CMake builds one program for each.
#include "test/fuzz/FuzzTargets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t SizeBytes) {
  instantrace::fuzz::INSTANTRACE_FUZZ_TARGET(Data, SizeBytes);
  return 0;
}
