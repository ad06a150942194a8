#include "test/fuzz/FuzzTargets.h"
#include "test/unit/support/IndexSamples.h"

namespace instantrace::fuzz {

void fuzzIndex(const uint8_t *Data, size_t SizeBytes) {
  if (SizeBytes == 0)
    return;
  // A block of its own, so that a sanitizer sees what is read beyond it.
  std::string Bytes(reinterpret_cast<const char *>(Data) + 1, SizeBytes - 1);
  if ((Data[0] & 1) == 0)
    test::makeSumsFit(Bytes);
  InstantiationIndex X;
  std::string Why;
  if (!InstantiationIndex::fromBytes(Bytes, "fuzzed", X, Why)) {
    require(Why.starts_with("fuzzed: "));
    return;
  }
  require(X.verify() == X.fault().empty());
  auto Ask = [&X] { return test::answers(X); };
  std::string Answers = Ask();
  require(Answers == Ask());
}

std::vector<std::string> indexSeeds() {
  test::SampleCompile C;
  C.begin(0, {.Kind = 32});
  C.begin(5, {.AstBytes = 100, .Entity = 1, .Location = 1});
  C.begin(7, {.Entity = 2, .Location = 2, .IsDefinition = true});
  C.end(9);
  C.end(uint64_t(1) << 34);
  C.begin((uint64_t(1) << 34) + 1,
          {.Entity = 3, .Location = 5, .Requester = 1});
  C.finish();
  std::vector<std::string> Seeds;
  for (const std::string &Bytes :
       {test::indexBytes({}), test::indexBytes({C}), test::indexBytes({C, C})})
    for (char Sums : {'\0', '\1'})
      Seeds.push_back(Sums + Bytes);
  return Seeds;
}

} // namespace instantrace::fuzz
