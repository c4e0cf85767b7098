// Keys of a source, one a line: which of them are units, and what `inspect` makes of them.
#include <map>

#include "feed/builtin.h"
#include "feed/order.h"
#include "feed/recognise.h"
#include "feed/unit.h"
#include "fuzz/fuzz.h"
#include "support/feeds.h"

namespace forebay::test {

FOREBAY_FUZZ(unit_name) {
  static const std::vector<Feed> kFeeds{builtin("rollerup"), builtin("rivet"), builtin("twisp"),
                                        builtin("files", options({{"table", "t"}}))};
  std::vector<std::string> keys;
  while (!input.empty() && keys.size() < 20) keys.emplace_back(take_line(input));
  for (const Feed& feed : kFeeds) {
    std::map<std::string, std::string> places;
    for (const std::string& key : keys) {
      const auto unit = name_unit(feed, key);
      if (!unit)
        must(unit.error().code == ErrorCode::refused, "a key is a unit, or none, or refused");
      if (!unit || !*unit) continue;
      must((*unit)->key == key, "a unit's key is the object's");
      must(key_of_unit(feed, (*unit)->name).value_or(key) == key, "its name leads back");
      if (feed.ordered())
        must(places.try_emplace((*unit)->place, key).first->second == key, "places differ");
    }
  }
  const auto recognised = recognise(builtin_feeds(), keys);
  must(recognised.has_value(), "anything may lie in a source");
  for (const Recognised& one : *recognised)
    must(one.units > 0 && one.units <= keys.size(), "units are among the keys");
}

}  // namespace forebay::test
