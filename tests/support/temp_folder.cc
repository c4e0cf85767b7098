#include "support/temp_folder.h"

#include <stdlib.h>

#include <fstream>
#include <system_error>

#include "base/check.h"

namespace forebay::test {

TempFolder::TempFolder() {
  path_ = (std::filesystem::temp_directory_path() / "forebay-XXXXXX").string();
  CHECK(::mkdtemp(path_.data()) != nullptr);
}

TempFolder::~TempFolder() {
  std::error_code ignored;  // what cannot be removed is left to the system
  std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::operator/(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

void TempFolder::write(std::string_view name, std::string_view content) const {
  const std::filesystem::path file(*this / name);
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  CHECK(out.good());
}

}  // namespace forebay::test
