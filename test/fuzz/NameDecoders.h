/// \file
/// What the two decoders of names make of one dictionary packet, compared.
///
/// Flow: fuzzNames, NameDecodersTest -> [compareDecoders]
///       -> readDictionaryBatch -> Dictionary and FlatNames
#ifndef INSTANTRACE_TEST_FUZZ_NAMEDECODERS_H
#define INSTANTRACE_TEST_FUZZ_NAMEDECODERS_H

#include "runtime/strings/Dictionary.h"
#include "runtime/strings/DictionaryBatch.h"
#include "runtime/strings/FlatNames.h"
#include "runtime/strings/StringTable.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace::fuzz {

struct DecodedNames {
  explicit DecodedNames(uint64_t FlatLimitBytes = uint64_t(1) << 20)
      : Flat(FlatLimitBytes) {}

  Dictionary Lazy;
  FlatNames Flat;
  /// Empty for none, "malformed" for what is no protobuf, otherwise as a reader
  /// reports it: "invariant: found X, expected Y".
  std::string LazyFault, FlatFault;
};

/// Adds the entries of one batch to those that are there.
void decode(std::string_view Batch, DecodedNames &Into);

/// Empty, or where the two differ: in what they refuse, but for what is too
/// long as flat text, or in a text. Also where a style shows
/// what is not in the whole text, or a key is not that of its text.
std::string disagreement(const DecodedNames &Names);

/// The DictionaryBatches with all entries of a table.
std::vector<std::string> serialized(const StringTable &Strings);

} // namespace instantrace::fuzz

#endif
