#pragma once

namespace forebay {

// Whether this process was asked to end (SIGTERM, SIGINT). Long work looks between steps and leaves
// with ErrorCode::interrupted; a COMMIT under way ends first. Async-signal-safe.
bool stop_requested();
void request_stop();

}  // namespace forebay
