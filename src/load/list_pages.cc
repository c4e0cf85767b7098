#include "load/list_pages.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/stop.h"
#include "base/transfer_limits.h"

namespace forebay {
namespace {

// Lists ranges on threads of its own, each range by one of them, and keeps a few pages of each. The
// ranges are begun in their order, so that the one whose pages are wanted is always under way.
class ListingAhead {
 public:
  ListingAhead(const Pipeline& pipeline, const std::vector<ListRange>& ranges)
      : pipeline_(pipeline), ranges_(ranges), listings_(ranges.size()) {
    const std::size_t threads =
        std::min(ranges.size(), static_cast<std::size_t>(std::max(1, pipeline.fetch_threads)));
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~ListingAhead() {
    {
      const std::scoped_lock lock(mutex_);
      abandoned_ = true;
    }
    changed_.notify_all();
  }
  ListingAhead(const ListingAhead&) = delete;
  ListingAhead& operator=(const ListingAhead&) = delete;

  // The next page of range number `i`; nothing: that was all of it.
  Result<std::optional<ListPage>> next(std::size_t i) {
    std::unique_lock lock(mutex_);
    Listing& listing = listings_[i];
    changed_.wait(lock, [&] { return !listing.pages.empty() || listing.ended; });
    if (listing.pages.empty()) {
      if (!listing.end) return fail(listing.end.error());
      return std::optional<ListPage>();
    }
    ListPage page = std::move(listing.pages.front());
    listing.pages.pop_front();
    lock.unlock();
    changed_.notify_all();
    return std::optional(std::move(page));
  }

 private:
  struct Listing {
    std::deque<ListPage> pages;
    bool ended = false;
    Status end;  // its error, once it has ended
  };

  void work() {
    while (true) {
      std::size_t i = 0;
      {
        const std::scoped_lock lock(mutex_);
        if (abandoned_ || begun_ == ranges_.size()) return;
        i = begun_++;
      }
      const ListRange& range = ranges_[i];
      Status end = list_pages(pipeline_, {.prefix = range.prefix, .start_after = range.start_after},
                              [&](ListPage& page) { return keep(listings_[i], std::move(page)); });
      {
        const std::scoped_lock lock(mutex_);
        listings_[i].end = std::move(end);
        listings_[i].ended = true;
      }
      changed_.notify_all();
    }
  }

  Status keep(Listing& listing, ListPage page) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return abandoned_ || listing.pages.size() < kPagesAhead; });
    if (abandoned_)
      return fail({.code = ErrorCode::interrupted,
                   .operation = "list",
                   .object = pipeline_.source,
                   .cause = "nobody wants the rest"});
    listing.pages.push_back(std::move(page));
    lock.unlock();
    changed_.notify_all();
    return {};
  }

  const Pipeline& pipeline_;
  const std::vector<ListRange>& ranges_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Listing> listings_;  // guarded by mutex_, as all below
  std::size_t begun_ = 0;
  bool abandoned_ = false;
  std::vector<std::jthread> threads_;  // end before all that they use
};

}  // namespace

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
    std::optional<std::string> next = page.next_token;
    RETURN_IF_ERROR(each(page));
    if (!next) return {};
    if (!tokens.insert(*next).second)
      return fail({.code = ErrorCode::damaged,
                   .operation = "list",
                   .object = pipeline.source,
                   .cause = "the server gave the same page token twice",
                   .hint = "nothing was loaded; report this to whoever runs the store"});
    request.page_token = std::move(*next);
  }
}

Status list_ranges_ahead(const Pipeline& pipeline, const std::vector<ListRange>& ranges,
                         const std::function<Status(ListPage& page)>& each) {
  ListingAhead ahead(pipeline, ranges);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    while (true) {
      ASSIGN_OR_RETURN(auto page, ahead.next(i));
      if (!page) break;
      RETURN_IF_ERROR(each(*page));
    }
  }
  return {};
}

}  // namespace forebay
