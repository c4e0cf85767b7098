#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include "support/files_feed_fixture.h"
#include "support/parquet_bytes.h"
#include "support/soak.h"

// Aim: a file whose bytes are wrong is loaded as what it says or set aside with a reason, and takes
// nothing else down. Method: files that writers or tests have damaged, each loaded beside a sound
// one; the sample collection that readers of the format share is not part of this project, so its
// suite is skipped without it.
namespace forebay::test {
namespace {

class Damaged : public FilesTest {
 protected:
  Damaged() {
    option("settle", "0s");
    option("on_schema_change", "evolve");
    std::filesystem::create_directories(folder_ / "made");
  }
  // One file alone, in a database of its own.
  CycleReport load_alone(const std::string& bytes) {
    std::filesystem::remove_all(folder_ / "in");
    std::filesystem::create_directories(folder_ / "in");
    std::filesystem::remove(database_);
    std::filesystem::remove(database_ + ".wal");
    write_file(folder_ / "in/a.parquet", bytes);
    return pipeline_.load();
  }
  Lines reason() const {
    return query("SELECT reason FROM _forebay.units WHERE state = 'quarantined'");
  }
  std::string made(const std::string& sql, const std::string& options) {
    const std::string path = folder_ / "made/x.parquet";
    make_parquet(path, sql, options);
    return read_file(path);
  }
};

std::uint32_t first_seed() {
  const char* text = std::getenv("FOREBAY_SEED");
  return text == nullptr ? 1U : static_cast<std::uint32_t>(std::stoul(text));
}

// Bytes that change anywhere, in files of every kind of page; pages without checksums, so that the
// readers meet what is wrong. A value may become another one, but no load may end as if the program
// were at fault, and the other file is always loaded.
TEST_F(Damaged, BytesThatChangeAnywhereStopNoOtherFile) {
  const char* kRows =
      "SELECT r AS n, 'text ' || r % 7 AS t, [r, r + 1] AS l, {'a': r, 'b': 'x' || r} AS s, r / "
      "3.0 "
      "AS d, r::DECIMAL(9,2) AS m, TIMESTAMP '2026-01-01' + r * INTERVAL '1 hour' AS at FROM "
      "range(300) v(r)";
  const std::string sound = made("SELECT -1::BIGINT AS n", "");
  std::vector<std::string> files;
  for (const char* options :
       {"compression snappy", "compression zstd", "compression uncompressed, row_group_size 100",
        "compression gzip, parquet_version v2"})
    files.push_back(made(kRows, options));
  std::map<int, int> codes;
  const std::uint32_t rounds = soaking() ? 20'000 : 200;
  for (std::uint32_t seed = first_seed(); seed < first_seed() + rounds; ++seed) {
    SCOPED_TRACE(fmt::format("FOREBAY_SEED={}", seed));
    std::mt19937 random(seed);
    std::string bytes = files[random() % files.size()];
    for (auto changes = 1 + random() % 4; changes > 0; --changes)
      bytes[4 + random() % (bytes.size() - 8)] = static_cast<char>(random());
    std::filesystem::remove_all(folder_ / "in");
    std::filesystem::create_directories(folder_ / "in");
    std::filesystem::remove(database_);
    std::filesystem::remove(database_ + ".wal");
    write_file(folder_ / "in/a.parquet", bytes);
    write_file(folder_ / "in/b.parquet", sound);
    const CycleReport report = pipeline_.load();
    ++codes[code(report)];
    EXPECT_TRUE(code(report) == 0 || code(report) == 3 || code(report) == 4 || code(report) == 5)
        << text(report);
    EXPECT_EQ(query("SELECT count(*) FROM main.events WHERE n = -1 AND _forebay_file IN (SELECT "
                    "file_id FROM _forebay.files WHERE store_key = 'b.parquet')"),
              (Lines{"1"}))
        << text(report);
    if (code(report) != 0) {
      EXPECT_EQ(reason().size(), 1U);
    }
    if (HasFailure()) return;
  }
  for (const auto& [code, times] : codes) RecordProperty(fmt::format("code_{}", code), times);
}

// Cut at each byte: never loaded, since the end mark is missing.
TEST_F(Damaged, AFileCutAnywhereIsSetAside) {
  const std::string whole = made("SELECT 1 AS n, 'x' AS t", "");
  write_file(folder_ / "in/b.parquet", whole);
  for (std::size_t size = 1; size < whole.size(); ++size)
    write_file(folder_ / fmt::format("in/cut-{:04}.parquet", size), whole.substr(0, size));
  const CycleReport report = load(3);
  EXPECT_EQ(report.units.applied, 1U);
  EXPECT_EQ(report.units.quarantined, whole.size() - 1);
  EXPECT_EQ(rows(), (Lines{"1|x"}));
  EXPECT_EQ(load(0).outcome, Outcome::nothing_new);
}

// What another reader of the format (Apache Arrow) says that the sample files hold.
struct Sample {
  const char* name;
  int code;
  const char* query;  // over main.events; or nothing
  const char* found;  // its only row; or a part of the reason
};

constexpr const char* kAllTypes =
    "SELECT count(*), sum(id), count(*) FILTER (bool_col), sum(bigint_col), sum(octet_length("
    "date_string_col)), epoch_us(min(timestamp_col)) FROM main.events";
constexpr const char* kDecimals =
    "SELECT count(*), sum(value), typeof(any_value(value)) FROM main.events";
constexpr const char* kPages = "SELECT count(*), sum(a), sum(b) FROM main.events";
constexpr const char* kLz4 = "SELECT count(*), sum(c0), sum(v11)::DECIMAL(9,3) FROM main.events";
constexpr const char* kStrings = "SELECT count(*), sum(length(\"String\")) FROM main.events";
constexpr const char* kEncrypted = "is encrypted";

const Sample kSamples[] = {
    {"bad_data/ARROW-GH-45185.parquet", 3, nullptr, "repeats a list before any list started"},
    {"bad_data/PARQUET-1481.parquet", 3, nullptr, "unknown type -7"},
    {"data/alltypes_dictionary.parquet", 0, kAllTypes, "2|1|1|10|16|1230768000000000"},
    {"data/alltypes_plain.snappy.parquet", 0, kAllTypes, "2|13|1|10|16|1238544000000000"},
    {"data/alltypes_tiny_pages.parquet", 0,
     "SELECT count(*), sum(id), sum(smallint_col), sum(length(string_col)) FROM main.events",
     "7300|26641350|32850|7300"},
    {"data/binary.parquet", 0, "SELECT count(*), sum(octet_length(foo)) FROM main.events", "12|12"},
    {"data/byte_stream_split.zstd.parquet", 0,
     "SELECT count(*), sum(f32)::DECIMAL(9,3), sum(f64)::DECIMAL(9,4) FROM main.events",
     "300|8.259|-41.2292"},
    {"data/data_index_bloom_encoding_stats.parquet", 0, kStrings, "14|76"},
    {"data/data_index_bloom_encoding_with_length.parquet", 0, kStrings, "14|76"},
    {"data/datapage_v1-corrupt-checksum.parquet", 3, nullptr, "checksum"},
    {"data/datapage_v1-snappy-compressed-checksum.parquet", 0, kPages,
     "5120|43118090240|129016125440"},
    {"data/datapage_v1-uncompressed-checksum.parquet", 0, kPages, "5120|43118090240|129016125440"},
    {"data/datapage_v2_empty_datapage.snappy.parquet", 0,
     "SELECT count(*), count(value) FROM main.events", "1|0"},
    {"data/delta_length_byte_array.parquet", 0,
     "SELECT count(*), sum(length(\"FRUIT\")) FROM main.events", "1000|23537"},
    {"data/dict-page-offset-zero.parquet", 0, "SELECT count(*), sum(l_partkey) FROM main.events",
     "39|60528"},
    {"data/encrypt_columns_and_footer.parquet.encrypted", 5, nullptr, kEncrypted},
    {"data/encrypt_columns_and_footer_aad.parquet.encrypted", 5, nullptr, kEncrypted},
    {"data/encrypt_columns_and_footer_disable_aad_storage.parquet.encrypted", 5, nullptr,
     kEncrypted},
    {"data/encrypt_columns_plaintext_footer.parquet.encrypted", 5, nullptr, kEncrypted},
    {"data/external_key_material_java.parquet.encrypted", 5, nullptr, kEncrypted},
    {"data/fixed_length_decimal_legacy.parquet", 0, kDecimals, "24|300.00|DECIMAL(13,2)"},
    {"data/float16_zeros_and_nans.parquet", 0,
     "SELECT count(*), count(x), count(*) FILTER (isnan(x)) FROM main.events", "3|2|1"},
    {"data/geospatial/crs-default.parquet", 5, nullptr, "GEOMETRY"},
    {"data/geospatial/crs-geography.parquet", 5, nullptr, "GEOMETRY"},
    {"data/geospatial/crs-projjson.parquet", 5, nullptr, "GEOMETRY"},
    {"data/geospatial/crs-srid.parquet", 5, nullptr, "GEOMETRY"},
    {"data/geospatial/geography-lines.parquet", 5, nullptr, "GEOMETRY"},
    // Its map's keys are not marked as required, which loses nothing.
    {"data/incorrect_map_schema.parquet", 0,
     "SELECT count(*), typeof(any_value(my_map)) FROM main.events", "1|MAP(VARCHAR, VARCHAR)"},
    {"data/int32_decimal.parquet", 0, kDecimals, "24|300.00|DECIMAL(4,2)"},
    {"data/int64_decimal.parquet", 0, kDecimals, "24|300.00|DECIMAL(10,2)"},
    {"data/lz4_raw_compressed.parquet", 0, kLz4, "4|6374419202|99.525"},
    {"data/lz4_raw_compressed_larger.parquet", 0,
     "SELECT count(*), sum(length(a)) FROM main.events", "10000|360000"},
    // A map without values, which the engine's reader does not know.
    {"data/map_no_value.parquet", 3, nullptr, "MAP_KEY_VALUE requires two children"},
    {"data/nan_in_stats.parquet", 0,
     "SELECT count(*), count(*) FILTER (isnan(x)), min(x) FROM main.events", "2|1|1.0"},
    {"data/nation.dict-malformed.parquet", 0,
     "SELECT count(*), sum(nation_key), sum(octet_length(comment_col)) FROM main.events",
     "25|300|1857"},
    {"data/nested_lists.snappy.parquet", 0,
     "SELECT count(*), sum(b), any_value(a) FROM main.events", "3|3|[[[a, b], [c]], [NULL, [d]]]"},
    {"data/nested_maps.snappy.parquet", 0, "SELECT count(*), sum(b), sum(c) FROM main.events",
     "6|6|6.0"},
    {"data/nested_structs.rust.parquet", 0, "SELECT count(*) FROM main.events", "1"},
    {"data/non_hadoop_lz4_compressed.parquet", 0, kLz4, "4|6374419202|99.525"},
    {"data/nonnullable.impala.parquet", 0, "SELECT count(*), sum(\"ID\") FROM main.events", "1|8"},
    {"data/null_list.parquet", 0, "SELECT count(*), any_value(emptylist) FROM main.events", "1|[]"},
    {"data/old_list_structure.parquet", 0, "SELECT count(*), any_value(a) FROM main.events",
     "1|[[1, 2], [3, 4]]"},
    {"data/page_v2_empty_compressed.parquet", 0,
     "SELECT count(*), count(integer_column) FROM main.events", "10|0"},
    // Its footer claims no rows, its row group has six.
    {"data/repeated_no_annotation.parquet", 3, nullptr, "claims 0 rows"},
    {"data/rle_boolean_encoding.parquet", 0,
     "SELECT count(*), count(datatype_boolean), count(*) FILTER (datatype_boolean) FROM "
     "main.events",
     "68|62|36"},
    {"data/unknown-logical-type.parquet", 0,
     "SELECT count(*), sum(octet_length(encode(\"column with known type\"))), "
     "sum(octet_length(\"column with unknown type\"::BLOB)) FROM main.events",
     "3|42|48"},
};

// TYPE-10 (the files `alltypes` have INT96), TYPE-1
TEST_F(Damaged, SamplesAreLoadedWithTheirValuesOrRefusedWithAReason) {
  const auto folder = samples_dir();
  if (!folder) GTEST_SKIP() << "no sample files; FOREBAY_SAMPLES names their folder";
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(*folder + "/parquet-testing")) {
    if (entry.path().filename().string().contains(".parquet")) ++files;
  }
  EXPECT_EQ(files, std::size(kSamples)) << "a sample without an expectation";
  for (const Sample& sample : kSamples) {
    SCOPED_TRACE(sample.name);
    const CycleReport report = load_alone(read_file(*folder + "/parquet-testing/" + sample.name));
    EXPECT_EQ(code(report), sample.code) << text(report);
    if (sample.query != nullptr) {
      EXPECT_EQ(query(sample.query), (Lines{sample.found}));
    } else {
      ASSERT_EQ(reason().size(), 1U) << text(report);
      EXPECT_TRUE(reason()[0].contains(sample.found)) << reason()[0];
      EXPECT_TRUE(
          query("SELECT 1 FROM duckdb_tables() WHERE table_name = 'events' AND estimated_size > 0")
              .empty());
    }
  }
}

}  // namespace
}  // namespace forebay::test
