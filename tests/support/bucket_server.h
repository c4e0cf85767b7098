#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/stores.h"
#include "support/scripted_server.h"

namespace forebay::test {

// A bucket on loopback that speaks S3 as far as loads need it (ListObjectsV2, GET and HEAD,
// If-Match, ranges) and is stricter than real ones: a request without a signature, with a query or
// header that S3 does not have, encoded otherwise than once, or to another bucket is refused and
// remembered. A test may put a fault in the place of a proper answer.
class BucketServer {
 public:
  // What goes out instead of `proper`, the answer to the n-th request (from 1).
  using Fault = std::function<Answer(const std::string& request, std::size_t n, Answer proper)>;

  BucketServer();

  void put(const std::string& key, std::string content) { objects_[key] = std::move(content); }
  void set_fault(Fault fault) { fault_ = std::move(fault); }

  std::unique_ptr<ObjectStore> open(Clock& clock) const;
  std::size_t requests() const { return server_->requests().size(); }
  // What the product should not have sent.
  const std::vector<std::string>& complaints() const { return complaints_; }

  static bool is_list(const std::string& request) { return request.contains("list-type=2"); }

 private:
  Answer respond(const std::string& request);
  Answer proper_answer(const std::string& request);
  Answer list(const std::map<std::string, std::string>& query) const;
  Answer read(const std::string& request, const std::string& key) const;
  Answer complain(std::string what);

  std::map<std::string, std::string> objects_;
  Fault fault_;
  std::size_t count_ = 0;
  std::vector<std::string> complaints_;
  std::unique_ptr<ScriptedServer> server_;
};

}  // namespace forebay::test
