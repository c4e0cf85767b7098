#include "app/file_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace forebay {

Result<std::string> read_file_text(const std::string& path, std::uint64_t limit) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return fail({ErrorCode::invalid_config, "read", path, "this is a folder, not a file", ""});
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int reason = errno;
    const ErrorCode code = reason == EACCES ? ErrorCode::denied : ErrorCode::not_found;
    return fail({code, "read", path, std::strerror(reason), ""});
  }
  std::string text;
  std::string block(64 * 1024, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
    if (text.size() > limit) {
      return fail({ErrorCode::invalid_config, "read", path,
                   fmt::format("the file is larger than {} bytes", limit), ""});
    }
  }
  return text;
}

std::string resolve_path(const std::string& path, const std::string& folder) {
  std::filesystem::path full(path);
  if (full.is_relative()) full = std::filesystem::path(folder) / full;
  std::error_code error;
  const auto absolute = std::filesystem::absolute(full, error);
  return (error ? full : absolute).lexically_normal().string();
}

}  // namespace forebay
