// Where a cycle lists: everything, a window, or from the mark on.

#include <algorithm>
#include <limits>
#include <utility>

#include "base/limits.h"
#include "feed/unit.h"
#include "load/discover.h"

namespace forebay {

namespace {

bool full_is_due(const Feed& feed, const LedgerHead& head, Time now) {
  const auto& audit = head.last_full_cycle;
  if (!audit || now - audit->finished_at >= feed.audit_every) return true;
  if (feed.ordered() && head.mark_name.empty()) return true;
  if (!feed.listing.partition && !head.mark_time) return true;
  if (!feed.ordered() && !feed.listing.partition && !feed.unit.lookback) return true;
  // What an audit found lies anywhere: all is listed again until all of it is settled.
  return audit->exit_code != std::to_underlying(ExitCode::done) ||
         (!feed.ordered() && audit->waiting > 0);
}

// The time before which a partitioned feed was told to load nothing.
std::optional<Time> first_time(const PartitionRule& partition, const LedgerHead& head, Time now) {
  switch (partition.start) {
    case PartitionRule::Start::all: return std::nullopt;
    case PartitionRule::Start::date: return partition.date;
    case PartitionRule::Start::window:
      return partition.window_begins(head.first_seen.value_or(now));
  }
  std::unreachable();
}

// The prefixes of the window and, after a pause that was longer than it, of all since the mark (or,
// as long as nothing was ever seen, since somebody looked).
std::optional<std::vector<ListRange>> window_ranges(const Feed& feed, const LedgerHead& head,
                                                    std::optional<Time> not_before, Time now) {
  const PartitionRule& partition = *feed.listing.partition;
  Time from = partition.window_begins(now);
  std::optional<Time> known = head.mark_time;
  if (!known && head.last_full_cycle) known = head.last_full_cycle->finished_at;
  if (known && *known < from) from = *known - partition.margin;
  if (not_before) from = std::max(from, *not_before);
  return dated_ranges(feed, from, now, std::numeric_limits<std::size_t>::max());
}

// From the mark minus the look-back on: with start-after, or one prefix for each day or hour.
std::optional<std::vector<ListRange>> look_back_ranges(const Feed& feed, const StorePromises& store,
                                                       const LedgerHead& head, Time now) {
  const Time from = *head.mark_time - feed.unit.lookback.value_or(Duration::zero());
  if (!store.honours_start_after) {
    return dated_ranges(feed, from, std::max(now, *head.mark_time), kMaxDatedPrefixes);
  }
  std::vector<ListRange> ranges = list_ranges(feed, from);
  const bool whole =
      std::ranges::any_of(ranges, [](const ListRange& range) { return range.start_after.empty(); });
  return whole ? std::nullopt : std::optional(std::move(ranges));
}

}  // namespace

ListingPlan plan_listing(const Feed& feed, const StorePromises& store, const LedgerHead& head,
                         bool forced_full, Time now) {
  const auto& partition = feed.listing.partition;
  ListingPlan plan;
  if (partition) plan.not_before = first_time(*partition, head, now);
  const bool first = !head.last_full_cycle && !head.mark_time;
  const bool from_window =
      first && partition && partition->start == PartitionRule::Start::window && !forced_full;
  if (from_window || (!forced_full && !full_is_due(feed, head, now))) {
    auto ranges = partition ? window_ranges(feed, head, plan.not_before, now)
                            : look_back_ranges(feed, store, head, now);
    plan.full = from_window;
    if (ranges) {
      plan.scopes = std::move(*ranges);
      return plan;
    }
  }
  plan.full = true;
  plan.scopes = list_ranges(feed, plan.not_before);
  return plan;
}

}  // namespace forebay
