#include "store/bucket_client.h"

#include <fmt/format.h>

#include "base/encode.h"

namespace forebay {
namespace {

// A page of 1,000 keys of 1,024 bytes, each byte encoded as three, with room for the rest.
constexpr std::size_t kMostListing = std::size_t{16} << 20;
// Error documents have a few hundred bytes; the rest of a longer one says nothing.
constexpr std::size_t kMostErrorDocument = std::size_t{64} << 10;

bool is_success(int status) { return status >= 200 && status < 300; }

}  // namespace

BucketClient::BucketClient(std::unique_ptr<BucketProtocol> protocol, std::unique_ptr<Http> http,
                           RetryPolicy retry, Clock& clock, RandomSource random)
    : protocol_(std::move(protocol)),
      http_(std::move(http)),
      retry_(retry),
      clock_(clock),
      random_(std::move(random)) {}

RequestCounts BucketClient::requests() const {
  return {.list = lists_, .get = gets_, .head = heads_, .other = others_};
}

void BucketClient::count(RequestKind kind) {
  switch (kind) {
    case RequestKind::list: ++lists_; return;
    case RequestKind::get: ++gets_; return;
    case RequestKind::head: ++heads_; return;
    case RequestKind::other: ++others_; return;
  }
}

Result<BucketClient::Reply> BucketClient::send(const BucketCall& call, const HttpReceiver& receiver,
                                               RetryAttempt& attempt) {
  HttpRequest sent;
  ASSIGN_OR_RETURN(Reply reply, send_once(call, receiver, sent));
  if (!reply.refusal) return reply;
  if (protocol_->learn(*reply.refusal, sent, clock_.now())) {
    ASSIGN_OR_RETURN(reply, send_once(call, receiver, sent));
    if (!reply.refusal) return reply;
  }
  if (const auto wish = reply.head.find("retry-after"))
    attempt.retry_after(parse_retry_after(*wish, clock_.now()));
  return reply;
}

Result<BucketClient::Reply> BucketClient::send_once(const BucketCall& call,
                                                    const HttpReceiver& receiver,
                                                    HttpRequest& sent) {
  ASSIGN_OR_RETURN(sent, protocol_->prepare(call, clock_.now()));
  sent.shown = display(call.key);
  count(call.kind);
  bool success = false;
  std::string error_body;
  const HttpReceiver split{.head = [&](const HttpHead& head) -> Status {
                             success = is_success(head.status);
                             return success && receiver.head ? receiver.head(head) : Status{};
                           },
                           .body = [&](std::span<const std::byte> bytes) -> Status {
                             if (success) return receiver.body ? receiver.body(bytes) : Status{};
                             if (error_body.size() < kMostErrorDocument)
                               error_body += as_text(bytes);
                             return {};
                           }};
  auto head = http_->send(sent, split);
  if (!head) {
    Error error = std::move(head).error();
    if (error.operation == sent.method) error.operation = call.operation;  // people's word for it
    return fail(std::move(error));
  }
  Reply reply{.head = std::move(*head), .refusal = {}};
  if (!is_success(reply.head.status))
    reply.refusal = BucketRefusal{.head = reply.head, .body = std::move(error_body)};
  return reply;
}

Status BucketClient::repeat(const std::function<Status(RetryAttempt&)>& attempt) {
  return retry(retry_, clock_, random_, &pause_, attempt);
}

Result<HttpResponse> BucketClient::fetch_once(const BucketCall& call, RetryAttempt& attempt) {
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
  ASSIGN_OR_RETURN(Reply reply, send(call, receiver, attempt));
  if (reply.refusal) return fail(error_of(call, *reply.refusal));
  response.head = std::move(reply.head);
  return response;
}

Result<HttpResponse> BucketClient::fetch(const BucketCall& call) {
  HttpResponse response;
  RETURN_IF_ERROR(repeat([&](RetryAttempt& attempt) -> Status {
    ASSIGN_OR_RETURN(response, fetch_once(call, attempt));
    return {};
  }));
  return response;
}

std::string encoded_query(const std::vector<std::pair<std::string, std::string>>& query) {
  std::string text;
  for (const auto& [name, value] : query) {
    text += fmt::format("{}{}={}", text.empty() ? "?" : "&", percent_encode(name),
                        percent_encode(value));
  }
  return text;
}

}  // namespace forebay
