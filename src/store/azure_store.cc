#include <fmt/format.h>

#include <memory>
#include <utility>

#include "net/credentials/azure.h"
#include "net/safe_url.h"
#include "store/azure_client.h"
#include "store/azure_read.h"
#include "store/azure_xml.h"
#include "store/bucket_store.h"
#include "store/stores.h"

namespace forebay {
namespace {

class AzureStore final : public BucketStore {
 public:
  AzureStore(std::string container, std::string prefix, bool by_path,
             std::unique_ptr<BucketClient> client, azure::Access access)
      : BucketStore(std::move(prefix), std::move(client)),
        container_(std::move(container)),
        by_path_(by_path),
        tokens_(std::move(access.tokens)),
        found_in_(std::move(access.found_in)) {}

  // List Blobs begins after a key only by a parameter of 2026 that orders names as the account
  // does; in a hierarchical namespace that is by path, where keys would be passed over.
  StorePromises promises() const override {
    return {.ordered = ordered() && !by_path_, .honours_start_after = false};
  }

  std::vector<std::pair<std::string, std::string>> access() const override {
    const std::string found = tokens_ ? tokens_->found_in() : found_in_;
    if (found.empty()) return {};
    return {{"credentials", found}};
  }

 protected:
  Result<ServerPage> list_server(const ServerRequest& request) override {
    BucketCall call{.kind = RequestKind::list,
                    .path = azure::container_path(container_),
                    .query = {{"restype", "container"},
                              {"comp", "list"},
                              {"maxresults", fmt::format("{}", request.page_size)}},
                    .operation = "list"};
    if (!request.prefix.empty()) call.query.emplace_back("prefix", request.prefix);
    if (!request.token.empty()) call.query.emplace_back("marker", request.token);
    ASSIGN_OR_RETURN(const HttpResponse response, client().fetch(call));
    ASSIGN_OR_RETURN(azure::ListDocument document, azure::parse_list(response.body));
    ServerPage page{.objects = {}, .next_token = std::move(document.next_marker)};
    for (azure::ListEntry& entry : document.entries) {
      page.objects.push_back({.key = std::move(entry.name),
                              .size = entry.size,
                              .version = std::move(entry.etag),
                              .last_modified = entry.last_modified});
    }
    return page;
  }

  Result<ObjectInfo> stat_object(const std::string& key) override {
    ASSIGN_OR_RETURN(const HttpResponse response,
                     client().fetch(azure::stat_call(container_, key, "stat")));
    return azure::info_from(response.head, key);
  }

  Result<ObjectInfo> read_object(const ReadRequest& request, const ByteSink& sink) override {
    return azure::read_blob(client(), container_, request, sink);
  }

  BucketCall remove_call(const std::string& key) const override {
    return {.kind = RequestKind::other,
            .method = "DELETE",
            .path = azure::blob_path(container_, key),
            .operation = "remove",
            .key = key};
  }

 private:
  const std::string container_;
  const bool by_path_;
  const std::shared_ptr<BearerCredentials> tokens_;
  const std::string found_in_;
};

// The endpoint of the configuration, of the connection string, of the source, of the account.
Result<std::string> endpoint_of(const AzureStoreOptions& options, const azure::Access& access) {
  std::string endpoint =
      options.endpoint.value_or(access.endpoint.value_or(options.source_endpoint.value_or(
          fmt::format("https://{}.blob.core.windows.net", access.account))));
  while (endpoint.ends_with('/')) endpoint.pop_back();
  const bool web = endpoint.starts_with("http://") || endpoint.starts_with("https://");
  const bool clean = web && endpoint.find_first_of("?#@ ") == std::string::npos;
  const bool opens_to_all = access.tokens != nullptr || !access.sas.empty();
  if (clean && (!opens_to_all || is_safe_url(endpoint + "/"))) return endpoint;
  return fail({.code = ErrorCode::invalid_config,
               .operation = "open container",
               .object = options.shown,
               .cause = clean ? "over http the token or signature could be read on the way"
                              : "the endpoint makes no address",
               .hint = "write the endpoint as https://host or https://host:port"});
}

}  // namespace

Result<std::unique_ptr<ObjectStore>> open_azure_store(AzureStoreOptions options, Clock& clock) {
  const HttpOptions web{.ca_file = options.ca_file, .proxy = options.proxy, .no_proxy = {}};
  ASSIGN_OR_RETURN(azure::Access access,
                   azure::find_access({.environment = options.environment,
                                       .account = options.account,
                                       .anonymous = options.anonymous},
                                      {.web = open_http(web), .nearby = open_http({})}));
  ASSIGN_OR_RETURN(std::string endpoint, endpoint_of(options, access));
  auto protocol = azure::make_protocol(
      {.endpoint = std::move(endpoint), .container = options.container, .shown = options.shown},
      access);
  auto client = std::make_unique<BucketClient>(std::move(protocol), open_http(web),
                                               RetryPolicy{.retry_for = options.retry_for}, clock,
                                               system_random());
  const bool by_path = options.shown.starts_with("abfss:");
  return std::make_unique<AzureStore>(std::move(options.container), std::move(options.prefix),
                                      by_path, std::move(client), std::move(access));
}

}  // namespace forebay
