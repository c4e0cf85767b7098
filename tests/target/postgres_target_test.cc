// Aim: what is PostgreSQL's own: its types and their edges, connections that break around COMMIT,
// the numbers of files across pipelines, and messages without passwords.
// Method: batches made by hand against Debian's PostgreSQL, a proxy that cuts a connection.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "support/cutting_proxy.h"
#include "support/postgres_server.h"
#include "target/targets.h"

namespace forebay {
namespace {

using test::CuttingProxy;
using ::testing::HasSubstr;
using ::testing::Not;

const Time kNow{std::chrono::seconds(1'800'000'000)};
const TableName kTable{"public", "t"};

class PostgresTargetTest : public ::testing::Test {
 protected:
  static std::string next_name() {
    static int number = 0;
    return fmt::format("own{}", ++number);
  }

  static std::unique_ptr<Target> open(const std::string& url) {
    auto target = open_postgres_target({.url = url});
    EXPECT_TRUE(target) << describe(target.error());
    return target ? std::move(*target) : nullptr;
  }

  // A batch of one table of these columns with the rows of a SELECT of the engine.
  static Batch batch(std::int64_t commit_no, std::int64_t file_id, std::vector<Column> columns,
                     const std::string& select, std::uint64_t rows, bool create = true,
                     const std::string& pipeline = "p") {
    Batch batch{
        .pipeline = pipeline, .commit_no = commit_no, .decided_at = kNow, .last_file_id = file_id};
    TableChange change{.table = {kTable.schema, pipeline == "p" ? kTable.name : pipeline},
                       .create = create};
    change.columns = std::move(columns);
    change.delta = {
        .kind = Delta::Kind::append,
        .rows = fmt::format("(SELECT *, {}::BIGINT AS _forebay_file FROM ({}))", file_id, select),
        .read = rows,
        .puts = rows};
    batch.files.push_back({.file_id = file_id,
                           .unit = fmt::format("u{}", file_id),
                           .store_key = fmt::format("k{}", file_id),
                           .table = change.table,
                           .rows = rows});
    batch.tables.push_back(std::move(change));
    return batch;
  }

  // One column x of this type, with the values of a list.
  static Batch one_column(ColumnType type, const std::string& values, std::uint64_t rows) {
    const std::string sql = to_sql(type);
    return batch(1, 1, {{"x", std::move(type)}},
                 fmt::format("SELECT CAST(v AS {}) AS x FROM (VALUES {}) r(v)", sql, values), rows);
  }

  std::string texts(const std::string& expression) {
    const auto rows = test::postgres().rows(
        name_,
        {fmt::format("string_agg({}, ',' ORDER BY {} COLLATE \"C\")", expression, expression)},
        "public.t");
    return rows.at(0).at(0).value_or("null");
  }

  Error refused(const Batch& batch) {
    const auto applied = open(url_)->apply(batch);
    EXPECT_FALSE(applied);
    return applied ? Error{} : applied.error();
  }

  std::string name_ = next_name();
  std::string url_ = test::postgres().create_database(name_);
};

struct TypeCase {
  ColumnType type;
  std::string values;  // of a VALUES list of the engine
  std::uint64_t rows;
  std::string expected;  // as PostgreSQL prints them, sorted
};

TEST_F(PostgresTargetTest, EveryTypeComesBackAsItWas) {
  using enum TypeKind;
  const std::vector<TypeCase> cases = {
      {{.kind = boolean}, "(true), (false)", 2, "false,true"},
      {{.kind = int8}, "(-128), (127)", 2, "-128,127"},
      {{.kind = uint8}, "(0), (255)", 2, "0,255"},
      {{.kind = int16}, "(-32768)", 1, "-32768"},
      {{.kind = uint16}, "(65535)", 1, "65535"},
      {{.kind = int32}, "(-2147483648)", 1, "-2147483648"},
      {{.kind = uint32}, "(4294967295)", 1, "4294967295"},
      {{.kind = int64}, "(-9223372036854775807)", 1, "-9223372036854775807"},
      {{.kind = uint64}, "(18446744073709551615)", 1, "18446744073709551615"},
      {{.kind = int128},
       "('-170141183460469231731687303715884105727')",
       1,
       "-170141183460469231731687303715884105727"},
      {{.kind = float32}, "('0.1'), ('nan'), ('-inf')", 3, "-Infinity,0.1,NaN"},
      {{.kind = float64}, "('1e300')", 1, "1e+300"},
      {{.kind = decimal, .width = 38, .scale = 10},
       "('-1234567890123456789012345678.0123456789'), ('0'), ('10000.5'), ('0.0000100000')",
       4,
       "-1234567890123456789012345678.0123456789,0.0000000000,0.0000100000,10000.5000000000"},
      {{.kind = text}, "('ä'' \\ \"'), ('')", 2, ",ä' \\ \""},
      {{.kind = blob}, "('\\x00\\xFF')", 1, "\\x00ff"},
      {{.kind = uuid},
       "('00112233-4455-6677-8899-aabbccddeeff')",
       1,
       "00112233-4455-6677-8899-aabbccddeeff"},
      {{.kind = json}, "('{\"a\": [1, null]}')", 1, "{\"a\": [1, null]}"},
      {{.kind = date},
       "('1969-12-31'), ('infinity'), ('4000-02-29'), ('0044-03-15 (BC)')",
       4,
       "0044-03-15 BC,1969-12-31,4000-02-29,infinity"},
      {{.kind = time}, "('23:59:59.999999')", 1, "23:59:59.999999"},
      {{.kind = timestamp_s}, "('1969-12-31 23:59:59')", 1, "1969-12-31 23:59:59"},
      {{.kind = timestamp_us},
       "('-infinity'), ('2000-01-01 00:00:00.000001')",
       2,
       "-infinity,2000-01-01 00:00:00.000001"},
      {{.kind = timestamp_ns}, "('2026-01-02 03:04:05.678')", 1, "2026-01-02 03:04:05.678"},
      {{.kind = timestamp_tz}, "('2026-01-02 03:04:05.678+01')", 1, "2026-01-02 02:04:05.678+00"},
  };
  for (const TypeCase& one : cases) {
    SCOPED_TRACE(to_sql(one.type));
    const auto target = open(url_);
    const auto applied = target->apply(one_column(one.type, one.values + ", (NULL)", one.rows + 1));
    ASSERT_TRUE(applied) << describe(applied.error());
    EXPECT_EQ(texts("x::text"), one.expected);
    EXPECT_EQ(target->describe("p", {kTable}).value().at(0).columns.at(0).type, one.type);
    test::postgres().run(name_, "DROP TABLE public.t; DROP SCHEMA _forebay CASCADE");
  }
}

TEST_F(PostgresTargetTest, ValuesThatItCannotHoldAreRefusedByColumnAndValue) {
  const Error nul = refused(
      batch(1, 1, {{"x", {.kind = TypeKind::text}}}, "SELECT 'a' || chr(0) || 'b' AS x", 1));
  EXPECT_EQ(nul.code, ErrorCode::refused) << describe(nul);
  EXPECT_THAT(nul.cause, HasSubstr("column 'x' has the value 'a\\0"));
  const Error year = refused(
      one_column({.kind = TypeKind::timestamp_us}, "(make_timestamp(-300000000000000000))", 1));
  EXPECT_EQ(year.code, ErrorCode::refused) << describe(year);
  EXPECT_THAT(year.cause, HasSubstr("column 'x'"));
  const Error nanos =
      refused(one_column({.kind = TypeKind::timestamp_ns}, "('2026-01-02 03:04:05.000000001')", 1));
  EXPECT_THAT(nanos.cause, HasSubstr("microseconds"));
  const Error nested = refused(
      one_column({.kind = TypeKind::list, .children = {{.kind = TypeKind::int32}}}, "([1, 2])", 1));
  EXPECT_EQ(nested.code, ErrorCode::refused) << describe(nested);
  const Error name = refused(batch(1, 1, {{std::string(64, 'n'), {.kind = TypeKind::int32}}},
                                   "SELECT 1 AS " + std::string(64, 'n'), 1));
  EXPECT_THAT(name.cause, HasSubstr("63 bytes"));
  EXPECT_EQ(open(url_)->head("p").value().commit_no, 0);
}

TEST_F(PostgresTargetTest, AConnectionThatBreaksBeforeCommitLeavesNothing) {
  const auto target = open(url_);
  test::postgres().run(name_, "CREATE SCHEMA _forebay; DROP SCHEMA _forebay");
  const std::string port = url_.substr(url_.rfind(':') + 1, url_.rfind('/') - url_.rfind(':') - 1);
  CuttingProxy proxy(static_cast<std::uint16_t>(std::stoi(port)));
  std::string through = url_;
  through.replace(through.rfind(':') + 1, port.size(), fmt::format("{}", proxy.port()));
  const auto cut = open(through);
  const auto rows = [](std::int64_t commit_no) {
    return batch(commit_no, commit_no, {{"x", {.kind = TypeKind::int32}}},
                 fmt::format("SELECT {}::INTEGER AS x", commit_no), 1, commit_no == 1);
  };
  ASSERT_TRUE(cut->apply(rows(1)));
  proxy.cut(CuttingProxy::Cut::before, "COPY forebay_delta");
  const auto early = cut->apply(rows(2));
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, ErrorCode::unavailable) << describe(early.error());
  ASSERT_TRUE(cut->reopen());
  EXPECT_EQ(cut->head("p").value().commit_no, 1);

  proxy.cut(CuttingProxy::Cut::before, "COMMIT");
  const auto unknown = cut->apply(rows(2));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::commit_unknown) << describe(unknown.error());
  ASSERT_TRUE(cut->reopen());
  EXPECT_EQ(cut->head("p").value().commit_no, 1);
  EXPECT_EQ(texts("x::text"), "1");

  proxy.cut(CuttingProxy::Cut::after, "COMMIT");
  const auto durable = cut->apply(rows(2));
  ASSERT_FALSE(durable);
  EXPECT_EQ(durable.error().code, ErrorCode::commit_unknown) << describe(durable.error());
  ASSERT_TRUE(cut->reopen());
  EXPECT_EQ(cut->head("p").value().commit_no, 2);
  EXPECT_EQ(texts("x::text"), "1,2");
}

TEST_F(PostgresTargetTest, TwoLoadersOfTwoPipelinesNeverGiveOutANumberOfAFileTwice_CONC1) {
  const auto made = open(url_);
  ASSERT_TRUE(made->note_cycle("p", {.finished_at = kNow, .outcome = "nothing_new"}));
  const std::vector<Column> columns = {{"x", {.kind = TypeKind::int32}}};
  std::array<ErrorCode, 2> codes{};
  std::array<bool, 2> done{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      const auto target = open(url_);
      const auto applied = target->apply(
          batch(1, 1, columns, "SELECT 1::INTEGER AS x", 1, true, i == 0 ? "p" : "q"));
      done.at(i) = applied.has_value();
      if (!applied) codes.at(i) = applied.error().code;
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_NE(done[0], done[1]);
  EXPECT_EQ(codes.at(done[0] ? 1 : 0), ErrorCode::busy);
  const std::string loser = done[0] ? "q" : "p";
  EXPECT_EQ(made->head(loser).value().next_file_id, 2);
  const auto again = made->apply(batch(1, 2, columns, "SELECT 1::INTEGER AS x", 1, true, loser));
  EXPECT_TRUE(again) << describe(again.error());
}

TEST_F(PostgresTargetTest, MessagesHoldNoPassword) {
  for (const char* url : {"postgresql://me:s3cr3t@127.0.0.1:1/x", "postgresql://me:s3cr3t@[bad/x",
                          "postgresql://me:s3cr3t@127.0.0.1:1/x?nothing=s3cr3t"}) {
    const auto target = open_postgres_target({.url = url});
    ASSERT_FALSE(target);
    EXPECT_THAT(describe(target.error()), Not(HasSubstr("s3cr3t")));
  }
  const auto missing = open_postgres_target({.url = url_ + "_not"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::invalid_config) << describe(missing.error());
  EXPECT_THAT(open(url_)->display(), HasSubstr("/" + name_));
}

TEST_F(PostgresTargetTest, GrantsViewsAndIndexesOfOthersStay) {
  const auto target = open(url_);
  const std::vector<Column> columns = {{"x", {.kind = TypeKind::int32}}};
  ASSERT_TRUE(target->apply(batch(1, 1, columns, "SELECT 1::INTEGER AS x", 1)));
  test::postgres().run(name_, "CREATE VIEW v AS SELECT x + 1 AS y FROM t; CREATE INDEX ON t (x)");
  Batch next = batch(2, 2, columns, "SELECT 5::INTEGER AS x", 1, false);
  next.tables[0].clear = true;
  next.tables[0].clear_below_file = 2;
  const auto applied = target->apply(next);
  ASSERT_TRUE(applied) << describe(applied.error());
  EXPECT_EQ(test::postgres().rows(name_, {"y::text"}, "v").at(0).at(0), "6");
}

TEST_F(PostgresTargetTest, NamesAreNamesWhateverTheDatabaseIsSetTo) {
  const std::string name = next_name();
  const std::string url = test::postgres().create_database(name);
  test::postgres().run(name, fmt::format("ALTER DATABASE {} SET standard_conforming_strings = off; "
                                         "ALTER DATABASE {} SET datestyle = 'German'",
                                         name, name));
  const auto target = open(url);
  Batch odd = batch(1, 1, {{"n", {TypeKind::int64}}}, "SELECT 1::BIGINT AS n", 1);
  odd.files[0].unit = odd.files[0].store_key = R"(a\'; DROP TABLE t; --)";
  odd.units.push_back({.unit = odd.files[0].unit, .version = "v", .files = 1, .rows = 1});
  const auto applied = target->apply(odd);
  ASSERT_TRUE(applied) << describe(applied.error());
  const auto known = target->known("p", {odd.units[0].unit});
  ASSERT_TRUE(known) << describe(known.error());
  ASSERT_EQ(known->size(), 1U);
  EXPECT_EQ(known->front().unit, odd.units[0].unit);
  EXPECT_EQ(test::postgres().rows(name, {"count(*)::text"}, "public.t").at(0).at(0), "1");
}

}  // namespace
}  // namespace forebay
