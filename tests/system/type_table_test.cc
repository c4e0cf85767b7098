#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/parquet_bytes.h"
#include "support/parquet_maker.h"
#include "support/paths.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

// Aim: every value of every type that Parquet has stands in the table as it was written, in a form
// that docs/TYPES.md names, or its file is refused with column, type and the option to set (TYPE-1,
// TYPE-7, TYPE-10, TYPE-12). Method: pyarrow writes the files and reads them back (see
// tests/support/type_files.py); the program loads them; each value is compared with what pyarrow
// read, never with what DuckDB thinks of the file.
namespace forebay::test {
namespace {

using Json = nlohmann::json;
using Values = std::vector<std::optional<std::string>>;

struct Case {
  std::string name;
  std::string file_type;
  std::string says;
  std::string annotate;
  Values values;
};

// What stands in a refusal's message, of the cases that are refused, and an option that takes them
// (a type for the column; empty: there is none).
struct Refusal {
  std::string reason;
  std::string option;
};
const std::map<std::string, Refusal>& refusals() {
  static const std::map<std::string, Refusal> kRefusals = {
      {"int96_nanoseconds", {"declared as TIMESTAMP_NS under `columns`", "TIMESTAMP_NS"}},
      {"int96_edges", {"declared as TIMESTAMP_NS under `columns`", ""}},
      {"list_of_int96_nanoseconds", {"INT96 time does not fit the table's column v", ""}},
      {"timestamp_ns_utc", {"column v (TIMESTAMP WITH TIME ZONE)", "TIMESTAMP_NS"}},
      {"timestamp_ms_beyond", {"column v", ""}},
      {"timestamp_ms_utc_beyond", {"column v", ""}},
      {"list_of_timestamp_ns_utc", {"column 'v' has times of nanoseconds with a zone", ""}},
      {"string_not_utf8", {"no text in UTF-8 (column v)", "BLOB"}},
      {"list_of_string_not_utf8", {"no text in UTF-8 (column v)", ""}},
      {"json_none", {"no JSON (column v)", "TEXT"}}};
  return kRefusals;
}

// A value of the table as type_files.py writes it.
std::string canonical_sql(const std::string& type, const std::string& v) {
  const auto unless_endless = [&](const std::string& number) {
    return fmt::format("CASE WHEN isinf({0}) THEN {0}::VARCHAR ELSE ({1})::VARCHAR END", v, number);
  };
  if (type == "DATE") return unless_endless(fmt::format("{} - DATE '1970-01-01'", v));
  if (type == "TIMESTAMP" || type == "TIMESTAMP WITH TIME ZONE")
    return unless_endless(fmt::format("epoch_us({})::HUGEINT * 1000", v));
  if (type == "TIMESTAMP_NS") return unless_endless(fmt::format("epoch_ns({})", v));
  if (type == "TIME") return fmt::format("(epoch_us({}) * 1000)::VARCHAR", v);
  if (type == "TIME_NS") return fmt::format("epoch_ns({})::VARCHAR", v);
  if (type == "BLOB") return fmt::format("lower(hex({}))", v);
  if (type == "INTERVAL")
    return fmt::format(
        "format('{{}} {{}} {{}}', datepart('year', {0}) * 12 + datepart('month', {0}), "
        "datepart('day', {0}), datepart('hour', {0}) * 3600000 + datepart('minute', {0}) * 60000 + "
        "datepart('millisecond', {0}))",
        v);
  if (type == "STRUCT(j JSON)") return fmt::format("to_json({}::STRUCT(j VARCHAR))::VARCHAR", v);
  if (type == "UUID") return fmt::format("replace({}::VARCHAR, '-', '')", v);
  if (type == "TIMESTAMP[]")
    return fmt::format(
        "to_json(list_transform({}, lambda x: (epoch_us(x)::HUGEINT * 1000)::VARCHAR))::VARCHAR",
        v);
  if (type.starts_with("MAP("))
    return fmt::format(
        "to_json(list_transform(map_entries({}), lambda x: [x.\"key\"::VARCHAR, "
        "x.\"value\"::VARCHAR]))::VARCHAR",
        v);
  if (type.ends_with("[][]")) return fmt::format("to_json({}::VARCHAR[][])::VARCHAR", v);
  if (type.ends_with("[]")) return fmt::format("to_json({}::VARCHAR[])::VARCHAR", v);
  if (type.starts_with("STRUCT(")) return fmt::format("to_json({})::VARCHAR", v);
  return v + "::VARCHAR";
}

// A decimal below one without its zero, as DuckDB prints it, is the same number.
std::string with_zero(std::string text) {
  const std::size_t at = text.starts_with('-') ? 1 : 0;
  if (text.size() > at && text[at] == '.') text.insert(at, "0");
  return text;
}

template <class Real>
bool same_real(const std::string& a, const std::string& b, Real (*parse)(const char*, char**)) {
  const Real x = parse(a.c_str(), nullptr);
  const Real y = parse(b.c_str(), nullptr);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return x == y && std::signbit(x) == std::signbit(y);
}

// The outermost numbers of a time's unit stand for a time without end.
bool is_endless(const std::string& number) {
  static const std::set<std::string> kMost = {
      "2147483647", "9223372036854775807", "9223372036854775807000", "9223372036854775807000000"};
  return kMost.contains(number.starts_with('-') ? number.substr(1) : number);
}

// As JSON, every value below a text: what to_json() makes of numbers is none.
std::string plain_json(const std::string& text) {
  const auto texts = [](auto&& self, const Json& value) -> Json {
    if (value.is_object() || value.is_array()) {
      Json all = value;
      for (auto& item : all) item = self(self, item);
      return all;
    }
    return value.is_string() || value.is_null() ? value : Json(value.dump());
  };
  return texts(texts, Json::parse(text)).dump();
}

bool same(const std::string& type, const std::string& got, const std::string& wanted) {
  if (got == wanted) return true;
  if (type == "FLOAT") return same_real<float>(got, wanted, std::strtof);
  if (type == "DOUBLE") return same_real<double>(got, wanted, std::strtod);
  if (type.starts_with("DECIMAL")) return with_zero(got) == wanted;
  if (type == "DATE" || type.starts_with("TIMESTAMP"))
    return is_endless(wanted) && got == (wanted.starts_with('-') ? "-infinity" : "infinity");
  if (type.ends_with(']') || type.ends_with(')')) return plain_json(got) == plain_json(wanted);
  return false;
}

class TypeTable : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string script = source_dir() / "tests/support/type_files.py";
    const ProgramResult made =
        run_program(deps_dir() / "venv/bin/python", {script, folder_ / "in"});
    ASSERT_EQ(made.code, 0) << made.err;
    std::ifstream file(folder_ / "in/cases.json");
    for (const Json& one : Json::parse(file)) {
      Case read{.name = one.at("case"),
                .file_type = one.at("file_type"),
                .says = one.at("says"),
                .annotate = one.at("annotate")};
      for (const Json& value : one.at("values"))
        read.values.push_back(value.is_null() ? std::nullopt
                                              : std::optional(value.get<std::string>()));
      annotate(read);
      cases_.push_back(std::move(read));
    }
    folder_.write("feed.yaml",
                  "about: a table of each folder\n"
                  "unit: {file: \"{table}/{file}.parquet\"}\n"
                  "table: {capture: table}\n"
                  "effect: append\n");
  }

  // Gives a column of bytes the meaning that pyarrow cannot write.
  void annotate(Case& one) const {
    if (one.annotate.empty()) return;
    static const std::map<std::string, parquet::ConvertedType::type> kMeanings = {
        {"INTERVAL", parquet::ConvertedType::INTERVAL},
        {"ENUM", parquet::ConvertedType::ENUM},
        {"BSON", parquet::ConvertedType::BSON}};
    const std::string path = folder_ / ("in/" + one.name + "/1.parquet");
    write_file(path, with_footer(read_file(path), [&](parquet::FileMetaData& footer) {
                 footer.schema.back().__set_converted_type(kMeanings.at(one.annotate));
               }));
    one.file_type += fmt::format(" ({})", one.annotate);
  }

  // Loads all files; with a type those that it takes, declared to be of it.
  std::string load(const std::string& type) {
    const std::string name = type.empty() ? "plain" : type;
    std::string options;
    for (const auto& [one, refusal] : refusals()) {
      if (!type.empty() && refusal.option == type)
        options += fmt::format("{}\"{}/*\"", options.empty() ? "    include: [" : ", ", one);
    }
    if (!type.empty()) options += fmt::format("]\n    columns: {{v: {}}}\n", type);
    folder_.write(name + ".yaml",
                  fmt::format("target: duckdb:{0}.duckdb\npipelines:\n  types:\n    source: ./in/\n"
                              "    feed: ./feed.yaml\n    settle: 0s\n{1}",
                              name, options));
    const ProgramResult ran = run_program(faulty_binary(), {"load", "-c", name + ".yaml"},
                                          {.folder = folder_ / "", .environment = {}});
    EXPECT_THAT(ran.code, ::testing::AnyOf(0, 3, 4, 5)) << ran.err;
    run_sql(fmt::format("ATTACH '{}' AS \"{}\" (READ_ONLY)", folder_ / (name + ".duckdb"), name));
    attached_.push_back(name);
    return name;
  }
  void TearDown() override {
    for (const std::string& name : attached_) run_sql(fmt::format("DETACH \"{}\"", name));
  }

  static std::string type_in(const std::string& database, const std::string& table) {
    return sql_value(fmt::format(
        "SELECT coalesce((SELECT data_type FROM duckdb_columns() WHERE database_name = '{}' AND "
        "table_name = '{}' AND column_name = 'v'), '')",
        database, table));
  }
  static std::string reason_in(const std::string& database, const std::string& table) {
    return sql_value(
        fmt::format("SELECT coalesce((SELECT reason FROM \"{}\"._forebay.units WHERE state = "
                    "'quarantined' AND unit = '{}/1.parquet'), '')",
                    database, table));
  }
  static Values values_in(const std::string& database, const std::string& table,
                          const std::string& type) {
    const Json list = Json::parse(sql_value(
        fmt::format("SELECT to_json(list({} ORDER BY n))::VARCHAR FROM \"{}\".main.\"{}\"",
                    canonical_sql(type, "v"), database, table)));
    Values values;
    for (const Json& value : list)
      values.push_back(value.is_null() ? std::nullopt : std::optional(value.get<std::string>()));
    return values;
  }

  void expect_exact(const Case& one, const std::string& database, const std::string& type) {
    const Values got = values_in(database, one.name, type);
    ASSERT_EQ(got.size(), one.values.size()) << one.name;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool equal = got[i].has_value() == one.values[i].has_value() &&
                         (!got[i] || same(type, *got[i], *one.values[i]));
      EXPECT_TRUE(equal) << one.name << " row " << i << ": " << got[i].value_or("null")
                         << " and not " << one.values[i].value_or("null");
    }
  }

  TempFolder folder_;
  std::vector<Case> cases_;
  std::vector<std::string> attached_;
};

// A type of twenty levels says no more than its beginning.
std::string short_type(const std::string& type) {
  return type.size() > 60 ? type.substr(0, 24) + "…" : type;
}

std::string document(const std::vector<std::string>& lines) {
  return fmt::format("| in the file | tried | in the table |\n| --- | --- | --- |\n{}\n",
                     fmt::join(lines, "\n"));
}

TEST_F(TypeTable, TYPE_7_TYPE_12_EveryValueIsExactOrItsFileIsRefused) {
  const std::string plain = load("");
  std::map<std::string, std::string> with_option;
  std::vector<std::string> lines;
  for (const Case& one : cases_) {
    const std::string type = type_in(plain, one.name);
    const auto refusal = refusals().find(one.name);
    std::string becomes = short_type(type);
    if (refusal == refusals().end()) {
      EXPECT_NE(type, "") << one.name << ": " << reason_in(plain, one.name);
      if (!type.empty()) expect_exact(one, plain, type);
    } else {
      EXPECT_EQ(type, "") << one.name << " was loaded";
      EXPECT_THAT(reason_in(plain, one.name), ::testing::HasSubstr(refusal->second.reason));
      becomes = "refused";
      if (const std::string& option = refusal->second.option; !option.empty()) {
        if (!with_option.contains(option)) with_option[option] = load(option);
        expect_exact(one, with_option[option], type_in(with_option[option], one.name));
        becomes += fmt::format("; {} if declared", option);
      }
    }
    lines.push_back(fmt::format("| {} | {} | {} |", one.file_type, one.says, becomes));
  }
  std::ifstream in(source_dir() / "docs" / "TYPES.md");
  std::stringstream doc;
  doc << in.rdbuf();
  EXPECT_TRUE(doc.str().contains(document(lines))) << "docs/TYPES.md should hold this table:\n"
                                                   << document(lines);
}

// A column that one writer calls REQUIRED and the next OPTIONAL, and the other way round.
TEST(Nullability, DRIFT_13_MayChangeBothWays) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "in");
  const ProgramResult made = run_program(
      deps_dir() / "venv/bin/python",
      {"-c",
       "import sys, pyarrow as pa, pyarrow.parquet as pq\n"
       "for n, nullable, value in ((1, False, 1), (2, True, None), (3, False, 3)):\n"
       "  schema = pa.schema([pa.field('v', pa.int64(), nullable=nullable)])\n"
       "  pq.write_table(pa.table({'v': [value]}, schema=schema), f'{sys.argv[1]}/{n}.parquet')\n",
       folder / "in"});
  ASSERT_EQ(made.code, 0) << made.err;
  for (const char* policy : {"evolve", "fail"}) {
    const std::string database = std::string(policy) + ".duckdb";
    const ProgramResult ran = run_program(
        faulty_binary(),
        {"load", "--source", "in/", "--feed", "files", "--target", "duckdb:" + database, "--set",
         "table=t", "--set", "settle=0s", "--set", std::string("on_schema_change=") + policy},
        {.folder = folder / "", .environment = {}});
    EXPECT_EQ(ran.code, 0) << ran.err;
    run_sql(fmt::format("ATTACH '{}' AS nullability (READ_ONLY)", folder / database));
    EXPECT_EQ(sql_value("SELECT list(v ORDER BY v NULLS LAST)::VARCHAR FROM nullability.main.t"),
              "[1, 3, NULL]");
    run_sql("DETACH nullability");
  }
}

}  // namespace
}  // namespace forebay::test
