#include "load/small_object.h"

#include <span>

#include "base/encode.h"

namespace forebay {

Result<std::optional<std::string>> read_small_object(const Pipeline& pipeline,
                                                     const std::string& key, std::size_t limit) {
  std::string bytes;
  bool too_long = false;
  const ByteSink sink = [&](std::span<const std::byte> part) -> Status {
    too_long = too_long || bytes.size() + part.size() > limit;
    if (!too_long) bytes.append(as_text(part));
    if (!too_long) return {};
    return fail({.code = ErrorCode::damaged,
                 .operation = "read",
                 .object = pipeline.store->display(key),
                 .cause = "the object is too long"});
  };
  const auto info = pipeline.store->read({.key = key}, sink);
  if (!info && info.error().code == ErrorCode::not_found) return std::optional<std::string>();
  if (too_long) return std::optional(std::string());
  if (!info) return fail(info.error());
  return std::optional(std::move(bytes));
}

}  // namespace forebay
