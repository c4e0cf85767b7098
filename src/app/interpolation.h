#pragma once

#include <string>
#include <string_view>

#include "app/environment.h"
#include "base/result.h"
#include "feed/description.h"

namespace forebay {

// Where references in a configuration get their values from, and how messages name the place.
struct ReferenceScope {
  const Environment* environment = nullptr;
  std::string folder;  // relative paths in ${file:…} start here
  std::string where;   // "forebay.yaml:12: key 'source'"
};

// Whether the text holds a reference at all.
bool has_reference(std::string_view text);

// Replaces ${NAME} and ${NAME:-default} (the default also stands in for an empty variable) from the
// environment, and ${file:PATH} by a file's content without one line break at its end. `$${` is a
// literal `${`; every other `$` stands for itself. invalid_config: a variable or file that is
// missing (named in the message, never its value), a reference that does not end, an odd name.
Result<std::string> interpolate(std::string_view text, const ReferenceScope& scope);

// A value that came from a reference may be a secret: the error shows the reference instead. `raw`
// and `options` are the same options before and after.
Error without_values(Error error, const Options& raw, const Options& options);

}  // namespace forebay
