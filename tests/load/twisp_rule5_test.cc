#include <gtest/gtest.h>

#include "support/twisp_files.h"

// FEEDS 2.2 rule 5: UUIDs as 16 bytes in older files and as text in newer ones are the same keys.
namespace forebay::test {
namespace {

using TwispRule5 = TwispTest;

TEST_F(TwispRule5, BytesAndTextAreOneKey) {
  put_file("2026/07/29/10", "entry", "old", select_versions({{"a", 1}, {"b", 5}}, true));
  put_file("2026/07/29/11", "entry", "new", select_versions({{"a", 2}, {"b", 4}}, false));
  load();
  put_file("2026/07/29/12", "entry", "older", select_versions({{"a", 1}, {"b", 6}}, true));
  load();
  EXPECT_EQ(current(), (Lines{"a 2 ALIVE ", "b 6 ALIVE "}));
  EXPECT_EQ(history(),
            (Lines{"a 1 ALIVE ", "a 2 ALIVE ", "b 4 ALIVE ", "b 5 ALIVE ", "b 6 ALIVE "}));
}

TEST_F(TwispRule5, OnlyTheColumnsNamedBecomeText) {
  const std::string bytes = "unhex('000102030405060708090A0B0C0D0E0F')";
  const std::string uuid = "'00010203-0405-0607-0809-0a0b0c0d0e0f'";
  put_file("2026/07/29/10", "balance", "1",
           "SELECT *, " + bytes + " AS journal_id, " + bytes + " AS void_of, " + uuid +
               "::UUID AS account_id, upper(" + uuid + ") AS set_id, 'not one' AS tran_id, " +
               bytes + " AS external_id, 'c' AS correlation_id, " + bytes +
               " AS dimension, '12.50' AS amount, 7::BIGINT AS count_id FROM (" +
               select_versions({{"a"}}) + ")");
  load();
  EXPECT_EQ(
      query("SELECT journal_id, void_of, account_id, set_id, tran_id FROM main.balance"),
      (Lines{"00010203-0405-0607-0809-0a0b0c0d0e0f|00010203-0405-0607-0809-0a0b0c0d0e0f|"
             "00010203-0405-0607-0809-0a0b0c0d0e0f|00010203-0405-0607-0809-0a0b0c0d0e0f|not one"}));
  EXPECT_EQ(query("SELECT typeof(external_id), typeof(correlation_id), typeof(dimension), "
                  "typeof(amount), typeof(count_id), hex(dimension) FROM main.balance"),
            (Lines{"BLOB|VARCHAR|BLOB|VARCHAR|BIGINT|000102030405060708090A0B0C0D0E0F"}));
}

TEST_F(TwispRule5, BytesThatAreNoUuidAreDrift) {
  put_file("2026/07/29/10", "entry", "1",
           "SELECT *, 'abc'::BLOB AS journal_id FROM (" + select_versions({{"a"}}) + ")");
  load(4);
  EXPECT_EQ(quarantined(), (Lines{"1.parquet"}));
}

}  // namespace
}  // namespace forebay::test
