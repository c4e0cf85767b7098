#include "support/azure_server.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/check.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/encode.h"
#include "base/time_text.h"
#include "store/azure_client.h"
#include "store/azure_sign.h"
#include "support/paths.h"
#include "support/server_process.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

constexpr const char* kAccount = "devstoreaccount1";
constexpr const char* kVersion = "2021-12-02";
// Published by Microsoft: the key of every emulator.
constexpr const char* kKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

// A server with the folder it works in; members end in reverse order.
struct Running {
  TempFolder folder;
  std::unique_ptr<ServerProcess> process;
  std::unique_ptr<AzureServer> server;
};

std::string node() {
  for (const char* path : {"/usr/bin/node", "/usr/local/bin/node"}) {
    if (std::filesystem::exists(path)) return path;
  }
  return "/usr/bin/nodejs";
}

void start(Running& running) {
  const std::string port = fmt::format("{}", free_ports(1)[0]);
  const auto script = deps_dir() / "azurite/node_modules/azurite/dist/src/blob/main.js";
  running.process = std::make_unique<ServerProcess>(
      std::vector<std::string>{node(), script.string(), "--blobHost", "127.0.0.1", "--blobPort",
                               port, "--inMemoryPersistence", "--silent", "--disableTelemetry"},
      running.folder / "log");
  running.server = std::make_unique<AzureServer>(
      fmt::format("http://127.0.0.1:{}/{}", port, kAccount), kAccount, kKey);
  const auto http = open_http({});
  running.process->wait_until([&] {
    return http->send({.url = running.server->endpoint() + "/", .shown = "ready"}, {}).has_value();
  });
}

}  // namespace

std::string AzureServer::connection_string() const {
  return fmt::format("AccountName={};AccountKey={};BlobEndpoint={};", account_, key_, endpoint_);
}

AzureStoreOptions AzureServer::options(std::string container, std::string prefix) const {
  const std::string shown = fmt::format("az://{}/", container);
  return {.container = std::move(container),
          .prefix = std::move(prefix),
          .shown = shown,
          .environment = {{"AZURE_STORAGE_CONNECTION_STRING", connection_string()}}};
}

int AzureServer::send(Write write) {
  write.headers.emplace_back("x-ms-version", kVersion);
  write.headers.emplace_back("x-ms-date", format_http_date(system_clock().now()));
  auto covered = write.headers;
  if (!write.body.empty())
    covered.emplace_back("content-length", fmt::format("{}", write.body.size()));
  // Emulators have the account in front of every path.
  const std::size_t slash = endpoint_.find('/', endpoint_.find("//") + 2);
  const std::string base = slash == std::string::npos ? "" : endpoint_.substr(slash);
  const std::string value = azure::authorization({.method = write.method,
                                                  .account = account_,
                                                  .path = base + write.path,
                                                  .query = write.query,
                                                  .headers = std::move(covered)},
                                                 Secret(*base64_decode(key_)));
  write.headers.emplace_back("authorization", value);
  const auto head = http_->send({.method = write.method,
                                 .url = endpoint_ + write.path + encoded_query(write.query),
                                 .headers = std::move(write.headers),
                                 .body = std::move(write.body),
                                 .shown = write.path},
                                {});
  return head ? head->status : 599;
}

void AzureServer::create_container(const std::string& container) {
  CHECK(send({.path = azure::container_path(container), .query = {{"restype", "container"}}}) <
        300);
}

void AzureServer::put(const std::string& container, const std::string& key,
                      std::string_view content) {
  CHECK(send({.path = azure::blob_path(container, key),
              .headers = {{"x-ms-blob-type", "BlockBlob"}},
              .body = std::string(content)}) < 300);
}

void AzureServer::remove(const std::string& container, const std::string& key) {
  CHECK(send({.method = "DELETE", .path = azure::blob_path(container, key)}) < 300);
}

void AzureServer::put_sparse(const std::string& container, const std::string& key,
                             std::uint64_t size, std::string_view end) {
  const std::string path = azure::blob_path(container, key);
  CHECK(send({.path = path,
              .headers = {{"x-ms-blob-type", "PageBlob"},
                          {"x-ms-blob-content-length", fmt::format("{}", size)}}}) < 300);
  std::string page(512 - end.size(), '\0');
  page += end;
  CHECK(send({.path = path,
              .query = {{"comp", "page"}},
              .headers = {{"x-ms-page-write", "update"},
                          {"range", fmt::format("bytes={}-{}", size - 512, size - 1)}},
              .body = std::move(page)}) < 300);
}

std::string AzureServer::account_signature(const std::string& expiry) const {
  // Version 2020-12-06 and later; an account's signature for blobs, containers and objects.
  const std::string text =
      fmt::format("{}\nrl\nb\nco\n\n{}\n\n\n{}\n\n", account_, expiry, kVersion);
  const std::string signature = base64_encode(hmac_sha256(*base64_decode(key_), text));
  return fmt::format("sv={}&ss=b&srt=co&sp=rl&se={}&sig={}", kVersion, percent_encode(expiry),
                     percent_encode(signature));
}

AzureServer& azurite() {
  static Running running;
  if (!running.server) start(running);
  return *running.server;
}

}  // namespace forebay::test
