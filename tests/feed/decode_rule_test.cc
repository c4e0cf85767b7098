// Aim: what a file is, its name and the rule say, never its bytes (FEEDS 2.3.1). Method: names.

#include "feed/decode_rule.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

std::pair<FileFormat, Compression> form(std::string_view key, const DecodeRule& rule = {}) {
  const FileForm form = form_of(rule, key);
  return {form.format, form.compression};
}

TEST(DecodeRule, TheSuffixTells) {
  EXPECT_EQ(form("a/b.parquet"), std::pair(FileFormat::parquet, Compression::none));
  EXPECT_EQ(form("a.csv"), std::pair(FileFormat::csv, Compression::none));
  EXPECT_EQ(form("A.CSV.GZ"), std::pair(FileFormat::csv, Compression::gzip));
  EXPECT_EQ(form("a.tsv.zst"), std::pair(FileFormat::tsv, Compression::zstd));
  for (const char* key : {"a.json", "a.jsonl", "a.ndjson"})
    EXPECT_EQ(form(key), std::pair(FileFormat::json, Compression::none)) << key;
  EXPECT_EQ(form("a.ndjson.gz"), std::pair(FileFormat::json, Compression::gzip));
}

TEST(DecodeRule, EveryOtherNameIsParquet) {
  for (const char* key : {"part-0", "a.parquet.gz", "a.csvx", "csv", ".gz"})
    EXPECT_EQ(form(key), std::pair(FileFormat::parquet, Compression::none)) << key;
}

TEST(DecodeRule, TheRuleWinsOverTheSuffix) {
  EXPECT_EQ(form("a.txt.gz", {.format = FileFormat::csv}),
            std::pair(FileFormat::csv, Compression::gzip));
  EXPECT_EQ(form("a.csv.gz", {.compression = Compression::none}),
            std::pair(FileFormat::csv, Compression::none));
  EXPECT_EQ(form("a.csv", {.format = FileFormat::parquet}),
            std::pair(FileFormat::parquet, Compression::none));
}

TEST(DecodeRule, TheFormatHasADelimiterUnlessOneIsGiven) {
  EXPECT_EQ(form_of({}, "a.csv").dialect.delimiter, ',');
  EXPECT_EQ(form_of({}, "a.tsv").dialect.delimiter, '\t');
  EXPECT_EQ(form_of({.delimiter = ';'}, "a.tsv").dialect.delimiter, ';');
}

TEST(DecodeRule, AColumnMayStandInSomeFilesOnly) {
  const DecodeRule rule{.dialect = {.header = false, .columns = {"Op", "id", "name"}},
                        .only_in = {{"Op", *Pattern::parse("**/{at:%Y%m%d-%H%M%S%f}.csv")}}};
  EXPECT_EQ(form_of(rule, "shop/orders/20261020-141502123.csv").dialect.columns,
            (std::vector<std::string>{"Op", "id", "name"}));
  EXPECT_EQ(form_of(rule, "shop/orders/LOAD00000001.csv").dialect.columns,
            (std::vector<std::string>{"id", "name"}));
}

}  // namespace
}  // namespace forebay
