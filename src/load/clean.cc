#include "load/clean.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/fault.h"
#include "base/limits.h"
#include "feed/content.h"
#include "feed/unit.h"

namespace forebay {
namespace {

// The listed documents that the ledger knows at their version, by the unit they speak of.
Result<std::map<std::string, std::vector<DocumentEntry>>> known_documents(
    const Pipeline& pipeline, std::vector<DocumentEntry> listed) {
  std::ranges::sort(listed, {}, &DocumentEntry::key);
  std::map<std::string, std::vector<DocumentEntry>> by_unit;
  for (std::size_t begin = 0; begin < listed.size(); begin += kKnownBatch) {
    const std::size_t end = std::min(listed.size(), begin + kKnownBatch);
    std::map<std::string, std::string> versions;
    std::vector<std::string> keys;
    for (std::size_t i = begin; i < end; ++i) {
      keys.push_back(listed[i].key);
      versions[listed[i].key] = listed[i].version;
    }
    ASSIGN_OR_RETURN(auto known, pipeline.target->known_documents(pipeline.name, keys));
    for (DocumentEntry& document : known) {
      if (document.version == versions[document.key])
        by_unit[document.unit].push_back(std::move(document));
    }
  }
  return by_unit;
}

// Removes an object if it is what was loaded.
Status remove_same(const Pipeline& pipeline, const std::string& key, const std::string& version) {
  const auto info = pipeline.store->stat(key);
  if (!info) return info.error().code == ErrorCode::not_found ? Status() : fail(info.error());
  if (info->version != version) return {};
  RETURN_IF_ERROR(pipeline.store->remove(key));
  return fault_point("clean.removed");
}

// A flag that certifies a document goes with it.
Status remove_flags(const Pipeline& pipeline, const std::string& document) {
  ASSIGN_OR_RETURN(const auto name, name_unit(pipeline.feed, document));
  if (!name) return {};
  for (const GateRule& gate : pipeline.feed.gates) {
    if (gate.kind != GateRule::Kind::hash) continue;
    const auto flag = expand_template(gate.object, *name);
    if (flag && expand_template(gate.of, *name) == document)
      RETURN_IF_ERROR(pipeline.store->remove(*flag));
  }
  return {};
}

Status clean_unit(const Pipeline& pipeline, const std::string& unit,
                  const std::vector<DocumentEntry>& documents) {
  ASSIGN_OR_RETURN(const auto files, pipeline.target->live_files_of(pipeline.name, unit));
  for (const FileEntry& file : files) {
    RETURN_IF_ERROR(remove_same(pipeline, pipeline.store->source_key(file.store_key), file.etag));
  }
  for (const DocumentEntry& document : documents) {
    RETURN_IF_ERROR(remove_flags(pipeline, document.key));
    RETURN_IF_ERROR(remove_same(pipeline, document.key, document.version));
  }
  return {};
}

}  // namespace

Status clean_source(const Pipeline& pipeline, std::vector<DocumentEntry> listed) {
  ASSIGN_OR_RETURN(const auto by_unit, known_documents(pipeline, std::move(listed)));
  std::vector<std::string> names;
  for (const auto& [unit, documents] : by_unit) names.push_back(unit);
  for (std::size_t begin = 0; begin < names.size(); begin += kKnownBatch) {
    const std::size_t end = std::min(names.size(), begin + kKnownBatch);
    ASSIGN_OR_RETURN(
        const auto known,
        pipeline.target->known(pipeline.name, {names.begin() + static_cast<std::ptrdiff_t>(begin),
                                               names.begin() + static_cast<std::ptrdiff_t>(end)}));
    for (const KnownUnit& unit : known) {
      if (unit.state != UnitState::applied || !unit.reset_tables.empty()) continue;
      RETURN_IF_ERROR(clean_unit(pipeline, unit.unit, by_unit.at(unit.unit)));
    }
  }
  return {};
}

}  // namespace forebay
