#include "net/credentials/aws_endpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "net/credentials/aws_profiles.h"
#include "net/safe_url.h"

namespace forebay {

bool is_aws_region(std::string_view region) {
  return !region.empty() && region.size() <= 63 && std::ranges::all_of(region, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::string_view aws_domain(std::string_view region) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPartitions = {{
      {"cn-", "amazonaws.com.cn"},
      {"us-iso-", "c2s.ic.gov"},
      {"us-isob-", "sc2s.sgov.gov"},
      {"us-isof-", "csp.hci.ic.gov"},
      {"eu-isoe-", "cloud.adc-e.uk"},
      {"eusc-", "amazonaws.eu"},
  }};
  for (const auto& [prefix, domain] : kPartitions) {
    if (region.starts_with(prefix)) return domain;
  }
  return "amazonaws.com";
}

std::optional<std::string> aws_configured_address(const AwsSettings& settings,
                                                  const std::string& variable_suffix) {
  if (variable(settings, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") == "true") return std::nullopt;
  for (const std::string& name :
       {"AWS_ENDPOINT_URL_" + variable_suffix, std::string("AWS_ENDPOINT_URL")}) {
    std::string address = variable(settings, name);
    if (address.empty()) continue;
    while (address.ends_with('/')) address.pop_back();
    return address;
  }
  return std::nullopt;
}

Result<std::string> aws_service_address(const AwsSettings& settings,
                                        const std::string& variable_suffix, std::string_view host,
                                        std::string_view region) {
  if (const auto address = aws_configured_address(settings, variable_suffix)) {
    if (is_safe_url(*address)) return *address;
    return fail(unusable(fmt::format("AWS_ENDPOINT_URL_{}", variable_suffix),
                         "credentials would come over plain http from another machine",
                         "name an https address"));
  }
  if (is_aws_region(region))
    return fmt::format("https://{}.{}.{}", host, region, aws_domain(region));
  return fail(unusable(std::string(host), fmt::format("'{}' is no region", region),
                       "set AWS_REGION, or region in the profile"));
}

std::string aws_region(const AwsSettings& settings) {
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (auto region = variable(settings, name); !region.empty()) return region;
  }
  return AwsProfiles::read(settings).profile(AwsProfiles::name_of(settings)).get("region");
}

}  // namespace forebay
