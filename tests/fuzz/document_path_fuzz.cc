// Paths in documents, from every base, in buckets and folders: what comes out lies in the source.
#include "feed/document_path.h"

#include "fuzz/fuzz.h"

namespace forebay::test {
namespace {

bool has_segment(std::string_view path, std::string_view segment) {
  const std::string all = "/" + std::string(path) + "/";
  return all.find("/" + std::string(segment) + "/") != std::string::npos;
}

}  // namespace

FOREBAY_FUZZ(document_path) {
  const SourceRoot bucket{.folder = false, .root = "lake/", .bucket = "b"};
  const SourceRoot folder{.folder = true, .root = "/data/lake", .bucket = {}};
  for (const PathBase base :
       {PathBase::bucket, PathBase::document, PathBase::source, PathBase::uri}) {
    for (const SourceRoot& root : {bucket, folder}) {
      const auto key = resolve_path(base, root, "a/m.json", input);
      if (!key) {
        must(key.error().code == ErrorCode::refused, "a path is taken or refused");
        continue;
      }
      must(!key->empty(), "a key is not nothing");
      must(key->size() <= input.size() + 2, "and no longer than its path");
      if (root.folder) {
        must(!has_segment(*key, "..") && !has_segment(*key, ".") && !key->starts_with('/') &&
                 key->find("//") == std::string::npos && !key->ends_with('/'),
             "in a folder it is a plain path below");
      } else if (base == PathBase::bucket) {
        must("lake/" + *key == input, "in a bucket it is the very bytes");
      } else if (base != PathBase::uri) {
        must(!has_segment(input, "..") && !input.starts_with('/'), "relative paths never climb");
      }
    }
  }
}

}  // namespace forebay::test
