#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "store/object_store.h"

namespace forebay::test {

// Where a store's files are, and how a test of every store puts them there.
class StorePlace {
 public:
  virtual ~StorePlace() = default;
  virtual std::unique_ptr<ObjectStore> open() = 0;
  // A bucket, container or folder that is not there.
  virtual std::unique_ptr<ObjectStore> open_missing() = 0;
  virtual void put(const std::string& key, std::string_view content) = 0;
  virtual void remove(const std::string& key) = 0;
  // Whether this kind of server can have such a key.
  virtual bool takes(const std::string& key) const = 0;
  // An object of zeros, `size` bytes long, with `end` at its end, made without writing it all.
  // False: this kind of server has no such thing.
  virtual bool put_sparse(const std::string& key, std::uint64_t size, std::string_view end) = 0;
};

// One kind of store. What it declares is compared with what it does.
struct StoreKind {
  const char* name;
  std::unique_ptr<StorePlace> (*make)();
  bool ordered = true;              // what promises() must say
  bool honours_start_after = true;  // the same
  bool many_keys = true;            // 2,001 keys can be put in seconds
};

// All kinds that can be tried here: a folder, servers on loopback, and real buckets where a
// variable names one that tests may write to. They work below a prefix of their own and clean up
// behind themselves.
//   FOREBAY_TEST_S3=bucket         in us-east-1; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
//   FOREBAY_TEST_GCS=bucket        application default credentials
//   FOREBAY_TEST_AZURE=container   AZURE_STORAGE_CONNECTION_STRING with an account's key
std::vector<StoreKind> store_kinds();

// Failures name the store and not the bytes of this structure.
void PrintTo(const StoreKind& kind, std::ostream* out);

}  // namespace forebay::test
