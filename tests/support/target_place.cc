#include "support/target_place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "engine/database.h"
#include "support/postgres_server.h"
#include "support/temp_folder.h"
#include "target/targets.h"

namespace forebay::test {
namespace {

class DuckdbPlace final : public TargetPlace {
 public:
  Result<std::unique_ptr<Target>> open(TargetMode mode) override {
    return open_duckdb_target({.path = path_, .mode = mode});
  }

  std::string rows(const std::vector<std::string>& columns, const std::string& from) override {
    std::vector<std::string> texts;
    for (const std::string& column : columns)
      texts.push_back(fmt::format("coalesce(CAST({} AS VARCHAR), 'null')", column));
    const auto found = ask(fmt::format(
        "SELECT coalesce(string_agg(line, ',' ORDER BY line), '') FROM (SELECT {} AS line FROM {})",
        fmt::join(texts, " || '|' || "), from));
    return duckdb::text(found.at(0).at(0));
  }

  void run(const std::string& sql) override { ask(sql); }
  std::string schema() const override { return "main"; }

 private:
  std::vector<duckdb::Row> ask(const std::string& sql) {
    auto database = duckdb::Database::open({.path = path_}).value();
    auto connection = database->connect().value();
    return connection->query(sql, "test").value();
  }

  TempFolder folder_;
  std::string path_ = folder_ / "t.duckdb";
};

class PostgresPlace final : public TargetPlace {
 public:
  Result<std::unique_ptr<Target>> open(TargetMode mode) override {
    return open_postgres_target({.url = url_, .mode = mode});
  }

  std::string rows(const std::vector<std::string>& columns, const std::string& from) override {
    std::vector<std::string> texts;
    for (const std::string& column : columns)
      texts.push_back(fmt::format("coalesce(CAST({} AS text), 'null')", column));
    const auto found = postgres().rows(
        name_, {"coalesce(string_agg(line, ',' ORDER BY line COLLATE \"C\"), '')"},
        fmt::format("(SELECT {} AS line FROM {}) l", fmt::join(texts, " || '|' || "), from));
    return found.at(0).at(0).value();
  }

  void run(const std::string& sql) override { postgres().run(name_, sql); }
  std::string schema() const override { return "public"; }

 private:
  static std::string next_name() {
    static int number = 0;
    return fmt::format("place{}", ++number);
  }
  std::string name_ = next_name();
  std::string url_ = postgres().create_database(name_);
};

}  // namespace

std::unique_ptr<TargetPlace> postgres_place() { return std::make_unique<PostgresPlace>(); }
std::unique_ptr<TargetPlace> duckdb_place() { return std::make_unique<DuckdbPlace>(); }

}  // namespace forebay::test
