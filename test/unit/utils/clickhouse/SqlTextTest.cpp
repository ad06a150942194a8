#include "utils/clickhouse/SqlText.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace std::string_literals;

/// What ClickHouse reads of a literal that begins at 0, and where it ends: the
/// other side of sqlText(), by the server's rules.
static std::string meantBy(const std::string &Sql, size_t &End) {
  std::string Text;
  size_t I = 1;
  for (; I < Sql.size() && Sql[I] != '\''; ++I) {
    if (Sql[I] != '\\') {
      Text += Sql[I];
      continue;
    }
    ++I;
    Text += Sql[I] == '0' ? '\0' : Sql[I];
  }
  End = I + 1;
  return Text;
}

TEST(SqlText, AnyTextIsOneLiteral) {
  std::string Long;
  for (int I = 0; I != 250'000; ++I)
    Long += "'\\\0)"s;
  for (const std::string &Text :
       {""s, "plain"s, "it's"s, "\\"s, "\\'"s, "'); DROP TABLE builds; --"s,
        "a\0b"s, "\xff\xfe\x80"s, "\n\t\r\b"s, "\\0"s, "{{chosen}} :name"s,
        Long}) {
    std::string Sql = sqlText(Text);
    size_t End = 0;
    EXPECT_TRUE(meantBy(Sql, End) == Text) << Text.substr(0, 30);
    EXPECT_EQ(End, Sql.size()) << "something is behind it";
    EXPECT_EQ(Sql.find('\0'), Sql.npos) << "a server stops reading there";
  }
}

TEST(SqlText, ValuesStandForTheirNames) {
  SqlValues Values = {
      {"a", int64_t(-5)}, {"ab", "x:a"s}, {"real", 0.1}, {"none", SqlValue()}};
  EXPECT_EQ(*bindValues("a = :a, b = :ab, c = :real, d = :none", Values),
            "a = -5, b = 'x:a', c = 0.1, d = NULL");
  EXPECT_EQ(*bindValues("a = ':a' -- :b\n, :a", Values),
            "a = ':a' -- :b\n, -5");
  EXPECT_EQ(*bindValues("'it\\'s :a' :a", Values), "'it\\'s :a' -5");
  EXPECT_EQ(*bindValues("a ? 1 : 2", Values), "a ? 1 : 2");
  Result<std::string> Unknown = bindValues("a = :other", Values);
  ASSERT_FALSE(Unknown);
  EXPECT_EQ(Unknown.error().Message,
            "statement: found no value of :other, expected one");
}
