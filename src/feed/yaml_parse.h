#pragma once

#include <cstddef>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "feed/yaml_reader.h"

namespace forebay {

// The tree of one YAML document; see YamlValue::parse.
Result<YamlNode> parse_yaml(std::string_view yaml, std::string_view origin,
                            std::size_t most_bytes = kMaxDescriptionBytes);

}  // namespace forebay
