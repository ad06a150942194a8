// What the plugin's writer writes, libprotobuf and our reader read alike.

#include "proto/trace.pb.h"
#include "runtime/trace/TraceReader.h"
#include "runtime/trace/TraceWriter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace instantrace;

namespace {

std::string write(const StringTable &Strings, const EntityRow &Row) {
  std::string Path = testing::TempDir() + "writer-agreement.itrace";
  TraceFile File(Path);
  TraceWriter Writer(File, 1);
  Writer.writeHeader({});
  Writer.writeDictionary(Strings);
  Writer.writeEntities(1, {Row});
  Writer.writeFooter({});
  File.commit(/*KeepsExisting=*/false);
  EXPECT_EQ(File.error(), "");
  std::ifstream Written(Path, std::ios::binary);
  std::string Bytes((std::istreambuf_iterator<char>(Written)), {});
  std::filesystem::remove(Path);
  return Bytes;
}

// An entry without text is an entry: without it, all later ids would shift.
TEST(WriterAgreement, EmptyNameKeepsItsId) {
  StringTable Strings;
  StringId Before = Strings.intern("before");
  StringId Empty = Strings.intern("");
  StringId After =
      Strings.intern(StringComponents().ref(Empty).ref(Before).text("!"));
  std::string Bytes = write(Strings, {After, Empty, 0, EntityKind::Class});

  proto::Trace Parsed;
  ASSERT_TRUE(Parsed.ParseFromString(Bytes));
  EXPECT_EQ(Parsed.packet(2).dictionary().entry_size(), 3);

  Trace Read;
  readTrace(Bytes, "written", Read);
  EXPECT_TRUE(Read.Files[0].Issues.empty());
  const Sequence &S = Read.Sequences.at(0);
  EXPECT_EQ(S.Names.text(S.Entities.at(0).Name, 100), "before!");
  EXPECT_EQ(S.Names.text(S.Entities.at(0).TemplateSet, 100), "");
}

// A text with a NUL byte must not read as a reference.
TEST(WriterAgreement, NulInTextIsNoMarker) {
  StringTable Strings;
  StringId Name = Strings.intern(std::string_view("a\0b", 3));
  std::string Bytes = write(Strings, {Name, Name, 0, EntityKind::Class});
  Trace Read;
  readTrace(Bytes, "written", Read);
  EXPECT_TRUE(Read.Files[0].Issues.empty());
  const Sequence &S = Read.Sequences.at(0);
  EXPECT_EQ(S.Names.text(S.Entities.at(0).Name, 100), "a?b");
}

} // namespace
