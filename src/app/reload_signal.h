#pragma once

namespace forebay {

// SIGHUP asks a daemon to read its configuration again. Until the first call it ends the process,
// as it does everywhere else.
void handle_reload_signal();

// Whether it was asked since the last call.
bool take_reload_request();

}  // namespace forebay
