#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "net/credentials/aws_endpoint.h"
#include "store/s3_client.h"
#include "store/s3_page_token.h"
#include "store/s3_read.h"
#include "store/s3_xml.h"
#include "store/stores.h"

namespace forebay {
namespace {

using s3::Call;
using s3::Client;
using s3::ListDocument;
using s3::PageToken;
using s3::PlusMeans;

class S3Store final : public ObjectStore {
 public:
  S3Store(std::string prefix, bool amazon, std::unique_ptr<Client> client)
      : prefix_(std::move(prefix)),
        client_(std::move(client)),
        plus_(amazon ? PlusMeans::space : PlusMeans::unknown) {}

  StorePromises promises() const override {
    return {.ordered = ordered_, .honours_start_after = honours_start_after_};
  }

  std::string display(const std::string& key) const override {
    return client_->display(prefix_ + key);
  }

  std::string ledger_key(const std::string& key) const override { return prefix_ + key; }
  std::string source_key(const std::string& ledger_key) const override {
    return ledger_key.starts_with(prefix_) ? ledger_key.substr(prefix_.size()) : ledger_key;
  }

  Result<ListPage> list(const ListRequest& request) override {
    PageToken token;
    if (!request.page_token.empty()) {
      auto decoded = s3::decode_page_token(request.page_token);
      if (!decoded) return fail(error("list", "", ErrorCode::internal, "this is no page token"));
      token = std::move(*decoded);
    }
    ASSIGN_OR_RETURN(const ListDocument document, fetch_page(request, token, true));
    ASSIGN_OR_RETURN(const PlusMeans plus, plus_of(document, request, token));
    ListPage page;
    std::string last_key = token.last_key;
    for (const auto& entry : document.entries) {
      std::string key = entry.key;
      if (document.url_encoded) {
        ASSIGN_OR_RETURN(key, s3::decode_key(entry.key, plus));
      }
      RETURN_IF_ERROR(add(page, request, std::move(key), entry, last_key));
    }
    if (document.next_token) {
      const auto next = s3::follow(token, *document.next_token, std::move(last_key));
      if (!next) {
        return fail(error("list", request.prefix, ErrorCode::damaged,
                          "the server's page tokens go in a circle"));
      }
      page.next_token = s3::encode(*next);
    }
    return page;
  }

  Status remove(const std::string& key) override {
    RETURN_IF_ERROR(check_key("remove", key));
    const auto response =
        client_->fetch({.method = "DELETE", .key = prefix_ + key, .operation = "remove"});
    if (!response && response.error().code != ErrorCode::not_found) return fail(response.error());
    return {};
  }

  Result<ObjectInfo> stat(const std::string& key) override {
    RETURN_IF_ERROR(check_key("stat", key));
    const Call call{.method = "HEAD", .key = prefix_ + key, .operation = "stat"};
    auto response = client_->fetch(call);
    if (!response && response.error().code == ErrorCode::not_found) {
      // The answer to HEAD has no body: ask whether it is the bucket that is missing.
      const auto bucket =
          client_->fetch({.query = {{"list-type", "2"}, {"max-keys", "1"}}, .operation = "list"});
      if (!bucket && bucket.error().code == ErrorCode::not_found) return fail(bucket.error());
    }
    if (!response) return fail(std::move(response).error());
    return s3::info_from(response->head, key);
  }

  Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) override {
    RETURN_IF_ERROR(check_key("read", request.key));
    ReadRequest full = request;
    full.key = prefix_ + request.key;
    ASSIGN_OR_RETURN(ObjectInfo info, s3::read_object(*client_, full, sink));
    info.key = request.key;
    return info;
  }

  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& key) override {
    return fail(
        error("open", key, ErrorCode::refused, "objects of a bucket cannot be opened in place"));
  }

  RequestCounts requests() const override { return client_->requests(); }

  std::vector<std::pair<std::string, std::string>> access() const override {
    return client_->access();
  }

 private:
  Error error(std::string operation, const std::string& key, ErrorCode code,
              std::string cause) const {
    return {.code = code,
            .operation = std::move(operation),
            .object = display(key),
            .cause = std::move(cause),
            .hint = {}};
  }

  Status check_key(const char* operation, const std::string& key) const {
    if (!key.empty()) return {};
    return fail(error(operation, key, ErrorCode::refused, "the key is empty"));
  }

  Result<ListDocument> fetch_page(const ListRequest& request, const PageToken& token,
                                  bool url_encoded) {
    const std::string prefix = prefix_ + request.prefix;
    Call call{.query = {{"list-type", "2"},
                        {"max-keys", fmt::format("{}", std::clamp(request.page_size, 1, 1000))}},
              .operation = "list"};
    if (url_encoded) call.query.emplace_back("encoding-type", "url");
    if (!prefix.empty()) call.query.emplace_back("prefix", prefix);
    const std::string after = prefix_ + request.start_after;
    // Below the prefix a start excludes nothing, and some servers stumble over it.
    if (!request.start_after.empty() && after > prefix)
      call.query.emplace_back("start-after", after);
    if (!token.server.empty()) call.query.emplace_back("continuation-token", token.server);
    ASSIGN_OR_RETURN(const HttpResponse response, client_->fetch(call));
    auto document = s3::parse_list(response.body);
    if (!document) {
      return fail(error("list", request.prefix, document.error().code, document.error().cause));
    }
    return document;
  }

  // How to read a '+' in this page. When nothing tells, the page is asked for once more, unencoded:
  // there a plus is a plus.
  Result<PlusMeans> plus_of(const ListDocument& page, const ListRequest& request,
                            const PageToken& token) {
    if (!page.url_encoded || !s3::has_plus(page)) return PlusMeans::plus;
    if (plus_ == PlusMeans::unknown) plus_ = s3::plus_means(page);
    if (plus_ != PlusMeans::unknown) return plus_.load();
    ASSIGN_OR_RETURN(const ListDocument plain, fetch_page(request, token, false));
    for (const auto& entry : page.entries) {
      if (entry.key.find('+') == std::string::npos) continue;
      ASSIGN_OR_RETURN(const std::string spaced, s3::decode_key(entry.key, PlusMeans::space));
      ASSIGN_OR_RETURN(const std::string plus, s3::decode_key(entry.key, PlusMeans::plus));
      for (const auto& candidate : plain.entries) {
        if (candidate.key == spaced) plus_ = PlusMeans::space;
        if (candidate.key == plus) plus_ = PlusMeans::plus;
      }
      if (plus_ != PlusMeans::unknown) return plus_.load();
    }
    return fail(error("list", request.prefix, ErrorCode::damaged,
                      "the server encodes keys with '+', and nothing tells what it means"));
  }

  Status add(ListPage& page, const ListRequest& request, std::string key,
             const s3::ListEntry& entry, std::string& last_key) {
    if (!key.starts_with(prefix_ + request.prefix)) {
      return fail(error(
          "list", request.prefix, ErrorCode::damaged,
          fmt::format("the server listed {}, which is not below that", client_->display(key))));
    }
    if (key <= last_key && !last_key.empty()) ordered_ = false;
    last_key = std::max(last_key, key);
    std::string below = key.substr(prefix_.size());
    if (!request.start_after.empty() && below <= request.start_after) {
      // A start below the prefix is not sent, and then a key this small cannot come.
      honours_start_after_ = false;
      return {};
    }
    if (below.empty()) return {};  // the source's own folder marker
    page.objects.push_back({.key = std::move(below),
                            .size = entry.size,
                            .version = entry.etag,
                            .last_modified = entry.last_modified});
    return {};
  }

  const std::string prefix_;
  const std::unique_ptr<Client> client_;
  std::atomic<PlusMeans> plus_;
  std::atomic<bool> ordered_{true};
  std::atomic<bool> honours_start_after_{true};
};

std::optional<std::string> variable(const S3StoreOptions& options, const char* name) {
  const auto found = options.environment.find(name);
  if (found == options.environment.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

}  // namespace

Result<std::unique_ptr<ObjectStore>> open_s3_store(S3StoreOptions options, Clock& clock) {
  AwsSettings settings{.environment = options.environment,
                       .profile = options.profile,
                       .role_arn = options.role_arn,
                       .region = options.region};
  if (!options.endpoint) options.endpoint = aws_configured_address(settings, "S3");
  std::string region = options.region.empty() ? aws_region(settings) : options.region;
  if (region.empty()) region = "us-east-1";
  const std::shared_ptr<Http> web =
      open_http({.ca_file = options.ca_file ? options.ca_file : variable(options, "AWS_CA_BUNDLE"),
                 .proxy = options.proxy,
                 .no_proxy = {}});
  s3::ClientOptions client{.address = {.bucket = options.bucket,
                                       .region = std::move(region),
                                       .endpoint = options.endpoint,
                                       .path_style = options.path_style},
                           .credentials = nullptr,
                           .request_payer = options.request_payer,
                           .retry = {.retry_for = options.retry_for}};
  if (!options.anonymous) {
    client.credentials = std::make_shared<AwsCredentialChain>(
        std::move(settings), AwsTools{.web = web, .nearby = open_http({})});
  }
  RETURN_IF_ERROR(s3::address_of(client.address));
  const bool amazon = !options.endpoint.has_value();
  return std::make_unique<S3Store>(
      std::move(options.prefix), amazon,
      std::make_unique<Client>(std::move(client), web, clock, system_random()));
}

}  // namespace forebay
