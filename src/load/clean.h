#pragma once

#include <vector>

#include "base/result.h"
#include "load/pipeline.h"
#include "target/target.h"

namespace forebay {

// Removes from the source what belongs to units that were applied, and nothing else: first their
// files, then the documents that named them (with the flags that certify these), so that a run that
// is cut short is finished by the next one. An object that changed since it was loaded stays.
// `listed`: the documents as they were seen in this cycle.
Status clean_source(const Pipeline& pipeline, std::vector<DocumentEntry> listed);

}  // namespace forebay
