/// \file
/// What pbf_reader::tag_and_type() gives for a field of the schema.
#ifndef INSTANTRACE_RUNTIME_FORMAT_FIELDTAG_H
#define INSTANTRACE_RUNTIME_FORMAT_FIELDTAG_H

#include <protozero/types.hpp>

#include <cstdint>

namespace instantrace {

constexpr uint32_t lengthDelimited(uint32_t Field) {
  return protozero::tag_and_type(Field,
                                 protozero::pbf_wire_type::length_delimited);
}
constexpr uint32_t varint(uint32_t Field) {
  return protozero::tag_and_type(Field, protozero::pbf_wire_type::varint);
}
constexpr uint32_t fixed64(uint32_t Field) {
  return protozero::tag_and_type(Field, protozero::pbf_wire_type::fixed64);
}

} // namespace instantrace

#endif
