// Aim: whatever a bucket answers, nothing wrong is ever applied, a load ends in bounded time with
// the exit code that says what to do, and the next load on a sound bucket brings everything.
// Method: a strict bucket on loopback whose answers are spoilt, one at a time at each request of a
// load, and all of them; the store's clock moves in naps only.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <set>

#include "support/bucket_server.h"
#include "support/files_feed_fixture.h"

namespace forebay::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSubsetOf;

enum class At { list, read, both };

struct StoreFault {
  const char* name;
  At at;
  Answer (*spoil)(Answer proper);
  std::set<int> once;    // exit codes of a load in which one answer is spoilt
  std::set<int> always;  // and of one in which all are
};

std::size_t body_at(const Answer& answer) { return answer.bytes.find("\r\n\r\n") + 4; }

Answer refuse(int status, const char* code, const char* headers = "") {
  return Answer::with(
      status, fmt::format("<Error><Code>{}</Code><Message>m</Message></Error>", code), headers);
}

// The proper answer with another head.
Answer with_head(Answer proper, const std::string& from, const std::string& to) {
  const std::size_t at = proper.bytes.find(from);
  if (at != std::string::npos && at < body_at(proper)) proper.bytes.replace(at, from.size(), to);
  return proper;
}

void replace_in(std::string& text, const std::string& from, const std::string& to) {
  if (const auto at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

Answer chunked(const Answer& proper) {
  const std::string body = proper.bytes.substr(body_at(proper));
  std::string head = proper.bytes.substr(0, body_at(proper));
  const std::size_t length = head.find("Content-Length: ");
  head.replace(length, head.find("\r\n", length) - length, "Transfer-Encoding: chunked");
  return {.bytes = head + fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body)};
}

Answer half(Answer proper, Answer::Then then) {
  const std::size_t size = (proper.bytes.size() - body_at(proper)) / 2;
  return proper.cut_body(size).and_then(then);
}

// What the answers of TESTING's list of an unreliable store come to.
const StoreFault kFaults[] = {
    {"Status500", At::both, [](Answer) { return Answer::with(500, ""); }, {0}, {2}},
    {"Status502", At::both, [](Answer) { return Answer::with(502, "<html/>"); }, {0}, {2}},
    {"SlowDown", At::both, [](Answer) { return refuse(503, "SlowDown"); }, {0}, {2}},
    {"SlowDownWithAWish",
     At::both,
     [](Answer) { return refuse(503, "SlowDown", "Retry-After: 7\r\n"); },
     {0},
     {2}},
    {"Status429", At::both, [](Answer) { return Answer::with(429, ""); }, {0}, {2}},
    {"Status408", At::both, [](Answer) { return Answer::with(408, ""); }, {0}, {2}},
    {"AnErrorDocumentWithStatus200",
     At::both,
     [](Answer) { return refuse(200, "InternalError"); },
     {0},
     {2}},
    {"AccessDenied", At::both, [](Answer) { return refuse(403, "AccessDenied"); }, {1}, {1}},
    {"ClockSkew", At::both, [](Answer) { return refuse(403, "RequestTimeTooSkewed"); }, {1}, {1}},
    {"ExpiredToken", At::both, [](Answer) { return refuse(400, "ExpiredToken"); }, {1}, {1}},
    {"AnotherRegion",
     At::both,
     [](Answer) { return refuse(301, "PermanentRedirect", "x-amz-bucket-region: eu-west-1\r\n"); },
     {0},
     {1}},
    {"ARedirectElsewhere",
     At::both,
     [](Answer) { return Answer::with(307, "", "Location: http://127.0.0.1:1/bucket\r\n"); },
     {1},
     {1}},
    {"GoneAfterListing", At::read, [](Answer) { return refuse(404, "NoSuchKey"); }, {3}, {3}},
    {"ReplacedAfterListing",
     At::read,
     [](Answer) { return refuse(412, "PreconditionFailed"); },
     {2},
     {2}},
    {"APartWithoutItsRange",
     At::read,
     [](Answer proper) { return with_head(std::move(proper), " 200 ", " 206 "); },
     {0, 3},
     {3}},
    {"AWrongRange",
     At::read,
     [](Answer proper) {
       return with_head(with_head(std::move(proper), " 200 ", " 206 "),
                        "ETag:", "Content-Range: bytes 1-2/9\r\nETag:");
     },
     {0, 3},
     {3}},
    {"AnotherVersionThanAskedFor",
     At::read,
     [](Answer proper) { return with_head(std::move(proper), "ETag: \"", "ETag: \"0"); },
     {2},
     {2}},
    {"AShortBody",
     At::both,
     [](Answer proper) { return half(std::move(proper), Answer::Then::close); },
     {0},
     {2}},
    {"AResetInTheBody",
     At::both,
     [](Answer proper) { return half(std::move(proper), Answer::Then::reset); },
     {0},
     {2}},
    {"AResetBeforeTheHead",
     At::both,
     [](Answer) { return Answer{.bytes = "", .then = Answer::Then::reset}; },
     {0},
     {2}},
    {"AResetInTheHead",
     At::both,
     [](Answer) { return Answer{.bytes = "HTTP/1.1 200 OK\r\nETa", .then = Answer::Then::reset}; },
     {0},
     {2}},
    {"NoHttpAtAll",
     At::both,
     [](Answer) { return Answer{.bytes = "220 smtp\r\n\r\n", .then = Answer::Then::close}; },
     {0},
     {2}},
    {"ALongBody",
     At::both,
     [](Answer proper) {
       proper.bytes += "PAR1 and more";
       return proper;
     },
     {0},
     {0}},
    {"AFlippedBit",
     At::read,
     [](Answer proper) {
       char& byte = proper.bytes[(proper.bytes.size() + body_at(proper)) / 2];
       byte = static_cast<char>(byte ^ 1);
       return proper;
     },
     {0},
     {3}},
    {"AnEmptyBody",
     At::both,
     [](Answer) { return Answer::with(200, "", "ETag: \"d41d8cd98f00b204e9800998ecf8427e\"\r\n"); },
     {0, 2, 3},
     {0, 2, 3}},
    {"NoLength", At::both, [](Answer proper) { return chunked(proper); }, {0}, {0}},
    {"AnEncodingNobodyAskedFor",
     At::both,
     [](Answer proper) {
       return with_head(std::move(proper), "Content-Length",
                        "Content-Encoding: gzip\r\nContent-Length");
     },
     {0},
     {0}},
    {"AClosedConnection",
     At::both,
     [](Answer proper) { return proper.and_then(Answer::Then::close); },
     {0},
     {0}},
    {"ATruncatedListing",
     At::list,
     [](Answer proper) {
       const std::string body = proper.bytes.substr(body_at(proper));
       return Answer::with(200, body.substr(0, body.size() - 30));
     },
     {3},
     {3}},
    {"AnHtmlPageForAListing",
     At::list,
     [](Answer) { return Answer::with(200, "<html><body>sign in</body></html>"); },
     {3},
     {3}},
    {"ATokenThatNeverEnds",
     At::list,
     [](Answer proper) {
       std::string body = proper.bytes.substr(body_at(proper));
       replace_in(body, "false", "true");
       replace_in(body, "</ListBucketResult>",
                  "<NextContinuationToken>x</NextContinuationToken></ListBucketResult>");
       return Answer::with(200, body);
     },
     {0, 3},
     {3}},
    {"AKeyOfSomebodyElse",
     At::list,
     [](Answer proper) {
       std::string body = proper.bytes.substr(body_at(proper));
       replace_in(body, "in%2F", "..%2F");
       return Answer::with(200, body);
     },
     {3},
     {3}},
};

void PrintTo(const StoreFault& fault, std::ostream* out) { *out << fault.name; }

class StoreFaults : public FilesTest, public ::testing::WithParamInterface<StoreFault> {
 protected:
  StoreFaults() {
    wait_until_all_settled();
    for (int n = 1; n <= 2; ++n) {
      const std::string path = folder_ / "made.parquet";
      make_parquet(path, fmt::format("SELECT {} AS n, repeat('x', 5000) || {} AS t", n, n));
      std::ifstream file(path, std::ios::binary);
      bucket_.put(fmt::format("in/{}.parquet", n),
                  std::string(std::istreambuf_iterator<char>(file), {}));
    }
    pipeline_.decorate = [this](ObjectStore&) { return bucket_.open(store_clock_); };
  }

  // From now on the answers to requests `from` to `to` (counted from here) are spoilt.
  void spoil(std::size_t from, std::size_t to) {
    const std::size_t base = bucket_.requests();
    bucket_.set_fault([=, this](const std::string& request, std::size_t n, Answer proper) {
      const StoreFault& fault = GetParam();
      const bool here =
          fault.at == At::both || (fault.at == At::list) == BucketServer::is_list(request);
      if (!here || n < base + from || n > base + to) return proper;
      spoilt_ = true;
      return fault.spoil(std::move(proper));
    });
  }

  Lines numbers() const { return query("SELECT n FROM main.events ORDER BY n"); }
  bool has_table() const {
    return !query("SELECT 1 FROM duckdb_tables() WHERE table_name = 'events'").empty();
  }

  // Loads with the fault under way, then without.
  void expect_sound(const std::set<int>& codes) {
    const Time begun = store_clock_.now();
    spoilt_ = false;
    const CycleReport report = pipeline_.load();
    EXPECT_TRUE((spoilt_ ? codes : std::set{0}).contains(code(report))) << text(report);
    // Each of three requests may try for five minutes, and wait for the others' pause.
    EXPECT_LT(store_clock_.now() - begun, std::chrono::minutes(20));
    if (has_table()) {
      EXPECT_THAT(numbers(), IsSubsetOf({"1", "2"}));
    }
    if (report.error) {
      EXPECT_FALSE(report.error->object.empty()) << text(report);
      EXPECT_FALSE(report.error->cause.empty());
    }
    bucket_.set_fault({});
    EXPECT_EQ(code(pipeline_.load()), 0);
    // What was quarantined waits for a person, or for a new version.
    if (code(report) != 3) {
      EXPECT_THAT(numbers(), ElementsAre("1", "2"));
    }
    EXPECT_THAT(bucket_.complaints(), IsEmpty());
  }

  std::atomic<bool> spoilt_ = false;  // a request was of the kind that the fault is for
  BucketServer bucket_;
  FakeClock store_clock_;
};

TEST_P(StoreFaults, OnceAtEachRequest) {
  load();
  const std::size_t requests = bucket_.requests();
  ASSERT_EQ(requests, 3U);
  for (std::size_t k = 1; k <= requests; ++k) {
    SCOPED_TRACE(fmt::format("request {}", k));
    std::filesystem::remove(database_);
    spoil(k, k);
    expect_sound(GetParam().once);
  }
}

TEST_P(StoreFaults, Always) {
  spoil(1, SIZE_MAX / 2);
  expect_sound(GetParam().always);
}

INSTANTIATE_TEST_SUITE_P(All, StoreFaults, ::testing::ValuesIn(kFaults),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace forebay::test
