#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "store/object_store.h"

namespace forebay {

// Files in the staging folder that hold the rows of many; gone with these.
using SharedFiles = std::vector<std::unique_ptr<OpenFile>>;

// Where a request has many small files that read alike, puts them into shared ones and says so in
// the request: opening a file is most of what one of a few rows costs. Files that do not go
// together stay by themselves. unavailable, denied: the staging folder.
Result<SharedFiles> splice_small_files(const std::string& staging_folder, CollapseRequest& request);

}  // namespace forebay
