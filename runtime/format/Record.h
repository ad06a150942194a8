/// \file
/// Numbers of the event-record grammar, shared by writer and reader.
///
/// Layout: proto/FORMAT.md, "Event records"
#pragma once

#include <cstdint>
#include <string_view>

namespace instantrace {

/// Version of the trace file; FORMAT.md's version table ends with it (a test
/// compares them).
inline constexpr uint32_t FormatMajor = 1;
inline constexpr uint32_t FormatMinor = 7;
inline constexpr std::string_view FormatMagic = "instantrace";

/// Lowest two bits of a record's head.
enum class RecordOp : uint8_t {
  Begin = 0,
  End = 1,
  Instant = 2,
  BeginRequested = 3,
};

inline constexpr unsigned RecordOpBits = 2;

/// Flags of an End record, in the head above the op.
enum EndFlag : uint8_t {
  EndAstBytes = 1,
  EndMemoized = 2,
  EndElided = 4,
  EndDefinition = 8,
  EndFlagLimit = 16, // a larger value is not of this version
};

/// Entity and location references: 0 none, 1 new, larger ones as below.
inline constexpr uint32_t NewReference = 1;
inline constexpr uint32_t FirstBackReference = 2;

/// The lowest bits of an entity's back reference, after FirstBackReference is
/// taken off. Without EntityOfInterval the rest is an id distance; with it, the
/// rest (above both bits) counts intervals back in the same batch, and
/// SameLocation says that the location is that interval's too and not written.
enum EntityReferenceBit : uint8_t {
  EntityOfInterval = 1,
  SameLocation = 2,
};

} // namespace instantrace
