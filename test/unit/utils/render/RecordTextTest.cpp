/// \file
/// RecordText: the same rows as JSON and as CSV.
#include "utils/render/RecordText.h"

#include "utils/render/CsvText.h"

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
  EXPECT_EQ(std::fseek(File.get(), 0, SEEK_SET), 0);
  Text.resize(std::fread(Text.data(), 1, Text.size(), File.get()));
  return Text;
}

TEST(RecordTextTest, Json) {
  EXPECT_EQ(written(RecordFormat::Json, 2),
            "{\"schema_version\":1,\"total_ns\":7,\"of\":\"a\\\"b\","
            "\"incomplete\":false,\"rows\":["
            "\n{\"name\":\"a, \\\"b\\\"\",\"count\":0,\"chains\":[\"x\",\"y\"]}"
            ",\n{\"name\":\"c\",\"count\":1,\"chains\":[\"x\",\"y\"]}]}\n");
  EXPECT_EQ(written(RecordFormat::Json, 0),
            "{\"schema_version\":1,\"total_ns\":7,\"of\":\"a\\\"b\","
            "\"incomplete\":false,"
            "\"rows\":[]}\n");
}

TEST(RecordTextTest, CsvHasOneLineOfNamesAndQuotesWhatNeedsIt) {
  EXPECT_EQ(written(RecordFormat::Csv, 2), "name,count,chains\n"
                                           "\"a, \"\"b\"\"\",0,x < y\n"
                                           "c,1,x < y\n");
  EXPECT_EQ(written(RecordFormat::Csv, 0), "");
}

// Full-width signs begin a formula as well; so does what a spreadsheet that
// separates by semicolons takes for the next cell.
TEST(CsvTextTest, NothingBeginsAFormula) {
  auto Csv = [](std::string_view Field) {
    std::string Out;
    appendCsv(Out, Field);
    return Out;
  };
  EXPECT_EQ(Csv("A<1>::operator=="), "A<1>::operator==");
  EXPECT_EQ(Csv("=1"), "'=1");
  EXPECT_EQ(Csv("＝1"), "'＝1");
  EXPECT_EQ(Csv("＋＝"), "'＋＝");
  EXPECT_EQ(Csv("－1"), "'－1");
  EXPECT_EQ(Csv("＠x"), "'＠x");
  EXPECT_EQ(Csv("a;=1;b-1; +2"), "\"a;'=1;b-1; '+2\"");
  EXPECT_EQ(Csv("a;\"=1"), "\"a;\"\"'=1\"");
  EXPECT_EQ(Csv("a\t@1\n-1"), "\"a\t'@1\n'-1\"");
}

} // namespace
