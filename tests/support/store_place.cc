#include "support/store_place.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>

#include "store/stores.h"
#include "support/azure_server.h"
#include "support/gcs_server.h"
#include "support/s3_server.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

// Whether a file system can have the key: no "//", "./" or "../" in it, and parts of usual length.
bool has_plain_parts(const std::string& key) {
  const std::string framed = "/" + key + "/";
  return framed.find("//") == std::string::npos && framed.find("/./") == std::string::npos &&
         framed.find("/../") == std::string::npos && key.size() < 500;
}

class Folder final : public StorePlace {
 public:
  std::unique_ptr<ObjectStore> open() override {
    return *open_local_store({.folder = folder_.path()});
  }
  std::unique_ptr<ObjectStore> open_missing() override {
    return *open_local_store({.folder = folder_ / "missing"});
  }
  void put(const std::string& key, std::string_view content) override {
    // As a producer should: under another name first, so that a version never changes in place.
    const std::string aside = fmt::format("new-{}", ++count_);
    aside_.write(aside, content);
    move_in(aside, key);
  }
  void remove(const std::string& key) override { std::filesystem::remove(folder_ / key); }
  bool takes(const std::string& key) const override { return has_plain_parts(key); }
  bool put_sparse(const std::string& key, std::uint64_t size, std::string_view end) override {
    aside_.write("sparse", "");
    std::filesystem::resize_file(aside_ / "sparse", size - end.size());
    std::ofstream(aside_ / "sparse", std::ios::binary | std::ios::app) << end;
    move_in("sparse", key);
    return true;
  }

 private:
  void move_in(const std::string& aside, const std::string& key) {
    const std::filesystem::path target(folder_ / key);
    std::filesystem::create_directories(target.parent_path());
    std::filesystem::rename(aside_ / aside, target);
  }

  TempFolder folder_;
  TempFolder aside_;
  std::atomic<int> count_{0};
};

constexpr const char* kBucket = "conformance";

// One bucket of a server and many sources in it: buckets cost some servers much.
template <class Server>
std::string next_source(Server& server, void (Server::*create)(const std::string&)) {
  static const Server* prepared = nullptr;
  static std::set<const Server*> all;
  if (prepared != &server && all.insert(&server).second) (server.*create)(kBucket);
  prepared = &server;
  static int count = 0;
  return fmt::format("source dir {}/", ++count);
}

class S3Place final : public StorePlace {
 public:
  using Takes = bool (*)(const std::string& key);

  S3Place(S3Server& server, Takes accepts)
      : server_(server),
        takes_(accepts),
        prefix_(next_source<S3Server>(server, &S3Server::create_bucket)) {}
  std::unique_ptr<ObjectStore> open() override {
    return *open_s3_store(server_.options(kBucket, prefix_), system_clock());
  }
  std::unique_ptr<ObjectStore> open_missing() override {
    return *open_s3_store(server_.options("missing-bucket"), system_clock());
  }
  void put(const std::string& key, std::string_view content) override {
    server_.put(kBucket, prefix_ + key, content);
  }
  void remove(const std::string& key) override { server_.remove(kBucket, prefix_ + key); }
  bool takes(const std::string& key) const override { return takes_(key); }
  bool put_sparse(const std::string& /*key*/, std::uint64_t /*size*/,
                  std::string_view /*end*/) override {
    return false;
  }

 private:
  S3Server& server_;
  Takes takes_;
  std::string prefix_;
};

class GcsPlace final : public StorePlace {
 public:
  GcsPlace() : prefix_(next_source<GcsServer>(server_, &GcsServer::create_bucket)) {}
  std::unique_ptr<ObjectStore> open() override {
    return *open_gcs_store(server_.options(kBucket, prefix_), system_clock());
  }
  std::unique_ptr<ObjectStore> open_missing() override {
    return *open_gcs_store(server_.options("missing-bucket"), system_clock());
  }
  void put(const std::string& key, std::string_view content) override {
    server_.put(kBucket, prefix_ + key, content);
  }
  void remove(const std::string& key) override { server_.remove(kBucket, prefix_ + key); }
  // Google refuses line ends in names.
  bool takes(const std::string& key) const override { return !key.contains('\n'); }
  bool put_sparse(const std::string& /*key*/, std::uint64_t /*size*/,
                  std::string_view /*end*/) override {
    return false;
  }

 private:
  GcsServer& server_ = fake_gcs();
  std::string prefix_;
};

class AzurePlace final : public StorePlace {
 public:
  AzurePlace() : prefix_(next_source<AzureServer>(server_, &AzureServer::create_container)) {}
  std::unique_ptr<ObjectStore> open() override {
    return *open_azure_store(server_.options(kBucket, prefix_), system_clock());
  }
  std::unique_ptr<ObjectStore> open_missing() override {
    return *open_azure_store(server_.options("missing-container"), system_clock());
  }
  void put(const std::string& key, std::string_view content) override {
    server_.put(kBucket, prefix_ + key, content);
  }
  void remove(const std::string& key) override { server_.remove(kBucket, prefix_ + key); }
  // Azure takes a backslash for a slash, and resolves dots in paths.
  bool takes(const std::string& key) const override {
    const std::string framed = "/" + key + "/";
    return !key.contains('\\') && !framed.contains("/./") && !framed.contains("/../");
  }
  bool put_sparse(const std::string& key, std::uint64_t size, std::string_view end) override {
    server_.put_sparse(kBucket, prefix_ + key, size, end);
    return true;
  }

 private:
  AzureServer& server_ = azurite();
  std::string prefix_;
};

template <class Place>
std::unique_ptr<StorePlace> make() {
  return std::make_unique<Place>();
}

// SeaweedFS keeps objects as files and takes a backslash for a slash.
bool seaweed_takes(const std::string& key) {
  return has_plain_parts(key) && key.find('\\') == std::string::npos;
}

// moto's router ends a path at a line feed.
bool moto_takes(const std::string& key) { return key.find('\n') == std::string::npos; }

}  // namespace

std::vector<StoreKind> store_kinds() {
  return {
      {.name = "Folder", .make = make<Folder>},
      {.name = "Seaweed",
       .make = [] { return std::unique_ptr<StorePlace>(new S3Place(seaweed(), seaweed_takes)); }},
      {.name = "Moto",
       .make = [] { return std::unique_ptr<StorePlace>(new S3Place(moto(), moto_takes)); },
       .many_keys = false},
      {.name = "FakeGcs", .make = make<GcsPlace>},
      {.name = "Azurite", .make = make<AzurePlace>, .honours_start_after = false},
  };
}

void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

}  // namespace forebay::test
