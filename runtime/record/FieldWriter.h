/// \file
/// Puts values into a message as the schema says that its fields are.
///
/// Flow:   TraceWriter -> [FieldWriter] -> protozero
/// Layout: runtime/format/Schema.h
///
/// What has a field's default value and may be absent goes through addSet(),
/// which writes as protobuf's own writer does.
#ifndef INSTANTRACE_RUNTIME_RECORD_FIELDWRITER_H
#define INSTANTRACE_RUNTIME_RECORD_FIELDWRITER_H

#include "runtime/format/Schema.h"

#include <protozero/pbf_writer.hpp>

#include <string_view>
#include <type_traits>

namespace instantrace {

/// Of a repeated field, one more value.
template <schema::Count C>
void add(protozero::pbf_writer &To, schema::Field<C, schema::Type::Bytes> Field,
         std::string_view Value) {
  To.add_bytes(Field.Number, Value.data(), Value.size());
}

template <schema::Type T, class Value,
          std::enable_if_t<schema::isNumber(T), int> = 0>
void add(protozero::pbf_writer &To,
         schema::Field<schema::Count::Single, T> Field, Value Number) {
  using schema::Type;
  static_assert(T != Type::Sint32, "only columns are signed");
  if constexpr (T == Type::Fixed32)
    To.add_fixed32(Field.Number, static_cast<uint32_t>(Number));
  else if constexpr (T == Type::Fixed64)
    To.add_fixed64(Field.Number, static_cast<uint64_t>(Number));
  else
    To.add_uint64(Field.Number, static_cast<uint64_t>(Number));
}

template <class AnyField, class Value>
void addSet(protozero::pbf_writer &To, AnyField Field, const Value &V) {
  if (V != Value())
    add(To, Field, V);
}

/// A column of numbers, one for each row.
template <schema::Type T, class Row, class Get>
void addColumn(protozero::pbf_writer &To,
               schema::Field<schema::Count::Repeated, T> Field,
               const Row *Begin, const Row *End, Get Value) {
  using schema::Type;
  static_assert(T == Type::Bool || T == Type::Uint32 || T == Type::Uint64 ||
                T == Type::Fixed64 || T == Type::Enum);
  using Packed =
      std::conditional_t<T == Type::Fixed64, protozero::packed_field_fixed64,
                         protozero::packed_field_uint64>;
  Packed Column(To, Field.Number);
  for (; Begin != End; ++Begin)
    Column.add_element(static_cast<uint64_t>(Value(*Begin)));
}

/// Signed columns have each value as its difference from the one before.
template <class Row, class Get>
void addColumn(
    protozero::pbf_writer &To,
    schema::Field<schema::Count::Repeated, schema::Type::Sint32> Field,
    const Row *Begin, const Row *End, Get Value) {
  protozero::packed_field_sint64 Column(To, Field.Number);
  int64_t Previous = 0;
  for (; Begin != End; ++Begin) {
    auto Current = static_cast<int64_t>(Value(*Begin));
    Column.add_element(Current - Previous);
    Previous = Current;
  }
}

} // namespace instantrace

#endif
