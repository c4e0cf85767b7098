#include "support/bucket_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/digest.h"
#include "base/encode.h"

namespace forebay::test {
namespace {

constexpr std::string_view kBucket = "bucket";

// The value of a header; names are in small letters, but for those that libcurl writes.
std::optional<std::string> header(const std::string& request, const std::string& name) {
  const std::size_t at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return std::nullopt;
  const std::size_t from = at + name.size() + 4;
  return request.substr(from, request.find("\r\n", from) - from);
}

bool is_known_header(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "Host",     "User-Agent",           "Accept",
      "range",    "x-amz-content-sha256", "x-amz-date",
      "if-match", "x-amz-security-token", "authorization"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

std::string head_of(const std::string& content) {
  return fmt::format("ETag: \"{}\"\r\nLast-Modified: Mon, 30 Nov 2026 12:00:00 GMT\r\n",
                     digest_hex(DigestKind::md5, content));
}

Answer refusal(int status, std::string_view code) {
  return Answer::with(status,
                      fmt::format("<Error><Code>{}</Code><Message>m</Message></Error>", code));
}

}  // namespace

BucketServer::BucketServer()
    : server_(std::make_unique<ScriptedServer>(
          [this](const std::string& request) { return respond(request); })) {}

std::unique_ptr<ObjectStore> BucketServer::open(Clock& clock) const {
  return *open_s3_store(
      {.bucket = std::string(kBucket),
       .prefix = "in/",
       .region = "us-east-1",
       .endpoint = server_->endpoint(),
       .environment = {{"AWS_ACCESS_KEY_ID", "key"}, {"AWS_SECRET_ACCESS_KEY", "verysecret"}}},
      clock);
}

Answer BucketServer::respond(const std::string& request) {
  ++count_;
  Answer proper = proper_answer(request);
  return fault_ ? fault_(request, count_, std::move(proper)) : proper;
}

Answer BucketServer::complain(std::string what) {
  complaints_.push_back(std::move(what));
  return refusal(400, "InvalidRequest");
}

Answer BucketServer::proper_answer(const std::string& request) {
  const std::string line = request.substr(0, request.find("\r\n"));
  std::size_t at = line.size() + 2;
  while (request.compare(at, 2, "\r\n") != 0) {
    const std::string name = request.substr(at, request.find(':', at) - at);
    if (!is_known_header(name)) return complain("the header " + name);
    at = request.find("\r\n", at) + 2;
  }
  if (!header(request, "authorization")
           .value_or("")
           .starts_with("AWS4-HMAC-SHA256 Credential=key/"))
    return complain("no signature: " + line);
  const std::size_t space = line.find(' ');
  const std::string method = line.substr(0, space);
  if (method != "GET" && method != "HEAD") return complain("the method " + method);
  const std::string target = line.substr(space + 1, line.rfind(' ') - space - 1);
  const std::string path = target.substr(0, target.find('?'));
  const auto decoded = percent_decode(path);
  if (!decoded || percent_encode(*decoded, "/") != path) return complain("the encoding of " + path);
  std::map<std::string, std::string> query;
  std::string rest = target.contains('?') ? target.substr(target.find('?') + 1) : "";
  while (!rest.empty()) {
    const std::string part = rest.substr(0, rest.find('&'));
    rest.erase(0, part.size() + 1);
    const std::size_t equals = part.find('=');
    query[part.substr(0, equals)] = percent_decode(part.substr(equals + 1)).value_or("");
  }
  const std::string root = fmt::format("/{}", kBucket);
  if (*decoded == root && method == "GET") return list(query);
  if (!decoded->starts_with(root + "/in/") || !query.empty()) return complain("a request: " + line);
  Answer answer = read(request, decoded->substr(root.size() + 1));
  if (method == "HEAD") answer.cut_body(0);
  return answer;
}

Answer BucketServer::list(const std::map<std::string, std::string>& query) const {
  const auto value = [&](const char* name) {
    const auto found = query.find(name);
    return found == query.end() ? std::string() : found->second;
  };
  if (value("list-type") != "2" || value("encoding-type") != "url" || value("prefix").empty())
    return refusal(400, "InvalidArgument");
  const std::string after = std::max(value("start-after"), value("continuation-token"));
  std::string entries;
  std::string last;
  int left = std::stoi(value("max-keys"));
  bool truncated = false;
  for (const auto& [key, content] : objects_) {
    if (!key.starts_with(value("prefix")) || key <= after) continue;
    if (left-- == 0) {
      truncated = true;
      break;
    }
    entries += fmt::format(
        "<Contents><Key>{}</Key><LastModified>2026-11-30T12:00:00Z</LastModified>"
        "<ETag>\"{}\"</ETag><Size>{}</Size></Contents>",
        percent_encode(key), digest_hex(DigestKind::md5, content), content.size());
    last = key;
  }
  return Answer::with(
      200,
      fmt::format(
          "<ListBucketResult><EncodingType>url</EncodingType>"
          "<IsTruncated>{}</IsTruncated>{}{}</ListBucketResult>",
          truncated,
          truncated ? fmt::format("<NextContinuationToken>{}</NextContinuationToken>", last) : "",
          entries));
}

Answer BucketServer::read(const std::string& request, const std::string& key) const {
  const auto found = objects_.find(key);
  if (found == objects_.end()) return refusal(404, "NoSuchKey");
  const std::string& content = found->second;
  const std::string head = head_of(content);
  const auto pinned = header(request, "if-match");
  if (pinned && !head.contains("ETag: " + *pinned + "\r\n"))
    return refusal(412, "PreconditionFailed");
  const auto range = header(request, "range");
  if (!range) return Answer::with(200, content, head);
  const std::size_t first = std::stoul(range->substr(6));
  const std::string end = range->substr(range->find('-') + 1);
  const std::size_t last =
      std::min(end.empty() ? content.size() : std::stoul(end), content.size() - 1);
  if (first >= content.size()) return refusal(416, "InvalidRange");
  return Answer::with(
      206, content.substr(first, last - first + 1),
      head + fmt::format("Content-Range: bytes {}-{}/{}\r\n", first, last, content.size()));
}

}  // namespace forebay::test
