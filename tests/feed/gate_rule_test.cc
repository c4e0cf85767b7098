// Aim: gates are read as written; what cannot be evaluated is a configuration error with its place.

#include "feed/gate_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/feeds.h"

namespace forebay {
namespace {

using testing::HasSubstr;

std::string description(std::string_view gates) {
  return "about: x\nunit:\n  document: m.json\n  identity: [/run]\n  order: [/n]\n"
         "files:\n  list: /parts\n  path: {field: path, from: document}\n  table: /table\n"
         "gate:\n" +
         std::string(gates) + "effect: append\n";
}

std::string error(std::string_view gates) {
  Result<Feed> feed = bind_feed("mine", description(gates), "f.yaml", {});
  return feed ? "none" : describe(feed.error());
}

TEST(GateRule, EveryKindIsRead) {
  const Feed feed = test::feed(description(
      "  - exists: \"{$folder}/_DONE\"\n  - absent: \"{$folder}/INCOMPLETE\"\n"
      "  - hash: {of: \"{$key}\", in: \"{$folder}/_OK\", kind: md5, form: \"{base64}\"}\n"
      "    when: {/mode: [batch]}\n    grace: {option: patience, default: 15m}\n"
      "  - still: 2m\n"));
  ASSERT_EQ(feed.gates.size(), 4U);
  EXPECT_EQ(feed.gates[0].kind, GateRule::Kind::exists);
  EXPECT_EQ(feed.gates[1].object, "{$folder}/INCOMPLETE");
  EXPECT_EQ(feed.gates[2].digest, DigestKind::md5);
  EXPECT_EQ(feed.gates[2].grace, std::chrono::minutes(15));
  EXPECT_EQ(feed.gates[2].when.at(0).path, "/mode");
  EXPECT_EQ(feed.gates[3].still, std::chrono::minutes(2));
}

TEST(GateRule, AGateIsOfExactlyOneKind) {
  EXPECT_THAT(error("  - {exists: a, absent: b}\n"), HasSubstr("exactly one of the keys"));
  EXPECT_THAT(error("  - {grace: 1m}\n"), HasSubstr("exactly one of the keys"));
  EXPECT_THAT(error("  - {exist: a}\n"), HasSubstr("did you mean exists"));
}

TEST(GateRule, ADurationThatIsNoneIsAnError) {
  EXPECT_THAT(error("  - {exists: a, grace: soon}\n"), HasSubstr("\"soon\" is no duration"));
}

}  // namespace
}  // namespace forebay
