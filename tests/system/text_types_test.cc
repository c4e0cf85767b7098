#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

// Aim: every value of CSV and JSON stands in the table as a second reader reads it, in a column of
// the type that docs/TYPES.md names (TYPE-12). Method: pyarrow reads the files that
// tests/support/text_files.py writes; they are loaded in process; each value is compared.
namespace forebay::test {
namespace {

using Json = nlohmann::json;

// A value of the table as text_files.py writes it.
std::string canonical_sql(const std::string& type) {
  if (type == "DATE") return "(v - DATE '1970-01-01')::VARCHAR";
  if (type == "TIMESTAMP") return "(epoch_us(v)::HUGEINT * 1000)::VARCHAR";
  if (type == "JSON") return "json(v)::VARCHAR";
  return "v::VARCHAR";
}

bool same(const std::string& type, const std::optional<std::string>& got, const Json& wanted) {
  if (!got || wanted.is_null()) return !got && wanted.is_null();
  const auto text = wanted.get<std::string>();
  if (type == "DOUBLE")
    return std::strtod(got->c_str(), nullptr) == std::strtod(text.c_str(), nullptr);
  return *got == text;
}

TEST(TextTypes, TYPE_12_EveryValueIsWhatASecondReaderReads) {
  const TempFolder folder;
  const ProgramResult made =
      run_program(deps_dir() / "venv/bin/python",
                  {source_dir() / "tests/support/text_files.py", folder / "in"});
  ASSERT_EQ(made.code, 0) << made.err;
  const Json cases = Json::parse(std::ifstream(folder / "in/cases.json"));
  TestPipeline pipeline({.yaml = "about: a table of each folder\n"
                                 "unit: {file: \"{table}/1.{ending}\"}\n"
                                 "table: {capture: table}\n"
                                 "effect: append\n",
                         .name = "texts",
                         .schema = "main",
                         .source = folder / "in",
                         .database = folder / "texts.duckdb"});
  pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
  const CycleReport report = pipeline.load();
  ASSERT_EQ(code(report), 0) << text(report);

  DatabaseReader reader(folder / "texts.duckdb");
  std::vector<std::string> lines;
  for (const Json& one : cases) {
    const auto table = one.at("case").get<std::string>();
    const auto types = reader.rows(
        fmt::format("SELECT data_type FROM duckdb_columns() WHERE table_name = '{}' AND "
                    "column_name = 'v'",
                    table));
    ASSERT_EQ(types.size(), 1U) << table;
    const std::string type = types[0][0].value_or("");
    EXPECT_EQ(type, one.at("type").get<std::string>()) << table;
    const auto rows = reader.rows(
        fmt::format("SELECT {} FROM main.\"{}\" ORDER BY n", canonical_sql(type), table));
    ASSERT_EQ(rows.size(), one.at("values").size()) << table;
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_TRUE(same(type, rows[i][0], one.at("values")[i]))
          << table << " row " << i << ": " << rows[i][0].value_or("null") << " and not "
          << one.at("values")[i];
    lines.push_back(fmt::format("| {} | {} | {} |", one.at("format").get<std::string>(),
                                one.at("says").get<std::string>(), type));
  }
  const std::string table = fmt::format(
      "| format | tried | in the table |\n| --- | --- | --- |\n{}\n", fmt::join(lines, "\n"));
  std::stringstream doc;
  doc << std::ifstream(source_dir() / "docs" / "TYPES.md").rdbuf();
  EXPECT_TRUE(doc.str().contains(table)) << "docs/TYPES.md should hold this table:\n" << table;
}

}  // namespace
}  // namespace forebay::test
