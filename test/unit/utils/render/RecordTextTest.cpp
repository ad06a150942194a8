/// \file
/// RecordText: the same rows as JSON and as CSV.
#include "utils/render/RecordText.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

using namespace instantrace;

namespace {

std::string written(RecordFormat Format, int Rows) {
  std::unique_ptr<FILE, int (*)(FILE *)> File(std::tmpfile(), std::fclose);
  Output Out(File.get());
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", 7);
  Records.wholeText("of", "a\"b");
  Records.wholeBoolean("incomplete", false);
  for (int Row = 0; Row != Rows; ++Row) {
    Records.begin();
    Records.text("name", Row == 0 ? "a, \"b\"" : "c");
    Records.number("count", static_cast<uint64_t>(Row));
    Records.list("chains", {"x", "y"});
    Records.end();
  }
  Records.finish();
  EXPECT_TRUE(Out.finish());
  std::string Text(1000, '\0');
  std::rewind(File.get());
  Text.resize(std::fread(Text.data(), 1, Text.size(), File.get()));
  return Text;
}

TEST(RecordTextTest, Json) {
  EXPECT_EQ(written(RecordFormat::Json, 2),
            "{\"total_ns\":7,\"of\":\"a\\\"b\",\"incomplete\":false,\"rows\":["
            "\n{\"name\":\"a, \\\"b\\\"\",\"count\":0,\"chains\":[\"x\",\"y\"]}"
            ",\n{\"name\":\"c\",\"count\":1,\"chains\":[\"x\",\"y\"]}]}\n");
  EXPECT_EQ(written(RecordFormat::Json, 0),
            "{\"total_ns\":7,\"of\":\"a\\\"b\",\"incomplete\":false,"
            "\"rows\":[]}\n");
}

TEST(RecordTextTest, CsvHasOneLineOfNamesAndQuotesWhatNeedsIt) {
  EXPECT_EQ(written(RecordFormat::Csv, 2), "name,count,chains\n"
                                           "\"a, \"\"b\"\"\",0,x < y\n"
                                           "c,1,x < y\n");
  EXPECT_EQ(written(RecordFormat::Csv, 0), "");
}

} // namespace
