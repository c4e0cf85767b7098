#include "app/source_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "app/config_error.h"
#include "app/file_text.h"

namespace forebay {
namespace {

constexpr std::string_view kSources =
    "a source is s3://bucket/prefix/, gs://bucket/prefix/, az://container/prefix/, "
    "abfss://container@account.dfs.core.windows.net/prefix/, a folder: ./path/, /path/, "
    "file:///path/, or, where the feed lists through an API, https://…";
constexpr std::string_view kTargets =
    "a target is duckdb:PATH, a path that ends in .duckdb, or postgresql://…";

// "s3" of "s3://…" and of "s3:/…"; empty for a path.
std::string scheme_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return "";
  const std::string_view scheme = text.substr(0, colon);
  const bool word = std::ranges::all_of(
      scheme, [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-'; });
  return word ? std::string(scheme) : "";
}

bool is_bucket_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
}

// "s3://bucket/prefix", "gs://bucket/prefix".
Result<SourceUrl> parse_bucket(std::string_view text, SourceUrl::Kind kind,
                               std::string_view where) {
  const std::size_t begin = text.find(':') + 3;
  if (!text.substr(0, begin).ends_with("://")) {
    return fail(config_error(where, "the source of a bucket begins with s3:// or gs://",
                             std::string(kSources)));
  }
  text.remove_prefix(begin);
  const std::size_t slash = text.find('/');
  SourceUrl url{.kind = kind};
  url.bucket = text.substr(0, slash);
  if (slash != std::string_view::npos) url.prefix = text.substr(slash + 1);
  if (!is_bucket_name(url.bucket))
    return fail(config_error(where, "the source names no bucket", std::string(kSources)));
  return url;
}

// Azure's clouds, each with its own domain.
constexpr std::array<std::string_view, 4> kAzureDomains = {
    "core.windows.net", "core.usgovcloudapi.net", "core.chinacloudapi.cn", "core.cloudapi.de"};

// "acme.blob.core.windows.net" (or .dfs.): the account and where its blobs are.
bool read_azure_host(std::string_view host, SourceUrl& url) {
  const std::size_t dot = host.find('.');
  if (dot == 0 || dot == std::string_view::npos) return false;
  const std::string_view account = host.substr(0, dot);
  const bool plain = std::ranges::all_of(account, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
  });
  const std::string_view rest = host.substr(dot + 1);
  const std::size_t service = rest.find('.');
  if (!plain || service == std::string_view::npos) return false;
  const std::string_view domain = rest.substr(service + 1);
  if (rest.substr(0, service) != "blob" && rest.substr(0, service) != "dfs") return false;
  if (std::ranges::find(kAzureDomains, domain) == kAzureDomains.end()) return false;
  url.account = account;
  url.endpoint = fmt::format("https://{}.blob.{}", account, domain);
  return true;
}

// "container/prefix" behind what names the account.
Result<SourceUrl> read_container(SourceUrl url, std::string_view rest, std::string_view where) {
  const std::size_t slash = rest.find('/');
  const std::string_view container = rest.substr(0, slash);
  const std::string_view name = container.starts_with('$') ? container.substr(1) : container;
  if (!is_bucket_name(name))
    return fail(config_error(where, "the source names no container", std::string(kSources)));
  url.bucket = container;
  if (slash != std::string_view::npos) url.prefix = rest.substr(slash + 1);
  return url;
}

// az://container/prefix; abfss://container@account.dfs.core.windows.net/prefix. Nothing of the text
// is repeated in a message.
Result<SourceUrl> parse_azure(std::string_view text, std::string_view where) {
  SourceUrl url{.kind = SourceUrl::Kind::azure};
  const std::string scheme = scheme_of(text);
  const std::string begin = scheme + "://";
  if (!text.starts_with(begin))
    return fail(config_error(where, "the source names no container", std::string(kSources)));
  std::string_view rest = text.substr(begin.size());
  const std::size_t at = rest.substr(0, rest.find('/')).find('@');
  if (at == std::string_view::npos && scheme == "az") {
    ASSIGN_OR_RETURN(url, read_container(std::move(url), rest, where));
    url.shown = fmt::format("az://{}/", url.bucket);
    return url;
  }
  const std::string container(rest.substr(0, at));
  const std::string_view behind =
      at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  const std::size_t slash = std::min(behind.find('/'), behind.size());
  if (!read_azure_host(behind.substr(0, slash), url)) {
    return fail(config_error(where, "the source names no account of Azure",
                             "write abfss://container@account.dfs.core.windows.net/prefix/"));
  }
  const std::string of_container = container + std::string(behind.substr(slash));
  ASSIGN_OR_RETURN(url, read_container(std::move(url), of_container, where));
  url.shown = fmt::format("{}{}@{}/", begin, container, behind.substr(0, slash));
  return url;
}

// https://account.blob.core.windows.net/container/prefix; nullopt: another address.
std::optional<Result<SourceUrl>> parse_azure_address(std::string_view text,
                                                     std::string_view where) {
  if (!text.starts_with("https://")) return std::nullopt;
  const std::string_view rest = text.substr(8);
  const std::string_view host = rest.substr(0, rest.find_first_of("/?#"));
  SourceUrl url{.kind = SourceUrl::Kind::azure};
  if (!read_azure_host(host, url)) return std::nullopt;
  if (rest.find_first_of("?#") != std::string_view::npos) {
    return fail(config_error(where, "the address of a container has no query here",
                             "a shared access signature belongs into AZURE_STORAGE_SAS_TOKEN"));
  }
  auto read =
      read_container(std::move(url), rest.substr(std::min(host.size() + 1, rest.size())), where);
  if (read) read->shown = fmt::format("https://{}/{}/", host, read->bucket);
  return read;
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
    case Kind::gcs: return fmt::format("gs://{}/{}", bucket, prefix);
    case Kind::azure: return shown + prefix;
    case Kind::folder: return folder;
    case Kind::api: return endpoint;
  }
  std::unreachable();
}

std::string SourceUrl::uri_bucket() const {
  if (kind != Kind::azure) return bucket;
  const std::size_t begin = shown.find("://") + 3;
  return shown.substr(begin, shown.size() - begin - 1);
}

Result<SourceUrl> parse_source(std::string_view text, const std::string& base,
                               std::string_view where) {
  if (text.empty()) return fail(config_error(where, "the source is empty", std::string(kSources)));
  const std::string scheme = scheme_of(text);
  if (scheme == "s3") return parse_bucket(text, SourceUrl::Kind::s3, where);
  if (scheme == "gs") return parse_bucket(text, SourceUrl::Kind::gcs, where);
  if (scheme == "az" || scheme == "abfss") return parse_azure(text, where);
  if (auto azure = parse_azure_address(text, where)) return std::move(*azure);
  if (scheme == "https" || scheme == "http") return parse_api(text, where);
  if (scheme.empty() || scheme == "file") return parse_folder(text, base, where);
  return fail(config_error(
      where, fmt::format("'{}:' is not a kind of source", scheme),
      fmt::format("{}; a folder whose name has a colon is written ./{}…", kSources, scheme + ":")));
}

Result<std::string> parse_duckdb_target(std::string_view text, const std::string& base,
                                        std::string_view where) {
  static constexpr std::array<std::string_view, 6> kLater = {"clickhouse", "snowflake",  "bigquery",
                                                             "redshift",   "databricks", "mysql"};
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

Result<TargetUrl> parse_target(std::string_view text, const std::string& base,
                               std::string_view where) {
  TargetUrl target;
  if (!text.starts_with("postgresql://") && !text.starts_with("postgres://")) {
    ASSIGN_OR_RETURN(target.database, parse_duckdb_target(text, base, where));
    return target;
  }
  target.address = Secret(std::string(text));
  std::string_view rest = text.substr(text.find("://") + 3);
  rest = rest.substr(0, rest.find('?'));
  // A password may hold a slash that was not encoded: all before the last @ is kept back.
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos)
    rest.remove_prefix(at + 1);
  target.database = fmt::format("postgresql://{}", rest);
  return target;
}

bool is_proxy(std::string_view text) {
  const auto unprintable = [](unsigned char c) { return c <= ' ' || c == 0x7f; };
  if (std::ranges::any_of(text, unprintable)) return false;
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
