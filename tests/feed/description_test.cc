// Aim: the built-in descriptions mean what they should, and each likely mistake in one of a user's
// own gets an error that says file, line, key, what is wrong and what is allowed.

#include "feed/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "feed/builtin.h"
#include "support/feeds.h"

namespace forebay {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A description that is right; each test changes one text of it.
constexpr std::string_view kDocuments = R"(about: a test
unit:
  document: "m/{n:int}.json"
  order: [n]
  time: /at
files:
  list: /files
  path: {field: path, from: bucket}
  table: table
  rows: rows
accept:
  /version: [v1]
effect:
  by: /kind
  when:
    change: put
    full: {clear: table, then: append}
rows:
  key: [id]
  delete: {flag: gone}
)";
constexpr std::string_view kFiles = R"(about: a test
unit:
  file: "{table}/*.parquet"
table: {capture: table}
effect: append
)";

std::string changed(std::string_view yaml, std::string_view from, std::string_view to) {
  std::string text(yaml);
  std::size_t at = text.find(from);
  if (at == text.npos) throw std::runtime_error("not in the description");
  return text.replace(at, from.size(), to);
}

std::string error(std::string_view yaml, const Options& options = {}) {
  Result<Feed> feed = bind_feed("mine", yaml, "f.yaml", options);
  if (feed) return "none";
  EXPECT_EQ(feed.error().code, ErrorCode::invalid_config);
  return describe(feed.error()).substr(5);  // without "read "
}
std::string documents(std::string_view from, std::string_view to) {
  return error(changed(kDocuments, from, to));
}
std::string files(std::string_view from, std::string_view to) {
  return error(changed(kFiles, from, to));
}

TEST(Description, OfRollerupMeansWhatItsDocumentSays) {
  Feed feed = test::builtin("rollerup");
  EXPECT_EQ(feed.name, "rollerup");
  EXPECT_EQ(feed.unit.kind, UnitKind::document);
  EXPECT_THAT(feed.unit.order, ElementsAre("$file"));
  EXPECT_EQ(feed.unit.lookback, Duration(24h));
  EXPECT_EQ(feed.stale_after, Duration(1h));
  EXPECT_EQ(feed.files->base, PathBase::bucket);
  EXPECT_THAT(feed.rows.key, ElementsAre("_row_id"));
  EXPECT_EQ(feed.rows.deletes.flag, "_deleted");
  EXPECT_EQ(feed.effect.choices.at("incremental"), (Effect{.clear_table = false, .put = true}));
  EXPECT_EQ(feed.effect.choices.at("snapshot"), (Effect{.clear_table = true, .put = false}));
  EXPECT_EQ(feed.on_rewrite, OnRewrite::warn);
  EXPECT_EQ(feed.digest.size(), 16u);
}

TEST(Description, OfFilesAppends) {
  Feed feed = test::builtin("files", test::options({{"table", "events"}}));
  EXPECT_EQ(feed.unit.kind, UnitKind::file);
  EXPECT_FALSE(feed.ordered());
  EXPECT_TRUE(feed.unit.skip_hidden);
  EXPECT_EQ(feed.table->name, "events");
  EXPECT_FALSE(feed.effect.fixed.put);
  EXPECT_THAT(feed.rows.key, IsEmpty());
  Options options = test::options({{"table", "t"}, {"version", "v"}});
  options["primary_key"] = {.values = {"a", "b"}, .is_list = true};
  feed = test::builtin("files", options);
  EXPECT_TRUE(feed.effect.fixed.put);
  EXPECT_THAT(feed.rows.key, ElementsAre("a", "b"));
  EXPECT_EQ(version_text(feed.rows), "v");
}

TEST(Description, ListsItsOptions) {
  EXPECT_THAT(*feed_options(*find_builtin_feed("rollerup"), "rollerup"),
              ElementsAre("adopt", "audit_every", "columns", "exclude", "exclude_columns",
                          "include", "include_columns", "keep", "kept", "lookback", "max_future",
                          "metadata", "on_rewrite", "on_schema_change", "partition_columns",
                          "rename", "settle", "stale_after"));
  EXPECT_THAT(
      *feed_options(*find_builtin_feed("files"), "files"),
      ElementsAre("adopt", "audit_every", "columns", "compression", "dedup", "delimiter",
                  "encoding", "escape", "exclude", "exclude_columns", "format", "header", "include",
                  "include_columns", "keep", "kept", "lookback", "margin", "max_future", "metadata",
                  "null_text", "on_rewrite", "on_schema_change", "partition", "partition_columns",
                  "pattern", "primary_key", "quote", "rename", "settle", "stale_after", "start",
                  "table", "values", "version", "window"));
}

TEST(Description, EveryBuiltInOneIsRight) {
  for (const BuiltinFeed& feed : builtin_feeds()) {
    auto options = feed_options(feed.yaml, feed.name);
    EXPECT_TRUE(options) << describe(options.error());
  }
  EXPECT_EQ(find_builtin_feed("nothing"), std::nullopt);
}

TEST(Description, TheExamplesOfThisTestAreRight) {
  EXPECT_EQ(error(kDocuments), "none");
  EXPECT_EQ(error(kFiles), "none");
}

TEST(Description, ItsDigestChangesWithItsMeaningAlone) {
  auto digest = [](std::string_view yaml, const Options& options = {}) {
    return test::feed(yaml, options).digest;
  };
  EXPECT_EQ(digest(kFiles), digest(changed(kFiles, "a test", "other words")));
  EXPECT_EQ(digest(kFiles), digest(kFiles, test::options({{"stale_after", "5m"}})));
  EXPECT_NE(digest(kFiles), digest(changed(kFiles, "*.parquet", "*.pq")));
  EXPECT_NE(digest(kDocuments), digest(changed(kDocuments, "[id]", "[_id]")));
  EXPECT_NE(digest(kDocuments), digest(changed(kDocuments, "change: put", "change: append")));
  EXPECT_NE(digest(kDocuments), digest(changed(kDocuments, "[v1]", "[v1, v2]")));
}

TEST(Description, SaysWhichKeysThereAre) {
  EXPECT_EQ(
      files("effect:", "efect:"),
      "f.yaml:5: efect: is no known key, allowed: about, unit, window, files, accept, status, "
      "gate, select, effect, decode, metadata, partition_columns, rows, keep, columns, check, "
      "table, options, api, recognise, with, capture_columns\n  hint: did you mean effect?");
  EXPECT_EQ(documents("  list:", "  lists:"),
            "f.yaml:7: files.lists: is no known key, allowed: list, path, table, rows, size, hash, "
            "status, moved, repeated, folder, match\n"
            "  hint: did you mean list?");
  EXPECT_EQ(documents("from: bucket", "form: bucket"),
            "f.yaml:8: files.path.form: is no known key, allowed: field, from, bucket\n"
            "  hint: did you mean from?");
  EXPECT_EQ(documents("{flag: gone}", "{column: gone}"),
            "f.yaml:20: rows.delete.column: is no known key, allowed: flag, operation, "
            "is, others, skip, insert, absent");
  EXPECT_EQ(documents("by: /kind", "bye: /kind"),
            "f.yaml:14: effect.bye: is no known key, allowed: by, when, part, clear, then, "
            "key, accept, begins, once, pieces, joins\n"
            "  hint: did you mean by?");
}

TEST(Description, SaysWhatIsMissing) {
  EXPECT_EQ(
      error(""),
      "f.yaml: must be a map with keys from: about, unit, window, files, accept, status, "
      "gate, select, effect, decode, metadata, partition_columns, rows, keep, columns, check, "
      "table, options, api, recognise, with, capture_columns");
  EXPECT_EQ(files("about: a test\n", ""), "f.yaml:1: lacks the key about");
  EXPECT_EQ(files("table: {capture: table}\n", ""), "f.yaml:1: lacks the key table");
  EXPECT_EQ(files("effect: append\n", ""), "f.yaml:1: lacks the key effect");
  EXPECT_EQ(documents(", from: bucket", ""), "f.yaml:8: files.path: lacks the key from");
  EXPECT_EQ(documents("  list: /files\n", ""), "f.yaml:6: files: lacks the key list");
  EXPECT_EQ(documents(", then: append", ""), "f.yaml:17: effect.when.full: lacks the key then");
}

TEST(Description, SaysWhichValuesAreAllowed) {
  EXPECT_EQ(files("append", "apend"),
            "f.yaml:5: effect: \"apend\" is not known, allowed: append, put, delete\n"
            "  hint: did you mean append?");
  EXPECT_EQ(documents("from: bucket", "from: root"),
            "f.yaml:8: files.path.from: \"root\" is not known, allowed: bucket, document, source, "
            "uri");
  EXPECT_EQ(documents("clear: table", "clear: month"),
            "f.yaml:17: effect.when.full.clear: \"month\" is not known, allowed: table, part, "
            "generation");
  EXPECT_EQ(
      documents("list: /files", "list: files"),
      "f.yaml:7: files.list: \"files\" must be a path in the document, such as /files, or lines");
  EXPECT_EQ(documents("  /version:", "  version:"),
            "f.yaml:12: accept.version: must be a path in the document, such as /format_version");
}

TEST(Description, SaysWhatAValueMayReferTo) {
  const std::string forms =
      "allowed: \"{capture}\", {capture: NAME}, {option: NAME}, {text: TEXT}, {first: [VALUES]}, "
      "{join: [VALUES]}, {COMPANION: /path}";
  EXPECT_EQ(files("{capture: table}", "events"),
            "f.yaml:4: table: \"events\" refers to nothing, " + forms +
                "\n  hint: did you mean {capture: events}, or {text: events}, the same for all?");
  EXPECT_EQ(files("{capture: table}", "{field: table}"),
            "f.yaml:4: table.field: there are no entries here, " + forms);
  EXPECT_EQ(files("{capture: table}", "{capture: t, text: x}"),
            "f.yaml:4: table: must have exactly one key, " + forms);
  EXPECT_EQ(files("{capture: table}", "{captur: t}"),
            "f.yaml:4: table.captur: is no known key and no companion of `with`, " + forms +
                "\n  hint: did you mean capture?");
  EXPECT_EQ(files("{capture: table}", "{table}"),
            "f.yaml:4: table.table: is no known key and no companion of `with`, " + forms);
  EXPECT_EQ(documents("rows: rows", "rows: {text: x}"),
            "f.yaml:10: files.rows: must be a field or a path in the document");
  EXPECT_EQ(documents("by: /kind", "by: {text: x}"),
            "f.yaml:14: effect.by: a constant chooses nothing; write the effect alone");
}

TEST(Description, PutNeedsAKey) {
  EXPECT_EQ(files("append", "put"),
            "f.yaml:5: effect: \"put\" is of rows with a key, so rows.key must say what it is");
}

TEST(Description, RecogniseNeedsTheTable) {
  EXPECT_EQ(files("effect:", "recognise: {tables: \"{t}/*\"}\neffect:"),
            "f.yaml:5: recognise.tables: the pattern must capture {table}, as text");
}

TEST(Description, YamlFaultsHaveTheirLineToo) {
  EXPECT_EQ(files("effect: append", "effect: append\neffect: put"),
            "f.yaml:6: effect: is given twice, first in line 5");
}

TEST(Description, RandomChangesNeverCrashTheReader) {
  std::mt19937 random(13);
  for (int i = 0; i < 5'000; ++i) {
    std::string yaml(i % 2 ? kDocuments : kFiles);
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      std::size_t at = random() % yaml.size();
      switch (random() % 3) {
        case 0: yaml.erase(at, 1 + random() % 8); break;
        case 1: yaml.insert(at, 1, "{}[]:,\n \"*/$%"[random() % 13]); break;
        default: yaml.insert(at, yaml.substr(random() % yaml.size(), random() % 12)); break;
      }
      if (yaml.empty()) break;
    }
    Result<Feed> feed = bind_feed("x", yaml, "f.yaml", {});
    EXPECT_TRUE(feed || feed.error().code == ErrorCode::invalid_config) << yaml;
  }
}

}  // namespace
}  // namespace forebay
