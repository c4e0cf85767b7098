#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "feed/feed.h"
#include "feed/unit.h"

namespace forebay {

// What units of every kind have in common when their content is put together.

// A value that stands in the unit's name or in the feed itself; nothing where it comes from a
// document, or from a capture that this unit lacks. Numbers are decimal, times RFC 3339.
std::optional<std::string> name_value(const ValueRef& ref, const UnitName& unit);

// Whether a value may differ from one entry of a document to the next.
bool depends_on_entry(const ValueRef& ref);

// The key that a template such as "{$folder}/_SUCCESS" names; nothing where the unit lacks one of
// its captures. A slash at the beginning, which an empty value leaves, is dropped.
std::optional<std::string> expand_template(std::string_view text, const UnitName& unit);

// The digest's raw bytes in a text of this form ("xxh3:{hex}"); nothing for any other text.
std::optional<std::string> digest_in(std::string_view text, std::string_view form, DigestKind kind);

// Not empty, not longer than limits.h allows, and without NUL bytes.
bool is_table_name(std::string_view name);

// "/kind is "x", allowed: incremental, snapshot".
std::string unknown_choice(const ValueRef& by, std::string_view value, const Feed& feed);

// xxh3-64 of kind and files; each part is preceded by its length, so that no two contents look
// alike.
std::string content_digest(const UnitContent& content);

}  // namespace forebay
