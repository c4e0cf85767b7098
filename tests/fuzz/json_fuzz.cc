// JSON that somebody else wrote: damaged, or a value that reads the same once it is written again.
#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "fuzz/fuzz.h"

namespace forebay::test {
namespace {

std::string escaped(const std::string& name) {
  std::string path = "/";
  for (const char c : name) {
    if (c == '~') {
      path += "~0";
    } else if (c == '/') {
      path += "~1";
    } else {
      path += c;
    }
  }
  return path;
}

}  // namespace

FOREBAY_FUZZ(json) {
  const auto value = read_json(input, "it");
  if (!value) {
    must(value.error().code == ErrorCode::damaged, "what is no JSON is damaged");
    return;
  }
  const auto again = read_json(value->dump(), "it");
  must(again && *again == *value, "a value leads back");
  must(json_name(&*value).size() < 200, "messages are short");
  must(json_at(*value, "") == &*value, "the empty path is the value");
  if (!value->is_object()) return;
  for (const auto& [name, field] : value->items())
    must(json_at(*value, escaped(name)) == &field, "every field has a path");
}

}  // namespace forebay::test
