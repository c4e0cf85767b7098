// Aim: any text survives being quoted into SQL.
// Method: round trips through the engine itself, for all bytes that have ever needed care.
#include "engine/value.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/database.h"

namespace forebay::duckdb {
namespace {

class Quoting : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = Database::open({});
    ASSERT_TRUE(opened) << describe(opened.error());
    database_ = std::move(*opened);
    auto connected = database_->connect();
    ASSERT_TRUE(connected);
    connection_ = std::move(*connected);
  }
  std::unique_ptr<Database> database_;
  std::unique_ptr<Connection> connection_;
};

const std::string kOdd = "a'b\"c\\d;--/*\n\t%_[x]*?{}$1 \xF0\x9F\x9A\x97 \xC3\xA9";

TEST_F(Quoting, LiteralsAndIdentifiersComeBackAsTheyWere) {
  const auto rows = connection_->query("SELECT " + literal(kOdd) + " AS " + quote(kOdd), "test");
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(text((*rows)[0][0]), kOdd);
  const auto columns = connection_->describe("SELECT 1 AS " + quote(kOdd), "test");
  ASSERT_TRUE(columns);
  EXPECT_EQ((*columns)[0].name, kOdd);
}

// A key may have one in it, and the statement is handed over as a C string.
TEST_F(Quoting, LiteralsKeepNulBytes) {
  for (const std::string& odd :
       {std::string("\0", 1), std::string("a'\0\0b", 5), std::string("a\0", 2)}) {
    const auto rows = connection_->query(
        "SELECT " + literal(odd) + " WHERE " + literal(odd) + " >= " + literal(odd), "test");
    ASSERT_TRUE(rows) << describe(rows.error());
    ASSERT_EQ(rows->size(), 1U);
    EXPECT_EQ(text((*rows)[0][0]), odd);
  }
}

TEST_F(Quoting, BlobsKeepEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  const auto rows = connection_->query("SELECT " + blob_literal(bytes), "test");
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(text((*rows)[0][0]), bytes);
}

TEST_F(Quoting, TimesKeepMicrosecondsInAnySessionZone) {
  const Time time{Duration(1'796'047'976'570'112)};
  for (const char* zone : {"UTC", "Asia/Shanghai", "America/St_Johns"}) {
    ASSERT_TRUE(connection_->execute(std::string("SET TimeZone = '") + zone + "'", "test"));
    const auto rows = connection_->query("SELECT epoch_us(" + time_literal(time) + "), epoch_us(" +
                                             time_literal(std::optional<Time>()) + ")",
                                         "test");
    ASSERT_TRUE(rows) << describe(rows.error());
    EXPECT_EQ(duckdb::time((*rows)[0][0]), time);
    EXPECT_FALSE(optional_time((*rows)[0][1]));
  }
}

}  // namespace
}  // namespace forebay::duckdb
