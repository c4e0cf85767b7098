#include "app/prices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "app/config_error.h"
#include "base/nearest.h"

namespace forebay {
namespace {

constexpr double kGigabyte = 1024.0 * 1024.0 * 1024.0;

std::optional<double> amount(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
  return whole && value >= 0 ? std::optional(value) : std::nullopt;
}

bool is_currency(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string place_of(const std::string& name, const OptionValue& value) {
  return at_key(value.where, "prices." + name);
}

}  // namespace

Result<Prices> read_prices(const OptionValue& given) {
  const std::string place = at_key(given.where, "prices");
  if (!given.is_map)
    return fail(config_error(place, "prices are a mapping", "write {list: 0.005, get: 0.0004}"));
  Prices prices;
  std::map<std::string_view, std::optional<double>> amounts = {
      {"list", {}}, {"get", {}}, {"head", {}}, {"other", {}}, {"per", {}}, {"egress_per_gb", {}}};
  for (const auto& [name, value] : given.fields) {
    if (value.is_list || value.is_map || value.values.size() != 1)
      return fail(config_error(place_of(name, value), "one value is needed"));
    const std::string& text = value.values.front();
    if (name == "currency") {
      if (!is_currency(text))
        return fail(config_error(place_of(name, value), "the value is no currency",
                                 "write its three letters: USD"));
      prices.currency = text;
      continue;
    }
    const auto known = amounts.find(name);
    if (known == amounts.end()) {
      std::vector<std::string> names = {"currency"};
      for (const auto& [key, unused] : amounts) names.emplace_back(key);
      const std::string near = nearest(name, names);
      return fail(config_error(place_of(name, value), "there is no such key",
                               near.empty() ? fmt::format("known keys: {}", fmt::join(names, ", "))
                                            : fmt::format("did you mean '{}'?", near)));
    }
    const auto number = amount(text);
    if (!number || (name == "per" && *number == 0))
      return fail(config_error(place_of(name, value), "the value is no price",
                               "write a number such as 0.005"));
    known->second = number;
  }
  for (const char* needed : {"list", "get"}) {
    if (amounts[needed]) continue;
    return fail(config_error(place, fmt::format("there is no price for '{}'", needed),
                             "list and get are needed; what costs nothing has the price 0"));
  }
  prices.list = *amounts["list"];
  prices.get = *amounts["get"];
  prices.head = amounts["head"].value_or(prices.get);
  prices.other = amounts["other"].value_or(prices.other);
  prices.per = amounts["per"].value_or(prices.per);
  prices.egress_per_gb = amounts["egress_per_gb"].value_or(prices.egress_per_gb);
  return prices;
}

Cost cost_of(const Prices& prices, const RequestCounts& requests, std::uint64_t bytes) {
  const double sum = static_cast<double>(requests.list) * prices.list +
                     static_cast<double>(requests.get) * prices.get +
                     static_cast<double>(requests.head) * prices.head +
                     static_cast<double>(requests.other) * prices.other;
  return {.requests = sum / prices.per,
          .egress = static_cast<double>(bytes) / kGigabyte * prices.egress_per_gb};
}

std::string money_text(double amount, const std::string& currency) {
  return fmt::format("{:.4g} {}", amount, currency);
}

}  // namespace forebay
