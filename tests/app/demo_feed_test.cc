#include "app/demo_feed.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/temp_folder.h"

namespace forebay {
namespace {

TEST(DemoFeed, WritesEveryFileThatItsMarkersList) {
  const test::TempFolder folder;
  auto feed = DemoFeed::create({.folder = folder / "carwash",
                                .prefix = "carwash/",
                                .visits = 20,
                                .first = Time(std::chrono::hours(500'000))});
  ASSERT_TRUE(feed) << describe(feed.error());
  std::string last;
  for (int i = 0; i < DemoFeed::kDeliveries; ++i) {
    const auto delivery = feed->deliver();
    ASSERT_TRUE(delivery) << describe(delivery.error());
    EXPECT_GT(delivery->marker, last) << "markers sort in the order of deliveries";
    last = delivery->marker;
    std::ifstream file(folder / ("carwash/_batches/" + delivery->marker));
    const auto marker = nlohmann::json::parse(file);
    std::uint64_t rows = 0;
    for (const auto& listed : marker["files"]) {
      EXPECT_TRUE(std::filesystem::exists(folder / listed["path"].get<std::string>()));
      rows += listed["rows"].get<std::uint64_t>();
    }
    EXPECT_EQ(rows, delivery->rows);
  }
}

TEST(DemoFeed, WritesTheTruthOfEveryTable) {
  const test::TempFolder folder;
  auto feed = DemoFeed::create({.folder = folder / "carwash", .visits = 20, .first = Time()});
  ASSERT_TRUE(feed);
  ASSERT_TRUE(feed->deliver());
  ASSERT_TRUE(feed->write_truth(folder / "truth"));
  for (const std::string& table : DemoFeed::tables()) {
    EXPECT_TRUE(std::filesystem::exists(folder / ("truth/" + table + ".parquet"))) << table;
  }
}

}  // namespace
}  // namespace forebay
