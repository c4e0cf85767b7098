#include "support/twisp_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "support/parquet_maker.h"

namespace forebay::test {

std::string uuid_text(const std::string& letter) {
  return fmt::format("00000000-0000-4000-8000-0000000000{:02x}",
                     static_cast<unsigned char>(letter.at(0)));
}

std::string select_versions(const std::vector<RecordVersion>& versions, bool uuid_bytes) {
  std::string sql;
  for (const RecordVersion& version : versions) {
    const auto uuid = [&](const std::string& letter) {
      const std::string text = "'" + uuid_text(letter) + "'";
      return uuid_bytes ? fmt::format("unhex(replace({}, '-', ''))", text) : text;
    };
    sql += fmt::format(
        "{}SELECT {} AS record_rowid, {} AS record_tenantid, {}::UBIGINT AS record_version, {} AS "
        "record_status, TIMESTAMP '2026-07-29 10:00:00' + INTERVAL '{} minutes' AS record_begin, "
        "'{}' AS note",
        sql.empty() ? "" : " UNION ALL ", uuid(version.record), uuid(version.tenant),
        version.version, version.status.empty() ? "NULL::VARCHAR" : "'" + version.status + "'",
        version.begin, version.note);
  }
  return sql;
}

TwispTest::TwispTest() {
  std::filesystem::create_directories(folder_ / "in");
  pipeline_.clock().advance(std::chrono::hours(24 * 365 * 10));
}

void TwispTest::put_file(const std::string& hour, const std::string& entity,
                         const std::string& file, const std::string& select) {
  const std::string folder = folder_ / ("in/warehouse/parquet/" + hour + "/" + entity);
  std::filesystem::create_directories(folder);
  make_parquet(folder + "/" + file + ".parquet", select);
}

CycleReport TwispTest::load(int expected) {
  CycleReport report = pipeline_.load();
  EXPECT_EQ(code(report), expected) << text(report);
  return report;
}

Lines TwispTest::rows(const std::string& table) const {
  return query(
      fmt::format("SELECT chr(('0x' || right(record_rowid, 2))::INTEGER) || ' ' || record_version "
                  "|| ' ' || record_status || ' ' || note FROM main.{} ORDER BY ALL",
                  table));
}

Lines TwispTest::quarantined() const {
  return query(
      "SELECT parse_filename(unit) FROM _forebay.units WHERE state = 'quarantined' ORDER BY ALL");
}

}  // namespace forebay::test
