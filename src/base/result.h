#pragma once

#include <expected>
#include <string>
#include <utility>

#include "base/error.h"

namespace forebay {

// The only way a function that can fail returns. Unlike std::expected in libstdc++ 12, dropping one
// is a compiler warning; ignore_error() is the single, searchable way to drop one on purpose.
template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
};

using Status = Result<void>;

inline std::unexpected<Error> fail(Error error) { return std::unexpected<Error>(std::move(error)); }

// Drops a result; `why` is for the reader, and tests/tidy_test counts the uses.
template <class T>
void ignore_error(const Result<T>& /*result*/, const char* /*why*/) {}

}  // namespace forebay

#define FOREBAY_CONCAT_INNER(a, b) a##b
#define FOREBAY_CONCAT(a, b) FOREBAY_CONCAT_INNER(a, b)

// Returns the error of `expression` from the calling function, if it has one.
#define RETURN_IF_ERROR(expression)                         \
  do {                                                      \
    if (auto status_ = (expression); !status_) [[unlikely]] \
      return ::forebay::fail(std::move(status_).error());   \
  } while (false)

// Declares or assigns `target` from the value of `expression`, or returns its error.
#define ASSIGN_OR_RETURN(target, expression)                                      \
  auto FOREBAY_CONCAT(result_, __LINE__) = (expression);                          \
  if (!FOREBAY_CONCAT(result_, __LINE__)) [[unlikely]]                            \
    return ::forebay::fail(std::move(FOREBAY_CONCAT(result_, __LINE__)).error()); \
  target = std::move(*FOREBAY_CONCAT(result_, __LINE__))
