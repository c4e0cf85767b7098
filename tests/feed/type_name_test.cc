#include "feed/type_name.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

std::string read(std::string_view text) {
  const auto type = parse_type_name(text);
  return type ? type_text(*type) : "no type";
}

TEST(TypeName, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(read("BIGINT"), "BIGINT");
  EXPECT_EQ(read(" bigint "), "BIGINT");
  EXPECT_EQ(read("varchar"), "TEXT");
  EXPECT_EQ(read("timestamp with time zone"), "TIMESTAMPTZ");
  EXPECT_EQ(read("numeric( 18 , 2 )"), "DECIMAL(18,2)");
  EXPECT_EQ(read("decimal(9)"), "DECIMAL(9,0)");
}

TEST(TypeName, IsRefusedWhereItSaysTooLittleOrTooMuch) {
  for (const char* text : {"", "DECIMAL", "DECIMAL(39,2)", "DECIMAL(0,0)", "DECIMAL(9,10)",
                           "DECIMAL(9,2", "DECIMAL(a,b)", "VARCHAR(20)", "NUMBER", "INTEGER[]"})
    EXPECT_EQ(read(text), "no type") << text;
}

}  // namespace
}  // namespace forebay
