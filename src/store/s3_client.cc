#include "store/s3_client.h"

#include <fmt/format.h>

#include <utility>

#include "base/encode.h"
#include "net/credentials/aws_endpoint.h"

namespace forebay::s3 {
namespace {

// A page of 1,000 keys of 1,024 bytes, each byte encoded as three, with room for the rest.
constexpr std::size_t kMostListing = 16 << 20;
// Error documents have a few hundred bytes; the rest of a longer one says nothing.
constexpr std::size_t kMostErrorDocument = 64 << 10;

bool is_success(int status) { return status >= 200 && status < 300; }

}  // namespace

Client::Client(ClientOptions options, std::shared_ptr<Http> http, Clock& clock, RandomSource random)
    : options_(std::move(options)),
      http_(std::move(http)),
      clock_(clock),
      random_(std::move(random)),
      region_(options_.address.region) {}

std::string Client::display(const std::string& key) const {
  return fmt::format("s3://{}/{}", options_.address.bucket, key);
}

RequestCounts Client::requests() const {
  return {.list = lists_, .get = gets_, .head = heads_, .other = 0};
}

void Client::count(const Call& call) {
  if (call.method == "HEAD") {
    ++heads_;
  } else if (call.key.empty()) {
    ++lists_;
  } else {
    ++gets_;
  }
}

std::string Client::region() const {
  const std::lock_guard lock(mutex_);
  return region_;
}

bool Client::adopt_region(const Refusal& refusal) {
  auto told = told_region(refusal);
  const std::lock_guard lock(mutex_);
  if (!told || *told == region_) return false;
  // Whoever answers must not choose where the next signature goes.
  if (!is_aws_region(*told) || aws_domain(*told) != aws_domain(region_)) return false;
  region_ = std::move(*told);
  return true;
}

Result<bool> Client::renew(const Refusal& refusal, const AwsCredentials& used) {
  if (!options_.credentials || !says_expired(refusal)) return false;
  return options_.credentials->renew(used, clock_.now());
}

std::vector<std::pair<std::string, std::string>> Client::access() const {
  AddressOptions where = options_.address;
  where.region = region();
  std::vector<std::pair<std::string, std::string>> known = {{"region", where.region}};
  if (const auto address = address_of(where)) {
    known.emplace_back("address", address->origin + address->base_path);
  }
  const auto found = options_.credentials ? options_.credentials->found_in() : "none: anonymous";
  if (found) known.emplace_back("credentials", *found);
  if (options_.request_payer) known.emplace_back("requests are paid by", "who reads");
  return known;
}

Error Client::error_of(const Call& call, const Refusal& refusal) const {
  return to_error(refusal, {.operation = call.operation,
                            .object = display(call.key),
                            .bucket = "s3://" + options_.address.bucket});
}

Result<Client::Reply> Client::send(const Call& call, const HttpReceiver& receiver,
                                   RetryAttempt& attempt) {
  AwsCredentials used;
  ASSIGN_OR_RETURN(Reply reply, send_signed(call, receiver, used));
  if (!reply.refusal) return reply;
  const bool new_region = adopt_region(*reply.refusal);
  ASSIGN_OR_RETURN(const bool new_credentials, renew(*reply.refusal, used));
  if (new_region || new_credentials) {
    ASSIGN_OR_RETURN(reply, send_signed(call, receiver, used));
    if (!reply.refusal) return reply;
  }
  if (const auto wish = reply.head.find("retry-after")) {
    attempt.retry_after(parse_retry_after(*wish, clock_.now()));
  }
  return reply;
}

Result<Client::Reply> Client::send_signed(const Call& call, const HttpReceiver& receiver,
                                          AwsCredentials& credentials) {
  AddressOptions where = options_.address;
  where.region = region();
  ASSIGN_OR_RETURN(const Address address, address_of(where));
  aws::Unsigned request{.method = call.method,
                        .host = address.host,
                        .path = address.base_path,
                        .query = call.query,
                        .headers = call.headers};
  if (options_.request_payer) request.headers.emplace_back("x-amz-request-payer", "requester");
  if (!call.key.empty()) request.path += (address.base_path == "/" ? "" : "/") + call.key;
  HttpRequest http{.method = call.method,
                   .url = address.origin + aws::encoded_target(request),
                   .headers = request.headers,
                   .body = {},
                   .shown = display(call.key)};
  const Time now = clock_.now();
  if (options_.credentials) {
    ASSIGN_OR_RETURN(credentials, options_.credentials->get(now));
    http.headers = aws::sign(request, credentials, {.region = where.region, .time = now});
  }
  count(call);
  Reply reply;
  std::string error_body;
  const HttpReceiver split{.head = [&](const HttpHead& head) -> Status {
                             reply.head = head;
                             return is_success(head.status) && receiver.head ? receiver.head(head)
                                                                             : Status{};
                           },
                           .body = [&](std::span<const std::byte> bytes) -> Status {
                             if (is_success(reply.head.status))
                               return receiver.body ? receiver.body(bytes) : Status{};
                             if (error_body.size() < kMostErrorDocument)
                               error_body += as_text(bytes);
                             return {};
                           }};
  auto head = http_->send(http, split);
  if (!head) {
    Error error = std::move(head).error();
    if (error.operation == call.method) error.operation = call.operation;  // people's word for it
    return fail(std::move(error));
  }
  reply.head = std::move(*head);
  if (!is_success(reply.head.status)) {
    reply.refusal = Refusal{.head = reply.head, .document = parse_error(error_body)};
  }
  return reply;
}

Status Client::repeat(const std::function<Status(RetryAttempt&)>& attempt) {
  return retry(options_.retry, clock_, random_, &pause_, attempt);
}

Result<HttpResponse> Client::fetch(const Call& call) {
  HttpResponse response;
  const HttpReceiver receiver{
      .head = {}, .body = [&](std::span<const std::byte> bytes) -> Status {
        response.body += as_text(bytes);
        if (response.body.size() <= kMostListing) return {};
        return fail({.code = ErrorCode::damaged,
                     .operation = call.operation,
                     .object = display(call.key),
                     .cause = fmt::format("the answer is longer than {} bytes", kMostListing),
                     .hint = {}});
      }};
  RETURN_IF_ERROR(repeat([&](RetryAttempt& attempt) -> Status {
    response = {};
    ASSIGN_OR_RETURN(Reply reply, send(call, receiver, attempt));
    if (!reply.refusal) {
      response.head = reply.head;
      // Looked for at the beginning only, so that a long listing is not parsed twice.
      if (response.body.substr(0, 1024).find("<Error") == std::string::npos) return {};
      auto document = parse_error(response.body);
      if (!document) return {};
      reply.refusal = Refusal{.head = reply.head, .document = std::move(document)};
    }
    return fail(error_of(call, *reply.refusal));
  }));
  return response;
}

}  // namespace forebay::s3
