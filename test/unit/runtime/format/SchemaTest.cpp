/// \file
/// Schema.h says what protoc understands of trace.proto: each message, field,
/// enumeration and enumerator by number, name and type, and none besides.
#include "runtime/format/Schema.h"

#include "proto/trace.pb.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

using namespace instantrace;
using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;

namespace {

const FileDescriptor &file() { return *proto::Trace::descriptor()->file(); }

std::string text(schema::Type Type) {
  switch (Type) {
  case schema::Type::Bytes:
    return "bytes";
  case schema::Type::Bool:
    return "bool";
  case schema::Type::Uint32:
    return "uint32";
  case schema::Type::Uint64:
    return "uint64";
  case schema::Type::Sint32:
    return "sint32";
  case schema::Type::Fixed32:
    return "fixed32";
  case schema::Type::Fixed64:
    return "fixed64";
  case schema::Type::Enum:
    return "enum";
  case schema::Type::Message:
    return "message";
  }
  return "no type";
}

/// "5: repeated enum EntityKind kind"
std::string text(const schema::FieldRow &Row) {
  bool IsRepeated = Row.Count == schema::Count::Repeated;
  return std::to_string(Row.Number) + ": " + (IsRepeated ? "repeated " : "") +
         text(Row.Type) + " " + std::string(Row.TypeName) + " " +
         std::string(Row.Name);
}
std::string text(const FieldDescriptor &Field) {
  std::string TypeName;
  if (Field.message_type())
    TypeName = Field.message_type()->name();
  if (Field.enum_type())
    TypeName = Field.enum_type()->name();
  return std::to_string(Field.number()) + ": " +
         (Field.is_repeated() ? "repeated " : "") + Field.type_name() + " " +
         TypeName + " " + Field.name();
}

template <class Row> std::vector<std::string> texts(const Row &Rows) {
  std::vector<std::string> All;
  for (const schema::FieldRow &Field : Rows)
    All.push_back(text(Field));
  return All;
}
std::vector<std::string> texts(const Descriptor &Message) {
  std::vector<std::string> All;
  for (int I = 0; I != Message.field_count(); ++I)
    All.push_back(text(*Message.field(I)));
  return All;
}

template <class Rows> std::vector<std::string> names(const Rows &All) {
  std::vector<std::string> Names;
  for (const auto &Row : All)
    Names.emplace_back(Row.Name);
  return Names;
}

TEST(Schema, HasTheMessagesOfTheFile) {
  std::vector<std::string> Names;
  for (int I = 0; I != file().message_type_count(); ++I)
    Names.push_back(file().message_type(I)->name());
  EXPECT_THAT(names(schema::Messages),
              testing::UnorderedElementsAreArray(Names));
}

TEST(Schema, HasTheFieldsOfEachMessageByNumberNameAndType) {
  for (const schema::MessageRow &Message : schema::Messages) {
    const Descriptor *Theirs =
        file().FindMessageTypeByName(std::string(Message.Name));
    ASSERT_TRUE(Theirs) << Message.Name;
    EXPECT_THAT(texts(Message.Fields),
                testing::UnorderedElementsAreArray(texts(*Theirs)))
        << Message.Name;
  }
}

TEST(Schema, HasTheEnumerationsOfTheFile) {
  std::vector<std::string> Names;
  for (int I = 0; I != file().enum_type_count(); ++I)
    Names.push_back(file().enum_type(I)->name());
  EXPECT_THAT(names(schema::Enumerations),
              testing::UnorderedElementsAreArray(Names));
}

TEST(Schema, HasTheEnumeratorsOfEachEnumerationByNumberAndName) {
  for (const schema::EnumerationRow &Enumeration : schema::Enumerations) {
    const EnumDescriptor *Theirs =
        file().FindEnumTypeByName(std::string(Enumeration.Name));
    ASSERT_TRUE(Theirs) << Enumeration.Name;
    std::vector<std::pair<int, std::string>> Our, Their;
    for (const schema::EnumeratorRow &Row : Enumeration.Enumerators)
      Our.emplace_back(Row.Number, Row.Name);
    for (int I = 0; I != Theirs->value_count(); ++I)
      Their.emplace_back(Theirs->value(I)->number(), Theirs->value(I)->name());
    EXPECT_THAT(Our, testing::UnorderedElementsAreArray(Their))
        << Enumeration.Name;
  }
}

TEST(Schema, BodiesOfPacketsAreThoseOfTheOneof) {
  const auto *Body = proto::Packet::descriptor()->FindOneofByName("body");
  ASSERT_TRUE(Body);
  std::set<uint32_t> Numbers;
  for (int I = 0; I != Body->field_count(); ++I)
    Numbers.insert(static_cast<uint32_t>(Body->field(I)->number()));
  for (uint32_t Number = 0; Number != 32; ++Number)
    EXPECT_EQ(isPacketBody(Number), Numbers.count(Number) == 1) << Number;
  EXPECT_EQ(PacketBodyLimit, *Numbers.rbegin() + 1);
}

TEST(Schema, TagsAreThoseThatProtobufWrites) {
  proto::Session Session;
  Session.set_pid(1);
  EXPECT_EQ(Session.SerializeAsString()[0],
            static_cast<char>(schema::Session::Pid.tag()));
  Session.Clear();
  Session.set_realtime_ns(1);
  EXPECT_EQ(Session.SerializeAsString()[0],
            static_cast<char>(schema::Session::RealtimeNs.tag()));
  Session.Clear();
  Session.add_argv("a");
  EXPECT_EQ(Session.SerializeAsString()[0],
            static_cast<char>(schema::Session::Argv.tag()));
  proto::EntityBatch Entities;
  Entities.add_name(1);
  EXPECT_EQ(Entities.SerializeAsString()[0],
            static_cast<char>(schema::EntityBatch::Name.tag()));
  proto::Packet Packet;
  Packet.set_checksum(1);
  EXPECT_EQ(Packet.SerializeAsString()[0],
            static_cast<char>(schema::Packet::Checksum.tag()));
}

TEST(Schema, AnEnumeratorOfANewerVersionIsAnotherOne) {
  EXPECT_EQ(knownOr(5, EntityKind::Other), EntityKind::Concept);
  EXPECT_EQ(knownOr(200, EntityKind::Other), EntityKind::Other);
  EXPECT_EQ(shownName(EntityKind::ClassTemplate), "class template");
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  EXPECT_EQ(shownName(static_cast<ExitState>(200)), "unknown");
}

} // namespace
