// Configurations, values of the command line, and references in them.
#include "app/config.h"

#include "app/interpolation.h"
#include "app/prices.h"
#include "fuzz/fuzz.h"

namespace forebay::test {
namespace {

void must_be_a_setting(const Error& error) {
  must(error.code == ErrorCode::invalid_config, "a setting is right or wrong");
}

}  // namespace

FOREBAY_FUZZ(config) {
  const Environment environment({{"NAME", "value"}, {"EMPTY", ""}});
  if (const auto config = parse_config(input, "it")) {
    must(!config->pipelines.empty(), "a configuration has pipelines");
    for (const RawPipeline& pipeline : config->pipelines) {
      must(!pipeline.name.empty(), "each has a name");
      if (const Status keys = check_keys(*config, pipeline); !keys) must_be_a_setting(keys.error());
    }
    if (const auto serve = read_serve(*config, environment); !serve)
      must_be_a_setting(serve.error());
  } else {
    must_be_a_setting(config.error());
  }
  if (const auto value = parse_value(input, "it")) {
    if (const auto prices = read_prices(*value)) {
      must(prices->list >= 0 && prices->get >= 0 && prices->per > 0, "nobody is paid for reading");
    } else {
      must_be_a_setting(prices.error());
    }
  } else {
    must_be_a_setting(value.error());
  }
  const ReferenceScope scope{.environment = &environment, .folder = "/nowhere/", .where = "it"};
  if (const auto text = interpolate(input, scope)) {
    if (!has_reference(input) && input.find("$${") == std::string_view::npos)
      must(*text == input, "a text without references stays as it is");
  } else {
    must_be_a_setting(text.error());
  }
}

}  // namespace forebay::test
