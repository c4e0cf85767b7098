// `target: postgresql://…` through the real program: every command does there what it does over a
// DuckDB file, or says that it does not yet.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/cli_fixture.h"
#include "support/postgres_server.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CliPostgres : public CliFilesTest {
 protected:
  CliPostgres() { configure_target("    feed: files\n    table: events\n    settle: 0s\n"); }

  void configure_target(const std::string& more) {
    std::string with_password = url_;
    with_password.replace(with_password.find('@'), 1, ":s3cr3t@");
    folder_.write("forebay.yaml",
                  fmt::format("target: {}\npipelines:\n  events:\n    source: ./in/\n{}",
                              with_password, more));
  }

  std::string events(const std::string& column) {
    std::string list;
    for (const auto& row : postgres().rows(name_, {column + "::text"}, "public.events ORDER BY 1"))
      list += row.at(0).value_or("null") + " ";
    return list;
  }

  static std::string next_name() {
    static int number = 0;
    return fmt::format("cli{}", ++number);
  }
  std::string name_ = next_name();
  std::string url_ = postgres().create_database(name_);
};

TEST_F(CliPostgres, LoadsLooksVerifiesAndForgets) {
  put_file("a.parquet", 1);
  put_file("b.parquet", 2);
  EXPECT_EQ(run({"check"}).code, 0) << run({"check"}).out;
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
  EXPECT_EQ(events("n"), "1 2 ");
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
  put_file("c.parquet", 3);
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 1);
  EXPECT_EQ(events("_forebay_file"), "1 2 3 ");
  EXPECT_EQ(pipeline({"history", "events"}, 0)["history"].size(), 3U);
  EXPECT_EQ(pipeline({"verify"}, 0)["differences"], Json::array());
  postgres().run(name_, "DELETE FROM public.events WHERE n = 2");
  EXPECT_FALSE(pipeline({"verify"}, 3)["differences"].empty());
  pipeline({"reset", "events", "--drop-tables", "--yes"}, 0);
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 3);
  EXPECT_EQ(events("n"), "1 2 3 ");
}

TEST_F(CliPostgres, SaysWhatItDoesNotDoYet) {
  put_file("a.parquet", 1);
  pipeline({"load"}, 0);
  EXPECT_EQ(pipeline({"verify", "--deep"}, 1)["error"]["code"], "invalid_config");
}

TEST_F(CliPostgres, ShowsNoPassword) {
  put_file("a.parquet", 1);
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"check"}, {"load", "-v"}, {"status"}, {"history", "events"}, {"verify"}}) {
    const ProgramResult result = run(arguments);
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("s3cr3t"))) << arguments.front();
  }
}

}  // namespace
}  // namespace forebay::test
