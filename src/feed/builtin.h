#pragma once

#include <span>
#include <string_view>

namespace forebay {

// A feed description that is part of the program: feeds/NAME.yaml as it was when this was built.
struct BuiltinFeed {
  std::string_view name;
  std::string_view yaml;
};

// All of them, by name. Both texts live as long as the process. Defined by a file that the build
// makes (cmake/embed_feeds.cmake).
std::span<const BuiltinFeed> builtin_feeds();

}  // namespace forebay
