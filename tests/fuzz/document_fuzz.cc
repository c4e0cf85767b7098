// Markers and manifests of the built-in feeds: damaged, refused, or files that lie in the source.
// The first line is the feed's name, the second the document's key.
#include <map>
#include <set>

#include "feed/unit.h"
#include "fuzz/fuzz.h"
#include "support/feeds.h"

namespace forebay::test {
namespace {

const Feed* feed_named(std::string_view name) {
  static const std::map<std::string, Feed, std::less<>> kFeeds{{"rollerup", builtin("rollerup")},
                                                               {"rivet", builtin("rivet")}};
  const auto found = kFeeds.find(name);
  return found == kFeeds.end() ? nullptr : &found->second;
}

void check_content(const UnitContent& content, std::size_t bytes, bool folder) {
  must(content.files.size() <= bytes, "files are in the document");
  std::set<std::string> seen;
  for (const UnitFile& file : content.files) {
    must(!file.key.empty(), "a file has a key");
    must(seen.insert(file.table + "\n" + file.key).second, "and is listed once");
    const std::string all = "/" + file.key + "/";
    if (folder) must(all.find("/../") == std::string::npos, "no file leaves the source");
    if (folder) must(!file.key.starts_with('/'), "no file lies elsewhere");
  }
}

}  // namespace

FOREBAY_FUZZ(document) {
  const Feed* feed = feed_named(take_line(input));
  if (feed == nullptr) return;
  const auto unit = name_unit(*feed, take_line(input));
  if (!unit || !*unit) return;
  for (const SourceRoot& root : {SourceRoot{.folder = false, .root = "lake/", .bucket = "b"},
                                 SourceRoot{.folder = true, .root = "/data/lake", .bucket = {}}}) {
    const auto content = read_document(*feed, root, **unit, input);
    if (content) {
      check_content(*content, input.size(), root.folder);
      const auto again = read_document(*feed, root, **unit, input);
      must(again && again->digest == content->digest, "the same document says the same");
    } else {
      const ErrorCode code = content.error().code;
      // Some say of themselves which option of the pipeline they need.
      must(code == ErrorCode::damaged || code == ErrorCode::refused ||
               code == ErrorCode::invalid_config,
           "damaged or refused: " + describe(content.error()));
    }
  }
}

}  // namespace forebay::test
