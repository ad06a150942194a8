/// \file
/// The texts that a Dictionary makes of its entries, compared with those that
/// are made by the book: each as a whole, of whole ones before it.
///
/// Flow: fuzzNames, NameDecodersTest -> [decode] -> readDictionaryBatch
///       -> Dictionary, and flat texts of its entries
#pragma once

#include "runtime/strings/Dictionary.h"
#include "runtime/strings/DictionaryBatch.h"
#include "runtime/strings/StringTable.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace::fuzz {

struct DecodedNames {
  explicit DecodedNames(uint64_t FlatLimitBytes = uint64_t(1) << 20)
      : FlatBytesLeft(FlatLimitBytes) {}

  Dictionary Lazy;
  /// The texts of the first names, as far as the limit allows.
  std::vector<std::string> Flat;
  uint64_t FlatBytesLeft;
  /// Empty for none, "malformed" for what is no protobuf, otherwise as a reader
  /// reports it: "invariant: found X, expected Y".
  std::string Fault;
};

/// Adds the entries of one batch to those that are there.
void decode(std::string_view Batch, DecodedNames &Into);

/// Empty, or where a text is not the flat one. Also where a style shows what is
/// not in the whole text, or a key is not that of its text.
std::string disagreement(const DecodedNames &Names);

/// The DictionaryBatches with all entries of a table.
std::vector<std::string> serialized(const StringTable &Strings);

} // namespace instantrace::fuzz
