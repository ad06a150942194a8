/// \file
/// Reads the entries of one dictionary packet, and refuses what no writer has
/// written.
///
/// Flow:   packet -> [readDictionaryBatch] -> Dictionary | FlatNames
/// Layout: proto/trace.proto, DictionaryBatch
/// Errors: a DictionaryFault that names the entry; what comes before it is
/// kept.
///         Malformed protobuf throws protozero::exception
#ifndef INSTANTRACE_RUNTIME_STRINGS_DICTIONARYBATCH_H
#define INSTANTRACE_RUNTIME_STRINGS_DICTIONARYBATCH_H

#include "runtime/strings/NamePart.h"
#include "runtime/strings/StringId.h"

#include <protozero/pbf_reader.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// No name may expand to more. The longest that is known has 3.4 MB; the limit
/// is far beyond what a compiler would live to print, and a text of that size
/// still fits into the memory of the machine that reads it.
inline constexpr uint64_t MaxNameBytes = uint64_t(256) << 20;

struct DictionaryFault {
  std::string_view Invariant; ///< as in proto/FORMAT.md
  std::string Found, Expected;
};

/// Where the entries go.
struct DictionaryTarget {
  uint32_t Size;           ///< entries before this batch
  uint64_t TotalBytesLeft; ///< for all the texts of this batch
  std::function<uint64_t(NameId)> SizeBytes; ///< of an earlier entry's text
  std::function<void(std::string_view MarkedName,
                     std::span<const uint32_t> Markers, NamePart Part)>
      Add;
};

std::optional<DictionaryFault> readDictionaryBatch(protozero::pbf_reader Body,
                                                   DictionaryTarget Into);

/// Into a Dictionary or FlatNames.
template <class Names>
std::optional<DictionaryFault> readDictionaryBatch(protozero::pbf_reader Body,
                                                   Names &Into) {
  return readDictionaryBatch(
      Body, DictionaryTarget{Into.size(), Into.totalBytesLeft(),
                             [&Into](NameId Id) { return Into.sizeBytes(Id); },
                             [&Into](std::string_view MarkedName,
                                     std::span<const uint32_t> Markers,
                                     NamePart Part) {
                               Into.add(MarkedName, Markers, Part);
                             }});
}

} // namespace instantrace

#endif
