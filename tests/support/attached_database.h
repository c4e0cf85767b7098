#pragma once

#include <string>
#include <string_view>

namespace forebay::test {

// A database that no loader has open, attached to the session that the test process shares for as
// long as this object lives, and never changed. Cheaper than opening it by itself.
class AttachedDatabase {
 public:
  explicit AttachedDatabase(const std::string& path);
  ~AttachedDatabase();
  AttachedDatabase(const AttachedDatabase&) = delete;
  AttachedDatabase& operator=(const AttachedDatabase&) = delete;

  bool has(std::string_view schema, std::string_view table) const;
  // One line a row, sorted, of the text that `expression` makes. `from` begins with the schema.
  std::string list(std::string_view expression, std::string_view from) const;
  // The same of all columns but our own, joined by '|', "null" for nothing.
  std::string rows(std::string_view from) const;
  std::string value(std::string_view expression, std::string_view from) const;
};

}  // namespace forebay::test
