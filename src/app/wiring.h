#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/config.h"
#include "app/environment.h"
#include "base/clock.h"
#include "base/result.h"
#include "load/pipeline.h"
#include "store/object_store.h"
#include "target/target.h"

namespace forebay {

// From configuration to open parts. The only code that knows which stores and targets there are.

Result<std::unique_ptr<ObjectStore>> open_store(const PipelineConfig& config,
                                                const Environment& environment, Clock& clock);

// `read` creates nothing; a database that is not there reads as empty.
Result<std::unique_ptr<Target>> open_target(const PipelineConfig& config, TargetMode mode);

// A pipeline with the parts it needs, which live as long as this does. Moving it keeps the
// pipeline's pointers right.
struct OpenPipeline {
  std::unique_ptr<ObjectStore> store;
  std::unique_ptr<Target> target;
  Pipeline pipeline;
};
Result<OpenPipeline> open_pipeline(const PipelineConfig& config, TargetMode mode,
                                   const Environment& environment, Clock& clock);

// Whether rows could be written to the target, found out without writing: denied, not_found.
Status check_target_rights(const PipelineConfig& config);

// A quarter of the machine's memory, at most 4 GB.
std::uint64_t default_memory_limit();

}  // namespace forebay
