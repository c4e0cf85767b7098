#include "app/source_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "app/config_error.h"
#include "app/file_text.h"

namespace forebay {
namespace {

constexpr std::string_view kSources =
    "a source is s3://bucket/prefix/, a folder: ./path/, /path/, file:///path/, or, where the feed "
    "lists through an API, https://…";
constexpr std::string_view kTargets = "a target is duckdb:PATH, or a path that ends in .duckdb";

// "s3" of "s3://…" and of "s3:/…"; empty for a path.
std::string scheme_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return "";
  const std::string_view scheme = text.substr(0, colon);
  const bool word = std::ranges::all_of(
      scheme, [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-'; });
  return word ? std::string(scheme) : "";
}

Result<SourceUrl> parse_s3(std::string_view text, std::string_view where) {
  if (!text.starts_with("s3://")) {
    return fail(config_error(where, "an S3 source begins with s3://", std::string(kSources)));
  }
  text.remove_prefix(5);
  const std::size_t slash = text.find('/');
  SourceUrl url{.kind = SourceUrl::Kind::s3};
  url.bucket = text.substr(0, slash);
  if (slash != std::string_view::npos) url.prefix = text.substr(slash + 1);
  const bool plain = std::ranges::all_of(url.bucket, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
  if (url.bucket.empty() || !plain) {
    return fail(config_error(where, "the source names no bucket", std::string(kSources)));
  }
  return url;
}

// Nothing of the text is repeated in a message: it may hold a password.
Result<SourceUrl> parse_api(std::string_view text, std::string_view where) {
  const std::string_view rest = text.substr(std::min(text.size(), text.find("://") + 3));
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  if (!text.contains("://") || authority.empty())
    return fail(config_error(where, "the source names no server", std::string(kSources)));
  if (authority.contains('@') || rest.find_first_of("?#") != std::string_view::npos)
    return fail(config_error(where, "an API's address has no user, query or fragment here",
                             "secrets belong into `headers`"));
  const std::string_view host = authority.substr(0, authority.rfind(':'));
  if (text.starts_with("http:") && host != "127.0.0.1" && host != "localhost" && host != "[::1]")
    return fail(config_error(where, "http is for this machine alone", "write https://"));
  SourceUrl url{.kind = SourceUrl::Kind::api};
  url.endpoint = text;
  return url;
}

Result<SourceUrl> parse_folder(std::string_view text, const std::string& base,
                               std::string_view where) {
  if (text.starts_with("file:")) {
    if (!text.starts_with("file:///")) {
      return fail(config_error(where, "a file URL names an absolute path on this machine",
                               "write file:///path/"));
    }
    text.remove_prefix(7);
  }
  SourceUrl url{.kind = SourceUrl::Kind::folder};
  url.folder = resolve_path(std::string(text), base);
  if (!url.folder.ends_with('/')) url.folder += '/';
  return url;
}

}  // namespace

std::string SourceUrl::display() const {
  switch (kind) {
    case Kind::s3: return fmt::format("s3://{}/{}", bucket, prefix);
    case Kind::folder: return folder;
    case Kind::api: return endpoint;
  }
  std::unreachable();
}

Result<SourceUrl> parse_source(std::string_view text, const std::string& base,
                               std::string_view where) {
  static constexpr std::array<std::string_view, 6> kLater = {"gs",    "az",   "abfs",
                                                             "abfss", "wasb", "adl"};
  if (text.empty()) return fail(config_error(where, "the source is empty", std::string(kSources)));
  const std::string scheme = scheme_of(text);
  if (scheme == "s3") return parse_s3(text, where);
  if (scheme == "https" || scheme == "http") return parse_api(text, where);
  if (scheme.empty() || scheme == "file") return parse_folder(text, base, where);
  if (std::ranges::find(kLater, scheme) != kLater.end()) {
    return fail(config_error(
        where,
        fmt::format("sources of the kind {}:// are not supported yet by this version", scheme),
        std::string(kSources)));
  }
  return fail(config_error(
      where, fmt::format("'{}:' is not a kind of source", scheme),
      fmt::format("{}; a folder whose name has a colon is written ./{}…", kSources, scheme + ":")));
}

Result<std::string> parse_duckdb_target(std::string_view text, const std::string& base,
                                        std::string_view where) {
  static constexpr std::array<std::string_view, 8> kLater = {"postgresql", "postgres", "clickhouse",
                                                             "snowflake",  "bigquery", "redshift",
                                                             "databricks", "mysql"};
  const std::string scheme = scheme_of(text);
  if (std::ranges::find(kLater, scheme) != kLater.end()) {
    return fail(
        config_error(where, fmt::format("{} targets are not supported yet by this version", scheme),
                     std::string(kTargets)));
  }
  std::string_view path = text;
  if (scheme == "duckdb") path.remove_prefix(7);
  const bool named = scheme == "duckdb" || (scheme.empty() && text.ends_with(".duckdb"));
  if (!named) return fail(config_error(where, "this names no target", std::string(kTargets)));
  if (path.empty() || path.starts_with("//") || path == ":memory:" || path.ends_with('/')) {
    return fail(config_error(where, "the target names no database file",
                             "write duckdb:warehouse.duckdb or duckdb:/path/warehouse.duckdb"));
  }
  return resolve_path(std::string(path), base);
}

bool is_proxy(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kSchemes = {"http",    "https",  "socks4",
                                                               "socks4a", "socks5", "socks5h"};
  if (const std::size_t colon = text.find("://"); colon != std::string_view::npos) {
    if (std::ranges::find(kSchemes, text.substr(0, colon)) == kSchemes.end()) return false;
    text.remove_prefix(colon + 3);
  }
  while (text.ends_with('/')) text.remove_suffix(1);
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos)
    text.remove_prefix(at + 1);
  const std::size_t end_of_host = text.starts_with('[') ? text.find(']') : text.find(':');
  if (text.starts_with('[') && end_of_host == std::string_view::npos) return false;
  std::string_view host = text.substr(0, end_of_host);
  std::string_view port = end_of_host == std::string_view::npos ? "" : text.substr(end_of_host);
  if (port.starts_with(']')) port.remove_prefix(1);
  if (host.empty() || host == "[") return false;
  if (host.find_first_of(" /?#\t\r\n") != std::string_view::npos) return false;
  if (port.empty()) return true;
  if (!port.starts_with(':')) return false;
  port.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  return error == std::errc() && end == port.data() + port.size() && number > 0 && number <= 65535;
}

}  // namespace forebay
