// Aim: the dashboard shows the numbers, under its own Content-Security-Policy. Method: a real
// browser without a screen renders the page of a real daemon, and its document is read back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/cli_fixture.h"
#include "support/daemon.h"

namespace forebay::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kBrowser = "/usr/bin/chromium";

class ServePage : public CliFilesTest {
 protected:
  // The document after the page's script has run.
  std::string rendered(Daemon& daemon) {
    const std::string url = "http://127.0.0.1:" + std::to_string(daemon.port()) + "/";
    ChildProcess browser(
        kBrowser,
        {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--disable-background-networking", "--user-data-dir=" + folder_.path() + "/browser",
         "--virtual-time-budget=3000", "--dump-dom", url},
        {.folder = folder_.path(), .environment = environment_});
    return browser.wait().out;
  }
};

TEST_F(ServePage, ShowsWhatEachPipelineDid) {
  if (!std::filesystem::exists(kBrowser))
    GTEST_SKIP() << kBrowser << " is not installed: the page was not rendered";
  environment_["HOME"] = folder_.path();
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n"
                "  events: {source: ./in/, feed: files, table: events, settle: 0s, every: 1h}\n"
                "  \"<b>bold</b>\": {source: ./not-there/, feed: files, table: x, every: 1h}\n");
  folder_.write("in/broken.parquet", "this is no Parquet file");
  put_file("day=1/a.parquet", 1);  // the newer one
  Daemon daemon(folder_.path(), environment_);
  ASSERT_TRUE(daemon.wait_until([&] {
    const Json all = daemon.status();
    return all.is_object() && !all["pipelines"][0]["cycles"].empty() &&
           !all["pipelines"][1]["cycles"].empty();
  }));
  const std::string page = rendered(daemon);
  EXPECT_THAT(page, HasSubstr("2 pipelines, 2 of them not well"));
  EXPECT_THAT(page, HasSubstr("day=1/a.parquet"));
  EXPECT_THAT(page, HasSubstr("1 unit quarantined"));
  EXPECT_THAT(page, HasSubstr("broken.parquet"));
  EXPECT_THAT(page, HasSubstr("<rect"));
  EXPECT_THAT(page, ContainsRegex("<h2>&lt;b&gt;bold&lt;/b&gt;</h2>"));
  EXPECT_THAT(page, Not(HasSubstr("<b>bold</b>")));
}

}  // namespace
}  // namespace forebay::test
