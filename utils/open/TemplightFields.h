/// \file
/// The field numbers of Templight's files.
///
/// Flow:   [TemplightFields] -> Templight.cpp (writes), TemplightReader (reads)
/// Layout: test/viewers/templight.proto
/// Source: Templight's templight_messages.proto
#pragma once

#include <cstdint>

namespace instantrace::templight {

enum CollectionField : uint32_t { CollectionTrace = 1 };
enum TraceField : uint32_t {
  TraceHeader = 1,
  TraceEntry = 2,
  TraceName = 3,
};
enum HeaderField : uint32_t { HeaderVersion = 1, HeaderSource = 2 };
enum EntryField : uint32_t { EntryBegin = 1, EntryEnd = 2 };
enum BeginField : uint32_t {
  BeginKind = 1,
  BeginName = 2,
  BeginPlace = 3,
  BeginTime = 4,
  BeginMemory = 5,
  BeginOrigin = 6,
};
enum EndField : uint32_t { EndTime = 1, EndMemory = 2 };
enum NameField : uint32_t {
  NameText = 1,
  NameCompressed = 2,
  NameDictionaryId = 3,
};
enum PlaceField : uint32_t {
  PlaceFile = 1,
  PlaceFileId = 2,
  PlaceLine = 3,
  PlaceColumn = 4,
};
/// Of an entry of the dictionary.
enum DictionaryField : uint32_t {
  EntryMarkedName = 1,
  EntryMarkers = 2,
};

/// The only one there is.
inline constexpr uint32_t Version = 1;

} // namespace instantrace::templight
