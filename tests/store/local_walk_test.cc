#include "store/local_walk.h"

#include <gtest/gtest.h>

#include <set>

#include "support/temp_folder.h"

// Aim: for every prefix and start a walk gives what a plain sort of all keys gives. Method: a tree
// of names that sort awkwardly, and every prefix and start that its keys have. Links, rights and
// vanishing files are tested with the store.
namespace forebay::local {
namespace {

std::vector<std::string> walk(const std::string& folder, const std::string& prefix,
                              const std::string& after) {
  auto walker = Walker::start(*open_root(folder), prefix, after);
  std::vector<std::string> keys;
  while (walker) {
    auto found = walker->next();
    if (!found || !*found) break;
    keys.push_back((*found)->key);
  }
  return keys;
}

TEST(LocalWalk, AgreesWithAPlainSortForEveryPrefixAndStart) {
  const test::TempFolder folder;
  // '-' and '.' sort before '/', '0' after it: where walks that sort names alone go wrong.
  const std::set<std::string> keys = {"a-/x", "a./x",  "a/-", "a/b/c", "a/b-",    "a/b0",
                                      "a0",   "a00/x", "b",   "b.c/d", "b0/e/f/g"};
  std::set<std::string> cuts = {"", "zzz", "a/b/c/d", "a/zz", "/", "a//"};
  for (const auto& key : keys) {
    folder.write(key, "x");
    for (std::size_t size = 1; size <= key.size(); ++size) cuts.insert(key.substr(0, size));
  }
  for (const auto& prefix : cuts) {
    for (const auto& after : cuts) {
      std::vector<std::string> expected;
      for (const auto& key : keys) {
        if (key.starts_with(prefix) && key > after) expected.push_back(key);
      }
      EXPECT_EQ(walk(folder.path(), prefix, after), expected) << prefix << " after " << after;
    }
  }
}

}  // namespace
}  // namespace forebay::local
