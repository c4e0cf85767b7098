// Aim: `decode:` is read from a description and from the options of `files`, and what could be
// understood in two ways is refused with place and key. Method: descriptions as text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/feeds.h"

namespace forebay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string described(const std::string& decode) {
  return "about: a test\nunit: {file: \"*.txt\"}\ntable: {text: t}\neffect: append\ndecode: " +
         decode + "\n";
}

std::string error(const std::string& decode) {
  const Result<Feed> feed = bind_feed("mine", described(decode), "f.yaml", {});
  return feed ? "none" : describe(feed.error());
}

TEST(DecodeReader, ReadsFormatAndDialect) {
  const DecodeRule rule =
      test::feed(described("{format: csv, compression: gzip, encoding: utf-8, delimiter: \"|\", "
                           "quote: \"'\", escape: \"\\\\\", header: false, columns: [a, b], "
                           "null_text: [\"NULL\", '\\N']}"))
          .decode;
  EXPECT_EQ(rule.format, FileFormat::csv);
  EXPECT_EQ(rule.compression, Compression::gzip);
  EXPECT_EQ(rule.delimiter, '|');
  EXPECT_EQ(rule.dialect.quote, '\'');
  EXPECT_EQ(rule.dialect.escape, '\\');
  EXPECT_FALSE(rule.dialect.header);
  EXPECT_THAT(rule.dialect.columns, ElementsAre("a", "b"));
  EXPECT_THAT(rule.dialect.nulls, ElementsAre("NULL", "\\N"));
}

TEST(DecodeReader, WhatIsLeftOutIsAsTheStandardHasIt) {
  EXPECT_EQ(test::feed(described("{format: json}")).decode, DecodeRule{.format = FileFormat::json});
  EXPECT_EQ(test::feed(described("{delimiter: tab}")).decode.delimiter, '\t');
  EXPECT_EQ(test::feed(described("{quote: none}")).decode.dialect.quote, std::nullopt);
  const DecodeRule quotes = test::feed(described("{quote: \"'\"}")).decode;
  EXPECT_EQ(quotes.dialect.escape, '\'') << "quotes are doubled, whichever they are";
}

TEST(DecodeReader, ColumnsOfTextMayStayText) {
  EXPECT_FALSE(test::feed(described("{format: csv}")).decode.texts);
  EXPECT_FALSE(test::feed(described("{types: found}")).decode.texts);
  EXPECT_TRUE(test::feed(described("{types: text}")).decode.texts);
  EXPECT_THAT(error("{types: number}"), HasSubstr("allowed: found, text"));
}

TEST(DecodeReader, AreOptionsOfFiles) {
  const Feed feed = test::builtin(
      "files", test::options({{"table", "t"}, {"format", "tsv"}, {"delimiter", ";"}}));
  EXPECT_EQ(feed.decode.format, FileFormat::tsv);
  EXPECT_EQ(feed.decode.delimiter, ';');
}

TEST(DecodeReader, RecordsStandInAListAndOnlySomeAreRows) {
  const JsonShape shape =
      test::feed(described("{list: /a/Records, only: {/type: [RECORD], /of/table: [a, b]}}"))
          .decode.shape;
  EXPECT_EQ(shape.list, (std::vector<std::string>{"a", "Records"}));
  ASSERT_EQ(shape.only.size(), 2U);
  EXPECT_EQ(shape.only[1].path, (std::vector<std::string>{"of", "table"}));
  EXPECT_EQ(shape.only[1].values, (std::vector<std::string>{"a", "b"}));
}

TEST(DecodeReader, ErrorsNamePlaceAndKey) {
  EXPECT_THAT(
      error("{format: xml}"),
      HasSubstr("f.yaml:5: decode.format: \"xml\" is not known, allowed: csv, json, parquet, tsv"));
  EXPECT_THAT(error("{encoding: latin1}"), HasSubstr("decode.encoding"));
  EXPECT_THAT(error("{delimiter: \"ab\"}"), HasSubstr("must be one ASCII character"));
  EXPECT_THAT(error("{delimiter: x}"), HasSubstr("must be one ASCII character"));
  EXPECT_THAT(error("{header: maybe}"), HasSubstr("decode.header"));
  EXPECT_THAT(error("{header: false}"), HasSubstr("header: false needs columns"));
  EXPECT_THAT(error("{columns: [a]}"), HasSubstr("say header: false too"));
  EXPECT_THAT(error("{delimiter: \",\", quote: \",\"}"), HasSubstr("must differ"));
  EXPECT_THAT(error("{quote: none, escape: \"\\\\\"}"), HasSubstr("an escape needs quotes"));
  EXPECT_THAT(error("{header: false, columns: [a], only_in: {b: \"*.csv\"}}"),
              HasSubstr("decode.only_in.b: \"b\" is none of the names in `columns`"));
  EXPECT_THAT(error("{header: false, columns: [a], only_in: {a: \"{x}{y}.csv\"}}"),
              HasSubstr("decode.only_in.a: the pattern"));
  EXPECT_THAT(error("{root: after}"), HasSubstr("must be a path in the record, such as /after"));
  EXPECT_THAT(error("{record: {op: {was_null: /op}}}"), HasSubstr("decode.record.op"));
  EXPECT_THAT(error("{list: Records}"), HasSubstr("decode.list: \"Records\" must be a path"));
  EXPECT_THAT(error("{list: [/a, /b]}"), HasSubstr("takes one path, not a list"));
  EXPECT_THAT(error("{only: {type: [a]}}"), HasSubstr("\"type\" must be a path"));
  EXPECT_THAT(error("{only: [/type]}"), HasSubstr("decode.only"));
  EXPECT_THAT(error("{delimeter: \",\"}"), HasSubstr("delimiter"));
}

}  // namespace
}  // namespace forebay
