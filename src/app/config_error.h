#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace forebay {

// A mistake in configuration or usage: `where` is file and line with the key, or an option.
inline Error config_error(std::string_view where, std::string cause, std::string hint = "") {
  return {ErrorCode::invalid_config, "read configuration", std::string(where), std::move(cause),
          std::move(hint)};
}

// "forebay.yaml:12: key 'source'".
inline std::string at_key(std::string_view where, std::string_view key) {
  return std::string(where) + ": key '" + std::string(key) + "'";
}

}  // namespace forebay
