/// \file
/// One fuzz target as libFuzzer wants it. INSTANTRACE_FUZZ_TARGET names the
/// function, CMake builds one program for each. `--write-seeds=FOLDER` writes
/// the target's seeds there and ends.
#include "test/fuzz/FuzzTargets.h"

#include <cstdlib>
#include <fstream>
#include <string_view>

using namespace instantrace::fuzz;

extern "C" int LLVMFuzzerInitialize(int *Argc, char ***Argv) {
  constexpr std::string_view Option = "--write-seeds=";
  std::string_view Last = (*Argv)[*Argc - 1];
  if (!Last.starts_with(Option))
    return 0;
  for (const FuzzTarget &Target : FuzzTargets) {
    if (Target.Run != INSTANTRACE_FUZZ_TARGET)
      continue;
    size_t Number = 0;
    for (const std::string &Seed : Target.Seeds())
      std::ofstream(std::string(Last.substr(Option.size())) + "/seed-" +
                        std::to_string(Number++),
                    std::ios::binary)
          << Seed;
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t SizeBytes) {
  INSTANTRACE_FUZZ_TARGET(Data, SizeBytes);
  return 0;
}
