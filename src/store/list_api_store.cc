#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "net/http_range.h"
#include "net/safe_url.h"
#include "store/list_api_client.h"
#include "store/stores.h"

namespace forebay {
namespace {

using list_api::Client;
using list_api::Link;

// A link that is refused so often in a row, without a byte in between, will not be granted.
constexpr int kMostRefusals = 3;

// One read over as many links and attempts as it takes. Bytes of two attempts are joined only where
// an ETag proves that they are of one content; else the read starts over.
class Reading {
 public:
  Reading(Client& client, const ReadRequest& request, const ByteSink& sink)
      : client_(client), request_(request), sink_(sink), next_(request.offset) {
    if (request_.length) end_ = request_.offset + *request_.length;
  }

  Result<ObjectInfo> run() {
    RETURN_IF_ERROR(client_.repeat([&](RetryAttempt& attempt) { return once(attempt); }));
    return info_;
  }

 private:
  std::unexpected<Error> wrong(ErrorCode code, std::string cause) const {
    return fail({.code = code,
                 .operation = "read",
                 .object = client_.display(request_.key),
                 .cause = std::move(cause),
                 .hint = {}});
  }

  std::string range() const {
    if (next_ == 0 && !end_) return {};
    if (next_ == 0 && !request_.length) return {};
    return fmt::format("bytes={}-{}", next_,
                       request_.length ? fmt::format("{}", *end_ - 1) : std::string());
  }

  Status once(RetryAttempt& attempt) {
    if (!link_ || client_.now() >= link_->fresh_until) {
      ASSIGN_OR_RETURN(link_, client_.link(request_.key, attempt));
    }
    if (next_ > request_.offset && info_.version.empty()) RETURN_IF_ERROR(start_over());
    if (end_ && next_ >= *end_) return {};
    const std::uint64_t before = next_;
    const HttpReceiver receiver{
        .head = [&](const HttpHead& head) { return begin(head); },
        .body = [&](std::span<const std::byte> bytes) { return take(bytes); }};
    const auto head = client_.read(*link_, request_.key, range(), receiver, attempt);
    if (next_ > before) {
      attempt.progressed();
      refusals_ = 0;
    }
    if (!head) return refused(head.error());
    if (end_ && next_ != *end_)
      return wrong(ErrorCode::unavailable, "the body ended before its announced length");
    info_.size = std::max(info_.size, next_);
    return {};
  }

  // 403: the link has run out, whatever its expiry said. A fresh one goes on from here.
  Status refused(Error error) {
    if (error.code != ErrorCode::denied) return fail(std::move(error));
    link_.reset();
    if (++refusals_ >= kMostRefusals) return fail(std::move(error));
    error.code = ErrorCode::unavailable;
    return fail(std::move(error));
  }

  Status start_over() {
    if (!request_.start_over)
      return wrong(ErrorCode::changed, "it cannot be told whether the rest is of the same content");
    RETURN_IF_ERROR(request_.start_over());
    next_ = request_.offset;
    if (!request_.length) end_.reset();
    return {};
  }

  Status begin(const HttpHead& head) {
    const std::string etag(head.find("etag").value_or(""));
    const std::string& pinned = info_.version.empty() ? request_.version : info_.version;
    if (!pinned.empty() && etag != pinned)
      return wrong(ErrorCode::changed, "it was replaced while it was read");
    info_ = {.key = request_.key, .size = info_.size, .version = etag};
    skip_ = 0;
    if (head.status == 206) {
      const auto range = parse_content_range(head.find("content-range").value_or(""));
      if (!range || range->first != next_)
        return wrong(ErrorCode::damaged, "another part came than was asked for");
      info_.size = range->total;
    } else {
      skip_ = next_;  // the server sent the whole object instead of the part
      if (const auto length = content_length(head))
        info_.size = *length;
      else
        return {};
    }
    if (!end_) end_ = info_.size;
    if (*end_ > info_.size)
      return wrong(ErrorCode::damaged,
                   fmt::format("{} bytes are wanted, it has {}", *end_, info_.size));
    return {};
  }

  Status take(std::span<const std::byte> bytes) {
    const std::uint64_t passed = std::min<std::uint64_t>(skip_, bytes.size());
    skip_ -= passed;
    bytes = bytes.subspan(passed);
    if (end_) bytes = bytes.first(std::min<std::uint64_t>(bytes.size(), *end_ - next_));
    if (bytes.empty()) return {};
    RETURN_IF_ERROR(sink_(bytes));
    next_ += bytes.size();
    return {};
  }

  Client& client_;
  const ReadRequest& request_;
  const ByteSink& sink_;
  std::optional<Link> link_;
  ObjectInfo info_;
  std::uint64_t next_;
  std::uint64_t skip_ = 0;
  std::optional<std::uint64_t> end_;
  int refusals_ = 0;
};

class ListApiStore final : public ObjectStore {
 public:
  explicit ListApiStore(std::unique_ptr<Client> client) : client_(std::move(client)) {}

  StorePromises promises() const override {
    return {.ordered = false, .honours_start_after = false, .lists_versions = false};
  }
  std::string display(const std::string& key) const override { return client_->display(key); }
  std::string ledger_key(const std::string& key) const override { return key; }
  std::string source_key(const std::string& key) const override { return key; }

  Result<ListPage> list(const ListRequest& request) override {
    std::optional<std::string> token;
    if (!request.page_token.empty()) token = request.page_token;
    ASSIGN_OR_RETURN(Client::Page found, client_->list(request.prefix, token));
    ListPage page{.objects = {}, .next_token = std::move(found.next)};
    for (std::string& key : found.keys) {
      if (!key.starts_with(request.prefix))
        return fail({.code = ErrorCode::damaged,
                     .operation = "list",
                     .object = display(request.prefix),
                     .cause = fmt::format("the API listed {}, which is not below that", key),
                     .hint = "nothing was loaded; report this to whoever runs the API"});
      if (key.empty() || key <= request.start_after) continue;
      page.objects.push_back({.key = std::move(key)});
    }
    return page;
  }

  // Only reading tells: one byte of it.
  Result<ObjectInfo> stat(const std::string& key) override {
    const ByteSink nowhere = [](std::span<const std::byte>) -> Status { return {}; };
    return read({.key = key, .offset = 0, .length = 1}, nowhere);
  }

  Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) override {
    return Reading(*client_, request, sink).run();
  }

  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& key) override {
    return fail({.code = ErrorCode::refused,
                 .operation = "open",
                 .object = display(key),
                 .cause = "what an API hands out cannot be opened in place",
                 .hint = {}});
  }

  RequestCounts requests() const override { return client_->requests(); }

 private:
  const std::unique_ptr<Client> client_;
};

}  // namespace

Result<std::unique_ptr<ObjectStore>> open_list_api_store(ListApiStoreOptions options,
                                                         Clock& clock) {
  if (!is_safe_url(options.endpoint))
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "open",
                 .object = options.endpoint,
                 .cause = "an API is reached by https; http is for this machine alone",
                 .hint = "write https://"});
  list_api::ClientOptions client{.endpoint = std::move(options.endpoint),
                                 .headers = std::move(options.headers),
                                 .api = std::move(options.api),
                                 .retry = {.retry_for = options.retry_for}};
  auto http = open_http(
      {.ca_file = std::move(options.ca_file), .proxy = std::move(options.proxy), .no_proxy = {}});
  return std::make_unique<ListApiStore>(
      std::make_unique<Client>(std::move(client), std::move(http), clock, system_random()));
}

}  // namespace forebay
