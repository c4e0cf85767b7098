#include "support/example_feed.h"

#include "support/parquet_bytes.h"
#include "support/paths.h"

namespace forebay::test {

TestPipeline::Settings example_feed(const std::string& feed, const std::string& name,
                                    const std::string& source, const std::string& database) {
  return {.feed = feed,
          .yaml = read_file(source_dir() / ("examples/" + feed + ".yaml")),
          .name = name,
          .schema = name,
          .source = source,
          .database = database};
}

}  // namespace forebay::test
