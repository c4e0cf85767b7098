#include <fmt/format.h>

#include "net/credentials/google_parts.h"

namespace forebay::google {

Result<BearerToken> from_metadata_server(const Settings& settings, const TokenTools& tools,
                                         Time now) {
  const std::string named = variable(settings.environment, "GCE_METADATA_HOST");
  const std::string host = named.empty() ? "metadata.google.internal" : named;
  // Plain HTTP by its nature: the address is on this machine's own network, and the answer never
  // leaves it.
  HttpRequest request{
      .url = fmt::format("http://{}/computeMetadata/v1/instance/service-accounts/default/token"
                         "?scopes={}",
                         host, kStorageScope),
      .headers = {{"metadata-flavor", "Google"}},
      .connect_timeout = std::chrono::seconds(2),
      .stall_timeout = std::chrono::seconds(10)};
  return ask_for_token(*tools.nearby, std::move(request),
                       fmt::format("the metadata server {}", host), now);
}

}  // namespace forebay::google
