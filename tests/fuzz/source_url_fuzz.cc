// Addresses in a configuration: sources, targets, endpoints, proxies; and the request line that
// becomes of a key.
#include "app/source_url.h"

#include "app/serve/web.h"
#include "base/encode.h"
#include "fuzz/fuzz.h"
#include "net/aws_sign.h"
#include "store/s3_address.h"

namespace forebay::test {
namespace {

void must_be_a_setting(const Error& error) {
  must(error.code == ErrorCode::invalid_config, "an address is right or wrong");
}

void check_request(std::string_view key) {
  const aws::Unsigned request{
      .host = "h", .path = "/" + std::string(key), .query = {{"prefix", std::string(key)}}};
  const std::string target = aws::encoded_target(request);
  const std::size_t query = target.find('?');
  must(query != std::string::npos, "the first ? begins the query");
  must(percent_decode(target.substr(0, query)) == request.path, "a path is encoded once");
  must(percent_decode(target.substr(query)) == "?prefix=" + std::string(key),
       "a query is encoded once");
  for (const char c : target) must(c > ' ' && c < 0x7f, "a request line is plain");
}

}  // namespace

FOREBAY_FUZZ(source_url) {
  if (const auto source = parse_source(input, "/base", "it")) {
    const auto again = parse_source(source->display(), "/base", "it");
    must(again && again->display() == source->display(), "what is shown can be written");
    must(again->kind == source->kind && again->bucket == source->bucket &&
             again->prefix == source->prefix && again->account == source->account,
         "and means the same");
    if (source->kind == SourceUrl::Kind::folder)
      must(source->folder.starts_with('/') && source->folder.ends_with('/'), "folders are whole");
  } else {
    must_be_a_setting(source.error());
  }
  if (const auto target = parse_duckdb_target(input, "/base", "it")) {
    must(target->starts_with('/'), "a database's path is whole");
  } else {
    must_be_a_setting(target.error());
  }
  const auto address =
      s3::address_of({.bucket = "b", .region = "r", .endpoint = std::string(input)});
  if (address) {
    must(address->host.find_first_of("/?#@ ") == std::string::npos, "a host is a host");
    must(address->origin.ends_with("://" + address->host), "and ends the origin");
  }
  if (is_proxy(input)) must(input.find('\n') == std::string_view::npos, "a proxy is one line");
  if (const auto listen = parse_listen(input, "it")) {
    must(!listen->host.empty(), "one listens at an address");
  } else {
    must_be_a_setting(listen.error());
  }
  check_request(input);
}

}  // namespace forebay::test
