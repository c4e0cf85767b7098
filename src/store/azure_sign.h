#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/secret.h"

namespace forebay::azure {

// A request before it is signed by an account's key ("Shared Key" of version 2015-02-21 and later).
struct Unsigned {
  std::string method = "GET";
  std::string account;
  std::string path;  // encoded, as it is sent, with what the endpoint adds in front
  std::vector<std::pair<std::string, std::string>> query;    // bytes
  std::vector<std::pair<std::string, std::string>> headers;  // names in small letters
};

// The text that is signed, open to the tests.
std::string string_to_sign(const Unsigned& request);

// The value of the header Authorization. `key`: bytes.
std::string authorization(const Unsigned& request, const Secret& key);

}  // namespace forebay::azure
