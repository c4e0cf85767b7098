#pragma once

#include <string>

#include "app/serve/state.h"
#include "base/clock.h"

namespace forebay {

// The type of what follows, as Prometheus asks for it.
inline constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

// The state as Prometheus reads it. docs/SERVE.md lists every name; they are public. Counters begin
// at 0 with the process.
std::string metrics_text(const ServeState::Snapshot& state, Time now);

}  // namespace forebay
