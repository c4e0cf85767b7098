#include "support/store_place.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/encode.h"
#include "net/credentials/azure.h"
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
// A name that nobody has: names of buckets are shared by the whole world.
constexpr const char* kMissing = "forebay-conformance-missing-1796093108";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A source in a bucket of a server, with what is different of each server left open.
template <class Server>
class BucketPlace : public StorePlace {
 public:
  // `real`: a bucket of somebody's, which is there already and must be left as it was.
  BucketPlace(Server& server, std::string bucket, bool real)
      : server_(server), bucket_(std::move(bucket)), real_(real) {
    static int count = 0;
    const auto now = system_clock().now().time_since_epoch().count();
    prefix_ = fmt::format("source dir {}/",
                          real ? fmt::format("{}-{}", now, ++count) : fmt::format("{}", ++count));
  }
  ~BucketPlace() override {
    for (const std::string& key : real_ ? keys_ : std::set<std::string>())
      server_.remove(bucket_, key);
  }
  void put(const std::string& key, std::string_view content) override {
    server_.put(bucket_, prefix_ + key, content);
    const std::lock_guard lock(mutex_);
    keys_.insert(prefix_ + key);
  }
  void remove(const std::string& key) override {
    server_.remove(bucket_, prefix_ + key);
    const std::lock_guard lock(mutex_);
    keys_.erase(prefix_ + key);
  }
  bool put_sparse(const std::string& /*key*/, std::uint64_t /*size*/,
                  std::string_view /*end*/) override {
    return false;
  }

 protected:
  Server& server_;
  const std::string bucket_;
  const bool real_;
  std::string prefix_;

 private:
  std::mutex mutex_;
  std::set<std::string> keys_;  // guarded by mutex_
};

// The bucket of all tests on a server on loopback, made once: buckets cost some servers much.
template <class Server>
std::string prepare(Server& server, void (Server::*create)(const std::string&)) {
  static std::set<const Server*> prepared;
  if (prepared.insert(&server).second) (server.*create)(kBucket);
  return kBucket;
}

class S3Place final : public BucketPlace<S3Server> {
 public:
  using Takes = bool (*)(const std::string& key);

  S3Place(S3Server& server, Takes accepts)
      : BucketPlace(server, prepare<S3Server>(server, &S3Server::create_bucket), false),
        takes_(accepts) {}
  S3Place(S3Server& server, std::string bucket)
      : BucketPlace(server, std::move(bucket), true),
        takes_([](const std::string&) { return true; }) {}
  std::unique_ptr<ObjectStore> open() override {
    return *open_s3_store(server_.options(bucket_, prefix_), system_clock());
  }
  std::unique_ptr<ObjectStore> open_missing() override {
    return *open_s3_store(server_.options(kMissing), system_clock());
  }
  bool takes(const std::string& key) const override { return takes_(key); }

 private:
  Takes takes_;
};

class GcsPlace final : public BucketPlace<GcsServer> {
 public:
  GcsPlace() : BucketPlace(fake_gcs(), prepare(fake_gcs(), &GcsServer::create_bucket), false) {}
  GcsPlace(GcsServer& server, std::string bucket) : BucketPlace(server, std::move(bucket), true) {}
  std::unique_ptr<ObjectStore> open() override {
    return *open_gcs_store(server_.options(bucket_, prefix_), system_clock());
  }
  std::unique_ptr<ObjectStore> open_missing() override {
    return *open_gcs_store(server_.options(kMissing), system_clock());
  }
  // Google refuses line ends in names.
  bool takes(const std::string& key) const override { return !key.contains('\n'); }
};

class AzurePlace final : public BucketPlace<AzureServer> {
 public:
  AzurePlace()
      : BucketPlace(azurite(), prepare(azurite(), &AzureServer::create_container), false) {}
  AzurePlace(AzureServer& server, std::string container)
      : BucketPlace(server, std::move(container), true) {}
  std::unique_ptr<ObjectStore> open() override {
    return *open_azure_store(server_.options(bucket_, prefix_), system_clock());
  }
  std::unique_ptr<ObjectStore> open_missing() override {
    return *open_azure_store(server_.options(kMissing), system_clock());
  }
  // Azure takes a backslash for a slash, and resolves dots in paths.
  bool takes(const std::string& key) const override {
    const std::string framed = "/" + key + "/";
    return !key.contains('\\') && !framed.contains("/./") && !framed.contains("/../");
  }
  bool put_sparse(const std::string& key, std::uint64_t size, std::string_view end) override {
    server_.put_sparse(bucket_, prefix_ + key, size, end);
    return true;
  }
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

std::unique_ptr<StorePlace> make_real_s3() {
  static S3Server server("https://s3.us-east-1.amazonaws.com", variable("AWS_ACCESS_KEY_ID"),
                         variable("AWS_SECRET_ACCESS_KEY"));
  return std::make_unique<S3Place>(server, variable("FOREBAY_TEST_S3"));
}

std::unique_ptr<StorePlace> make_real_gcs() {
  static GcsServer server(std::map<std::string, std::string>{
      {"GOOGLE_APPLICATION_CREDENTIALS", variable("GOOGLE_APPLICATION_CREDENTIALS")},
      {"CLOUDSDK_CONFIG", variable("CLOUDSDK_CONFIG")},
      {"HOME", variable("HOME")}});
  return std::make_unique<GcsPlace>(server, variable("FOREBAY_TEST_GCS"));
}

std::unique_ptr<StorePlace> make_real_azure() {
  static const auto access =
      azure::read_connection_string(variable("AZURE_STORAGE_CONNECTION_STRING"));
  CHECK(access.has_value() && access->key);
  static AzureServer server(*access->endpoint, access->account,
                            base64_encode(access->key->reveal()));
  return std::make_unique<AzurePlace>(server, variable("FOREBAY_TEST_AZURE"));
}

}  // namespace

std::vector<StoreKind> store_kinds() {
  std::vector<StoreKind> kinds = {
      {.name = "Folder", .make = make<Folder>},
      {.name = "Seaweed",
       .make = [] { return std::unique_ptr<StorePlace>(new S3Place(seaweed(), seaweed_takes)); }},
      {.name = "Moto",
       .make = [] { return std::unique_ptr<StorePlace>(new S3Place(moto(), moto_takes)); },
       .many_keys = false},
      {.name = "FakeGcs", .make = make<GcsPlace>},
      {.name = "Azurite", .make = make<AzurePlace>, .honours_start_after = false}};
  if (!variable("FOREBAY_TEST_S3").empty())
    kinds.push_back({.name = "RealS3", .make = make_real_s3});
  if (!variable("FOREBAY_TEST_GCS").empty())
    kinds.push_back({.name = "RealGcs", .make = make_real_gcs});
  if (!variable("FOREBAY_TEST_AZURE").empty())
    kinds.push_back({.name = "RealAzure", .make = make_real_azure, .honours_start_after = false});
  return kinds;
}

void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

}  // namespace forebay::test
