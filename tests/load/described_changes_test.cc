#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/described_feed.h"

// Aim: feeds of changes and of events are described in YAML alone: checkpoints that are names,
// deletes without a row, offsets in names, generations, before images, and the first copy of a row
// (FEEDS, sections 1 and 3).
namespace forebay::test {
namespace {

// CockroachDB: a file may be read once a RESOLVED name is above its own; a delete has no row, only
// the list of its key.
class Changefeed : public DescribedFeed {
 protected:
  Changefeed() { describe_as_in("cockroachdb"); }
  void file(const std::string& at, const std::string& lines, const std::string& table = "orders") {
    put(fmt::format("2026-10-20/{}-7d9c8e6b-1-8-00000000-{}-1.ndjson", at, table), lines);
  }
  static std::string change(const std::string& id, const std::string& after,
                            const std::string& updated) {
    return fmt::format("{{\"after\": {}, \"key\": [{}], \"updated\": \"{}\"}}\n", after, id,
                       updated);
  }
};

TEST_F(Changefeed, FilesBelowTheCheckpointLoadAndDeletesNeedNoRow) {
  file("202610201415000000000000000000000",
       change("1", R"({"id": 1, "n": 1})", "1792505700000000001.0000000001") +
           change("2", R"({"id": 2, "n": 1})", "1792505700000000001.0000000002") +
           change("9007199254740993", R"({"id": 9007199254740993, "n": 5})",
                  "1792505700000000001.0000000003"));
  file("202610201416000000000000000000000",
       change("2", "null", "1792505700000000002.0000000000") +
           change("1", R"({"id": 1, "n": 2})", "1792505700000000001.0000000004"));
  load();
  EXPECT_EQ(tables(), Lines());
  EXPECT_EQ(waiting().size(), 2U);
  put("2026-10-20/202610201415300000000000000000000.RESOLVED", "{}");
  load();
  EXPECT_EQ(rows("orders", "id, n"), (Lines{"1|1", "2|1", "9007199254740993|5"}));
  put("2026-10-21/202610210000000000000000000000000.RESOLVED", "{}");
  load();
  EXPECT_EQ(rows("orders", "id, n"), (Lines{"1|2", "9007199254740993|5"}));
  // A copy of what was sent before changes nothing, whatever its file is called.
  file("202610201417000000000000000000000",
       change("2", R"({"id": 2, "n": 1})", "1792505700000000001.0000000002"));
  load();
  EXPECT_EQ(rows("orders", "id, n"), (Lines{"1|2", "9007199254740993|5"}));
}

TEST_F(Changefeed, ATopicMayHaveTheCharacterThatPartsTheName) {
  file("202610201415000000000000000000000",
       change("1", R"({"id": 1})", "1792505700000000001.0000000001"), "eu-orders");
  put("2026-10-20/202610201416000000000000000000000.RESOLVED", "{}");
  load();
  EXPECT_EQ(tables(), (Lines{"eu-orders"}));
}

// Kafka Connect: partition and first offset stand in the name; a row's offset is that plus its
// number. The key of a record is always in one partition, so offsets say what is newer.
TEST_F(DescribedFeed, TheOffsetInANameAndTheRowsNumberAreAVersion) {
  describe_as_in("kafka_connect");
  set("primary_key", "id");
  put("topics/orders/partition=0/orders+0+0000000100.json",
      "{\"id\": 1, \"n\": 3, \"deleted\": false}\n{\"id\": 1, \"n\": 4, \"deleted\": false}\n"
      "{\"id\": 2, \"n\": 1, \"deleted\": true}\n");
  load();
  put("topics/orders/partition=0/orders+0+0000000020.json",
      "{\"id\": 1, \"n\": 1, \"deleted\": false}\n{\"id\": 2, \"n\": 1, \"deleted\": false}\n");
  load();
  EXPECT_EQ(rows("orders", "id, n, partition, \"offset\", row_in_file"), (Lines{"1|4|0|100|1"}));
}

TEST_F(DescribedFeed, FileAndRowNumberAreAKeyWhereRowsHaveNone) {
  describe_by(R"(about: Lines of files that may be sent again under other names
unit: {file: "{topic}/{p:int}/{offset:int}.csv", order: [offset]}
table: {capture: topic}
capture_columns: [p, offset]
metadata: {source_row_number: line}
effect: put
rows: {key: [p, offset, line], conflict: first}
)");
  put("a/0/7.csv", "v\nx\nx\n");
  put("a/1/7.csv", "v\nx\n");
  load();
  EXPECT_EQ(rows("a"), (Lines{"x|0|7|0", "x|0|7|1", "x|1|7|0"}));
}

// Airbyte: a refresh has a higher generation, and only its rows stand, whichever file comes last.
TEST_F(DescribedFeed, OnlyRowsOfTheNewestGenerationStand) {
  describe_as_in("airbyte");
  put("crm/users/2026_10_20_1792454400000_0.csv",
      "_airbyte_raw_id,_airbyte_generation_id,n\na,9,1\nb,9,2\n");
  load();
  EXPECT_EQ(rows("crm_users", "n"), (Lines{"1", "2"}));
  put("crm/users/2026_10_21_1792540800000_0.csv",
      "_airbyte_raw_id,_airbyte_generation_id,n\nc,10,5\n");
  load();
  EXPECT_EQ(rows("crm_users", "n"), (Lines{"5"}));
  put("crm/users/2026_10_20_1792454400000_1.csv",
      "_airbyte_raw_id,_airbyte_generation_id,n\nd,9,3\n");
  put("crm/users/2026_10_21_1792540800000_1.csv",
      "_airbyte_raw_id,_airbyte_generation_id,n\ne,10,6\n");
  load();
  EXPECT_EQ(rows("crm_users", "n"), (Lines{"5", "6"}));
  put("crm/users/2026_10_22_1792540800000_1.csv", "_airbyte_raw_id,n\ne,6\n");
  load(4);
  EXPECT_EQ(rows("crm_users", "n"), (Lines{"5", "6"}));
}

// Estuary: a backfill begins again in a folder with a higher number.
TEST_F(DescribedFeed, AHigherGenerationInTheNameBeginsTheTableAnew) {
  describe_as_in("estuary");
  set("primary_key", "id");
  put("t/v1/00000000000000000000.csv", "id,n\n1,1\n2,1\n");
  put("t/v1/00000000000000000001.csv", "id,n\n2,2\n3,2\n");
  load();
  EXPECT_EQ(rows("t"), (Lines{"1|1", "2|2", "3|2"}));
  put("t/v2/00000000000000000001.csv", "id,n\n1,11\n");
  load();
  EXPECT_EQ(rows("t"), (Lines{"1|11"}));
  put("t/v1/00000000000000000002.csv", "id,n\n9,9\n");         // of what is over
  put("t/v2/00000000000000000000.csv", "id,n\n1,10\n4,10\n");  // late, and of what stands
  load();
  EXPECT_EQ(rows("t"), (Lines{"1|11", "4|10"}));
}

// All in one load, in the order of their names.
TEST_F(DescribedFeed, GenerationsThatComeTogetherGiveTheSameTable) {
  describe_as_in("estuary");
  set("primary_key", "id");
  put("t/v1/00000000000000000000.csv", "id,n\n1,1\n2,1\n");
  put("t/v2/00000000000000000000.csv", "id,n\n1,10\n4,10\n");
  put("t/v2/00000000000000000001.csv", "id,n\n1,11\n");
  load();
  EXPECT_EQ(rows("t"), (Lines{"1|11", "4|10"}));
}

// Segment, Braze, Amplitude: at least once, so the first copy of an id stays.
TEST_F(DescribedFeed, TheFirstCopyOfAnEventStays) {
  describe_as_in("segment");
  put("segment-logs/web/1792454400000/a.json",
      "{\"messageId\": \"m1\", \"n\": 1}\n{\"messageId\": \"m1\", \"n\": 2}\n");
  load();
  put("segment-logs/web/1792368000000/b.json",
      "{\"messageId\": \"m1\", \"n\": 3}\n{\"messageId\": \"m2\", \"n\": 4}\n");
  load();
  EXPECT_EQ(rows("web"), (Lines{"m1|1", "m2|4"}));
}

// PostHog: events append once, persons are put by version and flag; the folder says which.
TEST_F(DescribedFeed, TablesOfOneFeedHaveKeysOfTheirOwn) {
  describe_as_in("posthog");
  put("persons/2026/10/20/02/b.csv",
      "team_id,distinct_id,person_version,is_deleted\n1,a,3,false\n1,b,2,true\n");
  put("events/2026/10/20/02/b.csv", "uuid,event\nu1,x\nu2,y\n");
  load();
  put("persons/2026/10/20/01/a.csv",
      "team_id,distinct_id,person_version,is_deleted\n1,a,2,false\n1,b,1,false\n2,a,1,false\n");
  put("events/2026/10/20/03/c.csv", "uuid,event\nu2,y\nu3,z\n");
  load();
  EXPECT_EQ(rows("persons"), (Lines{"1|a|3", "2|a|1"}));
  EXPECT_EQ(rows("events", "uuid, event"), (Lines{"u1|x", "u2|y", "u3|z"}));
}

// Etleap, Veeva: deletes come as files of keys.
TEST_F(DescribedFeed, AFileOfKeysDeletesThem) {
  describe_by(R"(about: Loads with files of deletes
unit: {document: "{n:int}/load.json", order: [n]}
files:
  list: /files
  path: {field: name, from: document}
  table: table
effect:
  by: role
  when: {data: put, deletes: delete}
rows: {key: [id]}
)");
  put("1/a.csv", "id,n\n1,1\n2,1\n3,1\n");
  put("1/load.json", R"({"files": [{"name": "a.csv", "table": "t", "role": "data"}]})");
  put("2/d.csv", "id\n1\n3\n7\n");
  put("2/a.csv", "id,n\n3,2\n");
  put("2/load.json", R"({"files": [{"name": "d.csv", "table": "t", "role": "deletes"},
{"name": "a.csv", "table": "t", "role": "data"}]})");
  load();
  EXPECT_EQ(rows("t"), (Lines{"2|1", "3|2"}));
}

TEST_F(DescribedFeed, ATableNamedByItsRowsIsRefusedWithTheReason) {
  EXPECT_EQ(
      error_of("about: x\nunit: {file: \"{n}.json\"}\ntable: {column: __table}\n"
               "effect: append\n"),
      "read d.yaml:3: table: a column tells nothing before its file is read\n"
      "  hint: take a capture, or a field of a document; of JSON with records of several tables a "
      "pipeline takes those of one (`decode.only`)");
}

}  // namespace
}  // namespace forebay::test
