#include "utils/export/TraceText.h"

#include "proto/text.pb.h"
#include "runtime/base/NearestWord.h"
#include "runtime/format/EventKind.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

using namespace instantrace;

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using Places = google::protobuf::TextFormat::ParseInfoTree;

/// trace.proto and text.proto as one schema, in which EventBatch has the fields
/// of EventRecords and RecordKind the names of all kinds.
class TextSchema {
public:
  TextSchema() {
    google::protobuf::FileDescriptorProto File, Named;
    proto::Trace::descriptor()->file()->CopyTo(&File);
    proto::EventRecords::descriptor()->file()->CopyTo(&Named);
    google::protobuf::DescriptorProto Records;
    proto::EventRecords::descriptor()->CopyTo(&Records);
    File.mutable_message_type()->MergeFrom(Named.message_type());
    File.mutable_enum_type()->MergeFrom(Named.enum_type());
    for (auto &Message : *File.mutable_message_type())
      if (Message.name() == proto::EventBatch::descriptor()->name())
        Message.mutable_field()->MergeFrom(Records.field());
    for (auto &Enum : *File.mutable_enum_type())
      if (Enum.name() == proto::RecordKind_descriptor()->name())
        addKinds(Enum);
    Trace = Pool.BuildFile(File)->FindMessageTypeByName(
        proto::Trace::descriptor()->name());
  }

  std::unique_ptr<google::protobuf::Message> makeTrace() {
    return std::unique_ptr<google::protobuf::Message>(
        Factory.GetPrototype(Trace)->New());
  }
  const Descriptor &trace() const { return *Trace; }

private:
  static void addKinds(google::protobuf::EnumDescriptorProto &Enum) {
    for (unsigned Kind = 0; Kind != EventKindLimit; ++Kind)
      if (isEventKind(Kind)) {
        auto *Value = Enum.add_value();
        Value->set_name(
            std::string(eventKindName(static_cast<EventKind>(Kind))));
        Value->set_number(static_cast<int>(Kind));
      }
  }

  google::protobuf::DescriptorPool Pool;
  google::protobuf::DynamicMessageFactory Factory{&Pool};
  const Descriptor *Trace;
};

/// Keeps the first error; the rest follows from it.
class FirstError : public google::protobuf::io::ErrorCollector {
public:
  FirstError(const std::string &Name, const std::string &Text)
      : Name(Name), Text(Text) {}
  void AddError(int Line, google::protobuf::io::ColumnNumber Column,
                const std::string &Said) override {
    if (!Message.empty())
      return;
    std::string What = Said;
    if (What.ends_with('.'))
      What.pop_back();
    std::string Value = unknownValue(Said);
    if (!Value.empty()) {
      moveBackTo(Value, Line, Column);
      What += nearest(Value);
    }
    Message = Name + ":";
    if (Line >= 0) // it counts from 0
      Message +=
          std::to_string(Line + 1) + ":" + std::to_string(Column + 1) + ":";
    Message += " " + What;
  }
  std::string Message;

private:
  /// Of an enumeration; libprotobuf has no other way to tell.
  static std::string unknownValue(const std::string &Said) {
    constexpr std::string_view Begin = "Unknown enumeration value of \"";
    if (!Said.starts_with(Begin))
      return {};
    size_t End = Said.find('"', Begin.size());
    return Said.substr(Begin.size(), End - Begin.size());
  }
  /// The error is found at what follows the value.
  void moveBackTo(const std::string &Value, int &Line, int &Column) const {
    size_t LineBegin = 0;
    for (int I = 0; I != Line; ++I)
      LineBegin = Text.find('\n', LineBegin) + 1;
    size_t Offset = Text.rfind(Value, LineBegin + static_cast<size_t>(Column));
    if (Offset == Text.npos)
      return;
    size_t Newline = Offset == 0 ? Text.npos : Text.rfind('\n', Offset - 1);
    size_t Begin = Newline == Text.npos ? 0 : Newline + 1;
    Line = static_cast<int>(std::count(
        Text.begin(), Text.begin() + static_cast<ptrdiff_t>(Begin), '\n'));
    Column = static_cast<int>(Offset - Begin);
  }
  static std::string nearest(const std::string &Value) {
    std::vector<std::string> Known;
    for (unsigned Kind = 0; Kind != EventKindLimit; ++Kind)
      if (isEventKind(Kind))
        Known.emplace_back(eventKindName(static_cast<EventKind>(Kind)));
    const auto *Kinds = proto::EntityKind_descriptor();
    for (int I = 0; I != Kinds->value_count(); ++I)
      Known.push_back(Kinds->value(I)->name());
    std::string Meant = nearestWord(Value, Known);
    return Meant.empty() ? "" : "; did you mean " + Meant + "?";
  }

  const std::string &Name, &Text;
};

/// In the order of the text; a message has them in one list per field.
Result<std::vector<PlacedRecord>> inOrder(const proto::EventRecords &Records,
                                          const Descriptor &Batch,
                                          const Places &P,
                                          const std::string &Name) {
  struct Found {
    int Line, Column;
    proto::NamedRecord Record;
  };
  std::vector<Found> All;
  const Descriptor &Fields = *proto::EventRecords::descriptor();
  for (int F = 0; F != Fields.field_count(); ++F) {
    const FieldDescriptor *Source = Fields.field(F);
    const FieldDescriptor *Target =
        proto::NamedRecord::descriptor()->FindFieldByName(Source->name());
    const FieldDescriptor *InText = Batch.FindFieldByName(Source->name());
    int Count = Records.GetReflection()->FieldSize(Records, Source);
    for (int I = 0; I != Count; ++I) {
      auto Location = P.GetLocation(InText, I);
      if (Location.line < 0) // a list has one place for all
        return Error{Name + ": found a list of `" + Source->name() +
                     "` in events, expected each by itself"};
      proto::NamedRecord &Record =
          All.emplace_back(Found{Location.line, Location.column, {}}).Record;
      Record.GetReflection()
          ->MutableMessage(&Record, Target)
          ->CopyFrom(
              Records.GetReflection()->GetRepeatedMessage(Records, Source, I));
    }
  }
  std::sort(All.begin(), All.end(), [](const Found &A, const Found &B) {
    return std::tie(A.Line, A.Column) < std::tie(B.Line, B.Column);
  });
  std::vector<PlacedRecord> Placed;
  for (Found &F : All)
    Placed.push_back(
        {std::move(F.Record), Name + ":" + std::to_string(F.Line + 1) + ":" +
                                  std::to_string(F.Column + 1)});
  return Placed;
}

} // namespace

Result<TraceText> instantrace::parseTraceText(const std::string &Text,
                                              const std::string &Name) {
  static TextSchema Schema;
  std::unique_ptr<google::protobuf::Message> Whole = Schema.makeTrace();
  FirstError Errors(Name, Text);
  Places P;
  google::protobuf::TextFormat::Parser Parser;
  Parser.RecordErrorsTo(&Errors);
  Parser.WriteLocationsTo(&P);
  if (!Parser.ParseFromString(Text, Whole.get()))
    return Error{Errors.Message};
  TraceText Parsed;
  Parsed.Trace.ParseFromString(Whole->SerializeAsString());
  const FieldDescriptor *Packets = Schema.trace().FindFieldByName("packet");
  const FieldDescriptor *Events =
      Packets->message_type()->FindFieldByName("events");
  for (int I = 0; I != Parsed.Trace.packet_size(); ++I) {
    if (!Parsed.Trace.packet(I).has_events())
      continue;
    proto::EventBatch &Batch =
        *Parsed.Trace.mutable_packet(I)->mutable_events();
    // What trace.proto has no fields for.
    proto::EventRecords Records;
    Records.ParseFromString(Batch.SerializeAsString());
    Batch.DiscardUnknownFields();
    Records.DiscardUnknownFields();
    if (Records.ByteSizeLong() == 0)
      continue;
    const Places *OfBatch =
        P.GetTreeForNested(Packets, I)->GetTreeForNested(Events, -1);
    auto Placed = inOrder(Records, *Events->message_type(), *OfBatch, Name);
    if (!Placed)
      return Placed.error();
    if (Batch.record_size() != 0)
      return Error{Placed->front().Place +
                   ": found a record by name beside `record`, expected one of "
                   "them in a packet"};
    Parsed.Records.emplace(I, std::move(*Placed));
  }
  return Parsed;
}
