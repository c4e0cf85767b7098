// Aim: JSON rows keep every value as it is written, and what is no row is damaged, with its line.
// Method: each text is read in portions of every size up to its length.

#include "decode/json_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "support/text_rows.h"

namespace forebay::test {
namespace {

std::string read_in(std::size_t portion, const std::string& text, const JsonShape& shape = {}) {
  Portions source(text, portion);
  RowLines rows;
  const Status status = read_json_rows(source, shape, "the file", rows);
  if (!status) return fmt::format("{}: {}", to_string(status.error().code), status.error().cause);
  return fmt::format("{}\n{}", fmt::join(rows.names, ","), fmt::join(rows.lines, "\n"));
}

std::string read(const std::string& text) {
  const std::string whole = read_in(text.size() + 1, text);
  for (std::size_t portion = 1; portion <= text.size(); ++portion)
    EXPECT_EQ(read_in(portion, text), whole) << "in portions of " << portion;
  return whole;
}

TEST(JsonRows, LinesAndAnArrayGiveTheSameRows) {
  const std::string rows = "a,b\n<1> <x>\n<2> null";
  EXPECT_EQ(read("{\"a\":1,\"b\":\"x\"}\n\n{\"a\": 2}"), rows);
  EXPECT_EQ(read("\n [ {\"a\":1,\n\"b\":\"x\"},\n{\"a\": 2} ] \n"), rows);
}

TEST(JsonRows, NoRowsAreAnEmptyFile) {
  EXPECT_EQ(read(""), "\n");
  EXPECT_EQ(read(" \n"), "\n");
  EXPECT_EQ(read("[]"), "\n");
}

TEST(JsonRows, AMissingKeyAndNullAreNullAndEmptyTextIsText) {
  EXPECT_EQ(read("{}\n{\"a\":null}\n{\"a\":\"\"}\n{\"b\":true}\n"), "a,b\n\nnull\n<>\nnull <true>");
}

TEST(JsonRows, NumbersKeepTheirDigits) {
  EXPECT_EQ(read("{\"a\":9007199254740993,\"b\":123456789012345678901234567890,\"c\":1.50,"
                 "\"d\":1e5,\"e\":-9223372036854775808,\"f\":18446744073709551615}"),
            "a,b,c,d,e,f\n<9007199254740993> <123456789012345678901234567890> <1.50> <1e5> "
            "<-9223372036854775808> <18446744073709551615>");
}

TEST(JsonRows, ObjectsAndListsBecomeJsonText) {
  EXPECT_EQ(read("{\"a\": {\"x\": [1.50, null, {\"k\": \"q\\\"\\n\"}], \"y\": {}}, \"b\": [ ]}"),
            "a,b\n<{\"x\":[1.50,null,{\"k\":\"q\\\"\\u000a\"}],\"y\":{}}> <[]>");
}

TEST(JsonRows, ARowThatIsNoObjectIsDamaged) {
  EXPECT_EQ(read("{\"a\":1}\n2\n"), "damaged: line 2: a row is no object");
  EXPECT_EQ(read("[{\"a\":1},\n[]]"), "damaged: line 2: a row is no object");
  EXPECT_EQ(read("[{\"a\":1},\nnull]"), "damaged: line 2: a row is no object");
  EXPECT_EQ(read("\"x\"\n"), "damaged: line 1: a row is no object");
}

TEST(JsonRows, AKeyGivenTwiceIsDamagedAtAnyLevel) {
  EXPECT_EQ(read("{\"a\":1}\n{\"a\":1,\"a\":1}"), "damaged: line 2: the key \"a\" is there twice");
  EXPECT_EQ(read("{\"a\":{\"b\":1,\"b\":2}}"), "damaged: line 1: the key \"b\" is there twice");
  EXPECT_EQ(read("{\"a\":{\"b\":1,\"c\":{\"b\":2}}}"), "a\n<{\"b\":1,\"c\":{\"b\":2}}>");
}

TEST(JsonRows, WhatIsNoJsonIsDamagedWithItsLine) {
  for (const char* text :
       {"{\"a\":1}\n{\"a\":", "{\"a\":1}\n{\"a\":1} {\"a\":2}\n", "{\"a\":1}\n{\"a\":01}\n",
        "[{\"a\":1},\n{\"a\":2}", "[{\"a\":1}]\nx", "{\"a\":1}\n{'a':1}"}) {
    EXPECT_TRUE(read(text).starts_with("damaged: line 2: no JSON: ")) << read(text);
  }
  EXPECT_TRUE(read("{\"a\":\"\\ud800\"}").starts_with("damaged: line 1: no JSON: "));
}

TEST(JsonRows, NulCharactersAreDamaged) {
  EXPECT_EQ(read("{\"a\":\"x\\u0000\"}"), "damaged: line 1: a text has a NUL character");
  EXPECT_EQ(read("{\"a\\u0000\":1}"), "damaged: line 1: a key has a NUL character");
}

TEST(JsonRows, NestingIsBounded) {
  const std::string open(kMaxDocumentDepth + 1, '[');
  const std::string close(kMaxDocumentDepth + 1, ']');
  EXPECT_EQ(read_in(1000, "{\"a\":" + open + close + "}"),
            fmt::format("damaged: line 1: nested deeper than {} levels", kMaxDocumentDepth));
}

TEST(JsonRows, TheRowMayStandInARecord) {
  const JsonShape shape{
      .roots = {{"after"}, {"before"}},
      .record = {{"op", {"op"}}, {"lsn", {"source", "lsn"}}, {"gone", {"after"}, true}}};
  const std::string text =
      "{\"op\":\"c\",\"before\":null,\"after\":{\"id\":1,\"note\":{\"x\":1.50}},"
      "\"source\":{\"lsn\":9007199254740993}}\n"
      "{\"op\":\"d\",\"before\":{\"id\":1,\"old\":null},\"after\":null}\n";
  EXPECT_EQ(read_in(7, text, shape),
            "id,note,op,lsn,gone,old\n<1> <{\"x\":1.50}> <c> <9007199254740993> <false>\n"
            "<1> null <d> null <true> null");
}

TEST(JsonRows, ARecordWithoutARowIsDamaged) {
  EXPECT_EQ(read_in(99, "{\"after\":{\"a\":1}}\n{\"after\":[]}\n", {.roots = {{"after"}}}),
            "damaged: row 2: none of /after is an object");
  EXPECT_THAT(read_in(99, "{\"after\":{\"op\":1},\"op\":2}",
                      {.roots = {{"after"}}, .record = {{"op", {"op"}}}}),
              testing::HasSubstr("it has a field \"op\" itself"));
  EXPECT_THAT(read_in(99, "{\"after\":{\"a\":1,\"a\":2}}", {.roots = {{"after"}}}),
              testing::HasSubstr("is there twice"));
}

TEST(JsonRows, ARecordMayLackItsRowWhereThatIsSaid) {
  const JsonShape shape{.roots = {{"after"}},
                        .may_lack_root = true,
                        .record = {{"id", {"key", "0"}, false, true}, {"gone", {"after"}, true}}};
  EXPECT_EQ(read_in(100,
                    "{\"after\":{\"id\":1,\"n\":2},\"key\":[7]}\n{\"after\":null,\"key\":[3]}\n"
                    "{\"key\":[\"x\"]}",
                    shape),
            "id,n,gone\n<1> <2> <false>\n<3> null <true>\n<x> null <true>");
}

// A number in a list that is not whole may have lost digits there: it is none.
TEST(JsonRows, AnItemOfAListIsTakenByItsNumber) {
  const JsonShape shape{.record = {{"first", {"key", "0"}}, {"second", {"key", "1"}}}};
  EXPECT_EQ(
      read_in(100, "{\"key\":[9007199254740993,{\"a\":1}]}\n{\"key\":[1.5]}\n{\"key\":{\"0\":4}}",
              shape),
      "key,first,second\n<[9007199254740993,{\"a\":1}]> <9007199254740993> <{\"a\":1}>\n"
      "<[1.5]> null null\n<{\"0\":4}> <4> null");
}

TEST(JsonRows, ColumnsMayBeTakenFromDeeperInTheRow) {
  EXPECT_EQ(read_in(99, "{\"id\":1,\"meta\":{\"at\":\"x\"}}", {.record = {{"at", {"meta", "at"}}}}),
            "id,meta,at\n<1> <{\"at\":\"x\"}> <x>");
}

JsonShape records() { return {.list = {"a", "Records"}}; }

TEST(JsonRows, TheRecordsOfObjectsStandInAListBelowAPath) {
  const std::string text =
      "{\"Records\":[{\"x\":9}],\"b\":{\"a\":{\"Records\":[{\"x\":8}]}},\"a\":{\"n\":1,\"Records\":"
      "[\n"
      " {\"x\":1,\"y\":{\"Records\":[2]}},{\"x\":[3]}],\"z\":[{\"Records\":[{\"x\":7}]}]}}";
  const std::string rows = "x,y\n<1> <{\"Records\":[2]}>\n<[3]> null";
  for (std::size_t portion = 1; portion <= text.size(); ++portion)
    EXPECT_EQ(read_in(portion, text, records()), rows);
  EXPECT_EQ(read_in(99, "{\"a\":{\"Records\":[]}}", records()), "\n");
  EXPECT_EQ(read_in(99, " \n", records()), "\n");
  EXPECT_EQ(read_in(99, "{\"a\":{\"Records\":[{\"x\":1}]}}{\"a\":{\"Records\":[{\"x\":2}]}}\n",
                    records()),
            "x\n<1>\n<2>");
}

TEST(JsonRows, AnObjectWithoutItsListIsDamaged) {
  const std::string none = "damaged: line 1: has no list at /a/Records";
  EXPECT_EQ(read_in(99, "{}", records()), none);
  EXPECT_EQ(read_in(99, "{\"Records\":[{\"x\":1}]}", records()), none);
  EXPECT_EQ(read_in(99, "{\"a\":{\"Records\":null}}", records()), none);
  EXPECT_EQ(read_in(99, "[{\"x\":1}]", records()),
            "damaged: line 1: is no object with a list at /a/Records");
  EXPECT_EQ(read_in(99, "7", records()), "damaged: line 1: is no object with a list at /a/Records");
  EXPECT_EQ(read_in(99, "{\"a\":{\"Records\":[1]}}", records()),
            "damaged: line 1: a row is no object");
  EXPECT_EQ(read_in(99, "{\"a\":{\"Records\":[],\"Records\":[]}}", records()),
            "damaged: line 1: has /a/Records twice");
  EXPECT_THAT(read_in(99, "{\"a\":{\"Records\":[{\"x\":1}", records()),
              testing::HasSubstr("damaged: line 1: no JSON"));
  EXPECT_THAT(read_in(99, std::string(200, '[') + "1", records()),
              testing::HasSubstr("is no object"));
  std::string deep = "{\"b\":";
  for (int i = 0; i < kMaxDocumentDepth; ++i) deep += "[";
  EXPECT_THAT(read_in(99, deep, records()), testing::HasSubstr("nested deeper than"));
}

// Records of several kinds in one file: those of others are no rows and bring no columns.
TEST(JsonRows, OnlyRecordsWithTheValuesAreRows) {
  const std::string text =
      "{\"type\":\"SCHEMA\",\"stream\":\"a\"}\n{\"type\":\"RECORD\",\"stream\":\"a\",\"record\":{"
      "\"x\":1}}\n"
      "{\"type\":\"RECORD\",\"stream\":\"b\",\"record\":{\"y\":5}}\n{\"type\":\"STATE\",\"value\":{"
      "}}\n"
      "{\"type\":\"RECORD\",\"stream\":\"a\",\"record\":{\"x\":2}}\n";
  JsonShape shape{.roots = {{"record"}},
                  .only = {{{"type"}, {"RECORD", "UPSERT"}}, {{"stream"}, {"a*"}}}};
  EXPECT_EQ(read_in(99, text, shape), "x\n<1>\n<2>");
  shape = {.only = {{{"type"}, {"STATE"}}}};
  EXPECT_EQ(read_in(99, text, shape), "type,value\n<STATE> <{}>");
  shape = {.only = {{{"value", "none"}, {"*"}}}};
  EXPECT_EQ(read_in(99, text, shape), "\n");
}

}  // namespace
}  // namespace forebay::test
