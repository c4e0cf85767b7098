#include "store/s3_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "net/credentials/aws_endpoint.h"

namespace forebay::s3 {
namespace {

std::unexpected<Error> invalid(std::string object, std::string cause, std::string hint) {
  return fail({.code = ErrorCode::invalid_config,
               .operation = "open bucket",
               .object = std::move(object),
               .cause = std::move(cause),
               .hint = std::move(hint)});
}

bool valid_bucket(std::string_view bucket) {
  return bucket.size() >= 1 && bucket.size() <= 255 && bucket != "." && bucket != ".." &&
         std::ranges::all_of(bucket, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

// A name that a wildcard certificate covers and a resolver takes: old buckets may have others.
bool fits_a_host(std::string_view bucket) {
  return bucket.size() >= 3 && bucket.size() <= 63 && std::ranges::all_of(bucket, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

struct Origin {
  std::string scheme;
  std::string host;
};

std::optional<Origin> parse_origin(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos) return std::nullopt;
  Origin origin{.scheme = std::string(text.substr(0, end)), .host = {}};
  if (origin.scheme != "http" && origin.scheme != "https") return std::nullopt;
  std::string_view host = text.substr(end + 3);
  if (host.ends_with('/')) host.remove_suffix(1);
  if (host.empty() || host.find_first_of("/?#@ ") != std::string_view::npos) return std::nullopt;
  // The Host header leaves the scheme's own port out, and the signature covers the header.
  const std::string_view own_port = origin.scheme == "http" ? ":80" : ":443";
  if (host.ends_with(own_port)) host.remove_suffix(own_port.size());
  origin.host = host;
  return origin;
}

}  // namespace

Result<Address> address_of(const AddressOptions& options) {
  const std::string& bucket = options.bucket;
  if (!valid_bucket(bucket)) {
    return invalid("s3://" + bucket, "this is no bucket's name",
                   "write the source as s3://bucket/prefix/");
  }
  const std::string endpoint = options.endpoint.value_or(
      fmt::format("https://s3.{}.{}", options.region, aws_domain(options.region)));
  const auto origin = parse_origin(endpoint);
  if (!origin) {
    return invalid("s3://" + bucket, "the endpoint or region makes no address",
                   "write the endpoint as https://host or https://host:port");
  }
  const bool path_style =
      options.path_style.value_or(options.endpoint.has_value() || !fits_a_host(bucket));
  Address address{.origin = {}, .host = origin->host, .base_path = "/"};
  if (path_style) {
    address.base_path += bucket;
  } else {
    address.host = bucket + "." + origin->host;
  }
  address.origin = fmt::format("{}://{}", origin->scheme, address.host);
  return address;
}

}  // namespace forebay::s3
