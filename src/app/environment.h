#pragma once

#include <map>
#include <optional>
#include <string>

namespace forebay {

// The process's environment as it was at start. The only way to it: whoever needs a variable is
// handed this object (or a part of it), so that tests bring their own.
class Environment {
 public:
  Environment() = default;
  explicit Environment(std::map<std::string, std::string> variables);
  static Environment of_process();

  std::optional<std::string> get(const std::string& name) const;
  const std::map<std::string, std::string>& all() const { return variables_; }

 private:
  std::map<std::string, std::string> variables_;
};

}  // namespace forebay
