#include <fmt/format.h>

#include "app/config.h"
#include "app/config_error.h"
#include "app/interpolation.h"

namespace forebay {
namespace {

// Short ones are guessed; this is what 12 random bytes give in Base64.
constexpr std::size_t kShortestToken = 16;

Result<std::string> one_value(const OptionValue& value, const std::string& key,
                              const RawConfig& config, const Environment& environment) {
  const std::string place = at_key(value.where, "serve." + key);
  if (value.is_list || value.is_map || value.values.size() != 1)
    return fail(config_error(place, "one value is needed"));
  const ReferenceScope scope{&environment, config.folder, place};
  ASSIGN_OR_RETURN(std::string text, interpolate(value.values.front(), scope));
  if (text.empty()) return fail(config_error(place, "the value is empty"));
  return text;
}

}  // namespace

Result<ServeSettings> read_serve(const RawConfig& config, const Environment& environment) {
  ServeSettings out;
  if (!config.serve) return out;
  for (const auto& [key, value] : config.serve->fields) {
    if (key == "listen") {
      ASSIGN_OR_RETURN(out.listen, one_value(value, key, config, environment));
      out.listen_where = at_key(value.where, "serve.listen");
    } else if (key == "token") {
      ASSIGN_OR_RETURN(std::string token, one_value(value, key, config, environment));
      if (token.size() < kShortestToken) {
        return fail(config_error(at_key(value.where, "serve.token"),
                                 fmt::format("a token has at least {} characters", kShortestToken),
                                 "make one with 'openssl rand -base64 24'"));
      }
      out.token = Secret(std::move(token));
    } else {
      const std::string near = nearest(key, {"listen", "token"});
      return fail(config_error(
          at_key(value.where, "serve." + key), "there is no such key",
          near.empty() ? "known keys: listen, token" : fmt::format("did you mean '{}'?", near)));
    }
  }
  return out;
}

}  // namespace forebay
