// Aim: the order of places as bytes is the order of what they stand for, for any values.

#include "feed/order.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

namespace forebay {
namespace {

Captures captures(std::vector<std::pair<std::string, CaptureValue>> values) {
  return {.values = std::move(values)};
}

std::string file_place(std::string_view key) { return encode_place({"$file"}, {}, key, key); }

TEST(Place, IsEmptyInFeedsWithoutOrder) {
  EXPECT_EQ(encode_place({}, captures({{"a", std::string("x")}}), "x", "x"), "");
}

TEST(Place, RollerupRule1_FileNamesAreComparedAsBytesWithTheirEnding) {
  EXPECT_LT(file_place("20261020T140003Z.json"), file_place("20261020T140003Z.snapshot.json"));
  EXPECT_LT(file_place("20261020T140003Z.snapshot.json"), file_place("20261020T141502Z.json"));
  // '-' sorts before '.', so the longer name comes first, although "a" would sort before "a-b".
  EXPECT_LT(file_place("a-b.json"), file_place("a.json"));
}

TEST(Place, OfAFileNameDoesNotDependOnItsFolder) {
  EXPECT_EQ(encode_place({"$file"}, {}, "x/a.json", "a.json"),
            encode_place({"$file"}, {}, "y/a.json", "a.json"));
  EXPECT_NE(encode_place({"$key"}, {}, "x/a.json", "a.json"),
            encode_place({"$key"}, {}, "y/a.json", "a.json"));
}

TEST(Place, PutsWhatLacksACaptureFirst) {
  std::vector<std::string> order = {"at", "n"};
  std::string load = encode_place(order, captures({{"n", std::uint64_t{UINT64_MAX}}}), "z", "z");
  std::string change = encode_place(order, captures({{"at", Time::min()}}), "a", "a");
  EXPECT_LT(load, change);
}

TEST(Place, IsNeverSharedByTwoNames) {
  Captures same = captures({{"n", std::uint64_t{1}}});
  EXPECT_LT(encode_place({"n"}, same, "01.csv", "01.csv"),
            encode_place({"n"}, same, "1.csv", "1.csv"));
}

TEST(Place, HasTheFormThatTheLedgerKeeps) {
  EXPECT_EQ(encode_place({"$file"}, {}, "d/a.x", "a.x"), std::string("\1a.x\0\0", 6));
  EXPECT_EQ(encode_place({"n", "m", "t", "$key"},
                         captures({{"n", std::uint64_t{258}}, {"t", Time(Duration(-1))}}),
                         std::string_view("\0", 1), std::string_view("\0", 1)),
            std::string("\1\0\0\0\0\0\0\1\2\0\1\x7f\xff\xff\xff\xff\xff\xff\xff\1\0\xff\0\0", 24));
}

TEST(Place, OrderOfPlacesIsOrderOfTuplesForRandomValues) {
  std::mt19937_64 random(11);
  auto text = [&] {
    std::string result;
    for (std::size_t n = random() % 4; n > 0; --n) {
      result += std::string("\0\1a\xfe\xff", 5)[random() % 5];
    }
    return result;
  };
  auto number = [&]() -> std::uint64_t { return random() >> (random() % 64); };
  auto time = [&] { return Time(Duration(static_cast<std::int64_t>(number()))); };
  using Tuple = std::tuple<std::string, std::uint64_t, std::string, Time, std::string>;
  auto place = [](const Tuple& t) {
    return encode_place({"a", "n", "b", "t"},
                        captures({{"a", std::get<0>(t)},
                                  {"n", std::get<1>(t)},
                                  {"b", std::get<2>(t)},
                                  {"t", std::get<3>(t)}}),
                        std::get<4>(t), std::get<4>(t));
  };
  Tuple last;
  for (int i = 0; i < 20000; ++i) {
    Tuple next{text(), number(), text(), time(), text()};
    // Parts are often equal, so that later ones decide.
    if (random() % 2) std::get<0>(next) = std::get<0>(last);
    if (random() % 2) std::get<1>(next) = std::get<1>(last);
    if (random() % 2) std::get<2>(next) = std::get<2>(last);
    if (random() % 2) std::get<3>(next) = std::get<3>(last);
    EXPECT_EQ(place(last) < place(next), last < next);
    EXPECT_EQ(place(last) == place(next), last == next);
    last = next;
  }
}

}  // namespace
}  // namespace forebay
