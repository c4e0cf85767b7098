// Aim: `files:` is read as written, and what cannot be meant is an error with its place.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/feeds.h"

namespace forebay {
namespace {

std::string description(std::string_view files) {
  return "about: x\nunit: {document: \"{r}/m.json\", order: [r]}\nfiles: {" + std::string(files) +
         "}\neffect: append\n";
}

std::string error(std::string_view files) {
  Result<Feed> feed = bind_feed("mine", description(files), "f.yaml", {});
  return feed ? "none" : describe(feed.error()).substr(std::string_view("read f.yaml:3: ").size());
}

TEST(FilesReader, ListsAreAPathAPathWithAFieldOrLines) {
  const auto read = [](std::string_view list) {
    return *test::feed(description("list: " + std::string(list) +
                                   ", path: {from: uri}, table: {capture: r}"))
                .files;
  };
  EXPECT_EQ(read("/a").list, "/a");
  EXPECT_EQ(read("[/tables, files]").below, "files");
  EXPECT_TRUE(read("lines").lines);
  EXPECT_EQ(read("/a").base, PathBase::uri);
  EXPECT_TRUE(read("/a").path.name.empty());
}

TEST(FilesReader, LinesOfTextHaveForms) {
  const auto with = [](std::string_view list) {
    return description("list: {" + std::string(list) + "}, path: {field: p, from: uri}, table: t");
  };
  const FilesRule rule = *test::feed(with("lines: [\"{n:int} {p}\", \"{p}\"], others: skip")).files;
  EXPECT_TRUE(rule.lines && rule.pass_others);
  ASSERT_EQ(rule.forms.size(), 2U);
  EXPECT_EQ(rule.forms[1].written, "{p}");
  const auto error_of = [&](std::string_view list) {
    const Result<Feed> feed = bind_feed("mine", with(list), "f.yaml", {});
    return feed ? "none" : describe(feed.error());
  };
  EXPECT_EQ(error_of("lines: p"),
            "read f.yaml:3: files.list.lines: \"p\" has no field, such as {name}");
  EXPECT_EQ(error_of("lines: \"{p}\", others: take"),
            "read f.yaml:3: files.list.others: \"take\" is not known, allowed: skip");
}

TEST(FilesReader, AListThatIsNoneOfTheseIsAnError) {
  const auto with = [](std::string_view list) {
    return error("list: " + std::string(list) + ", path: {field: p, from: source}, table: t");
  };
  EXPECT_EQ(with("f"),
            "files.list: \"f\" must be a path in the document, such as /files, or lines");
  EXPECT_EQ(with("[/f, /g]"), "files.list: \"/g\" must be a field's name");
  EXPECT_EQ(with("[/f, g, h]"),
            "files.list: must be a path, or a path and the field of its entries with the files");
}

TEST(FilesReader, PathsSayWhereTheyBegin) {
  const auto with = [](std::string_view path, std::string_view table = "t") {
    return error("list: /f, path: {" + std::string(path) + "}, table: " + std::string(table));
  };
  EXPECT_EQ(with("field: p, from: url"),
            "files.path.from: \"url\" is not known, allowed: bucket, document, source, uri\n"
            "  hint: did you mean uri?");
  EXPECT_EQ(with("field: p, from: uri, bucket: /b"),
            "files.path.bucket: belongs to `from: bucket`");
  EXPECT_EQ(with("from: document"),
            "files.table: the entries are texts and have no fields, allowed: {above: NAME}, a "
            "capture, a path in the document");
  EXPECT_EQ(with("field: p, from: source", "{above: t}"),
            "files.table: there is no list above the entries: `list` has one part");
}

TEST(FilesReader, FoldersHaveNoList) {
  EXPECT_EQ(error("folder: \"{r}\", table: {capture: r}"), "files.folder: must end in a slash");
  EXPECT_EQ(error("folder: \"{q}/\", table: {capture: r}"),
            "files.folder: the pattern \"{r}/m.json\" has no capture {q}\n"
            "  hint: did you mean {r}?");
  EXPECT_EQ(error("folder: \"{r}/\", list: /f, table: {capture: r}"),
            "files.list: is no known key, allowed: folder, match, table");
  EXPECT_EQ(error("list: /f, path: {field: p, from: source}, table: t, match: \"*.csv\""),
            "files.match: chooses among the files of a folder: needs `folder`");
}

}  // namespace
}  // namespace forebay
