#include "load/list_pages.h"

#include <set>
#include <string>
#include <utility>

#include "base/stop.h"

namespace forebay {

Status list_pages(const Pipeline& pipeline, ListRequest request,
                  const std::function<Status(ListPage& page)>& each) {
  std::set<std::string> tokens;
  while (true) {
    if (stop_requested())
      return fail({.code = ErrorCode::interrupted,
                   .operation = "list",
                   .object = pipeline.source,
                   .cause = "asked to stop"});
    ASSIGN_OR_RETURN(ListPage page, pipeline.store->list(request));
    RETURN_IF_ERROR(each(page));
    if (!page.next_token) return {};
    if (!tokens.insert(*page.next_token).second)
      return fail({.code = ErrorCode::damaged,
                   .operation = "list",
                   .object = pipeline.source,
                   .cause = "the server gave the same page token twice",
                   .hint = "nothing was loaded; report this to whoever runs the store"});
    request.page_token = std::move(*page.next_token);
  }
}

}  // namespace forebay
