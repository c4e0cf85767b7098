#include "app/demo_feed.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/time_text.h"
#include "engine/database.h"

namespace forebay {
namespace {

using duckdb::literal;
using duckdb::quote;

struct Chapter {
  const char* kind;
  const char* story;
  const char* sql;  // {n}: number of the delivery, {visits}: rows of the first one
};

// `told` is the delivery that tells of a row, `gone` whether it was deleted.
constexpr Chapter kChapters[DemoFeed::kDeliveries] = {
    {"snapshot", "the first delivery is a full copy: packages, customers and visits",
     R"(CREATE TABLE wash_packages (id VARCHAR, name VARCHAR, price DECIMAL(8,2),
                                    told INTEGER, gone BOOLEAN);
        CREATE TABLE customers (id VARCHAR, name VARCHAR, city VARCHAR, member_since DATE,
                                told INTEGER, gone BOOLEAN);
        CREATE TABLE visits (id VARCHAR, customer_id VARCHAR, package_id VARCHAR,
                             washed_at TIMESTAMP, paid DECIMAL(8,2), told INTEGER, gone BOOLEAN);
        INSERT INTO wash_packages VALUES ('basic', 'Basic', 9.00, {n}, false),
          ('shine', 'Shine', 14.50, {n}, false), ('royal', 'Royal', 22.00, {n}, false);
        INSERT INTO customers VALUES ('c1', 'Ada', 'Leeds', DATE '2026-01-05', {n}, false),
          ('c2', 'Bo', 'York', DATE '2026-02-11', {n}, false),
          ('c3', 'Cem', 'Hull', DATE '2026-02-28', {n}, false),
          ('c4', 'Dee', 'York', DATE '2026-03-17', {n}, false);
        INSERT INTO visits
          SELECT 'v' || lpad(i::VARCHAR, 8, '0'), 'c' || (1 + i % 4)::VARCHAR,
                 CASE i % 3 WHEN 0 THEN 'basic' WHEN 1 THEN 'shine' ELSE 'royal' END,
                 TIMESTAMP '2026-04-01 08:00:00' + to_seconds(i * 60),
                 CASE i % 3 WHEN 0 THEN 9.00 WHEN 1 THEN 14.50 ELSE 22.00 END, {n}, false
          FROM range({visits}) t(i);)"},
    {"incremental", "new visits came in, Bo moved to Bath, and Eve became a customer",
     R"(INSERT INTO visits
          SELECT 'v' || lpad(i::VARCHAR, 8, '0'), 'c' || (1 + i % 5)::VARCHAR, 'shine',
                 TIMESTAMP '2026-04-01 08:00:00' + to_seconds(i * 60), 14.50, {n}, false
          FROM range({visits}, {visits} + {visits} // 4 + 1) t(i);
        UPDATE customers SET city = 'Bath', told = {n} WHERE id = 'c2';
        INSERT INTO customers VALUES ('c5', 'Eve', 'Ripon', DATE '2026-10-20', {n}, false);)"},
    {"incremental",
     "visits have a new column, tip; some were corrected, a few cancelled; Royal costs more",
     R"(ALTER TABLE visits ADD COLUMN tip DECIMAL(8,2);
        UPDATE visits SET tip = 1.50, told = {n} WHERE right(id, 1) IN ('1', '2', '3', '4');
        UPDATE visits SET gone = true, told = {n} WHERE right(id, 1) = '7';
        UPDATE wash_packages SET price = 24.00, told = {n} WHERE id = 'royal';)"},
    {"incremental", "nothing happened: a marker without files says that the feed is alive", ""},
};

std::string with_numbers(std::string_view sql, int n, std::uint64_t visits) {
  std::string out(sql);
  for (const auto& [name, value] :
       {std::pair<std::string_view, std::string>{"{n}", std::to_string(n)},
        {"{visits}", std::to_string(visits)}}) {
    for (std::size_t at = out.find(name); at != std::string::npos; at = out.find(name, at)) {
      out.replace(at, name.size(), value);
    }
  }
  return out;
}

Status make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return {};
  return fail({ErrorCode::denied, "create folder", folder.string(), error.message(), ""});
}

// The table's own columns, as an SQL list.
Result<std::vector<std::string>> columns_of(duckdb::Connection& connection,
                                            const std::string& table) {
  ASSIGN_OR_RETURN(const auto columns,
                   connection.describe(fmt::format("SELECT * EXCLUDE (told, gone) FROM {}", table),
                                       "describe the demo's table"));
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

Status copy(duckdb::Connection& connection, const std::string& query,
            const std::filesystem::path& file) {
  RETURN_IF_ERROR(make_folder(file.parent_path()));
  const auto done = connection.execute(
      fmt::format("COPY ({}) TO {} (FORMAT parquet)", query, literal(file.string())),
      "write the demo's file");
  if (!done) return fail(done.error());
  return {};
}

Status write_marker(const std::filesystem::path& file, const std::string& text) {
  RETURN_IF_ERROR(make_folder(file.parent_path()));
  const std::filesystem::path draft = file.string() + ".part";
  std::ofstream out(draft, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(draft, file, error);
  if (out && !error) return {};
  return fail({ErrorCode::denied, "write", file.string(), "the disk refuses", ""});
}

}  // namespace

const std::vector<std::string>& DemoFeed::tables() {
  static const std::vector<std::string> kTables = {"wash_packages", "customers", "visits"};
  return kTables;
}

DemoFeed::DemoFeed(Options options, std::unique_ptr<duckdb::Database> database,
                   std::unique_ptr<duckdb::Connection> connection)
    : options_(std::move(options)),
      database_(std::move(database)),
      connection_(std::move(connection)) {}
DemoFeed::DemoFeed(DemoFeed&&) noexcept = default;
DemoFeed::~DemoFeed() = default;

Result<DemoFeed> DemoFeed::create(const Options& options) {
  RETURN_IF_ERROR(make_folder(options.folder));
  ASSIGN_OR_RETURN(auto database, duckdb::Database::open({}));
  ASSIGN_OR_RETURN(auto connection, database->connect());
  return DemoFeed(options, std::move(database), std::move(connection));
}

Result<DemoFeed::Delivery> DemoFeed::deliver() {
  CHECK(delivered_ < kDeliveries);
  const Chapter& chapter = kChapters[delivered_++];
  const std::string sql = with_numbers(chapter.sql, delivered_, options_.visits);
  if (!sql.empty()) {
    const auto done = connection_->execute(sql, "let time pass at the demo's car wash");
    if (!done) return fail(done.error());
  }
  return write(chapter.kind, chapter.story);
}

Result<DemoFeed::Delivery> DemoFeed::write(const std::string& kind, const std::string& story) {
  const Time at = options_.first + std::chrono::minutes(15) * (delivered_ - 1);
  const std::string batch = format_time(at, "%Y%m%dT%H%M%SZ");
  const bool snapshot = kind == "snapshot";
  Delivery delivery{.marker = batch + (snapshot ? ".snapshot.json" : ".json"), .story = story};
  const std::filesystem::path folder(options_.folder);
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const std::string& table : tables()) {
    ASSIGN_OR_RETURN(const auto counted,
                     connection_->query(
                         fmt::format("SELECT count(*) FROM {} WHERE told = {}", table, delivered_),
                         "count the demo's changes"));
    const std::int64_t rows = duckdb::integer(counted.front().front());
    if (rows == 0 && !snapshot) continue;
    ASSIGN_OR_RETURN(const auto columns, columns_of(*connection_, table));
    std::string list = "id AS _row_id, gone AS _deleted";
    for (const std::string& column : columns) {
      list +=
          fmt::format(", CASE WHEN gone THEN NULL ELSE {} END AS {}", quote(column), quote(column));
    }
    const std::string path =
        fmt::format("{}/{}{}.parquet", table, batch, snapshot ? ".snapshot-0001" : "");
    RETURN_IF_ERROR(
        copy(*connection_,
             fmt::format("SELECT {} FROM {} WHERE told = {} ORDER BY id", list, table, delivered_),
             folder / path));
    files.push_back({{"table", table}, {"path", options_.prefix + path}, {"rows", rows}});
    delivery.rows += static_cast<std::uint64_t>(rows);
  }
  const nlohmann::ordered_json marker = {{"batch", batch},
                                         {"kind", kind},
                                         {"format_version", "v1"},
                                         {"created_at", format_rfc3339(at)},
                                         {"files", files}};
  RETURN_IF_ERROR(write_marker(folder / "_batches" / delivery.marker, marker.dump(2) + "\n"));
  return delivery;
}

Status DemoFeed::write_truth(const std::string& folder) {
  for (const std::string& table : tables()) {
    ASSIGN_OR_RETURN(const auto columns, columns_of(*connection_, table));
    std::string list;
    for (const std::string& column : columns) list += ", " + quote(column);
    RETURN_IF_ERROR(copy(*connection_,
                         fmt::format("SELECT id AS _row_id{} FROM {} WHERE NOT gone", list, table),
                         std::filesystem::path(folder) / (table + ".parquet")));
  }
  return {};
}

Result<std::vector<std::string>> compare_with_truth(const std::string& database,
                                                    const std::string& schema,
                                                    const std::string& folder) {
  ASSIGN_OR_RETURN(const auto opened,
                   duckdb::Database::open({.path = database, .read_only = true}));
  ASSIGN_OR_RETURN(const auto connection, opened->connect());
  std::vector<std::string> differences;
  for (const std::string& table : DemoFeed::tables()) {
    const std::string file = (std::filesystem::path(folder) / (table + ".parquet")).string();
    const std::string expected = fmt::format("SELECT * FROM read_parquet({})", literal(file));
    ASSIGN_OR_RETURN(const auto columns, connection->describe(expected, "describe the truth"));
    std::string list;
    for (const Column& column : columns) {
      list += (list.empty() ? "" : ", ") + quote(column.name);
    }
    const std::string loaded = fmt::format("SELECT {} FROM {}", list, quote(schema, table));
    const std::string wanted = fmt::format("SELECT {} FROM ({})", list, expected);
    ASSIGN_OR_RETURN(
        const auto counts,
        connection->query(fmt::format("SELECT (SELECT count(*) FROM ({0} EXCEPT ALL {1})), "
                                      "(SELECT count(*) FROM ({1} EXCEPT ALL {0}))",
                                      loaded, wanted),
                          "compare with the truth"));
    const std::int64_t surplus = duckdb::integer(counts.front()[0]);
    const std::int64_t missing = duckdb::integer(counts.front()[1]);
    if (surplus == 0 && missing == 0) continue;
    differences.push_back(
        fmt::format("{}.{}: {} rows too many, {} rows missing", schema, table, surplus, missing));
  }
  return differences;
}

}  // namespace forebay
