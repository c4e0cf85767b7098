#include "support/run_maker.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/check.h"
#include "base/digest.h"
#include "base/encode.h"
#include "support/feed_maker.h"
#include "support/parquet_maker.h"

namespace forebay::test {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string md5_base64(const std::string& text) {
  Digest digest(DigestKind::md5);
  digest.update(text);
  return base64_encode(digest.bytes());
}

}  // namespace

std::string RunMaker::key(const ExportRun& run, const std::string& name) {
  return run.folder.empty() ? name : run.folder + "/" + name;
}

std::string RunMaker::part_key(const ExportRun& run, std::size_t part) {
  const std::string& path = run.parts[part].path;
  return key(run, path.empty() ? fmt::format("{}-{}.parquet", run.id, part + 1) : path);
}

void RunMaker::write_parts(const ExportRun& run) const {
  for (std::size_t i = 0; i < run.parts.size(); ++i) {
    const std::string file = path(part_key(run, i));
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    make_parquet(file, run.parts[i].rows);
  }
}

std::string RunMaker::manifest(const ExportRun& run) const {
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  std::uint64_t rows = 0;
  std::uint64_t committed = 0;
  for (std::size_t i = 0; i < run.parts.size(); ++i) {
    const ExportPart& part = run.parts[i];
    const std::string bytes = read_file(path(part_key(run, i)));
    const std::uint64_t count =
        std::stoull(sql_value(fmt::format("SELECT count(*) FROM ({})", part.rows)));
    if (part.status == "committed") {
      rows += count;
      ++committed;
    }
    parts.push_back(
        {{"part_id", i + 1},
         {"path", part.path.empty() ? fmt::format("{}-{}.parquet", run.id, i + 1) : part.path},
         {"rows", count},
         {"size_bytes", bytes.size()},
         {"content_fingerprint", part.told ? "xxh3:" + digest_hex(DigestKind::xxh3_64, bytes) : ""},
         {"content_md5", part.told ? md5_base64(bytes) : ""},
         {"status", part.status}});
  }
  nlohmann::ordered_json json = {
      {"manifest_version", 1},
      {"run_id", run.id},
      {"export_name", run.export_name},
      {"export_family", run.family.empty() ? run.export_name : run.family},
      {"mode", run.mode},
      {"started_at", run.started_at},
      {"finished_at", run.started_at},
      {"status", run.status},
      {"source",
       {{"engine", "postgres"},
        {"schema", nullptr},
        {"table", run.table ? nlohmann::ordered_json(*run.table) : nlohmann::ordered_json()},
        {"extraction", {{"strategy", run.strategy}}}}},
      {"format", run.status == "running" ? "" : "parquet"},
      {"row_count", rows},
      {"part_count", committed},
      {"parts", parts}};
  if (run.change) run.change(json);
  return json.dump(2);
}

void RunMaker::write(const std::string& key, const std::string& text) const {
  write_new_version(path(key), text);
}

void RunMaker::write_copy(const ExportRun& run) const {
  write(key(run, fmt::format("manifest-{}.json", run.id)), manifest(run));
}

void RunMaker::write_canonical(const ExportRun& run) const {
  write(key(run, "manifest.json"), manifest(run));
}

void RunMaker::write_success(const ExportRun& run) const {
  const std::string bytes = read_file(path(key(run, "manifest.json")));
  write(key(run, "_SUCCESS"), "xxh3:" + digest_hex(DigestKind::xxh3_64, bytes) + "\n");
}

void RunMaker::deliver(const ExportRun& run) const {
  write_parts(run);
  write_copy(run);
  write_canonical(run);
  write_success(run);
}

std::string RunMaker::read(const std::string& key) const { return read_file(path(key)); }

void RunMaker::remove(const std::string& key) const { CHECK(std::filesystem::remove(path(key))); }

}  // namespace forebay::test
