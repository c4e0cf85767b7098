#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "feed/description.h"
#include "store/object_store.h"

namespace forebay {

// What a store charges, as the configuration says it: the program knows no prices of its own.
struct Prices {
  double list = 0;  // for so many requests as `per` says
  double get = 0;
  double head = 0;
  double other = 0;
  double per = 1000;
  double egress_per_gb = 0;  // a GB is 2^30 bytes, as bills count them
  std::string currency = "USD";
};

// Reads `prices: {list: 0.005, get: 0.0004, …}`. `list` and `get` must be told; `head` costs as
// much as `get` and `other` nothing unless they are. invalid_config: an unknown key (with the
// nearest one), a value that is no number of 0 or more.
Result<Prices> read_prices(const OptionValue& given);

// In the currency of the prices.
struct Cost {
  double requests = 0;
  double egress = 0;
  double total() const { return requests + egress; }
};
// `bytes`: how many leave the store.
Cost cost_of(const Prices& prices, const RequestCounts& requests, std::uint64_t bytes);

// "0.0054 USD", to four digits that count.
std::string money_text(double amount, const std::string& currency);

}  // namespace forebay
