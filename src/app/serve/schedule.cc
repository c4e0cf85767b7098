#include "app/serve/schedule.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace forebay {

Schedule::Schedule(std::vector<Entry> entries, Time now) { replace(std::move(entries), now); }

void Schedule::replace(std::vector<Entry> entries, Time now) {
  CHECK(!entries.empty());
  std::vector<Slot> slots;
  for (Entry& entry : entries) {
    Slot slot{.entry = entry, .next = now};
    if (Slot* old = find(entry.pipeline)) {
      slot = *old;
      slot.entry = std::move(entry);
      if (slot.ended) slot.next = std::min(slot.next, *slot.ended + wait_of(slot));
    }
    slots.push_back(std::move(slot));
  }
  slots_ = std::move(slots);
}

std::optional<std::string> Schedule::due(Time now) const {
  const Slot* longest = nullptr;
  for (const Slot& slot : slots_) {
    // A clock that was set back would put off everything by as much.
    const bool set_back = slot.ended && now < *slot.ended;
    if (slot.next > now && !set_back) continue;
    if (longest == nullptr || slot.next < longest->next) longest = &slot;
  }
  if (longest == nullptr) return std::nullopt;
  return longest->entry.pipeline;
}

void Schedule::ran(const std::string& pipeline, Time begun, Time ended, End end) {
  Slot* slot = find(pipeline);
  if (slot == nullptr) return;
  switch (end) {
    case End::well: slot->failures = 0; break;
    case End::held_up: break;
    case End::failed: ++slot->failures; break;
  }
  slot->ended = ended;
  // Two that run at the same beat would meet at every one of them: who was held up changes step.
  const Duration wait = end == End::held_up ? wait_of(*slot) * 3 / 8 : wait_of(*slot);
  slot->next = std::max(begun + wait, ended);
}

// The first failure is tried again after the usual time, each further one after twice as long.
Duration Schedule::wait_of(const Slot& slot) {
  const Duration longest = std::max(slot.entry.every, kLongestBackoff);
  Duration wait = slot.entry.every;
  for (int i = 1; i < slot.failures && wait < longest; ++i) wait *= 2;
  return std::min(wait, longest);
}

std::optional<Time> Schedule::next_run(const std::string& pipeline) const {
  for (const Slot& slot : slots_) {
    if (slot.entry.pipeline == pipeline) return slot.next;
  }
  return std::nullopt;
}

Time Schedule::next() const {
  return std::ranges::min(slots_, {}, [](const Slot& slot) { return slot.next; }).next;
}

Schedule::Slot* Schedule::find(const std::string& pipeline) {
  for (Slot& slot : slots_) {
    if (slot.entry.pipeline == pipeline) return &slot;
  }
  return nullptr;
}

}  // namespace forebay
