// Aim: parts of a description that are right alone and wrong together are found before any row
// moves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/feeds.h"

namespace forebay {
namespace {

std::string error(std::string_view yaml, const Options& options = {}) {
  Result<Feed> feed = bind_feed("mine", yaml, "f.yaml", options);
  if (feed) return "none";
  EXPECT_EQ(feed.error().code, ErrorCode::invalid_config);
  return describe(feed.error()).substr(5);
}

std::string files_error(std::initializer_list<std::pair<std::string, std::string>> options) {
  return error(*find_builtin_feed("files"), test::options(options)).substr(7);
}

TEST(DescriptionChecks, AKeyedFeedNeedsAnOrderOrAVersion) {
  EXPECT_EQ(
      error("about: x\nunit: {file: \"*.pq\"}\ntable: {text: t}\neffect: put\n"
            "rows:\n  key: [id]\n"),
      "f.yaml:6: rows.key: the feed has neither an order nor a version, so nothing says which "
      "row of a key is newer\n  hint: give version columns (option version), or an order to "
      "the units");
  EXPECT_THAT(files_error({{"table", "t"}, {"primary_key", "id"}}),
              testing::HasSubstr("neither an order nor a version"));
  EXPECT_TRUE(bind_feed("mine", *find_builtin_feed("files"), "f.yaml",
                        test::options({{"table", "t"}, {"primary_key", "id"}, {"version", "v"}})));
}

TEST(DescriptionChecks, AVersionOrADeleteNeedsAKey) {
  EXPECT_THAT(files_error({{"table", "t"}, {"version", "v"}}),
              testing::HasSubstr("a version decides between rows of one key, and there is no key"));
  EXPECT_EQ(error("about: x\nunit: {file: \"*.pq\"}\ntable: {text: t}\neffect: append\n"
                  "rows: {delete: {flag: gone}}\n"),
            "f.yaml:5: rows.delete: rows without a key cannot be deleted");
}

TEST(DescriptionChecks, OnRewriteAppendIsForTablesWithoutAKey) {
  EXPECT_EQ(
      error(*find_builtin_feed("rollerup"), test::options({{"on_rewrite", "append"}})),
      "f.yaml:31: rows.key: on_rewrite: append is for tables without a key, allowed with one: "
      "warn, replace, stop");
  EXPECT_EQ(
      error(*find_builtin_feed("files"), test::options({{"table", "t"}, {"on_rewrite", "append"}})),
      "none");
}

TEST(DescriptionChecks, AClearNeedsAnOrder) {
  EXPECT_EQ(error("about: x\nunit: {file: \"*.pq\"}\ntable: {text: t}\n"
                  "effect: {clear: table, then: append}\n"),
            "f.yaml:4: effect: clears a table, and without an order nothing says what came before\n"
            "  hint: give unit.order");
}

TEST(DescriptionChecks, ACaptureThatIsUsedStandsInEveryPattern) {
  EXPECT_EQ(error("about: x\nunit: {file: [\"{t}/a.pq\", \"x/*.csv\"]}\ntable: {capture: t}\n"
                  "effect: append\n"),
            "f.yaml:3: table: the pattern \"x/*.csv\" has no capture {t}");
  EXPECT_EQ(error("about: x\nunit: {file: \"x/*.csv\"}\ntable: {capture: $file}\n"
                  "effect: append\n"),
            "none");
}

TEST(DescriptionChecks, PartsStandWhereTheyBelong) {
  EXPECT_EQ(error("about: x\nunit: {file: \"*.pq\"}\ntable: {text: t}\neffect: append\n"
                  "files: {list: /files}\n"),
            "f.yaml:5: files: belongs to units that are documents");
  EXPECT_EQ(error("about: x\nunit: {document: \"*.json\"}\ntable: {text: t}\neffect: append\n"
                  "files: {list: /files, path: {field: p, from: bucket}, table: t}\n"),
            "f.yaml:3: table: belongs to units that are files; a document's files have "
            "files.table");
  EXPECT_EQ(error("about: x\nunit: {file: \"*.pq\"}\ntable: {text: t}\neffect: append\n"
                  "accept: {/v: [1]}\n"),
            "f.yaml:5: accept: belongs to feeds whose units are documents, or have companions");
}

}  // namespace
}  // namespace forebay
