/// \file
/// Puts values into a message as the schema says that its fields are.
///
/// Flow:   TraceWriter -> [FieldWriter] -> protozero
/// Layout: runtime/format/Schema.h
///
/// What has a field's default value and may be absent goes through addSet(),
/// which writes as protobuf's own writer does.
#pragma once

#include "runtime/base/Varint.h"
#include "runtime/format/Schema.h"

#include <protozero/pbf_writer.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>

namespace instantrace {

/// Of a repeated field, one more value.
template <schema::Count C>
void add(protozero::pbf_writer &Writer,
         schema::Field<C, schema::Type::Bytes> Field, std::string_view Value) {
  Writer.add_bytes(Field.Number, Value.data(), Value.size());
}

template <schema::Type T, class Value,
          std::enable_if_t<schema::isNumber(T), int> = 0>
void add(protozero::pbf_writer &Writer,
         schema::Field<schema::Count::Single, T> Field, Value Number) {
  using schema::Type;
  static_assert(T != Type::Sint32, "only columns are signed");
  if constexpr (T == Type::Fixed32)
    Writer.add_fixed32(Field.Number, static_cast<uint32_t>(Number));
  else if constexpr (T == Type::Fixed64)
    Writer.add_fixed64(Field.Number, static_cast<uint64_t>(Number));
  else
    Writer.add_uint64(Field.Number, static_cast<uint64_t>(Number));
}

template <class AnyField, class Value>
void addSet(protozero::pbf_writer &Writer, AnyField Field, const Value &V) {
  if (V != Value())
    add(Writer, Field, V);
}

/// A packed field of varints, of Value(row) of each, at once: a packed field of
/// protozero's writes a byte after the other, and moves all in the end.
template <class Row, class Get>
void addVarints(protozero::pbf_writer &Writer, uint32_t Number,
                const Row *Begin, const Row *End, Get Value) {
  if (Begin == End)
    return;
  constexpr size_t LongestVarint = 10;
  // What no varint reaches is not written to, and takes no memory.
  std::unique_ptr<uint8_t[]> Bytes(
      new uint8_t[static_cast<size_t>(End - Begin) * LongestVarint]);
  uint8_t *Out = Bytes.get();
  for (; Begin != End; ++Begin)
    Out = writeVarint(Out, Value(*Begin));
  Writer.add_bytes(Number, reinterpret_cast<const char *>(Bytes.get()),
                   static_cast<size_t>(Out - Bytes.get()));
}

/// A column of numbers, one for each row.
template <schema::Type T, class Row, class Get>
void addColumn(protozero::pbf_writer &Writer,
               schema::Field<schema::Count::Repeated, T> Field,
               const Row *Begin, const Row *End, Get Value) {
  using schema::Type;
  static_assert(T == Type::Bool || T == Type::Uint32 || T == Type::Uint64 ||
                T == Type::Fixed64 || T == Type::Enum);
  auto Number = [&](const Row &R) { return static_cast<uint64_t>(Value(R)); };
  if constexpr (T == Type::Fixed64) {
    protozero::packed_field_fixed64 Column(Writer, Field.Number);
    for (; Begin != End; ++Begin)
      Column.add_element(Number(*Begin));
  } else {
    addVarints(Writer, Field.Number, Begin, End, Number);
  }
}

/// Signed columns have each value as its difference from the one before.
template <class Row, class Get>
void addColumn(
    protozero::pbf_writer &Writer,
    schema::Field<schema::Count::Repeated, schema::Type::Sint32> Field,
    const Row *Begin, const Row *End, Get Value) {
  int64_t Previous = 0;
  addVarints(Writer, Field.Number, Begin, End, [&](const Row &R) {
    auto Current = static_cast<int64_t>(Value(R));
    int64_t Difference = Current - Previous;
    Previous = Current;
    return protozero::encode_zigzag64(Difference);
  });
}

} // namespace instantrace
