#include "store/azure_sign.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/digest.h"
#include "base/encode.h"

namespace forebay::azure {
namespace {

std::string header(const Unsigned& request, std::string_view name) {
  for (const auto& [other, value] : request.headers) {
    if (other == name) return value;
  }
  return {};
}

std::string own_headers(const Unsigned& request) {
  std::map<std::string, std::string> sorted;
  for (const auto& [name, value] : request.headers) {
    if (name.starts_with("x-ms-")) sorted[name] = value;
  }
  std::string text;
  for (const auto& [name, value] : sorted) text += fmt::format("{}:{}\n", name, value);
  return text;
}

// Parameters by name, the values of one that stands several times sorted and joined.
std::string parameters(const Unsigned& request) {
  std::map<std::string, std::multiset<std::string>> sorted;
  for (const auto& [name, value] : request.query) sorted[name].insert(value);
  std::string text;
  for (const auto& [name, values] : sorted) {
    text += "\n" + name + ":";
    bool first = true;
    for (const auto& value : values) {
      text += (first ? "" : ",") + value;
      first = false;
    }
  }
  return text;
}

}  // namespace

std::string string_to_sign(const Unsigned& request) {
  std::string text = request.method + "\n";
  for (const char* name :
       {"content-encoding", "content-language", "content-length", "content-md5", "content-type",
        "date", "if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range"}) {
    text += header(request, name) + "\n";
  }
  return text + own_headers(request) + "/" + request.account + request.path + parameters(request);
}

std::string authorization(const Unsigned& request, const Secret& key) {
  return fmt::format("SharedKey {}:{}", request.account,
                     base64_encode(hmac_sha256(key.reveal(), string_to_sign(request))));
}

}  // namespace forebay::azure
