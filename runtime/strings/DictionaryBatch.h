/// \file
/// Reads the entries of one dictionary packet, and refuses what no writer has
/// written.
///
/// Flow:   packet -> [readDictionaryBatch] -> Dictionary
/// Layout: proto/trace.proto, DictionaryBatch
/// Errors: a DictionaryFault that names the entry; what comes before it is
///         kept. Malformed protobuf throws protozero::exception
#pragma once

#include "runtime/strings/Dictionary.h"

#include <protozero/pbf_reader.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

struct DictionaryFault {
  std::string_view Invariant; ///< as in proto/FORMAT.md
  std::string Found, Expected;
};

/// A few short entries can mean a text beyond any limit, and a compiler may
/// well have such a type: it is one pointer to it, and it prints its name only
/// when asked to. So the entry is kept, and who wants its text gets a part.
std::optional<DictionaryFault> readDictionaryBatch(protozero::pbf_reader Body,
                                                   Dictionary &Into);

} // namespace instantrace
