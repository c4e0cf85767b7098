#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/bucket_client.h"
#include "store/object_store.h"

namespace forebay {

// One page as a server sent it, with full keys.
struct ServerPage {
  std::vector<ObjectInfo> objects;
  std::optional<std::string> next_token;
  // The server was asked to leave out what comes before the start.
  bool start_sent = false;
};

// What stores in a bucket have in common, whatever protocol they speak: prefixes, page tokens that
// end, keys that stay below the source, and what was learned of the server's listings.
// Thread-safe, as ObjectStore wants it.
class BucketStore : public ObjectStore {
 public:
  BucketStore(std::string prefix, std::unique_ptr<BucketClient> client)
      : prefix_(std::move(prefix)), client_(std::move(client)) {}

  std::string display(const std::string& key) const override {
    return client_->display(prefix_ + key);
  }
  std::string ledger_key(const std::string& key) const override { return prefix_ + key; }
  std::string source_key(const std::string& ledger_key) const override {
    return ledger_key.starts_with(prefix_) ? ledger_key.substr(prefix_.size()) : ledger_key;
  }
  Result<ListPage> list(const ListRequest& request) override;
  Result<ObjectInfo> stat(const std::string& key) override;
  Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) override;
  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& key) override;
  Status remove(const std::string& key) override;
  RequestCounts requests() const override { return client_->requests(); }

 protected:
  // What one listing request asks for, in full keys.
  struct ServerRequest {
    std::string prefix;
    std::string start;  // empty: from the beginning of the prefix
    std::string token;  // the server's own; empty: the first page
    int page_size = 1000;
  };
  virtual Result<ServerPage> list_server(const ServerRequest& request) = 0;

  // The protocol's own ways; keys are full and not empty.
  virtual Result<ObjectInfo> stat_object(const std::string& key) = 0;
  virtual Result<ObjectInfo> read_object(const ReadRequest& request, const ByteSink& sink) = 0;
  virtual BucketCall remove_call(const std::string& key) const = 0;

  BucketClient& client() const { return *client_; }
  bool ordered() const { return ordered_; }
  bool honours_start_after() const { return honours_start_after_; }

 private:
  Error error(std::string operation, const std::string& key, ErrorCode code,
              std::string cause) const;
  Status check_key(const char* operation, const std::string& key) const;
  Status add(ListPage& page, const ListRequest& request, ObjectInfo object, bool start_sent,
             std::string& last_key);

  const std::string prefix_;
  const std::unique_ptr<BucketClient> client_;
  std::atomic<bool> ordered_{true};
  std::atomic<bool> honours_start_after_{true};
};

}  // namespace forebay
