#pragma once

#include <map>
#include <string>

#include "sim/simulation.h"
#include "store/object_store.h"

namespace forebay::sim {

// The bucket as one loader sees it.
class SimStore final : public ObjectStore {
 public:
  SimStore(Simulation& sim, std::size_t loader) : sim_(sim), loader_(loader) {}

  StorePromises promises() const override;
  std::string display(const std::string& key) const override { return "sim://bucket/lake/" + key; }
  std::string ledger_key(const std::string& key) const override { return World::kPrefix + key; }
  std::string source_key(const std::string& ledger_key) const override;
  Result<ListPage> list(const ListRequest& request) override;
  Result<ObjectInfo> stat(const std::string& key) override;
  Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) override;
  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& key) override;
  RequestCounts requests() const override { return counts_; }

  // What listings showed last, by key.
  const std::map<std::string, std::string>& shown() const { return shown_; }

 private:
  Simulation& sim_;
  const std::size_t loader_;
  RequestCounts counts_;
  std::map<std::string, std::string> shown_;
  bool was_damaged_ = false;  // the read before: never two in a row
};

}  // namespace forebay::sim
