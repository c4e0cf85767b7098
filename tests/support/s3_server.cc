#include "support/s3_server.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/digest.h"
#include "net/aws_sign.h"
#include "support/paths.h"
#include "support/server_process.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

std::string program(const char* name) { return (deps_dir() / "venv/bin" / name).string(); }

constexpr const char* kAccessKey = "testkey";
constexpr const char* kSecretKey = "testsecret";

// A server with the folder it works in; members end in reverse order.
struct Running {
  TempFolder folder;
  std::unique_ptr<ServerProcess> process;
  std::unique_ptr<S3Server> server;
};

// Any HTTP answer will do.
bool answers(const std::string& url) {
  return open_http({})->send({.url = url, .headers = {}, .body = {}, .shown = url}, {}).has_value();
}

void start_seaweed(Running& running) {
  running.folder.write("data/empty", "");
  running.folder.write(
      "s3.json",
      fmt::format(R"({{"identities":[{{"name":"tests","credentials":[{{"accessKey":"{}",)"
                  R"("secretKey":"{}"}}],"actions":["Admin","Read","Write","List"]}}]}})",
                  kAccessKey, kSecretKey));
  const auto ports = free_ports(8);
  const std::vector<std::string> command = {program("weed"),
                                            "server",
                                            "-ip=127.0.0.1",
                                            "-ip.bind=127.0.0.1",
                                            "-dir=" + running.folder / "data",
                                            fmt::format("-master.port={}", ports[0]),
                                            fmt::format("-master.port.grpc={}", ports[1]),
                                            fmt::format("-volume.port={}", ports[2]),
                                            fmt::format("-volume.port.grpc={}", ports[3]),
                                            "-filer",
                                            fmt::format("-filer.port={}", ports[4]),
                                            fmt::format("-filer.port.grpc={}", ports[5]),
                                            "-s3",
                                            fmt::format("-s3.port={}", ports[6]),
                                            fmt::format("-s3.port.grpc={}", ports[7]),
                                            "-s3.port.iceberg=0",
                                            "-s3.port.lance=0",
                                            "-s3.config=" + running.folder / "s3.json",
                                            "-master.volumeSizeLimitMB=64",
                                            "-volume.max=50"};
  running.process = std::make_unique<ServerProcess>(command, running.folder / "log");
  const std::string endpoint = fmt::format("http://127.0.0.1:{}", ports[6]);
  running.server = std::make_unique<S3Server>(endpoint, kAccessKey, kSecretKey);
  // The S3 part answers before the volumes take files; then the first puts would fail.
  running.process->wait_until([&] {
    return answers(endpoint) && running.server->try_put("ready", "", "") < 300 &&
           running.server->try_put("ready", "ready", "yes") < 300;
  });
}

void start_moto(Running& running) {
  const auto ports = free_ports(1);
  running.process = std::make_unique<ServerProcess>(
      std::vector<std::string>{program("python"), program("moto_server"), "-H", "127.0.0.1", "-p",
                               fmt::format("{}", ports[0])},
      running.folder / "log");
  const std::string endpoint = fmt::format("http://127.0.0.1:{}", ports[0]);
  running.server = std::make_unique<S3Server>(endpoint, kAccessKey, kSecretKey);
  running.process->wait_until([&] { return answers(endpoint); });
}

}  // namespace

S3Server::S3Server(std::string endpoint, std::string access_key, std::string secret_key)
    : endpoint_(std::move(endpoint)),
      access_key_(std::move(access_key)),
      secret_key_(std::move(secret_key)),
      http_(open_http({})) {}

S3StoreOptions S3Server::options(std::string bucket, std::string prefix) const {
  return {
      .bucket = std::move(bucket),
      .prefix = std::move(prefix),
      .region = "us-east-1",
      .endpoint = endpoint_,
      .environment = {{"AWS_ACCESS_KEY_ID", access_key_}, {"AWS_SECRET_ACCESS_KEY", secret_key_}}};
}

int S3Server::send(const std::string& method, const std::string& path, std::string_view body) {
  const aws::Unsigned request{.method = method,
                              .host = endpoint_.substr(endpoint_.find("//") + 2),
                              .path = path,
                              .payload_hash = sha256_hex(body)};
  const AwsCredentials credentials{.access_key = access_key_, .secret_key = Secret(secret_key_)};
  const auto headers =
      aws::sign(request, credentials, {.region = "us-east-1", .time = system_clock().now()});
  const auto head = http_->send({.method = method,
                                 .url = endpoint_ + aws::encoded_target(request),
                                 .headers = headers,
                                 .body = std::string(body),
                                 .shown = path},
                                {});
  return head ? head->status : 599;
}

int S3Server::try_put(const std::string& bucket, const std::string& key, std::string_view content) {
  return send("PUT", "/" + bucket + (key.empty() ? "" : "/" + key), content);
}

void S3Server::create_bucket(const std::string& bucket) { CHECK(try_put(bucket, "", "") < 300); }

void S3Server::put(const std::string& bucket, const std::string& key, std::string_view content) {
  CHECK(try_put(bucket, key, content) < 300);
}

void S3Server::remove(const std::string& bucket, const std::string& key) {
  CHECK(send("DELETE", "/" + bucket + "/" + key, "") < 300);
}

S3Server& seaweed() {
  static Running running;
  if (!running.server) start_seaweed(running);
  return *running.server;
}

S3Server& moto() {
  static Running running;
  if (!running.server) start_moto(running);
  return *running.server;
}

}  // namespace forebay::test
