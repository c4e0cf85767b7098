#include "support/sample_feed.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/check.h"
#include "engine/value.h"
#include "support/feed_maker.h"
#include "support/paths.h"

namespace forebay::test {
namespace {

using Json = nlohmann::json;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

SampleTable read_table(const Json& json) {
  SampleTable table;
  for (const Json& column : json["columns"])
    table.columns.push_back({column["name"], column["source_type"]});
  for (const Json& row : json["rows"]) {
    auto& cells = table.rows.emplace_back();
    for (const Json& cell : row) {
      cells.emplace_back();
      if (!cell.is_null()) cells.back() = cell.get<std::string>();
    }
  }
  return table;
}

// A step may say that a table holds what another one holds.
const Json& table_of(const Json& tables, const std::string& name) {
  const Json& table = tables[name];
  if (table.is_object() && table.contains("same_as"))
    return table_of(tables, table["same_as"].get<std::string>());
  return table;
}

}  // namespace

Sample read_sample(const std::string& scenario) {
  const std::filesystem::path folder = source_dir() / "tests/data/rivet" / scenario;
  const Json json = Json::parse(read_file(folder / "steps.json"));
  Sample sample{.objects = folder / "objects"};
  for (const auto& [name, target] : json["targets"].items())
    sample.targets[name] = {.prefix = target["prefix"], .mode = target["mode"]};
  for (const Json& given : json["steps"]) {
    SampleStep& step = sample.steps.emplace_back();
    step.state = given["state"];
    for (const auto& [path, object] : given["objects"].items()) step.objects[path] = object;
    for (const auto& [name, unused] : given["tables"].items()) {
      const Json& table = table_of(given["tables"], name);
      step.tables[name] = table.is_null() ? std::nullopt : std::optional(read_table(table));
    }
  }
  CHECK(!sample.steps.empty());
  return sample;
}

void lay_out(const Sample& sample, const SampleStep& step, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::set<std::filesystem::path> wanted;
  for (const auto& [path, object] : step.objects) {
    const std::filesystem::path to = std::filesystem::path(folder) / path;
    const std::string bytes = read_file(sample.objects / object);
    wanted.insert(to);
    if (!std::filesystem::exists(to) || read_file(to) != bytes) write_new_version(to, bytes);
  }
  std::vector<std::filesystem::path> gone;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && !wanted.contains(entry.path())) gone.push_back(entry.path());
  }
  for (const auto& path : gone) std::filesystem::remove(path);
}

std::string sample_text_sql(const SampleColumn& column) {
  const std::string name = duckdb::quote(column.name);
  const std::string& type = column.source_type;
  if (type == "bytea") return fmt::format("lower(hex({}))", name);
  if (type.starts_with("time without"))
    return fmt::format("strftime(DATE '2000-01-01' + {}, '%H:%M:%S.%f')", name);
  if (type.starts_with("timestamp without"))
    return fmt::format("strftime({}, '%Y-%m-%dT%H:%M:%S.%f')", name);
  if (type.starts_with("timestamp with"))
    return fmt::format("strftime(timezone('UTC', {}), '%Y-%m-%dT%H:%M:%S.%f') || 'Z'", name);
  if (type.starts_with("double precision[") || type.starts_with("real["))
    return fmt::format(
        "to_json(list_transform({}, lambda x: CASE WHEN isfinite(x) THEN to_json(x) "
        "ELSE to_json(replace(replace(x::VARCHAR, 'inf', 'Infinity'), 'nan', "
        "'NaN')) END))::VARCHAR",
        name);
  if (type.ends_with("[]")) return fmt::format("to_json({})::VARCHAR", name);
  return fmt::format("{}::VARCHAR", name);
}

bool same_value(const SampleColumn& column, const std::optional<std::string>& a,
                const std::optional<std::string>& b) {
  if (a == b) return true;
  if (!a || !b) return false;
  if (column.source_type == "real" || column.source_type == "double precision") {
    const double x = std::strtod(a->c_str(), nullptr);
    const double y = std::strtod(b->c_str(), nullptr);
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y)) ||
           (column.source_type == "real" && static_cast<float>(x) == static_cast<float>(y));
  }
  if (column.source_type.starts_with("json") || column.source_type.ends_with("[]"))
    return Json::parse(*a, nullptr, false) == Json::parse(*b, nullptr, false);
  return false;
}

}  // namespace forebay::test
