/// \file
/// Takes the fields of a message to where they belong, as the schema says that
/// they are.
///
/// Flow:   protozero -> [readFields] -> decoders
/// Layout: runtime/format/Schema.h
/// Errors: what is no protobuf throws protozero::exception. A field that is
///         unknown, or not of the schema's type, is passed over
///
///     readFields(Body, into(schema::Session::Pid, S.Pid), ...)
#pragma once

#include "runtime/format/Schema.h"

#include <protozero/pbf_reader.hpp>

#include <string_view>
#include <type_traits>

namespace instantrace {

inline std::string_view readView(protozero::pbf_reader &Reader) {
  protozero::data_view View = Reader.get_view();
  return {View.data(), View.size()};
}

template <class Range, class List> void append(Range Values, List &Into) {
  for (auto Value : Values)
    Into.push_back(Value);
}

/// A field, and where its values go: a number, a text or a view of one; of a
/// repeated field a list; of messages what takes a reader of each.
template <schema::Count C, schema::Type T, class Target> struct FieldTarget {
  schema::Field<C, T> Field;
  Target &Into;

  void read(protozero::pbf_reader &Reader) const {
    using schema::Type;
    constexpr bool IsSingle = C == schema::Count::Single;
    if constexpr (T == Type::Message)
      Into(Reader.get_message());
    else if constexpr (T == Type::Bytes && !IsSingle)
      Into.push_back(Reader.get_bytes());
    else if constexpr (std::is_same_v<Target, std::string_view>)
      Into = readView(Reader);
    else if constexpr (T == Type::Bytes)
      Into = Reader.get_bytes();
    else if constexpr (IsSingle)
      readNumber(Reader);
    else
      readColumn(Reader);
  }

private:
  void readNumber(protozero::pbf_reader &Reader) const {
    using schema::Type;
    static_assert(T == Type::Bool || T == Type::Uint32 || T == Type::Uint64 ||
                  T == Type::Fixed64 || T == Type::Enum);
    if constexpr (T == Type::Bool)
      Into = Reader.get_bool();
    else if constexpr (T == Type::Uint32)
      Into = Reader.get_uint32();
    else if constexpr (T == Type::Uint64)
      Into = Reader.get_uint64();
    else if constexpr (T == Type::Fixed64)
      Into = Reader.get_fixed64();
    else
      Into = static_cast<Target>(Reader.get_uint32());
  }

  void readColumn(protozero::pbf_reader &Reader) const {
    using schema::Type;
    static_assert(T == Type::Bool || T == Type::Uint32 || T == Type::Uint64 ||
                  T == Type::Fixed64 || T == Type::Sint32 || T == Type::Enum);
    if constexpr (T == Type::Fixed64)
      append(Reader.get_packed_fixed64(), Into);
    else if constexpr (T == Type::Bool)
      append(Reader.get_packed_bool(), Into);
    else if constexpr (T == Type::Uint64)
      append(Reader.get_packed_uint64(), Into);
    else if constexpr (T == Type::Sint32)
      append(Reader.get_packed_sint32(), Into);
    else
      append(Reader.get_packed_uint32(), Into);
  }
};

/// \p Into must outlive the result.
template <schema::Count C, schema::Type T, class Target>
FieldTarget<C, T, Target> into(schema::Field<C, T> Field, Target &Into) {
  return {Field, Into};
}

/// Of a field that comes more than once and is not repeated, the last one.
template <class... FieldTargets>
void readFields(protozero::pbf_reader Message, FieldTargets... Targets) {
  while (Message.next()) {
    uint32_t Tag = Message.tag_and_type();
    auto IsRead = [&](const auto &Target) {
      if (Target.Field.tag() != Tag)
        return false;
      Target.read(Message);
      return true;
    };
    if (!(IsRead(Targets) || ...))
      Message.skip();
  }
}

} // namespace instantrace
