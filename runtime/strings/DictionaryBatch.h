/// \file
/// Reads the entries of one dictionary packet, and refuses what no writer has
/// written.
///
/// Flow:   packet -> [readDictionaryBatch] -> Dictionary | FlatNames
/// Layout: proto/trace.proto, DictionaryBatch
/// Errors: a DictionaryFault that names the entry; what comes before it is
///         kept. Malformed protobuf throws protozero::exception
#ifndef INSTANTRACE_RUNTIME_STRINGS_DICTIONARYBATCH_H
#define INSTANTRACE_RUNTIME_STRINGS_DICTIONARYBATCH_H

#include "runtime/strings/Dictionary.h"
#include "runtime/strings/FlatNames.h"
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
  /// Whether a name may have more bytes than MaxNameBytes; else it is a fault.
  bool KeepsLongNames = false;
};

std::optional<DictionaryFault> readDictionaryBatch(protozero::pbf_reader Body,
                                                   DictionaryTarget Into);

/// What both decoders of names have.
template <class Names> DictionaryTarget targetOf(Names &Into) {
  return {Into.size(), Into.totalBytesLeft(),
          [&Into](NameId Id) { return Into.sizeBytes(Id); },
          [&Into](std::string_view MarkedName,
                  std::span<const uint32_t> Markers,
                  NamePart Part) { Into.add(MarkedName, Markers, Part); }};
}

/// A few short entries can mean a text beyond any limit, and a compiler may
/// well have such a type: it is one pointer to it, and it prints its name only
/// when asked to. So the entry is kept, and who wants its text gets a part.
inline std::optional<DictionaryFault>
readDictionaryBatch(protozero::pbf_reader Body, Dictionary &Into) {
  DictionaryTarget Target = targetOf(Into);
  Target.KeepsLongNames = true;
  return readDictionaryBatch(Body, std::move(Target));
}

inline std::optional<DictionaryFault>
readDictionaryBatch(protozero::pbf_reader Body, FlatNames &Into) {
  return readDictionaryBatch(Body, targetOf(Into));
}

} // namespace instantrace

#endif
