#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace forebay::test {

// What a test says about one run of an exporter that lists its parts in manifests, and the maker
// that writes it as the exporter does: parts, the run's own manifest, manifest.json, _SUCCESS.

struct ExportPart {
  std::string rows;  // a query
  std::string status = "committed";
  bool told = true;  // false: the manifest tells no fingerprints
  std::string path;  // in the manifest and below the folder; empty: made from the run's id
};

struct ExportRun {
  std::string id = "orders_1";
  std::string folder = "orders";
  std::string export_name = "orders";
  std::string family;                // empty: the export's name
  std::optional<std::string> table;  // of the source
  std::string started_at = "2026-11-30T10:00:00+00:00";
  std::string status = "success";
  std::string mode = "batch";
  std::string strategy = "full";
  std::vector<ExportPart> parts;
  std::function<void(nlohmann::ordered_json&)> change;  // the last word on the manifest
};

class RunMaker {
 public:
  explicit RunMaker(std::string source) : source_(std::move(source)) {}

  // All of it.
  void deliver(const ExportRun& run) const;

  void write_parts(const ExportRun& run) const;
  void write_copy(const ExportRun& run) const;       // manifest-<run>.json
  void write_canonical(const ExportRun& run) const;  // manifest.json
  void write_success(const ExportRun& run) const;    // of what manifest.json of the run's folder is
  void remove(const std::string& key) const;
  void write(const std::string& key, const std::string& text) const;
  std::string read(const std::string& key) const;
  std::string path(const std::string& key) const { return source_ + "/" + key; }
  static std::string part_key(const ExportRun& run, std::size_t part);
  static std::string key(const ExportRun& run, const std::string& name);

 private:
  std::string manifest(const ExportRun& run) const;

  std::string source_;
};

}  // namespace forebay::test
