#include "net/credentials/aws_sts_xml.h"

#include <pugixml.hpp>
#include <utility>

#include "base/time_text.h"

namespace forebay::sts {
namespace {

std::unexpected<Error> damaged(std::string cause) {
  return fail({.code = ErrorCode::damaged,
               .operation = "find AWS credentials",
               .object = {},
               .cause = std::move(cause),
               .hint = {}});
}

// The first element of that name, at whatever depth.
pugi::xml_node element(const pugi::xml_document& document, std::string_view name) {
  return document.find_node([&](const pugi::xml_node& node) { return node.name() == name; });
}

}  // namespace

Result<AwsCredentials> parse_credentials(std::string_view xml) {
  pugi::xml_document document;
  if (!document.load_buffer(xml.data(), xml.size()))
    return damaged("the answer is not well-formed XML");
  const pugi::xml_node found = element(document, "Credentials");
  AwsCredentials credentials{.access_key = found.child_value("AccessKeyId"),
                             .secret_key = Secret(found.child_value("SecretAccessKey")),
                             .session_token = Secret(found.child_value("SessionToken")),
                             .expires = parse_rfc3339(found.child_value("Expiration")),
                             .found_in = {}};
  if (credentials.access_key.empty() || credentials.secret_key.empty() ||
      credentials.session_token.empty())
    return damaged("the answer holds no credentials");
  if (!credentials.expires) return damaged("the answer does not say when the credentials expire");
  return credentials;
}

std::optional<Refusal> parse_refusal(std::string_view xml) {
  pugi::xml_document document;
  if (!document.load_buffer(xml.data(), xml.size())) return std::nullopt;
  const pugi::xml_node error = element(document, "Error");
  if (!error) return std::nullopt;
  return Refusal{.code = error.child_value("Code"), .message = error.child_value("Message")};
}

}  // namespace forebay::sts
