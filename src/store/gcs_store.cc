#include <fmt/format.h>

#include <memory>
#include <utility>

#include "net/credentials/google.h"
#include "net/safe_url.h"
#include "store/bucket_client.h"
#include "store/bucket_store.h"
#include "store/gcs_client.h"
#include "store/gcs_json.h"
#include "store/gcs_read.h"
#include "store/stores.h"

namespace forebay {
namespace {

class GcsStore final : public BucketStore {
 public:
  GcsStore(std::string bucket, std::string prefix, std::unique_ptr<BucketClient> client,
           std::shared_ptr<BearerCredentials> credentials)
      : BucketStore(std::move(prefix), std::move(client)),
        bucket_(std::move(bucket)),
        credentials_(std::move(credentials)) {}

  StorePromises promises() const override {
    return {.ordered = ordered(), .honours_start_after = honours_start_after()};
  }

  std::vector<std::pair<std::string, std::string>> access() const override {
    const std::string found = credentials_ ? credentials_->found_in() : "none (anonymous)";
    if (found.empty()) return {};
    return {{"credentials", found}};
  }

 protected:
  Result<ServerPage> list_server(const ServerRequest& request) override {
    BucketCall call{.kind = RequestKind::list,
                    .path = gcs::objects_path(bucket_),
                    .query = {{"fields", std::string(gcs::kListFields)},
                              {"maxResults", fmt::format("{}", request.page_size)}},
                    .operation = "list"};
    if (!request.prefix.empty()) call.query.emplace_back("prefix", request.prefix);
    // The API knows where to begin, not what to begin after.
    if (!request.start.empty()) call.query.emplace_back("startOffset", request.start);
    if (!request.token.empty()) call.query.emplace_back("pageToken", request.token);
    ASSIGN_OR_RETURN(const HttpResponse response, client().fetch(call));
    ASSIGN_OR_RETURN(gcs::ListDocument document, gcs::parse_list(response.body));
    ServerPage page{.objects = {},
                    .next_token = std::move(document.next_token),
                    .start_sent = !request.start.empty()};
    for (gcs::Entry& entry : document.entries) {
      page.objects.push_back({.key = std::move(entry.name),
                              .size = entry.size,
                              .version = std::move(entry.generation),
                              .last_modified = entry.created});
    }
    return page;
  }

  Result<ObjectInfo> stat_object(const std::string& key) override {
    ObjectInfo info;
    const Status status = client().repeat([&](RetryAttempt& attempt) -> Status {
      ASSIGN_OR_RETURN(info, gcs::stat_object(client(), bucket_, key, "stat", attempt));
      return {};
    });
    if (!status && status.error().code == ErrorCode::not_found) RETURN_IF_ERROR(find_bucket());
    if (!status) return fail(status.error());
    return info;
  }

  Result<ObjectInfo> read_object(const ReadRequest& request, const ByteSink& sink) override {
    return gcs::read_object(client(), bucket_, request, sink);
  }

  BucketCall remove_call(const std::string& key) const override {
    return {.kind = RequestKind::other,
            .method = "DELETE",
            .path = gcs::object_path(bucket_, key),
            .operation = "remove",
            .key = key};
  }

 private:
  // not_found: it is the bucket that is missing. To ask for the bucket itself would take a right
  // that readers need not have.
  Status find_bucket() {
    const auto page = client().fetch({.kind = RequestKind::list,
                                      .path = gcs::objects_path(bucket_),
                                      .query = {{"maxResults", "1"}, {"fields", "nextPageToken"}},
                                      .operation = "list"});
    if (!page && page.error().code == ErrorCode::not_found) return fail(page.error());
    return {};
  }

  const std::string bucket_;
  const std::shared_ptr<BearerCredentials> credentials_;
};

struct Endpoint {
  std::string address;
  bool anonymous = false;
};

// An emulator asks for no credentials, and must be sent none.
Result<Endpoint> endpoint_of(const GcsStoreOptions& options) {
  Endpoint endpoint{.address = "https://storage.googleapis.com", .anonymous = options.anonymous};
  const std::string emulator = variable(options.environment, "STORAGE_EMULATOR_HOST");
  if (options.endpoint) {
    endpoint.address = *options.endpoint;
  } else if (!emulator.empty()) {
    endpoint.address = emulator.contains("://") ? emulator : "http://" + emulator;
    endpoint.anonymous = true;
  }
  while (endpoint.address.ends_with('/')) endpoint.address.pop_back();
  const bool web =
      endpoint.address.starts_with("http://") || endpoint.address.starts_with("https://");
  const bool safe = is_safe_url(endpoint.address + "/");
  if (web && (safe || endpoint.anonymous) && !endpoint.address.contains('@')) return endpoint;
  return fail({.code = ErrorCode::invalid_config,
               .operation = "open bucket",
               .object = fmt::format("gs://{}", options.bucket),
               .cause = web ? "over http the access token could be read on the way"
                            : "the endpoint makes no address",
               .hint = "write the endpoint as https://host or https://host:port; http is for this "
                       "machine, or for anonymous: true"});
}

}  // namespace

Result<std::unique_ptr<ObjectStore>> open_gcs_store(GcsStoreOptions options, Clock& clock) {
  ASSIGN_OR_RETURN(Endpoint endpoint, endpoint_of(options));
  const HttpOptions web{.ca_file = options.ca_file, .proxy = options.proxy, .no_proxy = {}};
  std::shared_ptr<BearerCredentials> credentials;
  if (!endpoint.anonymous) {
    credentials = std::make_shared<BearerCredentials>(google::tokens(
        {.environment = options.environment}, {.web = open_http(web), .nearby = open_http({})}));
  }
  auto protocol = gcs::make_protocol(
      {.endpoint = std::move(endpoint.address),
       .bucket = options.bucket,
       .user_project = variable(options.environment, "GOOGLE_CLOUD_QUOTA_PROJECT")},
      credentials);
  auto client = std::make_unique<BucketClient>(std::move(protocol), open_http(web),
                                               RetryPolicy{.retry_for = options.retry_for}, clock,
                                               system_random());
  return std::make_unique<GcsStore>(std::move(options.bucket), std::move(options.prefix),
                                    std::move(client), std::move(credentials));
}

}  // namespace forebay
