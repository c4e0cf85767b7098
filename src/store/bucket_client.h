#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/http.h"
#include "net/retry.h"
#include "store/object_store.h"

namespace forebay {

enum class RequestKind { list, get, head, other };

// One request to a bucket, before it is authorised.
struct BucketCall {
  RequestKind kind = RequestKind::get;
  std::string method = "GET";
  std::string path;                                          // as it is sent: begins with '/'
  std::vector<std::pair<std::string, std::string>> query;    // bytes, not encoded yet
  std::vector<std::pair<std::string, std::string>> headers;  // names in small letters
  std::string operation;                                     // for messages: "list", "read"
  std::string key;  // in the bucket, for messages; empty: the bucket itself
};

// An answer that is no success: its head, and its body as far as anyone reads one.
struct BucketRefusal {
  HttpHead head;
  std::string body;
};

// What differs between the stores that BucketClient speaks to. Thread rule: every method may be
// called from several threads at once.
class BucketProtocol {
 public:
  virtual ~BucketProtocol() = default;

  // What is sent: the address, and the headers that open the bucket. Errors: those of finding
  // credentials.
  virtual Result<HttpRequest> prepare(const BucketCall& call, Time now) = 0;

  // Learns from a refusal. True: something is different now (other credentials, an older version of
  // the protocol), so that the request is worth sending once more, at once.
  virtual bool learn(const BucketRefusal& refusal, const HttpRequest& sent, Time now) = 0;

  virtual Error error_of(const BucketCall& call, const BucketRefusal& refusal) const = 0;
  virtual std::string display(const std::string& key) const = 0;
};

// Sends and repeats requests to one bucket. Thread-safe.
class BucketClient {
 public:
  BucketClient(std::unique_ptr<BucketProtocol> protocol, std::unique_ptr<Http> http,
               RetryPolicy retry, Clock& clock, RandomSource random);

  // The head of a success, or a refusal.
  struct Reply {
    HttpHead head;
    std::optional<BucketRefusal> refusal;
  };

  // One attempt. The receiver sees a success (2xx) only. Errors: those of Http, of the receiver and
  // of finding credentials.
  Result<Reply> send(const BucketCall& call, const HttpReceiver& receiver, RetryAttempt& attempt);

  // Attempts until one succeeds, fails for good, or time is up; the body as text. damaged: it is
  // longer than a page of a listing can be.
  Result<HttpResponse> fetch(const BucketCall& call);

  // One attempt of the same, for a caller with a loop of its own.
  Result<HttpResponse> fetch_once(const BucketCall& call, RetryAttempt& attempt);

  // The loop for a caller that makes its own attempts.
  Status repeat(const std::function<Status(RetryAttempt&)>& attempt);

  Error error_of(const BucketCall& call, const BucketRefusal& refusal) const {
    return protocol_->error_of(call, refusal);
  }
  std::string display(const std::string& key) const { return protocol_->display(key); }
  RequestCounts requests() const;

 private:
  Result<Reply> send_once(const BucketCall& call, const HttpReceiver& receiver, HttpRequest& sent);
  void count(RequestKind kind);

  const std::unique_ptr<BucketProtocol> protocol_;
  const std::unique_ptr<Http> http_;
  const RetryPolicy retry_;
  Clock& clock_;
  const RandomSource random_;
  SharedPause pause_;
  std::atomic<std::uint64_t> lists_{0};
  std::atomic<std::uint64_t> gets_{0};
  std::atomic<std::uint64_t> heads_{0};
  std::atomic<std::uint64_t> others_{0};
};

// "?a=b&c=d": every byte encoded exactly once, in the order given; empty without parameters.
std::string encoded_query(const std::vector<std::pair<std::string, std::string>>& query);

}  // namespace forebay
