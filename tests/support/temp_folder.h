#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace forebay::test {

// A folder of a test's own, removed with all it holds when the test ends.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const;

  // Writes a file below the folder, with the directories it needs.
  void write(std::string_view name, std::string_view content) const;

 private:
  std::string path_;
};

}  // namespace forebay::test
