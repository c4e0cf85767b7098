#include "engine/collapse_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>

namespace forebay {
namespace {

std::string files_named(const CollapseRequest& request) {
  if (request.files.size() == 1) return request.files.front().object;
  return fmt::format("{} and {} more files of {}", request.files.front().object,
                     request.files.size() - 1, request.table);
}

}  // namespace

std::uint64_t rows_promised(const CollapseRequest& request) {
  std::uint64_t rows = 0;
  for (const InputFile& file : request.files) rows += file.known_keys_only ? 0 : file.rows;
  return rows;
}

Error about_files(Error error, const CollapseRequest& request) {
  error.object = files_named(request);
  if (error.code == ErrorCode::internal ||
      (error.code == ErrorCode::unavailable && error.hint.empty()))
    error.code = ErrorCode::damaged;
  return error;
}

Error null_key(const CollapseRequest& request) {
  return {
      .code = ErrorCode::refused,
      .operation = "read",
      .object = files_named(request),
      .cause = fmt::format("a row of {} has no value in its key ({})", request.table,
                           fmt::join(request.key, ", ")),
      .hint = "a row without a key can be neither replaced nor deleted; the producer must set it"};
}

Error wrong_count(const CollapseRequest& request, std::uint64_t read) {
  return {.code = ErrorCode::damaged,
          .operation = "read",
          .object = files_named(request),
          .cause = fmt::format("{} rows came out where the files' footers promise {}", read,
                               rows_promised(request)),
          .hint = "the file is damaged: have it delivered again"};
}

}  // namespace forebay
