// Aim: what database.h promises about opening, errors, results and bulk appends.
// Method: small databases in a temporary folder.
#include "engine/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace forebay::duckdb {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Connection> connect(Database& database) {
  auto connection = database.connect();
  EXPECT_TRUE(connection);
  return std::move(*connection);
}

TEST(Database, IsTheVersionThisProgramWasBuiltFor) { EXPECT_TRUE(check_library_version()); }

TEST(Database, WritesFilesThatOlderClientsOpen) {
  const test::TempFolder folder;
  auto database = Database::open({.path = folder / "a.duckdb"});
  ASSERT_TRUE(database) << describe(database.error());
  const auto rows =
      connect(**database)
          ->query(
              "SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'a'",
              "test");
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(text((*rows)[0][0]), "v1.2.0+");
}

TEST(Database, SaysThatAFileIsNotADatabase) {
  const test::TempFolder folder;
  const std::string path = folder / "b.duckdb";
  std::ofstream(path) << std::string(20'000, 'x');
  const auto database = Database::open({.path = path});
  ASSERT_FALSE(database);
  EXPECT_EQ(database.error().code, ErrorCode::invalid_config) << describe(database.error());
  EXPECT_EQ(database.error().object, path);
}

TEST(Database, SaysThatTheFolderIsMissing) {
  const test::TempFolder folder;
  const auto database = Database::open({.path = folder / "no/c.duckdb"});
  ASSERT_FALSE(database);
  EXPECT_EQ(database.error().code, ErrorCode::not_found) << describe(database.error());
}

TEST(Database, ReadsEveryTypeOfCellAndNull) {
  auto database = Database::open({});
  ASSERT_TRUE(database);
  const auto rows = connect(**database)
                        ->query(
                            "SELECT true, 7::INT, 8::BIGINT, 1.5::DOUBLE, 'text', NULL::VARCHAR, "
                            "'\\x00\\xFF'::BLOB",
                            "test");
  ASSERT_TRUE(rows) << describe(rows.error());
  const Row& row = (*rows)[0];
  EXPECT_TRUE(boolean(row[0]));
  EXPECT_EQ(integer(row[1]), 7);
  EXPECT_EQ(integer(row[2]), 8);
  EXPECT_EQ(real(row[3]), 1.5);
  EXPECT_EQ(text(row[4]), "text");
  EXPECT_TRUE(is_null(row[5]));
  EXPECT_EQ(text(row[6]), std::string("\0\xFF", 2));
}

TEST(Database, RefusesToReadACellItDoesNotKnow) {
  auto database = Database::open({});
  ASSERT_TRUE(database);
  const auto rows = connect(**database)->query("SELECT [1, 2]", "test");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::internal);
}

TEST(Database, KnowsWhichTablesThereAreAndWhichNot) {
  const auto database = Database::open({}).value();
  const auto connection = database->connect().value();
  ASSERT_TRUE(
      connection->execute("CREATE TABLE Here (n BIGINT); CREATE VIEW seen AS FROM here;"
                          "CREATE TEMP TABLE passing (n BIGINT)",
                          "test"));
  EXPECT_EQ(connection->has_table("main", "Here"), true);
  EXPECT_EQ(connection->has_table("main", "HERE"), true);
  EXPECT_EQ(connection->has_table("main", "gone"), false);
  EXPECT_EQ(connection->has_table("nowhere", "here"), false);
  EXPECT_EQ(connection->has_table("main", "passing"), false) << "it is in another database";
  EXPECT_EQ(connection->has_table("main", "seen"), std::nullopt) << "a view, which queries find";
}

TEST(Database, ReadsMoreRowsThanOneChunkHolds) {
  auto database = Database::open({});
  ASSERT_TRUE(database);
  const auto rows = connect(**database)->query("SELECT i FROM range(5000) r(i) ORDER BY i", "test");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 5000U);
  EXPECT_EQ(integer((*rows)[4999][0]), 4999);
}

TEST(Database, AppendsInBulkWithEveryByte) {
  auto database = Database::open({});
  ASSERT_TRUE(database);
  const auto connection = connect(**database);
  ASSERT_TRUE(connection->execute(
      "CREATE TABLE t (a VARCHAR, b BLOB, c BIGINT, d TIMESTAMPTZ, e BOOLEAN, f DOUBLE)", "test"));
  ASSERT_TRUE(connection->append("main", "t",
                                 {{std::string("x\0y", 3), std::string("\0\xFE", 2),
                                   std::int64_t{-1}, std::int64_t{1'000'001}, true, 0.5},
                                  {Value(), Value(), Value(), Value(), Value(), Value()}},
                                 "test"));
  const auto rows =
      connection->query("SELECT a, b, c, epoch_us(d), e, f FROM t ORDER BY c NULLS LAST", "test");
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(text((*rows)[0][0]), std::string("x\0y", 3));
  EXPECT_EQ(text((*rows)[0][1]), std::string("\0\xFE", 2));
  EXPECT_EQ(integer((*rows)[0][3]), 1'000'001);
  EXPECT_TRUE(is_null((*rows)[1][0]));
}

TEST(Database, TellsATakenKeyFromOtherErrors) {
  auto database = Database::open({});
  ASSERT_TRUE(database);
  const auto connection = connect(**database);
  ASSERT_TRUE(connection->execute("CREATE TABLE t (a BIGINT PRIMARY KEY); INSERT INTO t VALUES (1)",
                                  "test"));
  const auto taken = connection->execute("INSERT INTO t VALUES (1)", "test");
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::busy);
  const auto wrong = connection->query("SELECT no_such_column", "look");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::internal);
  EXPECT_EQ(wrong.error().operation, "look");
  const auto cast = connection->query("SELECT 'x'::BIGINT", "test");
  ASSERT_FALSE(cast);
  EXPECT_EQ(cast.error().code, ErrorCode::drift);
}

TEST(Database, DescribesNestedTypes) {
  auto database = Database::open({});
  ASSERT_TRUE(database);
  const auto columns =
      connect(**database)
          ->describe(
              "SELECT NULL::STRUCT(a INT, b DECIMAL(9,2)[]) s, MAP {1: 'x'} m, 'x'::JSON j, "
              "'a'::ENUM('a', 'it''s') e, [1, 2]::INT[2] f, now() t",
              "test");
  ASSERT_TRUE(columns) << describe(columns.error());
  EXPECT_EQ(to_sql((*columns)[0].type), "STRUCT(\"a\" INTEGER, \"b\" DECIMAL(9,2)[])");
  EXPECT_EQ(to_sql((*columns)[1].type), "MAP(INTEGER, VARCHAR)");
  EXPECT_EQ((*columns)[2].type.kind, TypeKind::json);
  EXPECT_EQ(to_sql((*columns)[3].type), "ENUM('a', 'it''s')");
  EXPECT_EQ(to_sql((*columns)[4].type), "INTEGER[2]");
  EXPECT_EQ((*columns)[5].type.kind, TypeKind::timestamp_tz);
}

}  // namespace
}  // namespace forebay::duckdb
