// Aim: every error code maps to one exit code, and the more serious outcome wins.
// Method: the contract's table, and all pairs.
#include "base/error.h"

#include <gtest/gtest.h>

#include <vector>

namespace forebay {
namespace {

TEST(Error, EveryCodeHasTheContractsExitCode) {
  EXPECT_EQ(exit_code(ErrorCode::not_found), ExitCode::configuration);
  EXPECT_EQ(exit_code(ErrorCode::denied), ExitCode::configuration);
  EXPECT_EQ(exit_code(ErrorCode::invalid_config), ExitCode::configuration);
  EXPECT_EQ(exit_code(ErrorCode::changed), ExitCode::try_again);
  EXPECT_EQ(exit_code(ErrorCode::throttled), ExitCode::try_again);
  EXPECT_EQ(exit_code(ErrorCode::unavailable), ExitCode::try_again);
  EXPECT_EQ(exit_code(ErrorCode::busy), ExitCode::try_again);
  EXPECT_EQ(exit_code(ErrorCode::interrupted), ExitCode::try_again);
  EXPECT_EQ(exit_code(ErrorCode::commit_unknown), ExitCode::try_again);
  EXPECT_EQ(exit_code(ErrorCode::damaged), ExitCode::integrity);
  EXPECT_EQ(exit_code(ErrorCode::drift), ExitCode::schema_drift);
  EXPECT_EQ(exit_code(ErrorCode::refused), ExitCode::data_protection);
  EXPECT_EQ(exit_code(ErrorCode::internal), ExitCode::bug);
}

TEST(Error, TheMoreSeriousOutcomeWinsInBothOrders) {
  const std::vector<ExitCode> most_serious_first = {
      ExitCode::integrity,    ExitCode::bug,       ExitCode::data_protection,
      ExitCode::schema_drift, ExitCode::try_again, ExitCode::configuration,
      ExitCode::done};
  for (std::size_t i = 0; i < most_serious_first.size(); ++i) {
    for (std::size_t j = i; j < most_serious_first.size(); ++j) {
      EXPECT_EQ(worse(most_serious_first[i], most_serious_first[j]), most_serious_first[i]);
      EXPECT_EQ(worse(most_serious_first[j], most_serious_first[i]), most_serious_first[i]);
    }
  }
}

TEST(Error, ReadsAsOperationObjectCauseAndHint) {
  EXPECT_EQ(describe({.code = ErrorCode::denied,
                      .operation = "read",
                      .object = "s3://b/k",
                      .cause = "no right",
                      .hint = "ask for one"}),
            "read s3://b/k: no right\n  hint: ask for one");
  EXPECT_EQ(
      describe(
          {.code = ErrorCode::denied, .operation = "", .object = "", .cause = "x", .hint = ""}),
      "x");
}

}  // namespace
}  // namespace forebay
