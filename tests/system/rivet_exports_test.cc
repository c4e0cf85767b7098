#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/value.h"
#include "support/child_process.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/postgres_server.h"
#include "support/run_program.h"
#include "support/sample_feed.h"
#include "support/temp_folder.h"

// Aim: what the real exporter makes of a real database is loaded as the database says. Method: a
// PostgreSQL, changed step by step; after each step `rivet` exports from it, forebay loads, and
// every value of the table is compared with a SELECT of that moment.
namespace forebay::test {
namespace {

using Rows = std::vector<PostgresServer::Row>;

// A value of the source in the text form of sample_text_sql().
std::string source_text_sql(const SampleColumn& column) {
  const std::string name = duckdb::quote(column.name);
  const std::string& type = column.source_type;
  if (type == "bytea") return fmt::format("encode({}, 'hex')", name);
  if (type.starts_with("time without")) return fmt::format("to_char({}, 'HH24:MI:SS.US')", name);
  if (type.starts_with("timestamp without"))
    return fmt::format("to_char({}, 'YYYY-MM-DD\"T\"HH24:MI:SS.US')", name);
  if (type.starts_with("timestamp with"))
    return fmt::format("to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')", name);
  if (type.ends_with("[]")) return fmt::format("to_json({})::text", name);
  return name + "::text";
}

class RivetExports : public ::testing::Test {
 protected:
  RivetExports() {
    static int number = 0;
    source_ = fmt::format("source_{}", ++number);
    url_ = postgres().create_database(source_);
    std::filesystem::create_directories(folder_ / "out");
  }

  void sql(const std::string& statements) { postgres().run(source_, statements); }

  // Exports, each as the lines of its own settings; they go to out/<name>.
  void configure(const std::map<std::string, std::string>& exports) {
    std::string yaml = "source:\n  type: postgres\n  url_env: SOURCE_URL\nexports:\n";
    for (const auto& [name, lines] : exports) {
      yaml += fmt::format("  - name: {0}\n    destination: {{type: local, path: ./out/{0}}}\n{1}",
                          name, lines);
    }
    folder_.write("rivet.yaml", yaml);
  }

  ProgramOptions options() const {
    return {.folder = folder_.path(),
            .environment = {{"SOURCE_URL", url_}, {"HOME", folder_.path()}, {"PATH", "/usr/bin"}}};
  }
  static std::filesystem::path exporter() { return deps_dir() / "venv/bin/rivet"; }

  void rivet(const std::vector<std::string>& arguments, int expected = 0) {
    const ProgramResult result = run_program(exporter(), arguments, options());
    ASSERT_EQ(result.code, expected) << result.out << result.err;
  }
  void run_export(const std::string& name) { rivet({"run", "-c", "rivet.yaml", "-e", name}); }

  // Dies in the middle: when this many more files are there than before.
  void kill_export(const std::string& name, std::size_t files) {
    const std::size_t before = parts(name);
    ChildProcess child(exporter(), {"run", "-c", "rivet.yaml", "-e", name}, options());
    const Time deadline = system_clock().now() + std::chrono::seconds(30);
    while (parts(name) < before + files && system_clock().now() < deadline)
      (void)system_clock().sleep(std::chrono::milliseconds(10));
    child.signal(SIGKILL);
    ASSERT_EQ(child.wait().code, 128 + SIGKILL) << "it ended before it was killed";
    ASSERT_GE(parts(name), before + files);
  }

  std::size_t parts(const std::string& name) const {
    std::error_code none;
    std::filesystem::directory_iterator entries(folder_ / ("out/" + name), none);
    return none ? 0
                : static_cast<std::size_t>(std::ranges::count_if(entries, [](const auto& entry) {
                    return entry.path().extension() == ".parquet";
                  }));
  }

  // Loads what lies below out/<from> into a table of the schema `raw`.
  CycleReport load(const std::string& from, const std::string& mode,
                   std::vector<std::string> key = {}, const std::string& root = "out") {
    forebay::Options more;
    if (!key.empty())
      more["primary_key"] = {.values = std::move(key), .is_list = true, .where = "forebay.yaml:9"};
    TestPipeline pipeline({.feed = "rivet",
                           .options = {{"mode", mode}},
                           .more = std::move(more),
                           .name = from,
                           .schema = "raw",
                           .source = folder_ / (root + "/" + from),
                           .database = database()});
    pipeline.clock().advance(system_clock().now() + std::chrono::minutes(1) -
                             pipeline.clock().now());
    CycleReport report = pipeline.load();
    EXPECT_EQ(code(report), 0) << text(report);
    EXPECT_EQ(pipeline.load().outcome, Outcome::nothing_new);
    return report;
  }

  std::vector<SampleColumn> columns(const std::string& table) {
    std::vector<SampleColumn> columns;
    for (const auto& row : postgres().rows(
             source_, {"attname", "format_type(atttypid, atttypmod)"},
             fmt::format("(SELECT * FROM pg_attribute WHERE attrelid = '{}'::regclass AND attnum > "
                         "0 AND NOT attisdropped ORDER BY attnum) a",
                         table)))
      columns.push_back({*row[0], *row[1]});
    return columns;
  }

  // What the source says now.
  Rows source(const std::string& table) {
    std::vector<std::string> texts;
    for (const SampleColumn& column : columns(table)) texts.push_back(source_text_sql(column));
    return postgres().rows(source_, texts, table);
  }

  Rows loaded(const std::string& table) {
    std::string texts;
    for (const SampleColumn& column : columns(table))
      texts += (texts.empty() ? "" : ", ") + sample_text_sql(column);
    return DatabaseReader(database()).rows(fmt::format("SELECT {} FROM raw.{}", texts, table));
  }

  void expect_rows(const std::string& table, Rows expected) {
    const std::vector<SampleColumn> names = columns(table);
    Rows rows = loaded(table);
    std::ranges::sort(rows);
    std::ranges::sort(expected);
    ASSERT_EQ(rows.size(), expected.size()) << table;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < names.size(); ++c) {
        EXPECT_TRUE(same_value(names[c], expected[r][c], rows[r][c]))
            << table << "." << names[c].name << " row " << r << ": expected "
            << expected[r][c].value_or("NULL") << ", is " << rows[r][c].value_or("NULL");
      }
    }
  }
  void expect_same(const std::string& table) { expect_rows(table, source(table)); }

  std::string database() const { return folder_ / "warehouse.duckdb"; }

  TempFolder folder_;
  std::string source_;
  std::string url_;
};

// Rule 4, and the types of rule 9: the newest run is the table, also when it has no rows.
TEST_F(RivetExports, FullRunsReplaceTheTable) {
  sql("CREATE TABLE things (id bigint PRIMARY KEY, small smallint, name text, price numeric(18,2), "
      "score double precision, ok boolean, day date, at timestamp, seen timestamptz, took time, "
      "bytes bytea, code uuid, doc jsonb, tags text[]);"
      "INSERT INTO things SELECT g, g % 100, 'näme \"' || g || '\"', g * 3.33, g / 7.0, g % 2 = 0, "
      "date '1960-01-01' + g, timestamp '2024-01-01' + g * interval '1.000001 hour', "
      "timestamptz '1999-12-31 23:00+01' + g * interval '1 day', time '00:00' + g * interval '1 s',"
      " decode(md5(g::text), 'hex'), md5(g::text)::uuid, jsonb_build_object('n', g, 'l', "
      "jsonb_build_array(g, null)), array['t' || g, null] FROM generate_series(1, 300) g;"
      "INSERT INTO things (id, name) VALUES (-1, ''), (9223372036854775807, null);"
      "UPDATE things SET score = 'NaN' WHERE id = 5; UPDATE things SET score = 1e300, price = "
      "-9999999999999999.99 WHERE id = 6");
  configure({{"things", "    table: things\n    mode: full\n    format: parquet\n"}});
  run_export("things");
  load("things", "full");
  expect_same("things");
  sql("DELETE FROM things WHERE id % 3 = 0; UPDATE things SET name = null, price = price + 0.01 "
      "WHERE id % 5 = 0; INSERT INTO things (id, name) VALUES (1000, 'new')");
  run_export("things");
  load("things", "full");
  expect_same("things");
  sql("DELETE FROM things");
  run_export("things");
  load("things", "full");
  expect_same("things");
}

// Rule 6: rows replace by key, the newest cursor last. What is deleted at the source nobody sees.
TEST_F(RivetExports, IncrementalRunsBringWhatChanged) {
  sql("CREATE TABLE orders (id bigint PRIMARY KEY, v text, updated_at timestamptz NOT NULL);"
      "INSERT INTO orders SELECT g, 'v' || g, timestamptz '2024-01-01Z' + g * interval '1 min' "
      "FROM generate_series(1, 60) g");
  configure({{"orders",
              "    table: orders\n    mode: incremental\n    cursor_column: updated_at\n"
              "    format: parquet\n"}});
  const auto change = [&](int day, const std::string& which) {
    sql(
        fmt::format("UPDATE orders SET v = v || ' {0}', updated_at = '2024-02-{0:02}Z' WHERE {1};"
                    "INSERT INTO orders VALUES ({0}00, 'new', '2024-02-{0:02} 01:00Z')",
                    day, which));
    run_export("orders");
  };
  run_export("orders");
  load("orders", "incremental", {"id"});
  expect_same("orders");
  run_export("orders");  // nothing changed
  EXPECT_EQ(load("orders", "incremental", {"id"}).warnings.size(), 0U);
  expect_same("orders");
  change(1, "id % 7 = 0");
  change(2, "id % 14 = 0");
  EXPECT_EQ(load("orders", "incremental", {"id"}).warnings.size(), 0U);
  expect_same("orders");
}

// Rules 6 and 8: a run that is seen late takes its place by its rows' cursors; until then the gap
// is shown.
TEST_F(RivetExports, ARunThatIsSeenLateTakesItsPlace) {
  sql("CREATE TABLE visits (n bigint PRIMARY KEY, id int, v text);"
      "INSERT INTO visits SELECT g, g, 'first' FROM generate_series(1, 20) g");
  configure({{"visits",
              "    table: visits\n    mode: incremental\n    cursor_column: n\n"
              "    format: parquet\n"}});
  run_export("visits");
  const auto manifests = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out/visits")) {
      const std::string name = entry.path().filename();
      if (name.starts_with("manifest-")) names.insert(name);
    }
    return names;
  };
  const std::set<std::string> first = manifests();
  sql("INSERT INTO visits SELECT g, g - 20, 'second' FROM generate_series(21, 30) g");
  run_export("visits");
  std::set<std::string> second = manifests();
  for (const std::string& name : first) second.erase(name);
  ASSERT_EQ(second.size(), 1U);
  sql("INSERT INTO visits SELECT g, g - 26, 'third' FROM generate_series(31, 35) g");
  run_export("visits");
  const std::string late = folder_ / ("out/visits/" + *second.begin());
  std::filesystem::rename(late, folder_ / "late");
  EXPECT_TRUE(warns(load("visits", "incremental", {"id"}), "begins at 30, where 20 was reached"));
  std::filesystem::rename(folder_ / "late", late);
  EXPECT_EQ(load("visits", "incremental", {"id"}).warnings.size(), 0U);
  // For each id the row with the greatest n, whatever run brought it and when it was loaded.
  expect_rows("visits",
              postgres().rows(source_, {"n::text", "id::text", "v"},
                              "(SELECT DISTINCT ON (id) * FROM visits ORDER BY id, n DESC) v"));
}

// Rules 3, 4 and 5: what a repair superseded goes, what it added comes.
TEST_F(RivetExports, ARepairedRunIsWhatTheSourceSays) {
  sql("CREATE TABLE parts (id bigint PRIMARY KEY, v text);"
      "INSERT INTO parts SELECT g, 'v' || g FROM generate_series(1, 500) g");
  configure({{"parts",
              "    table: parts\n    mode: chunked\n    chunk_column: id\n    chunk_size: 100\n"
              "    chunk_checkpoint: true\n    format: parquet\n"}});
  run_export("parts");
  load("parts", "full");
  expect_same("parts");
  sql("DELETE FROM parts WHERE id BETWEEN 110 AND 120; UPDATE parts SET v = 'repaired' WHERE id "
      "BETWEEN 101 AND 200");
  rivet({"reconcile", "-c", "rivet.yaml", "-e", "parts"}, 3);
  rivet({"repair", "-c", "rivet.yaml", "-e", "parts", "--execute"});
  load("parts", "full");
  expect_same("parts");
  EXPECT_EQ(query_lines(database(),
                        "SELECT state, count(*) FROM _forebay.files GROUP BY ALL "
                        "ORDER BY ALL"),
            (Lines{"live|5", "retracted|5"}));
}

// Rules 2 and 3: what a killed run left is nothing; continued, it is a run as any other.
TEST_F(RivetExports, AKilledRunIsNothingUntilItIsContinued) {
  sql("CREATE TABLE slow (id bigint PRIMARY KEY, v text);"
      "INSERT INTO slow SELECT g, 'v' || g FROM generate_series(1, 300) g");
  configure({{"slow",
              "    table: slow\n    mode: chunked\n    chunk_column: id\n    chunk_size: 50\n"
              "    chunk_checkpoint: true\n    format: parquet\n"
              "    tuning: {batch_size: 25, throttle_ms: 60}\n"}});
  run_export("slow");
  load("slow", "full");
  for (const auto& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--resume", "--force"}}) {
    const Rows before = source("slow");
    sql("UPDATE slow SET v = v || '!' WHERE id % 2 = 0; DELETE FROM slow WHERE id % 50 = 7");
    kill_export("slow", 2);
    EXPECT_EQ(load("slow", "full").outcome, Outcome::nothing_new);
    expect_rows("slow", before);
    std::vector<std::string> again = {"run", "-c", "rivet.yaml", "-e", "slow"};
    again.insert(again.end(), more.begin(), more.end());
    rivet(again);
    load("slow", "full");
    expect_same("slow");
  }
}

// Rule 4: the units of a split export are one snapshot. An export is split when it took much longer
// than the others, so it is made slow.
TEST_F(RivetExports, ASplitExportIsOneSnapshot) {
  sql("CREATE TABLE giant (id bigint PRIMARY KEY, v text);"
      "INSERT INTO giant SELECT g, 'v' || g FROM generate_series(1, 6000) g;"
      "CREATE TABLE tiny (id int PRIMARY KEY); INSERT INTO tiny VALUES (1)");
  const std::string format = "    format: parquet\n    parallel_safe: true\n";
  configure({{"giant",
              "    table: giant\n    mode: chunked\n    chunk_column: id\n    chunk_size: 500\n"
              "    tuning: {batch_size: 250, throttle_ms: 60}\n" +
                  format},
             {"tiny", "    table: tiny\n    mode: full\n" + format}});
  rivet({"run", "-c", "rivet.yaml"});
  load("giant", "full");
  sql("DELETE FROM giant WHERE id % 10 = 3; UPDATE giant SET v = v || '!' WHERE id % 7 = 0");
  rivet({"apply", "rivet.yaml", "--pool", "2", "--split"});
  load("giant", "full");
  expect_same("giant");
  EXPECT_EQ(query_lines(database(),
                        "SELECT count(*) > 1 FROM _forebay.units WHERE state = 'applied' AND unit "
                        "LIKE '%giant#%'"),
            (Lines{"true"}))
      << "it was not split";
  sql("DELETE FROM giant WHERE id > 4000");
  rivet({"run", "-c", "rivet.yaml", "-e", "giant"});
  load("giant", "full");
  expect_same("giant");
}

// Rule 6: a baseline and the changes since, for two tables of one stream; one of them sends only
// keys with its deletes, a changed key comes as a delete and an insert.
TEST_F(RivetExports, AChangeStreamFollowsTheSource) {
  sql("CREATE TABLE customers (id bigint PRIMARY KEY, name text, balance numeric(18,2), seen "
      "timestamptz, tags text[]);"
      "CREATE TABLE lines (a int, b smallint, sku text, note bytea, PRIMARY KEY (a, b));"
      "ALTER TABLE lines REPLICA IDENTITY FULL;"
      "INSERT INTO customers SELECT g, 'name ' || g, g * 1.25, timestamptz '2024-05-01Z' + g * "
      "interval '1 hour', array['t' || g] FROM generate_series(1, 30) g;"
      "INSERT INTO lines SELECT g / 4, g % 4, 'sku' || g, decode(md5(g::text), 'hex') FROM "
      "generate_series(1, 40) g");
  folder_.write("rivet.yaml",
                fmt::format("source:\n  type: postgres\n  url_env: SOURCE_URL\nexports:\n"
                            "  - name: shop\n    tables: [customers, lines]\n    mode: cdc\n"
                            "    format: parquet\n    cdc: {{initial: snapshot, slot: {}}}\n"
                            "    destination: {{type: local, path: ./out/shop}}\n",
                            source_));
  const auto drain = [&] {
    run_export("shop");
    load("customers", "cdc", {"id"}, "out/shop");
    load("lines", "cdc", {"a", "b"}, "out/shop");
    expect_same("customers");
    expect_same("lines");
  };
  drain();
  sql("INSERT INTO customers (id, name) VALUES (31, 'new'), (32, null)");
  sql("UPDATE customers SET balance = -balance, tags = '{}' WHERE id % 3 = 0");
  sql("DELETE FROM customers WHERE id IN (4, 5); DELETE FROM lines WHERE a = 2");
  drain();
  sql("UPDATE customers SET id = 1001, name = 'moved' WHERE id = 1");
  sql("UPDATE customers SET id = 1002 WHERE id = 2; UPDATE customers SET id = 2 WHERE id = 9");
  sql("UPDATE lines SET b = b + 10 WHERE a = 3; DELETE FROM customers WHERE id = 1001");
  sql("INSERT INTO customers (id, name) VALUES (1001, 'again'), (4, 'back')");
  drain();
  drain();  // nothing happened
  sql("ALTER TABLE customers ADD COLUMN region text");
  sql("UPDATE customers SET region = 'north' WHERE id = 10; DELETE FROM lines");
  drain();
}

// Rule 9: text has no types, an empty field is null and "" is empty text.
TEST_F(RivetExports, ColumnsOfTextFilesAreText) {
  sql("CREATE TABLE texts (id bigint PRIMARY KEY, n int, v text, ok boolean);"
      "INSERT INTO texts VALUES (1, 7, 'plain', true), (2, null, '', null), (3, -1, null, false), "
      "(10, 0, E'two\\nlines, \"quoted\"', true), (9, 9, '007', true)");
  configure(
      {{"texts",
        "    table: texts\n    mode: incremental\n    cursor_column: id\n    format: csv\n"}});
  run_export("texts");
  load("texts", "incremental", {"id"});
  sql("INSERT INTO texts VALUES (11, 1, 'later', false)");
  run_export("texts");
  load("texts", "incremental", {"id"});
  expect_same("texts");
  EXPECT_EQ(query_lines(database(),
                        "SELECT DISTINCT data_type FROM duckdb_columns() WHERE "
                        "table_name = 'texts' AND column_name NOT LIKE '%forebay%'"),
            (Lines{"VARCHAR"}));
}

}  // namespace
}  // namespace forebay::test
