// Aim: whatever a description refers to is there, in every name that a unit may have; what is not
// is an error that names file, line and key, with what may have been meant. Method: small
// descriptions, each wrong in one place.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/feeds.h"

namespace forebay {
namespace {

constexpr std::string_view kFile =
    "about: x\nunit: {file: [\"{t}/{n:int}.csv\", \"{t}/x{m:int}.csv\"], order: [n, m]}\n"
    "table: {capture: t}\neffect: put\nrows: {key: [id]}\n";
constexpr std::string_view kFolder =
    "about: x\nunit: {folder: \"{t}/{n:int}/\", order: [n]}\nfiles: {table: {capture: t}}\n"
    "effect: append\n";

std::string changed(std::string_view yaml, std::string_view from, std::string_view to) {
  std::string text(yaml);
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::runtime_error("not in the description");
  return text.replace(at, from.size(), to);
}

std::string error(std::string_view yaml) {
  Result<Feed> feed = bind_feed("mine", yaml, "f.yaml", {});
  return feed ? "none" : describe(feed.error()).substr(5);
}

using Case = std::pair<std::string, std::string>;  // a description, its error

void expect_errors(const std::vector<Case>& cases) {
  for (const auto& [yaml, expected] : cases) EXPECT_EQ(error(yaml), expected) << yaml;
}

TEST(ReferenceChecks, ACaptureMustBeInEveryPattern) {
  const std::string no_n = "the pattern \"{t}/x{m:int}.csv\" has no capture {n}";
  expect_errors({
      {changed(kFile, "{capture: t}", "\"{t}_{n}\""),
       "f.yaml:3: table: " + no_n + "\n  hint: did you mean {t}?"},
      {changed(kFile, "{capture: t}", "{join: [{capture: t}, {capture: n}], with: \"_\"}"),
       "f.yaml:3: table: " + no_n + "\n  hint: did you mean {t}?"},
      {changed(kFile, "{capture: t}", "{first: [{capture: n}, {capture: t}]}"), "none"},
      {changed(kFile, "{capture: t}", "{first: [{capture: t}, {capture: n}]}"),
       "f.yaml:3: table: " + no_n + "\n  hint: did you mean {t}?"},
      {changed(kFile, "effect: put", "effect: {by: {capture: n}, when: {1: put}}"),
       "f.yaml:4: effect.by: " + no_n + "\n  hint: did you mean {t}?"},
      {changed(kFile, "[id]", "[id], version: [{capture: n}]"),
       "f.yaml:5: rows.version: " + no_n + "\n  hint: did you mean {t}?"},
  });
}

TEST(ReferenceChecks, ATemplateNamesCapturesThatAreThere) {
  expect_errors({
      {std::string(kFile) + "gate: [{exists: \"{t}/{day}/_S\"}]\n",
       "f.yaml:6: gate: the pattern \"{t}/{n:int}.csv\" has no capture {day}"},
      {std::string(kFile) + "gate: [{absent: \"{t/_S\"}]\n",
       "f.yaml:6: gate: has a { that is not closed"},
      {std::string(kFile) + "gate: [{below: \"{k}.R\"}]\n",
       "f.yaml:6: gate: the pattern \"{t}/x{m:int}.csv\" has no capture {k}\n"
       "  hint: did you mean {t}?"},
      {std::string(kFolder) + "gate: [{exists: \"{day}/_SUCCESS\"}]\n",
       "f.yaml:5: gate: the pattern \"{t}/{n:int}/\" has no capture {day}"},
      {changed(kFolder, "{capture: t}", "{capture: below_the_folder}"),
       "f.yaml:3: files.table: the pattern \"{t}/{n:int}/\" has no capture {below_the_folder}"},
  });
}

TEST(ReferenceChecks, AStopAtATableNeedsItsName) {
  const std::string stop = changed(kFile, "order: [n, m]", "order: [n, m], stop: table");
  expect_errors({
      {stop, "none"},
      {changed(stop, "{capture: t}", "{meta: /t}") + "with: {meta: \"{t}/m.json\"}\n",
       "f.yaml:2: unit.stop: needs units whose table stands in their names, or `identity`"},
      {changed(kFile, "order: [n, m]", "stop: table"),
       "f.yaml:2: unit.stop: needs `order`: without one nothing stops"},
      {changed(kFile, "order: [n, m]", "order: [n, m], stop: [n]"),
       "f.yaml:2: unit.stop: the pattern \"{t}/x{m:int}.csv\" has no capture {n}"},
  });
}

TEST(ReferenceChecks, AFileOfKeysHasNoColumnsThatSayMore) {
  expect_errors({
      {changed(kFile, "effect: put", "effect: delete"), "none"},
      {changed(changed(kFile, "effect: put", "effect: delete"), "[id]", "[id], version: [v]"),
       "f.yaml:5: rows.version: a file of keys to delete has no such column, allowed: captures, "
       "paths in the document, {column: NAME, absent: lowest}"},
      {changed(changed(kFile, "effect: put", "effect: delete"), "[id]", "[id], delete: {flag: f}"),
       "f.yaml:5: rows.delete: files of keys to delete have neither flags nor operations"},
  });
}

TEST(ReferenceChecks, AFolderHasNoDocumentOfItsOwn) {
  expect_errors({
      {std::string(kFolder) + "check: {files: /n}\n",
       "f.yaml:5: check.files: a folder has the files that lie there, and no list"},
      {std::string(kFolder) + "accept: {/n: [1]}\n",
       "f.yaml:5: accept: belongs to feeds whose units are documents, or have companions"},
      {std::string(kFolder) + "decode: {format: /n}\n",
       "f.yaml:5: decode.format: \"/n\" is not known, allowed: csv, json, parquet, tsv"},
      {changed(kFolder, "{table: ", "{folder: \"{t}/\", table: "),
       "f.yaml:3: files.folder: is no known key, allowed: match, table"},
  });
}

TEST(ReferenceChecks, WhatIsNoCompanionIsNamed) {
  const std::string forms =
      "is no known key and no companion of `with`, allowed: \"{capture}\", {capture: NAME}, "
      "{option: NAME}, {text: TEXT}, {first: [VALUES]}, {join: [VALUES]}, {COMPANION: /path}";
  const std::string with = std::string(kFile) + "with: {meta: \"{t}/m.json\"}\n";
  expect_errors({
      {with + "decode: {delimiter: {mata: /d}}\n",
       "f.yaml:7: decode.delimiter.mata: " + forms + "\n  hint: did you mean meta?"},
      {changed(with, "[id]", "{mata: /keys}"),
       "f.yaml:5: rows.key.mata: " + forms + "\n  hint: did you mean meta?"},
      {changed(with, "[id]", "{table: {a: [id]}}"),
       "f.yaml:5: rows.key.table: is no known key, allowed: tables, option, default, list\n"
       "  hint: did you mean tables?"},
      {with + "decode: {columns: {meta: /c}}\n",
       "f.yaml:7: decode: columns gives names to files without a header: say header: false too"},
      {with + "decode: {header: false, columns: {list: {meta: /c}, by: k}}\n",
       "f.yaml:7: decode.columns.by: is of objects, whose `name` must be said"},
      {with + "options: {on_rewrite: replace}\ndecode: {delimiter: {meta: /d}}\n",
       "f.yaml:8: decode: on_rewrite: replace cannot ask documents again for a form, allowed: "
       "warn, stop"},
      {std::string(kFile) + "with: {}\n", "f.yaml:6: with: must name at least one companion"},
      {std::string(kFile) + "select: {export: {capture: t}}\n",
       "f.yaml:6: select: needs unit.identity: units that are known by what they say"},
  });
}

}  // namespace
}  // namespace forebay
