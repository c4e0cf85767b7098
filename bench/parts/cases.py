"""What is raced. A case makes its feed and its databases, and names its contestants."""

import dataclasses
import functools

from parts import append, downloads, forebay, hand, polls, versions
from parts.bench import Contestant
from parts.feed import Changes, Feed, Files, Snapshot

FOREBAY = "forebay load"
FETCH = "forebay, downloads alone"
RCLONE = "rclone copy"
BY_HAND = "by hand"


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    title: str
    contestants: object  # Bench -> list of Contestant
    ratios: tuple = ()   # pairs of contestants: how many times the second one's CPU the first takes
    note: str = ""
    elapsed: bool = False  # the ratios of elapsed time too


def loaded_template(bench, feed, units):
    """The feed's first `units` markers, loaded by forebay."""
    def make(path):
        bench.run_forebay(forebay.load(bench.forebay, feed, path, units))
    return bench.template(feed, f"forebay-{bench.forebay_digest}-{units}", make)


def forebay_contestant(bench, feed, units, start_after, name=FOREBAY):
    return Contestant(
        name, template=loaded_template(bench, feed, start_after) if start_after else None,
        commands=lambda database: [forebay.load(bench.forebay, feed, database, units or None)],
        check=lambda output: forebay.expect_units(output, units))


def hand_contestant(bench, feed, sql, base, name=BY_HAND, settings=hand.SETTINGS):
    def make(path):
        bench.run_hand(path, hand.SETTINGS + hand.snapshot(feed.snapshot_files()))
    return Contestant(
        name, template=bench.template(feed, "hand", make) if base else None,
        commands=lambda database: [bench.hand_command(database, name, settings + sql)])


def catchup_feed(bench):
    base = bench.scaled(1_000_000)
    return bench.made_feed(Feed(
        bench.work / "feeds" / "catchup", bench.seed, Snapshot(base, 10),
        Changes(markers=bench.scaled(1_000), rows=500, keys=base + base // 10)))


def catchup(bench):
    feed = catchup_feed(bench)
    files = feed.change_files()
    race = [
        hand_contestant(bench, feed, hand.changes(files), base=True),
        hand_contestant(bench, feed, hand.changes(files), True, "by hand, with vacuum",
                        hand.WITH_VACUUM),
        hand_contestant(bench, feed, hand.one_at_a_time(files), True,
                        "by hand, one marker at a time")]
    race[-1].at_most = 1
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, len(files), start_after=1))
    return race


def marker_by_marker(bench):
    feed = catchup_feed(bench)
    count = min(20, len(feed.change_files()))
    files = feed.change_files()[:count]
    race = [
        hand_contestant(bench, feed, hand.changes(files), base=True),
        hand_contestant(bench, feed, hand.one_at_a_time(files), True,
                        "by hand, one marker at a time")]
    if bench.forebay:
        together = forebay_contestant(bench, feed, count, start_after=1)
        race.insert(0, together)
        race.append(Contestant(
            "forebay load --max-units 1, repeated", template=together.template,
            commands=lambda database: [forebay.load(bench.forebay, feed, database, 1)] * count,
            check=lambda output: forebay.expect_units(output, 1)))
    return race


def one_marker(bench):
    base = bench.scaled(5_000_000)
    feed = bench.made_feed(Feed(
        bench.work / "feeds" / "one-marker", bench.seed, Snapshot(base, 50),
        Changes(markers=1, rows=bench.scaled(50_000), keys=base + base // 25)))
    sql = hand.changes(feed.change_files())
    race = [hand_contestant(bench, feed, sql, base=True),
            hand_contestant(bench, feed, sql, True, "by hand, with vacuum", hand.WITH_VACUUM)]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, 1, start_after=1))
    return race


def first_snapshot(bench):
    feed = bench.made_feed(Feed(bench.work / "feeds" / "first-snapshot", bench.seed,
                                Snapshot(bench.scaled(20_000_000), 200)))
    sql = hand.snapshot(feed.snapshot_files())
    race = [hand_contestant(bench, feed, sql, base=False),
            hand_contestant(bench, feed, sql, False, "by hand, with vacuum", hand.WITH_VACUUM)]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, 1, start_after=0))
    return race


def many_files(bench, suffix):
    """Many small files of a folder, none of them loaded yet."""
    feed = bench.made_feed(Files(bench.work / "feeds" / f"files-{suffix}", bench.seed,
                                 bench.scaled(5_000), 20, suffix))
    race = [hand_contestant(bench, feed, hand.files(feed.paths()), base=False)]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, len(feed.paths()), start_after=0))
    for contestant in race:
        contestant.compared = suffix == "parquet"  # a guess at types is not the contract's
    return race


def versions_of_records(bench):
    records = bench.scaled(1_000_000)
    feed = bench.made_feed(versions.Versions(
        bench.work / "feeds" / "versions", bench.seed,
        versions.Shape(records, 5, min(500, records))))
    race = [hand_contestant(bench, feed, versions.by_window(feed.files()), base=False),
            hand_contestant(bench, feed, versions.by_groups(feed.files()), False,
                            "by hand, with groups")]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, len(feed.files()), start_after=0))
    for contestant in race:
        contestant.digest_sql = versions.digest_sql()
    return race


def age(bench, markers):
    """A bucket of `markers` markers, all loaded but the last, or all."""
    if not bench.forebay:
        return []
    markers = bench.scaled(markers)
    feed = bench.made_feed(Feed(bench.work / "feeds" / f"age-{markers}", bench.seed,
                                changes=Changes(markers=markers, rows=20, keys=20_000, every=100)))
    idle = forebay_contestant(bench, feed, 0, markers, name=f"{markers:,} markers: nothing new")
    one = forebay_contestant(bench, feed, 1, markers - 1, name=f"{markers:,} markers: one new")
    floor = Contestant(
        f"{markers:,} markers: by hand, open and read the last commit", template=idle.template,
        commands=lambda database: [bench.hand_command(
            database, "last-commit", "SELECT max(commit_no) FROM _forebay.commits;\n")])
    for contestant in (idle, one, floor):
        contestant.compared = False
    return [idle, one, floor]


def ages(bench):
    return [contestant for markers in (1_000, 10_000, 100_000)
            for contestant in age(bench, markers)]


def append_again(bench):
    """A file that is written again: the rows that stand already, and some new ones."""
    table = bench.made_feed(append.GrowingTable(
        bench.work / "feeds" / "append", bench.seed, old=bench.scaled(9_000_000),
        window=bench.scaled(1_000_000), more=bench.scaled(100_000)))

    def template(name, first_load):
        def make(path):
            table.put(1)
            first_load(path)
        return bench.template(table, name, make)

    by_hand = Contestant(
        BY_HAND, template=template("hand", lambda path: bench.run_hand(
            path, append.first_load_sql(table))),
        commands=lambda database: [bench.hand_command(database, "anti-join",
                                                      append.anti_join_sql(table))])
    race = [by_hand]
    if bench.forebay:
        race.insert(0, Contestant(
            FOREBAY, template=template(f"forebay-{bench.forebay_digest}", lambda path:
                                       bench.run_forebay(append.load(bench.forebay, table, path))),
            commands=lambda database: [append.load(bench.forebay, table, database)],
            check=lambda output: append.expect_new_rows(output, table.more)))
    table.put(2)
    return race


DOWNLOADS = ("Eight at a time, server and client on one machine. What a load does before it applies:"
             " bytes pinned to their version and hashed, footers verified, nothing applied. rclone"
             " 1.75.2 with as many transfers, and streams of one file.")


def idle_poll(bench, stack, keys):
    """A poll of a bucket whose keys are all known, with dates in the keys and without."""
    bucket = bench.made_feed(polls.Bucket(bench.work / "feeds" / f"polls-{keys}", keys))
    port = stack.enter_context(bucket.served())

    def contestant(layout_name, layout, lists):
        def make(path):
            loaded = min(keys, 3)
            with bucket.served(loaded) as few:
                bench.run_forebay(polls.load(bench.forebay, path, few, layout))
            bench.run_hand(path, polls.fill_sql(bucket, loaded))
        # A listing of all is due a day after the one that the template knows.
        name = f"{layout_name}-{bench.forebay_digest}-{bucket.first}"
        return Contestant(
            f"{keys:,} keys, {layout_name}", template=bench.template(bucket, name, make),
            commands=lambda database: [polls.load(bench.forebay, database, port, layout)],
            check=lambda output: polls.expect_idle(output, lists), compared=False,
            at_most=bench.rounds if keys < 1_000_000 else 3)

    return [contestant("dated", polls.DATED, 3),
            contestant("undated", [], max(1, -(-keys // 1000)))]


def idle_polls(bench):
    if not bench.forebay:
        return []
    stack = bench.until_the_end
    return [contestant for keys in (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
            for contestant in idle_poll(bench, stack, bench.scaled(keys))]


def download(bench, size):
    """What a load downloads, and what rclone does, from one server; both into files."""
    count, rows = downloads.SIZES[size]
    files = bench.made_feed(downloads.Files(
        bench.work / "feeds" / f"downloads-{size}", bench.scaled(count), rows))
    endpoint = bench.until_the_end.enter_context(downloads.seaweed(bench.work / "seaweed"))
    race = downloads.Race(bench.work, endpoint, f"bench-{size}", files,
                          bench.hand_sql.with_name("fetch_files"))
    race.upload()
    ours = Contestant(FETCH, commands=lambda database: [race.by_forebay()],
                      check=race.expect_forebay, compared=False)
    theirs = Contestant(RCLONE, commands=lambda database: [race.by_rclone()],
                        check=race.expect_rclone, compared=False)
    return [ours, theirs]


CASES = (
    Case("catchup-1000", "1,000 waiting markers of 500 changes over 1 million rows", catchup,
         ratios=((FOREBAY, BY_HAND), ("by hand, one marker at a time", FOREBAY)),
         note="By hand means: all files read together, the last action of each key, one DELETE and"
              " one INSERT. One marker at a time: the same statements for each file in turn, in"
              " one process."),
    Case("marker-by-marker", "The first 20 of them, one by one", marker_by_marker,
         ratios=((FOREBAY, BY_HAND), ("forebay load --max-units 1, repeated", FOREBAY)),
         note="Repeated loads start a process, open the database and close it for each marker;"
              " that is most of their time. By hand it is one process."),
    Case("one-marker-50k", "One marker of 50,000 changes into 5 million rows", one_marker,
         ratios=((FOREBAY, BY_HAND),)),
    Case("first-snapshot-20m", "First snapshot: 20 million rows in 200 files", first_snapshot,
         ratios=((FOREBAY, BY_HAND),),
         note="By hand means CREATE TABLE AS over all files, with no check of keys."),
    Case("files-5000", "5,000 files of 20 rows", lambda bench: many_files(bench, "parquet"),
         ratios=((FOREBAY, BY_HAND),),
         note="By hand means one CREATE TABLE AS over all files. Forebay verifies each file and"
              " keeps a ledger entry for it."),
    Case("files-5000-csv", "5,000 CSV files of 20 rows", lambda bench: many_files(bench, "csv"),
         ratios=((FOREBAY, BY_HAND),),
         note="By hand means one CREATE TABLE AS over read_csv, which guesses types from a sample."),
    Case("versions-5m", "5 million versions of 1 million records in 500 files into history and"
         " current table", versions_of_records,
         ratios=((FOREBAY, BY_HAND), (FOREBAY, "by hand, with groups")),
         note="By hand means: each version of a record once by a window function, and the newest of"
              " each that is not deleted by another; or both by groups of keys. Forebay also compares"
              " bytes with footers, tenants and gaps."),
    Case("append-10m", "100,000 new rows in a file with 1 million that stand, of 10 million rows",
         append_again, ratios=((FOREBAY, BY_HAND),),
         note="The file is written again with all its rows. By hand means an anti-join over all"
              " columns of the rows above the bound, which loses a row that is there twice."),
    Case("age", "A load over markers that are loaded already", ages,
         note="Every 100th marker has a file of 20 rows, the others are heartbeats. All of them"
              " were loaded by forebay before, in a folder."),
    Case("idle-poll", "A poll of a bucket whose keys are all loaded", idle_polls,
         note="A thousand keys a day, from a server on the same machine that makes them up. Dated: a"
              " window of two days, at most 3 LIST requests. Undated: every key is listed, in pages"
              " of 1,000, and compared with the ledger. Most of the ledger was put there by SQL."),
    Case("download-large", "Four files of 256 MB from SeaweedFS",
         lambda bench: download(bench, "large"), ratios=((FETCH, RCLONE),), note=DOWNLOADS, elapsed=True),
    Case("download-small", "5,000 files of 20 KB from SeaweedFS",
         lambda bench: download(bench, "small"), ratios=((FETCH, RCLONE),), note=DOWNLOADS, elapsed=True),
)


@functools.cache
def by_name():
    return {case.name: case for case in CASES}
