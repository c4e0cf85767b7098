#include "app/text_table.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

TEST(TextTable, AlignsTextLeftAndNumbersRight) {
  TextTable table({{"table"}, {"rows", TextTable::Align::right}, {"note"}});
  table.add({"a", "1,000", "x"});
  table.add({"long name", "7", ""});
  EXPECT_EQ(table.render(2),
            "  table       rows  note\n"
            "  a          1,000  x\n"
            "  long name      7\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({{"name"}, {"x"}});
  table.add({"Zürich", "1"});
  table.add({"Bergen", "2"});
  EXPECT_EQ(table.render(), "name    x\nZürich  1\nBergen  2\n");
}

TEST(OneLine, ShowsControlCharactersAsQuestionMarks) {
  EXPECT_EQ(one_line("a\nb\x1b[31m", 80), "a?b?[31m");
}

TEST(OneLine, PutsTheHintOfAnErrorBehindIt) {
  EXPECT_EQ(error_in_one_line("read a.csv: no\n  hint: send it again", 80),
            "read a.csv: no; send it again");
  EXPECT_EQ(error_in_one_line("read a\n.csv: no", 80), "read a?.csv: no");
}

TEST(OneLine, CutsWhatIsTooLongBetweenCharacters) {
  EXPECT_EQ(one_line("abcdef", 6), "abcdef");
  EXPECT_EQ(one_line("abcdefg", 6), "abcde…");
  EXPECT_EQ(one_line("ééééé", 3), "éé…");
}

}  // namespace
}  // namespace forebay
