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
  /// Told of a name beyond MaxNameBytes, unless a part of it is one, too; it is
  /// added nevertheless. Null: such a name is a fault.
  std::function<void(DictionaryFault)> TooLong = nullptr;
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
/// when asked to. So the entry is kept, and what is refused is its text.
inline std::optional<DictionaryFault>
readDictionaryBatch(protozero::pbf_reader Body, Dictionary &Into,
                    std::function<void(DictionaryFault)> TooLong) {
  DictionaryTarget Target = targetOf(Into);
  Target.TooLong = std::move(TooLong);
  return readDictionaryBatch(Body, std::move(Target));
}

inline std::optional<DictionaryFault>
readDictionaryBatch(protozero::pbf_reader Body, FlatNames &Into) {
  return readDictionaryBatch(Body, targetOf(Into));
}

} // namespace instantrace

#endif
