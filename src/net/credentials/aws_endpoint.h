#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "net/credentials/aws_lookup.h"

namespace forebay {

// Whether this can be a region's name: small letters, digits and '-', so that no host, path or user
// can be smuggled into an address with it. Servers of others call theirs "auto" or "garage".
bool is_aws_region(std::string_view region);

// The domain of the partition that a region belongs to ("amazonaws.com"). Credentials never cross
// from one to another. Source: the AWS SDKs' endpoint rules (partitions).
std::string_view aws_domain(std::string_view region);

// "https://sts.eu-west-1.amazonaws.com", or what AWS_ENDPOINT_URL_STS or AWS_ENDPOINT_URL name,
// unless AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is true. `variable_suffix`: "STS"; `host`: "sts".
// Without a slash at its end. invalid_config: no region's name, or an address where what is sent
// and answered could be read on the way.
Result<std::string> aws_service_address(const AwsSettings& settings,
                                        const std::string& variable_suffix, std::string_view host,
                                        std::string_view region);

// The address of S3 that the environment names (AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL).
std::optional<std::string> aws_configured_address(const AwsSettings& settings,
                                                  const std::string& variable_suffix);

// AWS_REGION, AWS_DEFAULT_REGION, or the region of the profile. Empty: none of them says.
std::string aws_region(const AwsSettings& settings);

}  // namespace forebay
