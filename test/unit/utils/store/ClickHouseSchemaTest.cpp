#include "utils/store/ClickHouseSchema.h"
#include "utils/store/Question.h"
#include "utils/store/StoreFiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace instantrace;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

static std::string migrations(const ClickHouseSchema &S) {
  return S.expanded(migrationText(ClickHouseMigrations));
}

TEST(ClickHouseSchema, OneServerHasNothingOfACluster) {
  Result<ClickHouseSchema> S = ClickHouseSchema::make("d", "", true);
  ASSERT_TRUE(S);
  EXPECT_THAT(migrations(*S), Not(HasSubstr("{{")));
  EXPECT_THAT(migrations(*S), Not(HasSubstr("_local")));
  EXPECT_THAT(migrations(*S), Not(HasSubstr("Replicated")));
  EXPECT_THAT(S->names(), Contains("costs"));
  EXPECT_EQ(S->statementsFrom(0).back().find("CREATE VIEW"), 0u)
      << "the version comes last";
  EXPECT_TRUE(S->statementsFrom(S->newestVersion()).empty());
}

TEST(ClickHouseSchema, AClusterHasDistributedTablesOverLocalOnes) {
  Result<ClickHouseSchema> S = ClickHouseSchema::make("d", "c", true);
  ASSERT_TRUE(S);
  EXPECT_THAT(
      migrations(*S),
      HasSubstr("ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/d/"
                "build_versions', '{replica}', version)"));
  EXPECT_THAT(migrations(*S),
              HasSubstr("CREATE TABLE IF NOT EXISTS d.costs ON CLUSTER c AS "
                        "d.costs_local ENGINE = Distributed(c, d, costs_local, "
                        "build_key);"));
  for (const std::string &Statement : S->statementsFrom(0))
    EXPECT_THAT(Statement, HasSubstr(" ON CLUSTER c"));
  Result<ClickHouseSchema> Plain = ClickHouseSchema::make("d", "c", false);
  ASSERT_TRUE(Plain);
  EXPECT_THAT(migrations(*Plain), Not(HasSubstr("ON CLUSTER")));
  EXPECT_THAT(migrations(*Plain), HasSubstr("costs_local"));
}

TEST(ClickHouseSchema, ANameThatNeedsQuotesIsRefused) {
  EXPECT_FALSE(ClickHouseSchema::make("d", "c'; DROP", true));
  EXPECT_FALSE(ClickHouseSchema::make("d", "", false));
}

TEST(ClickHouseSchema, EachQuestionIsThereForBoth) {
  ASSERT_EQ(ClickHouseQuestionFiles.size(), StoreQuestionFiles.size());
  for (const Question &Q : storeQuestions()) {
    EXPECT_FALSE(Q.ClickHouseSql.empty()) << Q.Name;
    EXPECT_EQ(Q.DetailSql.empty(), Q.ClickHouseDetailSql.empty()) << Q.Name;
  }
}
