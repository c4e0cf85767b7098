#pragma once

#include <string>

#include "support/pipeline_fixture.h"

namespace forebay::test {

// A pipeline of one of the descriptions in examples/; its name is its schema too.
TestPipeline::Settings example_feed(const std::string& feed, const std::string& name,
                                    const std::string& source, const std::string& database);

}  // namespace forebay::test
