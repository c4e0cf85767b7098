#pragma once

// Parsed once for all sources; halves their compile time. Keep it small: with a heavy header that
// few files need (nlohmann/json) every file paid more for loading this than it saved. The target
// header_check compiles every header of src without it, so it hides no missing include there.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
