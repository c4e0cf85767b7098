#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/aws_sign.h"
#include "net/credentials/aws.h"
#include "net/http.h"
#include "net/retry.h"
#include "store/object_store.h"
#include "store/s3_address.h"
#include "store/s3_error.h"

namespace forebay::s3 {

using aws::NamedValues;

// One request to a bucket.
struct Call {
  std::string method = "GET";
  std::string key;  // in the bucket, bytes; empty: the bucket itself
  NamedValues query;
  NamedValues headers;
  std::string operation;  // for messages
};

struct ClientOptions {
  AddressOptions address;
  std::shared_ptr<AwsCredentialChain> credentials;  // null: anonymous, nothing is signed
  bool request_payer = false;  // who reads pays, as the bucket's owner wants it
  RetryPolicy retry;
};

// Signs, sends and repeats requests to one bucket. Learns the bucket's region when an answer tells
// it, but never leaves the domain of the first address, and takes new credentials when the old ones
// have run out; then the request goes out once more, at once. Thread-safe.
class Client {
 public:
  Client(ClientOptions options, std::shared_ptr<Http> http, Clock& clock, RandomSource random);

  // An answer that is no success, or nullopt and the head of one that is.
  struct Reply {
    HttpHead head;
    std::optional<Refusal> refusal;
  };

  // One attempt. The receiver sees a success (2xx) only. Errors: those of Http and of the receiver.
  Result<Reply> send(const Call& call, const HttpReceiver& receiver, RetryAttempt& attempt);

  // Attempts until one succeeds, fails for good, or time is up; the body as text. A body that is an
  // error document is none, whatever the status.
  Result<HttpResponse> fetch(const Call& call);

  // The loop for a caller that makes its own attempts.
  Status repeat(const std::function<Status(RetryAttempt&)>& attempt);

  Error error_of(const Call& call, const Refusal& refusal) const;
  std::string display(const std::string& key) const;
  RequestCounts requests() const;
  // Region, address and credentials in use, for people.
  std::vector<std::pair<std::string, std::string>> access() const;

 private:
  Result<Reply> send_signed(const Call& call, const HttpReceiver& receiver,
                            AwsCredentials& credentials);
  void count(const Call& call);
  std::string region() const;
  bool adopt_region(const Refusal& refusal);
  Result<bool> renew(const Refusal& refusal, const AwsCredentials& used);

  const ClientOptions options_;
  const std::shared_ptr<Http> http_;
  Clock& clock_;
  const RandomSource random_;
  SharedPause pause_;
  mutable std::mutex mutex_;
  std::string region_;  // guarded by mutex_
  std::atomic<std::uint64_t> lists_{0};
  std::atomic<std::uint64_t> gets_{0};
  std::atomic<std::uint64_t> heads_{0};
};

}  // namespace forebay::s3
