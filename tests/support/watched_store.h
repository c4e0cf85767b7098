#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "store/object_store.h"

namespace forebay::test {

// A store that remembers what it was asked to list, and does what a test wants before a file is
// opened. The store behind it lives as long.
class WatchedStore final : public ObjectStore {
 public:
  // What it saw and what it is told; it outlives the store.
  struct Watch {
    std::vector<std::pair<std::string, std::string>> listed;  // prefix, start_after: first pages
    std::function<Status(const std::string& key)> before_open;
    std::function<void(std::vector<ObjectInfo>&)> after_page;  // may change what a page says
    bool honours_start_after = true;
    bool stuck = false;  // each page is the first one again, and has the same token
  };

  WatchedStore(ObjectStore& inner, Watch& watch) : inner_(inner), watch_(watch) {}

  StorePromises promises() const override {
    StorePromises promises = inner_.promises();
    promises.honours_start_after = watch_.honours_start_after;
    return promises;
  }
  std::string display(const std::string& key) const override { return inner_.display(key); }
  std::string ledger_key(const std::string& key) const override { return inner_.ledger_key(key); }
  std::string source_key(const std::string& key) const override { return inner_.source_key(key); }
  Result<ListPage> list(const ListRequest& request) override {
    // One after the other: several prefixes are listed at once, and a test's own functions are not
    // made for that.
    const std::scoped_lock lock(mutex_);
    if (request.page_token.empty()) watch_.listed.emplace_back(request.prefix, request.start_after);
    ListRequest asked = request;
    if (watch_.stuck) asked.page_token.clear();
    ASSIGN_OR_RETURN(ListPage page, inner_.list(asked));
    if (watch_.stuck) page.next_token = "again";
    if (watch_.after_page) watch_.after_page(page.objects);
    return page;
  }
  Result<ObjectInfo> stat(const std::string& key) override { return inner_.stat(key); }
  Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) override {
    return inner_.read(request, sink);
  }
  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& key) override {
    if (watch_.before_open) RETURN_IF_ERROR(watch_.before_open(key));
    return inner_.open_in_place(key);
  }
  RequestCounts requests() const override { return inner_.requests(); }

 private:
  ObjectStore& inner_;
  Watch& watch_;
  std::mutex mutex_;
};

}  // namespace forebay::test
