#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/stores.h"
#include "support/crash_scene.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/run_maker.h"
#include "support/s3_script.h"
#include "support/s3_server.h"

// Aim: rule 7 of the feed `rivet` in a bucket: `cleanup_source` removes exactly the objects of
// applied runs, after the commit. Method: runs of every kind beside what is nobody's, loaded by the
// real program from each S3 server; what is left is listed.
namespace forebay::test {
namespace {

struct Server {
  const char* name;
  S3Server& (*get)();
};

class RivetCleanup : public testing::TestWithParam<Server> {
 protected:
  RivetCleanup() { server_.create_bucket(bucket_); }
  // All that stands in the folder, as it stands.
  void upload() {
    const std::filesystem::path root = runs_.path("");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string key = std::filesystem::relative(entry.path(), root);
      if (entry.is_regular_file()) server_.put(bucket_, key, runs_.read(key));
    }
  }

  Lines left() {
    Lines keys;
    const auto store = open_s3_store(server_.options(bucket_), system_clock());
    EXPECT_TRUE(store);
    const auto objects = list_all(**store);
    EXPECT_TRUE(objects);
    for (const auto& object : *objects) keys.push_back(object.key);
    return keys;
  }

  LoadPlace place() {
    const S3StoreOptions options = server_.options(bucket_);
    LoadPlace place(faulty_binary(), fmt::format("s3://{}/exports/", bucket_),
                    {"--set", "mode=full", "--set", "cleanup_source=true", "--set",
                     "endpoint=" + options.endpoint.value()});
    place.feed = "rivet";
    for (const auto& [name, value] : options.environment) place.environment[name] = value;
    return place;
  }

  S3Server& server_ = GetParam().get();
  const std::string bucket_ = fmt::format("cleanup-{}", ++buckets_);
  TempFolder folder_;
  RunMaker runs_{folder_.path()};

 private:
  static inline int buckets_ = 0;
};

TEST_P(RivetCleanup, RemovesTheObjectsOfAppliedRunsAndNoOthers) {
  const ExportRun applied{
      .folder = "exports/orders",
      .parts = {{.rows = "SELECT 1 AS id"}, {.rows = "SELECT 9 AS id", .status = "quarantined"}}};
  ExportRun failed = applied;
  failed.id = "orders_2";
  failed.status = "failed";
  ExportRun damaged = applied;
  damaged.folder = "exports/visits";
  damaged.export_name = "visits";
  ExportRun elsewhere = applied;
  elsewhere.folder = "exports_archive/orders";
  for (const ExportRun& run : {elsewhere, damaged, applied}) runs_.deliver(run);
  runs_.remove(RunMaker::part_key(damaged, 0));
  runs_.write_parts(failed);
  runs_.write_copy(failed);
  runs_.write("exports/orders/notes.txt", "nobody's");
  upload();
  const LoadPlace here = place();
  const ProgramResult result = here.load();
  EXPECT_EQ(result.code, 3) << "the damaged one: " << result.err;
  EXPECT_EQ(query_lines(here.database(), "SELECT id FROM main.orders"), Lines{"1"});
  EXPECT_EQ(left(), (Lines{"exports/orders/manifest-orders_2.json", "exports/orders/notes.txt",
                           "exports/orders/orders_1-2.parquet", "exports/orders/orders_2-1.parquet",
                           "exports/orders/orders_2-2.parquet", "exports/visits/_SUCCESS",
                           "exports/visits/manifest-orders_1.json", "exports/visits/manifest.json",
                           "exports/visits/orders_1-2.parquet", "exports_archive/orders/_SUCCESS",
                           "exports_archive/orders/manifest-orders_1.json",
                           "exports_archive/orders/manifest.json",
                           "exports_archive/orders/orders_1-1.parquet",
                           "exports_archive/orders/orders_1-2.parquet"}));
}

// CORR-3
TEST_P(RivetCleanup, NothingIsRemovedBeforeTheCommit) {
  runs_.deliver({.folder = "exports/orders", .parts = {{.rows = "SELECT 1 AS id"}}});
  upload();
  const Lines all = left();
  ASSERT_EQ(all.size(), 4U);
  const LoadPlace here = place();
  EXPECT_EQ(here.load("errors:apply.before_commit").code, 2);
  EXPECT_EQ(left(), all);
  EXPECT_EQ(here.load().code, 0);
  EXPECT_EQ(left(), Lines{});
}

INSTANTIATE_TEST_SUITE_P(Servers, RivetCleanup,
                         testing::Values(Server{"SeaweedFS", seaweed}, Server{"moto", moto}),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace forebay::test
