/// \file
/// What a field and an enumerator of the schema are: the rows of Schema.h.
///
/// Source: protobuf's "Encoding" (wire types, packed fields)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace instantrace::schema {

enum class Count : uint8_t { Single, Repeated };

/// Protobuf's names of scalar types, and what has a type of its own.
enum class Type : uint8_t {
  Bytes,
  Bool,
  Uint32,
  Uint64,
  Sint32,
  Fixed32,
  Fixed64,
  Enum,
  Message,
};

/// How protobuf encodes one value.
constexpr uint32_t wireType(Type T) {
  switch (T) {
  case Type::Bool:
  case Type::Uint32:
  case Type::Uint64:
  case Type::Sint32:
  case Type::Enum:
    return 0;
  case Type::Fixed64:
    return 1;
  case Type::Bytes:
  case Type::Message:
    return 2;
  case Type::Fixed32:
    return 5;
  }
  return 2;
}

/// A truth value and an enumerator, too.
constexpr bool isNumber(Type T) {
  return T != Type::Bytes && T != Type::Message;
}

/// A field as a row of a table, for those that go over all of them.
struct FieldRow {
  uint32_t Number;
  schema::Count Count;
  schema::Type Type;
  std::string_view Name, TypeName;
};

template <Count C, Type T> struct Field {
  uint32_t Number;
  std::string_view Name;          ///< as in the file's schema
  std::string_view TypeName = {}; ///< of a message or an enumeration

  /// What precedes the field's content in a file; repeated numbers are packed.
  constexpr uint32_t tag() const {
    return Number << 3 |
           wireType(C == Count::Repeated ? schema::Type::Bytes : T);
  }
  /// What precedes a repeated number that stands alone.
  constexpr uint32_t elementTag() const { return Number << 3 | wireType(T); }
  constexpr FieldRow row() const { return {Number, C, T, Name, TypeName}; }
};

/// The rows of a table. Not std::span, since the plugin is built as C++17.
template <class Row> class RowRange {
public:
  template <size_t RowCount>
  constexpr RowRange(const Row (&Table)[RowCount])
      : First(Table), Count(RowCount) {}

  constexpr const Row *begin() const { return First; }
  constexpr const Row *end() const { return First + Count; }
  constexpr const Row &front() const { return *First; }
  constexpr size_t size() const { return Count; }

private:
  const Row *First;
  size_t Count;
};

struct MessageRow {
  std::string_view Name;
  RowRange<FieldRow> Fields;
};

struct EnumeratorRow {
  uint32_t Number;
  std::string_view Name;  ///< as in the file's schema
  std::string_view Shown; ///< to people, in SQL and in JSON
};

struct EnumerationRow {
  std::string_view Name;
  RowRange<EnumeratorRow> Enumerators;
};

/// Null for a number of a newer version.
constexpr const EnumeratorRow *
findEnumerator(RowRange<EnumeratorRow> Enumerators, uint64_t Number) {
  for (const EnumeratorRow &Row : Enumerators)
    if (Row.Number == Number)
      return &Row;
  return nullptr;
}

/// By number; that of 0 for a number of a newer version.
constexpr std::string_view shownName(RowRange<EnumeratorRow> Enumerators,
                                     uint64_t Number) {
  const EnumeratorRow *Row = findEnumerator(Enumerators, Number);
  return (Row ? *Row : Enumerators.front()).Shown;
}

} // namespace instantrace::schema
