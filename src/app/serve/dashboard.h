#pragma once

#include <string>
#include <string_view>

namespace forebay {

// The dashboard: one page without a reference to anything outside, which asks /api/status for what
// it shows. src/app/serve/dashboard.html, embedded at build time.
std::string_view dashboard_page();

// The Content-Security-Policy under which `page` works: its own script and style by their hashes,
// requests to where it came from, and nothing else.
std::string policy_for(std::string_view page);

}  // namespace forebay
