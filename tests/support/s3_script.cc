#include "support/s3_script.h"

#include <fmt/format.h>

#include "base/encode.h"

namespace forebay::test {

std::string list_xml(const std::vector<std::string>& encoded_keys, std::string_view next_token) {
  std::string xml =
      fmt::format("<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>{}</IsTruncated>",
                  next_token.empty() ? "false" : "true");
  if (!next_token.empty()) {
    xml += fmt::format("<NextContinuationToken>{}</NextContinuationToken>", next_token);
  }
  for (const auto& key : encoded_keys) {
    xml += fmt::format(
        "<Contents><Key>{}</Key><Size>1</Size><ETag>\"e\"</ETag>"
        "<LastModified>2026-11-30T12:00:00Z</LastModified></Contents>",
        key);
  }
  return xml + "</ListBucketResult>";
}

std::string error_xml(std::string_view code, std::string_view more) {
  return fmt::format("<?xml version=\"1.0\"?><Error><Code>{}</Code><Message>m</Message>{}</Error>",
                     code, more);
}

namespace {

std::string object_headers(std::string_view etag, std::string_view more) {
  return fmt::format("ETag: \"{}\"\r\nLast-Modified: Mon, 30 Nov 2026 12:00:00 GMT\r\n{}", etag,
                     more);
}

}  // namespace

Answer object_answer(std::string_view content, std::string_view etag, std::string_view more) {
  return Answer::with(200, content, object_headers(etag, more));
}

Answer part_answer(std::string_view content, std::string_view etag, std::size_t first,
                   std::size_t last) {
  const auto range = fmt::format("Content-Range: bytes {}-{}/{}\r\n", first, last, content.size());
  return Answer::with(206, content.substr(first, last - first + 1), object_headers(etag, range));
}

ScriptedS3::ScriptedS3(std::vector<Answer> script, std::string prefix)
    : server(std::move(script)),
      store(*open_s3_store({.bucket = "bucket",
                            .prefix = std::move(prefix),
                            .region = "us-east-1",
                            .endpoint = server.endpoint(),
                            .environment = {{"AWS_ACCESS_KEY_ID", "key"},
                                            {"AWS_SECRET_ACCESS_KEY", "verysecret"},
                                            {"AWS_SESSION_TOKEN", "secrettoken"}}},
                           clock)) {}

Result<std::string> ScriptedS3::read(const ReadRequest& request) {
  std::string content;
  const auto info = store->read(request, [&](std::span<const std::byte> bytes) -> Status {
    content += as_text(bytes);
    return {};
  });
  if (!info) return fail(info.error());
  return content;
}

Result<std::vector<ObjectInfo>> list_all(ObjectStore& store, ListRequest request) {
  std::vector<ObjectInfo> all;
  while (true) {
    ASSIGN_OR_RETURN(ListPage page, store.list(request));
    for (auto& object : page.objects) all.push_back(std::move(object));
    if (!page.next_token) return all;
    request.page_token = std::move(*page.next_token);
  }
}

}  // namespace forebay::test
