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

inline std::string_view readView(protozero::pbf_reader &From) {
  protozero::data_view View = From.get_view();
  return {View.data(), View.size()};
}

template <class Range, class List> void append(Range Values, List &To) {
  for (auto Value : Values)
    To.push_back(Value);
}

/// A field, and where its values go: a number, a text or a view of one; of a
/// repeated field a list; of messages what takes a reader of each.
template <schema::Count C, schema::Type T, class Target> struct FieldTarget {
  schema::Field<C, T> Field;
  Target &To;

  void read(protozero::pbf_reader &From) const {
    using schema::Type;
    constexpr bool IsSingle = C == schema::Count::Single;
    if constexpr (T == Type::Message)
      To(From.get_message());
    else if constexpr (T == Type::Bytes && !IsSingle)
      To.push_back(From.get_bytes());
    else if constexpr (std::is_same_v<Target, std::string_view>)
      To = readView(From);
    else if constexpr (T == Type::Bytes)
      To = From.get_bytes();
    else if constexpr (IsSingle)
      readNumber(From);
    else
      readColumn(From);
  }

private:
  void readNumber(protozero::pbf_reader &From) const {
    using schema::Type;
    static_assert(T == Type::Bool || T == Type::Uint32 || T == Type::Uint64 ||
                  T == Type::Fixed64 || T == Type::Enum);
    if constexpr (T == Type::Bool)
      To = From.get_bool();
    else if constexpr (T == Type::Uint32)
      To = From.get_uint32();
    else if constexpr (T == Type::Uint64)
      To = From.get_uint64();
    else if constexpr (T == Type::Fixed64)
      To = From.get_fixed64();
    else
      To = static_cast<Target>(From.get_uint32());
  }

  void readColumn(protozero::pbf_reader &From) const {
    using schema::Type;
    static_assert(T == Type::Bool || T == Type::Uint32 || T == Type::Uint64 ||
                  T == Type::Fixed64 || T == Type::Sint32 || T == Type::Enum);
    if constexpr (T == Type::Fixed64)
      append(From.get_packed_fixed64(), To);
    else if constexpr (T == Type::Bool)
      append(From.get_packed_bool(), To);
    else if constexpr (T == Type::Uint64)
      append(From.get_packed_uint64(), To);
    else if constexpr (T == Type::Sint32)
      append(From.get_packed_sint32(), To);
    else
      append(From.get_packed_uint32(), To);
  }
};

/// \p To must outlive the result.
template <schema::Count C, schema::Type T, class Target>
FieldTarget<C, T, Target> into(schema::Field<C, T> Field, Target &To) {
  return {Field, To};
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
