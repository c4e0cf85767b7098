#include "support/pipeline_fixture.h"

#include <fmt/format.h>

#include "base/check.h"
#include "engine/database.h"
#include "feed/description.h"
#include "load/progress.h"
#include "store/stores.h"
#include "target/targets.h"

namespace forebay::test {
namespace {

CycleReport failed(const std::string& pipeline, const Error& error) {
  CycleReport report{.pipeline = pipeline};
  report.outcome = Outcome::failed;
  report.exit = exit_code(error.code);
  report.error = error;
  return report;
}

std::unique_ptr<duckdb::Connection> connect(duckdb::Database& database) {
  auto connection = database.connect();
  CHECK(connection.has_value());
  return std::move(*connection);
}

}  // namespace

TestPipeline::TestPipeline(Settings given) : settings(std::move(given)) {}

Result<std::unique_ptr<Target>> TestPipeline::open_target() const {
  return open_duckdb_target({.path = settings.database, .threads = 1});
}

Result<Pipeline> TestPipeline::bind(ObjectStore& store, Target& target) const {
  Options options = settings.more;
  for (const auto& [name, value] : settings.options)
    options[name] = {.values = {value}, .where = "forebay.yaml:7"};
  const auto builtin = find_builtin_feed(settings.feed);
  CHECK(builtin.has_value() || !settings.yaml.empty());
  const std::string description = settings.yaml.empty() ? std::string(*builtin) : settings.yaml;
  ASSIGN_OR_RETURN(Feed feed, bind_feed(settings.feed, description,
                                        "feeds/" + settings.feed + ".yaml", options));
  return Pipeline{.name = settings.name,
                  .feed = std::move(feed),
                  .root = {.folder = true, .root = settings.source},
                  .source = settings.source,
                  .schema = settings.schema,
                  .staging_folder = settings.database + ".staging",
                  .fetch_threads = 2,
                  .store = &store,
                  .target = &target};
}

CycleReport TestPipeline::load_into(Target& target, const CycleOptions& options) {
  auto store = open_local_store({.folder = settings.source});
  if (!store) return failed(settings.name, store.error());
  std::unique_ptr<ObjectStore> decorated = decorate ? decorate(**store) : nullptr;
  auto pipeline = bind(decorated ? *decorated : **store, target);
  if (!pipeline) return failed(settings.name, pipeline.error());
  Progress silent;
  return run_cycle(*pipeline, options, clock_, silent);
}

CycleReport TestPipeline::load(const CycleOptions& options) {
  auto target = open_target();
  if (!target) return failed(settings.name, target.error());
  return load_into(**target, options);
}

Result<Plan> TestPipeline::plan(const CycleOptions& options) {
  ASSIGN_OR_RETURN(auto store, open_local_store({.folder = settings.source}));
  ASSIGN_OR_RETURN(
      auto target,
      open_duckdb_target({.path = settings.database, .mode = TargetMode::read, .threads = 1}));
  ASSIGN_OR_RETURN(const Pipeline pipeline, bind(*store, *target));
  return plan_cycle(pipeline, options, clock_);
}

struct DatabaseReader::Handle {
  std::unique_ptr<duckdb::Database> database;
  std::unique_ptr<duckdb::Connection> connection;
};

DatabaseReader::DatabaseReader(const std::string& path) : handle_(std::make_unique<Handle>()) {
  auto database = duckdb::Database::open({.path = path, .read_only = true, .threads = 1});
  if (!database) {
    ADD_FAILURE() << describe(database.error());
    return;
  }
  handle_->database = std::move(*database);
  handle_->connection = connect(*handle_->database);
}

DatabaseReader::~DatabaseReader() = default;

std::vector<DatabaseReader::Row> DatabaseReader::rows(const std::string& sql) {
  if (handle_->connection == nullptr) return {};
  const auto found = handle_->connection->query(
      fmt::format("SELECT COLUMNS(*)::VARCHAR FROM ({})", sql), "read for a test");
  if (!found) {
    ADD_FAILURE() << describe(found.error()) << "\n" << sql;
    return {};
  }
  std::vector<Row> rows;
  for (const duckdb::Row& given : *found) {
    Row& row = rows.emplace_back();
    for (const duckdb::Value& cell : given) {
      row.emplace_back();
      if (!duckdb::is_null(cell)) row.back() = duckdb::text(cell);
    }
  }
  return rows;
}

Lines query_lines(const std::string& path, const std::string& sql) {
  Lines lines;
  for (const DatabaseReader::Row& row : DatabaseReader(path).rows(sql)) {
    std::string line;
    for (const auto& cell : row) line += "|" + cell.value_or("null");
    lines.push_back(line.substr(1));
  }
  return lines;
}

void run_in_database(const std::string& path, const std::string& sql) {
  auto database = duckdb::Database::open({.path = path, .threads = 1});
  ASSERT_TRUE(database) << describe(database.error());
  const auto done = connect(**database)->execute(sql, "change for a test");
  ASSERT_TRUE(done) << describe(done.error());
}

int code(const CycleReport& report) { return std::to_underlying(report.exit); }

std::string text(const CycleReport& report) {
  std::string all = fmt::format("{} ({})", to_string(report.outcome), code(report));
  if (report.error) all += "\n  error: " + describe(*report.error);
  for (const std::string& warning : report.warnings) all += "\n  warning: " + warning;
  return all;
}

bool warns(const CycleReport& report, std::string_view part) {
  return std::ranges::any_of(report.warnings,
                             [&](const std::string& warning) { return warning.contains(part); });
}

RollerupTest::RollerupTest(std::vector<std::pair<std::string, std::string>> options,
                           std::string prefix)
    : feed_(folder_.path(), std::move(prefix)),
      database_(folder_ / "warehouse.duckdb"),
      pipeline_({.options = std::move(options), .source = feed_.source(), .database = database_}) {}

CycleReport RollerupTest::load(int expected, const CycleOptions& options) {
  CycleReport report = pipeline_.load(options);
  EXPECT_EQ(code(report), expected) << text(report);
  return report;
}

Lines RollerupTest::rows(const std::string& table) const {
  return query(
      fmt::format("SELECT * EXCLUDE (_forebay_file) FROM carwash.\"{}\" ORDER BY ALL", table));
}

Lines RollerupTest::columns(const std::string& table) const {
  return query(
      fmt::format("SELECT column_name, data_type FROM duckdb_columns() WHERE schema_name = "
                  "'carwash' AND table_name = '{}' AND column_name <> '_forebay_file' "
                  "ORDER BY column_index",
                  table));
}

Lines RollerupTest::units() const {
  return query("SELECT unit, state FROM _forebay.units ORDER BY commit_no, rowid");
}

Lines RollerupTest::ledger_sizes() const {
  std::string sql;
  for (const char* table : {"commit_log", "commit_tables", "units", "file_log", "clears",
                            "retractions", "pipelines", "cycles"})
    sql += fmt::format("{}SELECT '{}', count(*) FROM _forebay.{}", sql.empty() ? "" : " UNION ALL ",
                       table, table);
  return query(sql);
}

bool RollerupTest::exists(const std::string& table) const {
  return !query(fmt::format("SELECT 1 FROM duckdb_tables() WHERE schema_name = 'carwash' AND "
                            "table_name = '{}'",
                            table))
              .empty();
}

}  // namespace forebay::test
