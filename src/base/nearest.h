#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forebay {

// What is nearest to `word` among `known` by edit distance, for "did you mean"; empty: nothing near
// enough to be a slip of the pen (a third of the word, at least one edit). Case counts for nothing.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace forebay
