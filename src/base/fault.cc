#include "base/fault.h"

#ifdef FOREBAY_FAULTS

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace forebay {
namespace {

struct Script {
  enum class Kind { none, count, crash, error_once, error_always } kind = Kind::none;
  long at = 0;
  std::string name;
};

std::atomic<long> g_reached{0};

void print_count() { std::fprintf(stderr, "fault points reached: %ld\n", g_reached.load()); }

Script read_script() {
  const char* text = std::getenv("FOREBAY_FAULT");
  if (text == nullptr) return {};
  const std::string_view view(text);
  Script script;
  if (view == "count") {
    script.kind = Script::Kind::count;
    std::atexit(print_count);
    return script;
  }
  const auto number = [&](std::string_view digits) {
    std::from_chars(digits.data(), digits.data() + digits.size(), script.at);
  };
  if (view.starts_with("crash:")) {
    script.kind = Script::Kind::crash;
    number(view.substr(6));
  } else if (view.starts_with("error:")) {
    script.kind = Script::Kind::error_once;
    number(view.substr(6));
  } else if (view.starts_with("errors:")) {
    script.kind = Script::Kind::error_always;
    script.name = view.substr(7);
  }
  return script;
}

}  // namespace

Status fault_point(const char* name) {
  static const Script script = read_script();
  const long reached = ++g_reached;
  const Error error{.code = ErrorCode::unavailable,
                    .operation = "fault point",
                    .object = name,
                    .cause = "an error injected by a test"};
  switch (script.kind) {
    case Script::Kind::none:
    case Script::Kind::count: return {};
    case Script::Kind::crash:
      if (reached == script.at) _exit(137);
      return {};
    case Script::Kind::error_once:
      if (reached == script.at) return fail(error);
      return {};
    case Script::Kind::error_always:
      if (script.name == name) return fail(error);
      return {};
  }
  return {};
}

}  // namespace forebay

#endif
