#pragma once

#include <string>
#include <utility>

namespace forebay {

// A value that must not reach a log, a message, the ledger or the screen. It cannot be formatted;
// reveal() is the searchable way to the bytes, for signing and sending only.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  const std::string& reveal() const { return value_; }
  bool empty() const { return value_.empty(); }
  bool operator==(const Secret&) const = default;

 private:
  std::string value_;
};

}  // namespace forebay
