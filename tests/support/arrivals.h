#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "support/pipeline_fixture.h"
#include "support/temp_folder.h"

namespace forebay::test {

// Every order in which a few deliveries can arrive: each order in a source of its own, loaded by a
// pipeline of its own into a schema of its own of one database, which stays open all the while.
class Arrivals {
 public:
  using Deliver = std::function<void(const std::string& source, std::size_t delivery)>;

  // Loads after every `together` deliveries and after the last. The settings' source, schema,
  // name and database are set here.
  Arrivals(TestPipeline::Settings settings, std::size_t deliveries, std::size_t together,
           const Deliver& deliver);

  // The lines of a query, `$S` standing for the schema: for every order the same, else the test
  // fails with the order that differs.
  Lines lines(const std::string& sql);

 private:
  TempFolder folder_;
  std::vector<std::string> orders_;  // as people read them, one a schema
};

}  // namespace forebay::test
