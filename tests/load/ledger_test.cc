#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "support/pipeline_fixture.h"
#include "target/targets.h"

// Aim: what the ledger says and what it forbids: entries, ids that are never used again, idle
// cycles that write nothing, sources, keys and tables that may not change hands, and the fence
// between two loaders (DUP-3, DUP-6, CONC-1, CKPT-3, CKPT-4). Method: small loads, and the ledger
// read as a user would.
namespace forebay::test {
namespace {

FeedFile visits(std::vector<FeedRow> rows) { return {.table = "visits", .rows = std::move(rows)}; }

class Ledger : public RollerupTest {
 protected:
  void load_first() {
    deliver(batch(batch_name(1), {visits({put("a", {1, "x"})})}));
    load();
  }
  TestPipeline::Settings settings() const { return pipeline_.settings; }
  int load_as(TestPipeline::Settings settings) {
    return code(TestPipeline(std::move(settings)).load());
  }
};

TEST_F(Ledger, HasAnEntryForEachUnitFileAndCommit) {
  load_first();
  EXPECT_EQ(
      query(
          "SELECT pipeline, unit, kind, state, files, rows, reason, commit_no FROM _forebay.units"),
      (Lines{"acme|" + batch_name(1) + ".json|incremental|applied|1|1||1"}));
  EXPECT_EQ(
      query("SELECT file_id, pipeline, unit, store_key, table_schema, table_name, rows, state, "
            "length(checksum), size > 0 FROM _forebay.files"),
      (Lines{"1|acme|" + batch_name(1) + ".json|visits/" + batch_name(1) +
             ".parquet|carwash|visits|1|live|32|true"}));
  const std::string counts = R"(tables -> 'carwash.visits')";
  EXPECT_EQ(query("SELECT pipeline, commit_no, mark, last_file_id, " + counts + " -> 'inserted', " +
                  counts + " -> 'updated', " + counts + " -> 'deleted', " + counts +
                  " -> 'rows_after' FROM _forebay.commits"),
            (Lines{"acme|1|name " + batch_name(1) + ".json|1|1|0|0|1"}));
  EXPECT_EQ(query("SELECT outcome, exit_code, full_listing FROM _forebay.cycles"),
            (Lines{"applied|0|true"}));
  EXPECT_EQ(query("SELECT _forebay_file FROM carwash.visits"), (Lines{"1"}));
}

TEST_F(Ledger, NeverUsesAFileIdAgain) {
  load_first();
  deliver(snapshot(batch_name(2), {visits({})}));
  load();
  deliver(batch(batch_name(3), {visits({put("a", {3, "z"})})}));
  load();
  auto other = settings();
  other.name = other.schema = "second";
  EXPECT_EQ(load_as(other), 0);
  EXPECT_EQ(query("SELECT count(*), count(DISTINCT file_id), min(file_id), max(file_id) FROM "
                  "_forebay.files"),
            (Lines{"6|6|1|6"}));
  EXPECT_EQ(query("SELECT _forebay_file FROM carwash.visits"), (Lines{"3"}));
}

TEST_F(Ledger, KnowsOnlyItsOwnPipelinesUnits) {
  load_first();
  auto other = settings();
  other.name = other.schema = "second";
  TestPipeline second(other);
  EXPECT_EQ(second.load().units.applied, 1U);
  EXPECT_EQ(second.load().units.already_applied, 1U);
  EXPECT_EQ(load().units.already_applied, 1U);
  EXPECT_EQ(query("SELECT pipeline, commit_no FROM _forebay.commits ORDER BY ALL"),
            (Lines{"acme|1", "second|1"}));
}

TEST_F(Ledger, SurvivesAChangeOfOptionsThatDoNotChangeWhatRowsMean) {
  load_first();
  pipeline_.settings.options = {{"stale_after", "2h"}, {"lookback", "3d"}, {"on_rewrite", "stop"}};
  EXPECT_EQ(load().units.already_applied, 1U);
}

TEST_F(Ledger, ASourceThatIsNotTheOneLoadedBeforeIsRefused) {
  load_first();
  const FeedMaker elsewhere(folder_.path() + "/other", "rollerup/");
  elsewhere.deliver(batch(batch_name(2), {visits({put("z")})}));
  const std::string before = pipeline_.settings.source;
  pipeline_.settings.source = elsewhere.source();
  const CycleReport report = load(5);
  EXPECT_TRUE(report.error->cause.contains(before) &&
              report.error->cause.contains(elsewhere.source()))
      << text(report);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
}

// CKPT-1: without its ledger a table is a stranger's; nothing is loaded into it again.
TEST_F(Ledger, ATableThatForebayDidNotMakeIsRefused) {
  run_in_database(database_,
                  "CREATE SCHEMA carwash; CREATE TABLE carwash.visits (_row_id VARCHAR)");
  deliver(batch(batch_name(1), {visits({put("a")}), {.table = "prices", .rows = {put("p")}}}));
  EXPECT_TRUE(load(5).error->object.contains("carwash.visits"));
  EXPECT_EQ(query("SELECT count(*) FROM carwash.visits"), (Lines{"0"}));
  EXPECT_FALSE(exists("prices"));
}

TEST_F(Ledger, ATableOfAnotherPipelineIsRefusedAlsoAfterRenaming) {
  load_first();
  auto renamed = settings();
  renamed.name = "renamed";
  const CycleReport report = TestPipeline(renamed).load();
  EXPECT_EQ(code(report), 5);
  EXPECT_TRUE(report.error->cause.contains("'acme'")) << text(report);
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.units WHERE pipeline = 'renamed'"), (Lines{"0"}));
}

TEST_F(Ledger, ATableThatTheLedgerKnowsAndTheDatabaseLacksIsRefused) {
  load_first();
  run_in_database(database_, "DROP TABLE carwash.visits");
  deliver(batch(batch_name(2), {visits({put("b")})}));
  load(5);
  EXPECT_FALSE(exists("visits"));
}

TEST_F(Ledger, TablesThatDifferByCaseOnlyAreRefused) {
  load_first();
  deliver(batch(batch_name(2), {{.table = "Visits", .rows = {put("b")}}}));
  load(5);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
}

// CKPT-4: rows and ledger go back together.
TEST_F(Ledger, ARestoredBackupLoadsWhatCameAfterIt) {
  load_first();
  std::filesystem::copy_file(database_, folder_ / "backup");
  deliver(batch(batch_name(2), {visits({put("b", {2, "y"})})}));
  load();
  const Lines whole = rows("visits");
  std::filesystem::remove(database_);
  std::filesystem::copy_file(folder_ / "backup", database_);
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows("visits"), whole);
}

TEST_F(Ledger, OneOfANewerVersionIsNotTouched) {
  load_first();
  run_in_database(
      database_,
      "INSERT INTO _forebay.pipelines VALUES ('', 'ledger_version', '', '1000', 0, now())");
  EXPECT_EQ(code(pipeline_.load()), 1);
}

TEST_F(Ledger, APlanWritesNothing) {
  deliver(batch(batch_name(1), {visits({put("a")})}));
  ASSERT_TRUE(pipeline_.plan());
  EXPECT_FALSE(std::filesystem::exists(database_));
  load();
  deliver(batch(batch_name(2), {visits({put("b")})}));
  const Lines before = ledger_sizes();
  const auto plan = pipeline_.plan();
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->units.size(), 1U);
  EXPECT_EQ(ledger_sizes(), before);
}

class Fence : public RollerupTest {};

TEST_F(Fence, ABatchPlannedOnAnOlderStateIsBusyAndWritesNothing) {
  deliver(batch(batch_name(1), {visits({put("a", {1, "x"})})}));
  load();
  const Lines before = ledger_sizes();
  {
    const auto target = pipeline_.open_target();
    ASSERT_TRUE(target);
    const auto applied =
        (*target)->apply({.pipeline = "acme",
                          .commit_no = 1,
                          .decided_at = pipeline_.clock().now(),
                          .units = {{.unit = "another.json", .kind = "incremental"}}});
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().code, ErrorCode::busy) << describe(applied.error());
  }
  EXPECT_EQ(ledger_sizes(), before);
}

// A store that lets another loader run in the middle of a cycle: when the first marker is read, the
// ledger has been compared, and nothing is written yet.
class InterruptingStore final : public ObjectStore {
 public:
  InterruptingStore(ObjectStore& inner, std::function<void()> interrupt)
      : inner_(inner), interrupt_(std::move(interrupt)) {}
  StorePromises promises() const override { return inner_.promises(); }
  std::string display(const std::string& key) const override { return inner_.display(key); }
  std::string ledger_key(const std::string& key) const override { return inner_.ledger_key(key); }
  std::string source_key(const std::string& key) const override { return inner_.source_key(key); }
  Result<ListPage> list(const ListRequest& request) override { return inner_.list(request); }
  Result<ObjectInfo> stat(const std::string& key) override { return inner_.stat(key); }
  Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) override {
    if (interrupt_) std::exchange(interrupt_, nullptr)();
    return inner_.read(request, sink);
  }
  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& key) override {
    return inner_.open_in_place(key);
  }
  RequestCounts requests() const override { return inner_.requests(); }

 private:
  ObjectStore& inner_;
  std::function<void()> interrupt_;
};

// CONC-1
TEST_F(Fence, OfTwoLoadersThatPlannedTheSameUnitOneIsBusy) {
  deliver(batch(batch_name(1), {visits({put("a", {1, "x"})})}));
  const auto target = pipeline_.open_target();
  ASSERT_TRUE(target);
  TestPipeline first(pipeline_.settings);
  int second_code = -1;
  first.decorate = [&](ObjectStore& inner) {
    return std::make_unique<InterruptingStore>(
        inner, [&] { second_code = code(pipeline_.load_into(**target)); });
  };
  const CycleReport report = first.load_into(**target);
  EXPECT_EQ(second_code, 0);
  EXPECT_EQ(code(report), 2) << text(report);
  EXPECT_EQ(report.error->code, ErrorCode::busy) << text(report);
  EXPECT_EQ(report.units.applied, 0U);
  EXPECT_EQ(code(first.load_into(**target)), 0) << "and the next cycle finds it applied";
}

TEST_F(Fence, ADatabaseHeldByAnotherProcessIsBusyAndTheHolderIsNamed) {
  deliver(batch(batch_name(1), {visits({put("a")})}));
  load();
  const Lines before = ledger_sizes();
  int ready[2];
  int done[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(done), 0);
  const pid_t holder = ::fork();
  ASSERT_GE(holder, 0);
  if (holder == 0) {
    const auto held = pipeline_.open_target();
    char byte = held ? 'y' : 'n';
    if (::write(ready[1], &byte, 1) != 1 || ::read(done[0], &byte, 1) != 1) ::_exit(2);
    ::_exit(held ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  deliver(batch(batch_name(2), {visits({put("b")})}));
  const CycleReport report = load(2);
  EXPECT_TRUE(text(report).contains(std::to_string(holder))) << text(report);
  ASSERT_EQ(::write(done[1], &byte, 1), 1);
  int status = 0;
  ASSERT_EQ(::waitpid(holder, &status, 0), holder);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ledger_sizes(), before);
  EXPECT_EQ(load().units.applied, 1U);
}

}  // namespace
}  // namespace forebay::test
