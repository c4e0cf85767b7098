// The command line as a user and a script meet it: exit codes, what stands on which stream, the
// shape of the JSON documents, and the help texts. Everything goes through the real program.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/demo_feed.h"
#include "support/paths.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Cli : public testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& arguments) {
    return run_program(faulty_binary(), arguments,
                       {.folder = folder_.path(), .environment = environment_});
  }

  // Runs with --json: nothing but one document may stand on standard output.
  json document(std::vector<std::string> arguments, int code) {
    arguments.push_back("--json");
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.code, code) << result.out << result.err;
    const json parsed = json::parse(result.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << result.out;
    return parsed;
  }

  // A feed in ./feed with so many deliveries, and a configuration that loads it.
  void make_feed(int deliveries) {
    auto feed = DemoFeed::create({.folder = folder_ / "feed/carwash",
                                  .prefix = "carwash/",
                                  .first = Time(std::chrono::hours(490'000))});
    ASSERT_TRUE(feed);
    for (int i = 0; i < deliveries; ++i) ASSERT_TRUE(feed->deliver());
    folder_.write("forebay.yaml",
                  "target: duckdb:w.duckdb\n"
                  "pipelines:\n"
                  "  carwash:\n"
                  "    source: ./feed/carwash/\n"
                  "    feed: rollerup\n"
                  "    schema: raw\n");
  }

  TempFolder folder_;
  std::map<std::string, std::string> environment_ = {{"HOME", "/nonexistent"},
                                                     {"PATH", "/usr/bin:/bin"}};
};

TEST_F(Cli, EndsWithOneForEveryMistakeOfUsage) {
  const std::vector<std::vector<std::string>> mistakes = {
      {},
      {"lod"},
      {"verify"},
      {"load", "--no-such-option"},
      {"load", "--max-units", "many"},
      {"load", "--max-units", "0"},
      {"load", "--until", "yesterday"},
      {"load", "--log-format", "xml"},
      {"load", "--config"},
      {"load", "--source", "./x/"},
      {"load", "--feed", "rollerup"},
      {"load", "-c", "missing.yaml"},
      {"load"},
      {"history"},
      {"feeds", "show"},
      {"feeds", "show", "nothing-like-it"},
      {"inspect"},
      {"load", "--source", "gs://b/p/", "--feed", "rollerup", "--target", "w.duckdb"},
  };
  for (const auto& arguments : mistakes) {
    EXPECT_EQ(run(arguments).code, 1) << fmt::format("{}", fmt::join(arguments, " "));
  }
}

TEST_F(Cli, PutsMistakesOfUsageIntoOneDocumentToo) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"lod"},
                                                    {"load", "--no-such"},
                                                    {"load"},
                                                    {"load", "-c", "x.yaml"},
                                                    {"status", "--since"},
                                                    {}}) {
    const json parsed = document(arguments, 1);
    EXPECT_EQ(parsed["exit_code"], 1);
    EXPECT_EQ(parsed["outcome"], "failed");
    EXPECT_EQ(parsed["pipelines"], json::array());
    EXPECT_EQ(parsed["error"]["code"], "invalid_config");
    EXPECT_NE(parsed["error"]["hint"], "");
  }
}

TEST_F(Cli, SuggestsWhatWasMeant) {
  EXPECT_THAT(run({"lod"}).err, HasSubstr("did you mean 'load'?"));
  EXPECT_THAT(run({"load", "--max-unit", "3"}).err, HasSubstr("did you mean --max-units?"));
  make_feed(0);
  EXPECT_THAT(run({"load", "carwas"}).err, HasSubstr("did you mean 'carwash'?"));
}

TEST_F(Cli, HelpsOnStandardOutputWithZero) {
  const ProgramResult help = run({"load", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("Example:"));
}

TEST_F(Cli, TellsItsVersion) {
  const json parsed = document({"version"}, 0);
  EXPECT_TRUE(parsed["version"].is_string());
  EXPECT_THAT(parsed["engine"].get<std::string>(), HasSubstr("DuckDB v"));
  EXPECT_TRUE(parsed["build"].is_string());
  EXPECT_EQ(run({"--version"}).code, 0);
}

TEST_F(Cli, TakesNoLibraryFromTheFolderItRunsIn) {
  for (const char* library : {"libduckdb.so", "libcurl.so.4", "libthrift-0.17.0.so"}) {
    folder_.write(library, "no library at all");
  }
  const ProgramResult version =
      run_program(shipping_binary(), {"--version"}, {.folder = folder_.path()});
  EXPECT_EQ(version.code, 0) << version.err;
}

TEST_F(Cli, ListsAndShowsBuiltInFeeds) {
  EXPECT_GE(document({"feeds", "list"}, 0)["feeds"].size(), 2u);
  EXPECT_THAT(run({"feeds", "show", "rollerup"}).out, HasSubstr("_batches/"));
}

TEST_F(Cli, LoadsAndPrintsExactlyTheDocumentOfTheContract) {
  make_feed(2);
  const json first = document({"load"}, 0);
  EXPECT_EQ(first["outcome"], "applied");
  EXPECT_EQ(first["exit_code"], 0);
  EXPECT_EQ(first.size(), 3u) << first;
  ASSERT_EQ(first["pipelines"].size(), 1u);
  const json& pipeline = first["pipelines"][0];
  EXPECT_EQ(pipeline["pipeline"], "carwash");
  EXPECT_EQ(pipeline["feed"], "rollerup");
  EXPECT_EQ(pipeline["units"]["applied"], 2);
  EXPECT_EQ(pipeline["tables"]["raw.customers"]["inserted"], 5);
  EXPECT_TRUE(pipeline["error"].is_null());
  EXPECT_EQ(pipeline.size(), 14u) << pipeline;
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
}

TEST_F(Cli, PlansWithoutWritingAnything) {
  make_feed(2);
  const json plan = document({"load", "--dry-run"}, 0);
  EXPECT_EQ(plan["pipelines"][0]["units"].size(), 2u);
  EXPECT_FALSE(plan["pipelines"][0]["statements"].empty());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "w.duckdb"));
  EXPECT_EQ(run({"plan"}).code, 0);
}

TEST_F(Cli, ChecksTypesBeforeAndAfterTheFirstLoad) {
  make_feed(1);
  const json before = document({"check"}, 0);
  EXPECT_FALSE(before["pipelines"][0]["types"].empty()) << before;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "w.duckdb"));
  EXPECT_EQ(run({"load"}).code, 0);
  const json after = document({"check"}, 0);
  std::set<std::string> lost;
  for (const json& column : after["pipelines"][0]["types"]) lost.insert(column["lost"]);
  EXPECT_EQ(lost, (std::set<std::string>{"nothing", "nothing: it says which rows are deleted"}))
      << after;
}

TEST_F(Cli, ShowsStatusAndHistoryOfWhatWasLoaded) {
  make_feed(3);
  const json empty = document({"status"}, 0);
  EXPECT_TRUE(empty["pipelines"][0]["newest_unit"].is_null());
  ASSERT_EQ(run({"load"}).code, 0);
  const json status = document({"status"}, 0);
  EXPECT_TRUE(status["pipelines"][0]["newest_unit"].is_string());
  EXPECT_EQ(status["pipelines"][0]["stale"], true);
  // MISS-14: not merely "running": when it last looked, and what came of it.
  EXPECT_TRUE(status["pipelines"][0]["last_cycle"]["finished_at"].is_string());
  EXPECT_EQ(status["pipelines"][0]["last_cycle"]["outcome"], "applied");
  EXPECT_EQ(document({"status", "--fail-if-stale"}, 2)["exit_code"], 2);
  const json history = document({"history", "carwash", "--limit", "2"}, 0);
  ASSERT_EQ(history["pipelines"][0]["history"].size(), 2u);
  EXPECT_GT(history["pipelines"][0]["history"][0]["unit"],
            history["pipelines"][0]["history"][1]["unit"]);
}

TEST_F(Cli, LoadsWithoutAConfigurationFile) {
  make_feed(1);
  std::filesystem::remove(folder_ / "forebay.yaml");
  const json parsed = document({"load", "--source", "feed/carwash/", "--feed", "rollerup",
                                "--target", "duckdb:x.duckdb", "--set", "schema=raw"},
                               0);
  EXPECT_EQ(parsed["pipelines"][0]["pipeline"], "default");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "x.duckdb"));
}

TEST_F(Cli, LetsOnePipelineFailWithoutTheOthers) {
  make_feed(1);
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n"
                "  missing: {source: './nowhere/', feed: rollerup}\n"
                "  unset: {source: '${NO_SUCH_VARIABLE}', feed: rollerup}\n"
                "  carwash: {source: ./feed/carwash/, feed: rollerup, schema: raw}\n");
  const json parsed = document({"load"}, 1);
  EXPECT_EQ(parsed["outcome"], "failed");
  ASSERT_EQ(parsed["pipelines"].size(), 3u);
  EXPECT_EQ(parsed["pipelines"][0]["outcome"], "failed");
  EXPECT_EQ(parsed["pipelines"][0]["error"]["code"], "not_found");
  EXPECT_EQ(parsed["pipelines"][1]["error"]["code"], "invalid_config");
  EXPECT_EQ(parsed["pipelines"][2]["outcome"], "applied");
}

TEST_F(Cli, NamesFileLineAndKeyOfAConfigurationError) {
  folder_.write("forebay.yaml",
                "pipelines:\n  p:\n    source: ./x/\n    feed: rollerup\n    shema: raw\n");
  const ProgramResult result = run({"load"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("forebay.yaml:5"));
  EXPECT_THAT(result.err, HasSubstr("'shema'"));
  EXPECT_THAT(result.err, HasSubstr("did you mean 'schema'?"));
  EXPECT_EQ(result.out, "");
}

TEST_F(Cli, NeverPrintsASecret) {
  make_feed(1);
  environment_["SECRET"] = "hunter2-secret";
  environment_["AWS_ACCESS_KEY_ID"] = "AKIDEXAMPLE";
  environment_["AWS_SECRET_ACCESS_KEY"] = "hunter2-secret";
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n"
                "  a: {source: s3://b/p/, feed: rollerup, retry_for: 1s, proxy: "
                "'http://u:${SECRET}@127.0.0.1:9', endpoint: 'http://127.0.0.1:9'}\n"
                "  b: {source: ./feed/carwash/, feed: rollerup, memory_limit: '${SECRET}'}\n"
                "  c: {source: ./feed/carwash/, feed: rollerup, target: 'x://${SECRET}'}\n");
  for (const char* command : {"load", "plan", "check", "status"}) {
    const ProgramResult result = run({command, "-v"});
    EXPECT_NE(result.code, 0) << command;
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("hunter2"))) << command;
  }
}

TEST_F(Cli, KeepsStandardErrorToJsonLinesWhenAsked) {
  make_feed(1);
  for (const bool with_document : {false, true}) {
    std::vector<std::string> arguments = {"load", "--log-format", "json", "-v"};
    if (with_document) arguments.push_back("--json");
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.code, 0);
    std::istringstream lines(result.err);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      EXPECT_TRUE(json::parse(line, nullptr, false).is_object()) << line;
    }
    EXPECT_GT(count, 0);
  }
  const ProgramResult wrong = run({"load", "--log-format", "json", "--no-such"});
  EXPECT_TRUE(json::parse(wrong.err, nullptr, false).is_object()) << wrong.err;
}

TEST_F(Cli, SaysNothingWhenQuietAndAllIsWell) {
  make_feed(1);
  const ProgramResult result = run({"load", "-q"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(Cli, PlaysTheDemoAndProvesItsTables) {
  const json parsed = document({"demo", "--folder", "demo"}, 0);
  EXPECT_EQ(parsed["pipelines"].size(), 4u);
  EXPECT_EQ(document({"load", "-c", "demo/forebay.yaml"}, 0)["outcome"], "nothing_new");
  EXPECT_EQ(run({"demo", "--folder", "demo"}).code, 1) << "a second one must not touch the first";
}

// The help texts stand in tests/golden; FOREBAY_GOLDEN=write writes them anew.
class HelpText : public testing::TestWithParam<const char*> {};

TEST_P(HelpText, IsAsApproved) {
  const std::string command = GetParam();
  const ProgramResult help = command.empty() ? run_program(faulty_binary(), {"--help"})
                                             : run_program(faulty_binary(), {command, "--help"});
  EXPECT_EQ(help.code, 0);
  const std::filesystem::path golden =
      source_dir() / "tests/golden" /
      fmt::format("help_{}.txt", command.empty() ? "forebay" : command);
  const char* mode = std::getenv("FOREBAY_GOLDEN");
  if (mode != nullptr && std::string_view(mode) == "write") {
    std::ofstream(golden) << help.out;
  }
  std::ifstream file(golden);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(help.out, expected) << "write it anew with FOREBAY_GOLDEN=write, and look at the diff";
}

INSTANTIATE_TEST_SUITE_P(Commands, HelpText,
                         testing::Values("", "load", "plan", "check", "status", "history", "verify",
                                         "backfill", "quarantine", "reset", "inspect", "feeds",
                                         "serve", "demo", "version"));

}  // namespace
}  // namespace forebay::test
