#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"

namespace forebay {

// Where a pipeline's files are, taken apart. Nothing in it is decoded or taken as a pattern.
struct SourceUrl {
  enum class Kind { s3, gcs, azure, folder, api } kind = Kind::folder;
  std::string bucket;    // s3, gcs; azure: the container
  std::string prefix;    // of these: what every key begins with, as it was written
  std::string endpoint;  // api: https://…, as it was written; azure: of the account, if it is named
  std::string account;   // azure: empty when the source does not name it (az://)
  std::string shown;     // azure: what stands in front of the prefix, in the form it was written
  std::string folder;    // folder: absolute, without "." and ".." parts, ends with '/'

  // As people see it: "s3://acme-lake/carwash/", "/data/carwash/".
  std::string display() const;
  // What stands between "scheme://" and the key in URIs of this source.
  std::string uri_bucket() const;
};

// `base`: relative folders start here. `where` names the place in messages. invalid_config: no
// source at all, or one that this version does not read yet. No message repeats a user's password.
Result<SourceUrl> parse_source(std::string_view text, const std::string& base,
                               std::string_view where);

// The file of a DuckDB target: `duckdb:PATH`, or a path that ends in `.duckdb`; absolute.
Result<std::string> parse_duckdb_target(std::string_view text, const std::string& base,
                                        std::string_view where);

// Where tables go: a DuckDB file, or a PostgreSQL database (postgresql://… or postgres://…), whose
// address is checked when it is opened.
struct TargetUrl {
  std::string database;  // the file; of another target its address without user and options
  Secret address;        // of a PostgreSQL target; empty: it is a DuckDB file
};
Result<TargetUrl> parse_target(std::string_view text, const std::string& base,
                               std::string_view where);

// Whether this is a proxy's address, [scheme://][user@]host[:port]: libcurl would only fail in the
// middle of the work.
bool is_proxy(std::string_view text);

}  // namespace forebay
