// Descriptions of feeds: a feed, or what is wrong with it in a line of it.
#include "feed/description.h"

#include "fuzz/fuzz.h"

namespace forebay::test {

FOREBAY_FUZZ(description) {
  const auto options = feed_options(input, "it");
  if (!options) must(options.error().code == ErrorCode::invalid_config, "right or wrong");
  const Options given{{"table", {.values = {"t"}, .where = "c:1"}}};
  for (const Options& some : {Options(), given}) {
    const auto feed = bind_feed("f", input, "it", some);
    if (feed) {
      must(feed->name == "f", "a feed has its name");
    } else {
      must(feed.error().code == ErrorCode::invalid_config, "a description is right or wrong");
      const std::string& where = feed.error().object;
      must(where.starts_with("it") || where.starts_with("c:1") || where == "the options of feed f",
           "and says where: " + where);
    }
  }
}

}  // namespace forebay::test
