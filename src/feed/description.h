#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "base/result.h"
#include "feed/feed.h"

namespace forebay {

// An option as a pipeline gives it: one value, a list, or a mapping of such, always as the text
// that was written, with the place it was written at for messages ("forebay.yaml:12").
struct OptionValue {
  std::vector<std::string> values;
  bool is_list = false;
  std::string where;
  bool is_map = false;
  std::vector<std::pair<std::string, OptionValue>> fields = {};  // of a mapping, as they stand
};
using Options = std::map<std::string, OptionValue>;

// Reads a description (YAML) and binds it to a pipeline's options. `origin` names the text in
// messages: "feeds/files.yaml" or a user's path. Every error is invalid_config and says file,
// line, key, what is wrong and what is allowed; an unknown key comes with the nearest known one.
Result<Feed> bind_feed(std::string_view name, std::string_view yaml, std::string_view origin,
                       const Options& options);

// The options that a description lets a pipeline set, for `feeds show` and for unknown-key errors.
Result<std::vector<std::string>> feed_options(std::string_view yaml, std::string_view origin);

// The text of a built-in feed, or nothing.
std::optional<std::string_view> find_builtin_feed(std::string_view name);

}  // namespace forebay
