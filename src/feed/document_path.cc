#include "feed/document_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace forebay {
namespace {

using Segments = std::vector<std::string_view>;

std::unexpected<Error> leaves(std::string_view path, std::string why) {
  return fail({.code = ErrorCode::refused,
               .operation = "read document",
               .cause = fmt::format("the path \"{}\" {}", path, why),
               .hint = "check that the pipeline's source is the place that the sender wrote to"});
}

// Without empty segments and ".".
Segments split(std::string_view path) {
  Segments segments;
  while (!path.empty()) {
    std::size_t slash = std::min(path.find('/'), path.size());
    std::string_view segment = path.substr(0, slash);
    if (!segment.empty() && segment != ".") segments.push_back(segment);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return segments;
}

std::string join(const Segments& segments, std::size_t from) {
  std::string path;
  for (std::size_t i = from; i < segments.size(); ++i) {
    if (!path.empty()) path += '/';
    path += segments[i];
  }
  return path;
}

// Without "..", each of which takes the segment before it; nothing where none is left to take.
std::optional<Segments> resolved(const Segments& segments, std::size_t from) {
  Segments below;
  for (std::size_t i = from; i < segments.size(); ++i) {
    if (segments[i] != "..") {
      below.push_back(segments[i]);
    } else if (below.empty()) {
      return std::nullopt;
    } else {
      below.pop_back();
    }
  }
  return below;
}

bool has_parent_segment(std::string_view path) {
  Segments segments = split(path);
  return std::ranges::find(segments, "..") != segments.end();
}

Status check_relative(std::string_view path) {
  if (path.starts_with('/')) return leaves(path, "begins with a slash, so it leaves the source");
  if (has_parent_segment(path)) return leaves(path, "has a .. segment, so it may leave the source");
  return {};
}

// How many of the path's first segments are an ending of the source's path.
std::size_t shared_segments(std::string_view root, const Segments& path) {
  Segments folder = split(root);
  // What stands before a ".." says nothing about where the folder is.
  auto last_parent = std::find(folder.rbegin(), folder.rend(), "..");
  folder.erase(folder.begin(), last_parent.base());
  for (std::size_t n = std::min(folder.size(), path.size()); n > 0; --n) {
    if (std::equal(folder.end() - static_cast<std::ptrdiff_t>(n), folder.end(), path.begin())) {
      return n;
    }
  }
  return 0;
}

Result<std::string> in_folder(const std::string& root, std::string_view path) {
  if (path.starts_with('/')) return leaves(path, "begins with a slash, so it leaves the source");
  const Segments segments = split(path);
  const auto below = resolved(segments, shared_segments(root, segments));
  if (!below) return leaves(path, "leaves the source by a .. segment");
  std::string key = join(*below, 0);
  if (key.empty()) return leaves(path, "names the source itself");
  if (path.ends_with('/')) return leaves(path, "names a folder, not a file");
  return key;
}

Result<std::string> in_bucket(const std::string& prefix, std::string_view path) {
  if (!path.starts_with(prefix)) {
    return leaves(path, fmt::format("is outside the source, whose prefix is \"{}\"", prefix));
  }
  if (path.size() == prefix.size()) return leaves(path, "names the source itself");
  return std::string(path.substr(prefix.size()));
}

// The key of a URI scheme://bucket/key.
Result<std::string_view> in_source_bucket(const SourceRoot& root, std::string_view uri) {
  const std::size_t scheme = uri.find("://");
  if (scheme == std::string_view::npos || scheme == 0)
    return leaves(uri, "is no URI such as scheme://bucket/key");
  const std::string_view rest = uri.substr(scheme + 3);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view bucket = rest.substr(0, slash);
  if (!root.folder && bucket != root.bucket)
    return leaves(uri, fmt::format("is in another bucket than the source, \"{}\"", root.bucket));
  if (slash + 1 >= rest.size()) return leaves(uri, "names no file");
  return rest.substr(slash + 1);
}

}  // namespace

Result<std::string> resolve_path(PathBase base, const SourceRoot& root,
                                 std::string_view document_key, std::string_view path) {
  if (base == PathBase::bucket) {
    return root.folder ? in_folder(root.root, path) : in_bucket(root.root, path);
  }
  if (base == PathBase::uri) {
    ASSIGN_OR_RETURN(path, in_source_bucket(root, path));
    return root.folder ? in_folder(root.root, path) : in_bucket(root.root, path);
  }
  RETURN_IF_ERROR(check_relative(path));
  std::string key;
  // rfind gives npos where there is no slash, and npos + 1 is 0.
  if (base == PathBase::document) key = document_key.substr(0, document_key.rfind('/') + 1);
  std::string below = root.folder ? join(split(path), 0) : std::string(path);
  if (below.empty()) return leaves(path, "names no file");
  if (root.folder && path.ends_with('/')) return leaves(path, "names a folder, not a file");
  return key + below;
}

}  // namespace forebay
