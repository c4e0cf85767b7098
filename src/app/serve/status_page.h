#pragma once

#include "app/error_text.h"
#include "app/serve/state.h"
#include "base/clock.h"

namespace forebay {

// Quarantined units that /api/status names; units.quarantined counts them all.
inline constexpr std::size_t kQuarantinedNamed = 100;

// The document of `status --json`, with more about each pipeline: "source", "ready", "state",
// "running", "next_run", "last_success", "waiting", "cycles", "last_report". `state` is one word:
// new, running, failing, held_up, stale, fresh or loaded.
Json status_document(const ServeState::Snapshot& state, Time now);

}  // namespace forebay
