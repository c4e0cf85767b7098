#pragma once

#include <functional>

#include "base/result.h"
#include "load/pipeline.h"

namespace forebay {

// Hands over a listing of the pipeline's store page by page, to its end. interrupted: asked to
// stop; damaged: a page token that comes twice, which would never end; the store's own errors, and
// those of `each`, which end it.
Status list_pages(const Pipeline& pipeline, ListRequest request,
                  const std::function<Status(ListPage& page)>& each);

}  // namespace forebay
