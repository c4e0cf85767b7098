#include "sim/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/feed_maker.h"

namespace forebay::sim {
namespace {

constexpr std::size_t kQuarters = 320;  // names of markers span more than three days

}  // namespace

World::World(FeedKind kind, const Habits& habits, Draw& draw)
    : now(std::chrono::sys_days{std::chrono::year{2026} / 10 / 24}), draw_(draw) {
  switch (kind) {
    case FeedKind::files: plan_files(habits); break;
    case FeedKind::documents: plan_documents(habits); break;
  }
}

std::string World::act() {
  const Event& event = plan_[next_++];
  event.happen();
  return event.words;
}

void World::settle() {
  while (!done()) act();
  for (const auto& repair : repairs_) repair();
  repairs_.clear();
}

const ReadyFile* World::rows_of(std::string_view etag) const {
  return find_ready_file(bucket.version(etag).bytes);
}

// At some place of the plan behind all that its unit has there already.
void World::later(std::string words, std::function<void()> happen) {
  const std::size_t at = first_of_unit_ + draw_.below(plan_.size() - first_of_unit_ + 1);
  plan_.insert(plan_.begin() + static_cast<std::ptrdiff_t>(at),
               Event{std::move(words), std::move(happen)});
  first_of_unit_ = at + 1;
}

void World::put_file(const std::string& key, const ReadyFile& file, bool whole) {
  std::string bytes = file.bytes;
  if (!whole) bytes.resize(bytes.size() - 1 - draw_.below(20));
  bucket.put(key, std::move(bytes), now);
}

void World::plan_files(const Habits& habits) {
  std::vector<int> names{0, 1, 2, 3, 4, 5, 6, 7};
  draw_.shuffle(names);
  names.resize(2 + draw_.below(6));
  for (const int name : names) {
    first_of_unit_ = 0;
    const std::string key = fmt::format("f{}.parquet", name);
    const auto put = [&](const char* verb) {
      const ReadyFile& file = any_file();
      const bool whole = !habits.damages || !draw_.one_in(4);
      later(fmt::format("{} {}{}", verb, key, whole ? "" : ", damaged"),
            [this, key, &file, whole] { put_file(key, file, whole); });
    };
    put("put");
    if (habits.overwrites && draw_.one_in(2)) put("overwrite");
    if (habits.removes && draw_.one_in(4))
      later("remove " + key, [this, key] { bucket.remove(key); });
    if (habits.removes && draw_.one_in(6)) put("put again");
  }
}

void World::put_marker(const std::string& name, const MarkerMeaning& meaning, int wrong_rows,
                       bool pretty) {
  std::string files;
  for (const MarkerMeaning::File& file : meaning.files) {
    const auto there = bucket.now(file.key);
    const ReadyFile* known = there ? rows_of(there->etag) : nullptr;
    const std::size_t rows = known == nullptr ? 0 : known->rows.size();
    files +=
        fmt::format(R"({}{{"table":"{}","path":"{}{}","rows":{}}})", files.empty() ? "" : ",",
                    file.table, kPrefix, file.key, rows + static_cast<std::size_t>(wrong_rows));
  }
  const std::string text = fmt::format(
      R"({{"kind":"{}","format_version":"v1","created_at":"2026-10-20T14:00:00Z",{}"files":[{}]}})",
      meaning.snapshot ? "snapshot" : "incremental", pretty ? "\n" : "", files);
  markers_[bucket.put("_batches/" + name + ".json", text, now).etag] = meaning;
}

void World::plan_documents(const Habits& habits) {
  std::set<std::size_t> quarters;
  for (std::size_t wanted = 2 + draw_.below(5); quarters.size() < wanted;)
    quarters.insert(draw_.below(kQuarters));
  std::vector<std::size_t> order(quarters.begin(), quarters.end());
  if (draw_.one_in(2)) draw_.shuffle(order);  // else mostly in their order
  for (const std::size_t quarter : order)
    plan_document(test::batch_name(static_cast<int>(quarter)), habits);
}

void World::plan_document(const std::string& name, const Habits& habits) {
  first_of_unit_ = plan_.size() - std::min<std::size_t>(plan_.size(), 3);
  MarkerMeaning meaning{.snapshot = draw_.one_in(4)};
  std::vector<const ReadyFile*> contents;
  for (std::size_t n = draw_.below(4); n > 0; --n) {
    const char* table = draw_.one_in(3) ? "prices" : "visits";
    meaning.files.push_back({table, fmt::format("{}/{}-{}.parquet", table, name, n)});
    contents.push_back(&any_file());
  }
  enum { kNothing, kMissing, kDamaged, kMiscounted, kKinds } fault = kNothing;
  if (habits.damages && draw_.one_in(4))
    fault = static_cast<decltype(fault)>(1 + draw_.below(kKinds - 1));
  const auto write = [this, meaning, contents](bool all, bool whole) {
    for (std::size_t i = 0; i < contents.size(); ++i) {
      const bool last = i + 1 == contents.size();
      if (!last || all) put_file(meaning.files[i].key, *contents[i], whole || !last);
    }
  };
  later("files of " + name, [=] { write(fault != kMissing, fault != kDamaged); });
  later("marker " + name,
        [=, this] { put_marker(name, meaning, fault == kMiscounted ? 1 : 0, false); });
  const auto repair = [=, this] {
    write(true, true);
    if (bucket.now("_batches/" + name + ".json")) put_marker(name, meaning, 0, true);
  };
  if (fault != kNothing) {
    repairs_.push_back(repair);
    if (draw_.one_in(2)) later("repair " + name, repair);
  }
  if (habits.overwrites && draw_.one_in(3)) {
    MarkerMeaning other = meaning;
    if (!other.files.empty() && draw_.one_in(2)) other.files.pop_back();
    later("marker again " + name, [=, this] {
      if (fault == kNothing) put_marker(name, other, 0, true);
    });
  }
  if (habits.removes && draw_.one_in(6))
    later("remove marker " + name, [=, this] { bucket.remove("_batches/" + name + ".json"); });
}

}  // namespace forebay::sim
