#pragma once

#include <string_view>

#include "base/result.h"
#include "feed/yaml_reader.h"

namespace forebay {

// The tree of one YAML document; see YamlValue::parse.
Result<YamlNode> parse_yaml(std::string_view yaml, std::string_view origin);

}  // namespace forebay
