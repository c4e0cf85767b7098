#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "load/pipeline.h"

namespace forebay {

// Hands over a listing of the pipeline's store page by page, to its end. interrupted: asked to
// stop; damaged: a page token that comes twice, which would never end; the store's own errors, and
// those of `each`, which end it.
Status list_pages(const Pipeline& pipeline, ListRequest request,
                  const std::function<Status(ListPage& page)>& each);

// The same for several ranges, one after another: `each` is called by this thread alone, with the
// pages of the first range, then with those of the second. Meanwhile the next pages are asked for,
// of up to `fetch_threads` ranges at once, so that many short ranges take the time of a few. The
// error is that of the first range that has one.
Status list_ranges_ahead(const Pipeline& pipeline, const std::vector<ListRange>& ranges,
                         const std::function<Status(ListPage& page)>& each);

}  // namespace forebay
