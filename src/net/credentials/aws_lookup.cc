#include "net/credentials/aws_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace forebay {
namespace {

constexpr const char* kOperation = "find AWS credentials";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::string variable(const AwsSettings& settings, const std::string& name) {
  const auto found = settings.environment.find(name);
  return found == settings.environment.end() ? "" : found->second;
}

Error credential_error(ErrorCode code, std::string where, std::string cause, std::string hint) {
  return {.code = code,
          .operation = kOperation,
          .object = std::move(where),
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

Error unusable(std::string where, std::string cause, std::string hint) {
  return credential_error(ErrorCode::invalid_config, std::move(where), std::move(cause),
                          std::move(hint));
}

Result<HttpResponse> ask(Http& http, HttpRequest request, const std::string& shown) {
  request.shown = shown;
  auto response = fetch(http, request, kMostCredentialBytes);
  if (response) return response;
  Error error = std::move(response).error();
  error.operation = kOperation;
  return fail(std::move(error));
}

Result<std::string> read_token(const std::string& path, const std::string& named_by) {
  const auto wrong = [&](std::string cause) {
    return fail(unusable(path, std::move(cause), fmt::format("check {}", named_by)));
  };
  std::ifstream in(path, std::ios::binary);
  std::string text(kMostCredentialBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (!in.is_open() || in.bad()) return wrong("the token's file cannot be read");
  if (text.size() > kMostCredentialBytes)
    return wrong(fmt::format("the token's file is longer than {} bytes", kMostCredentialBytes));
  const std::string_view token = trim(text);
  if (token.empty()) return wrong("the token's file is empty");
  // A line break would begin a header or a parameter of its own.
  const bool one_line =
      std::ranges::none_of(token, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (!one_line) return wrong("the token's file holds more than one line");
  return std::string(token);
}

}  // namespace forebay
