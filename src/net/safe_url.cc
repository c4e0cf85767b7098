#include "net/safe_url.h"

namespace forebay {

bool is_safe_url(std::string_view url) {
  if (url.starts_with("https://")) return true;
  if (!url.starts_with("http://")) return false;
  url.remove_prefix(7);
  const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
  if (authority.contains('@')) return false;
  if (authority.starts_with("[::1]")) return authority == "[::1]" || authority[5] == ':';
  const std::string_view host = authority.substr(0, authority.find(':'));
  return host == "127.0.0.1" || host == "localhost";
}

}  // namespace forebay
