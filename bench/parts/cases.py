"""What is raced. A case makes its feed and its databases, and names its contestants."""

import functools

from parts import append, downloads, feeds, forebay, hand, peer_cases, peers, polls, rows, versions
from parts.bench import Contestant
from parts.contestants import BY_HAND, FOREBAY, Case, forebay_contestant, hand_contestant
from parts.feed import TABLE, Changes, Feed, Files, Snapshot

FETCH = "forebay, downloads alone"
RCLONE = "rclone copy"
RCLONE_AND_SQL = "rclone copy, then by hand"
HTTPFS = "by hand, DuckDB 1.5.5 with its httpfs"
SMALL_MEMORY = "512MB"
LAST_COMMIT = "SELECT max(commit_no) FROM _forebay.commits;\n"


def catchup(bench):
    feed = feeds.catchup(bench)
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
    feed = feeds.catchup(bench)
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


def catchup_10000(bench):
    """Reading one at a time would last more than ten times as long as in `catchup-1000`."""
    feed = feeds.catchup(bench, base=10_000_000, markers=10_000)
    files = feed.change_files()
    race = [hand_contestant(bench, feed, hand.changes(files), base=True)]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, len(files), start_after=1))
    return race


def one_marker(bench, base, at_most=1_000_000):
    feed = feeds.one_marker(bench, base)
    sql = hand.changes(feed.change_files())
    race = [hand_contestant(bench, feed, sql, base=True),
            hand_contestant(bench, feed, sql, True, "by hand, with vacuum", hand.WITH_VACUUM)]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, 1, start_after=1))
    for contestant in race:
        contestant.at_most = at_most
    return race


def first_snapshot(bench):
    feed = feeds.first_snapshot(bench)
    sql = hand.snapshot(feed.snapshot_files())
    race = [hand_contestant(bench, feed, sql, base=False),
            hand_contestant(bench, feed, sql, False, "by hand, with vacuum", hand.WITH_VACUUM)]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, 1, start_after=0))
    return race


def first_load_s3(bench):
    """The same snapshot from a bucket: by forebay, by rclone into a folder and SQL over that, and
    by SQL over the bucket itself."""
    feed = feeds.first_snapshot(bench)
    bucket = feeds.uploaded(bench, feed, "first-load")
    local = [bucket.into / feed.folder.name / TABLE / path.name for path in feed.snapshot_files()]
    race = [
        Contestant(RCLONE_AND_SQL, commands=lambda database: [
            bucket.download(), bench.hand_command(database, "downloaded",
                                                  hand.SETTINGS + hand.snapshot(local))]),
        Contestant(HTTPFS, commands=lambda database: [peers.httpfs(
            bench, database, bucket.endpoint,
            hand.snapshot([f"s3://{bucket.name}/{feed.folder.name}/{TABLE}/*.parquet"]))])]
    if bench.forebay:
        race.insert(0, forebay_contestant(
            bench, feed, 1, start_after=0, source=f"s3://{bucket.name}/{feed.folder.name}/",
            options=feeds.at(bucket)))
    return race


def many_files(bench, suffix, count=5_000):
    """Many small files of a folder, none of them loaded yet."""
    return whole_folder(bench, feeds.tiny_files(bench, suffix, count))


def text_files(bench, suffix):
    """10 million rows as text, in 20 files."""
    return whole_folder(bench, bench.made_feed(Files(
        bench.work / "feeds" / f"text-{suffix}", bench.seed, 20, bench.scaled(500_000), suffix)))


def whole_folder(bench, feed):
    race = [hand_contestant(bench, feed, hand.files(feed.paths()), base=False)]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, len(feed.paths()), start_after=0))
    for contestant in race:
        contestant.digest_sql = rows.cast_digest_sql(TABLE)  # types of text are guesses
    return race


def small_memory_first_load(bench):
    """Some 10 GB of files, with a memory limit of 512 MB for the engine."""
    feed = bench.made_feed(Feed(bench.work / "feeds" / "large-snapshot", bench.seed,
                                Snapshot(bench.scaled(140_000_000), 100)))
    return in_small_memory(bench, feed, hand.snapshot(feed.snapshot_files()), loaded=0)


def small_memory_upsert(bench):
    base = bench.scaled(20_000_000)
    feed = bench.made_feed(Feed(
        bench.work / "feeds" / "large-upsert", bench.seed, Snapshot(base, 200),
        Changes(markers=1, rows=base, keys=base + base // 10)))
    return in_small_memory(bench, feed, hand.changes(feed.change_files()), loaded=1)


def in_small_memory(bench, feed, sql, loaded):
    race = [hand_contestant(bench, feed, sql, base=loaded > 0, memory=SMALL_MEMORY)]
    if bench.forebay:
        race.insert(0, forebay_contestant(bench, feed, 1, start_after=loaded,
                                          options=["--set", f"memory_limit={SMALL_MEMORY}"]))
    for contestant in race:
        contestant.at_most = 1
    return race


def nothing_new(bench):
    """From the start of the process to its end, over ten files that are loaded."""
    if not bench.forebay:
        return []
    feed = bench.made_feed(Files(bench.work / "feeds" / "nothing-new", bench.seed, 10, 20))
    idle = forebay_contestant(bench, feed, 0, start_after=10)
    floor = Contestant(BY_HAND, template=idle.template, commands=lambda database: [
        bench.hand_command(database, "last-commit", LAST_COMMIT)])
    for contestant in (idle, floor):
        contestant.compared = False
    return [idle, floor]


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
            database, "last-commit", LAST_COMMIT)])
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


def idle_polls(bench):
    if not bench.forebay:
        return []
    stack = bench.until_the_end
    race = []
    for keys in map(bench.scaled, (1_000, 10_000, 100_000, 1_000_000, 10_000_000)):
        bucket = bench.made_feed(polls.Bucket(bench.work / "feeds" / f"polls-{keys}", keys))
        race += polls.contestants(bench, bucket, stack.enter_context(bucket.served()))
        for contestant in race[-2:]:
            contestant.name = f"{keys:,} keys, {contestant.name}"
            contestant.at_most = bench.rounds if keys < 1_000_000 else 3
    return race


def download(bench, size):
    """What a load downloads, and what rclone does, from one server; both into files."""
    count, rows = downloads.SIZES[size]
    files = bench.made_feed(downloads.Files(
        bench.work / "feeds" / f"downloads-{size}", bench.scaled(count), rows))
    endpoint = bench.until_the_end.enter_context(downloads.seaweed(bench.work / "seaweed"))
    bucket = downloads.Bucket(bench.work, endpoint, f"bench-{size}")
    bucket.upload(files.folder)
    race = downloads.Race(bucket, files, bench.hand_sql.with_name("fetch_files"))
    ours = Contestant(FETCH, commands=lambda database: [race.by_forebay()],
                      check=race.expect_forebay, compared=False)
    theirs = Contestant(RCLONE, commands=lambda database: [race.by_rclone()],
                        check=race.expect_rclone, compared=False)
    return [ours, theirs]


TEXT = ("By hand means one CREATE TABLE AS over {}, which guesses types from a sample. Forebay takes a"
        " type where every value prints back from it. The tables are compared by value, as types"
        " may differ.")

CASES = (
    Case("catchup-1000", "1,000 waiting markers of 500 changes over 1 million rows", catchup,
         ratios=((FOREBAY, BY_HAND, 1.2), ("by hand, one marker at a time", FOREBAY, 8)),
         note="By hand means: all files read together, the last action of each key, one DELETE and"
              " one INSERT. One marker at a time: the same statements for each file in turn, in"
              " one process. Of one load, the last action of each key takes 37 parts in 100, the"
              " insertion 26, fetching a thousand files 11, finding the rows that are replaced 10,"
              " commit and close 6, deleting them 3."),
    Case("catchup-10000", "10,000 waiting markers of 500 changes over 10 million rows",
         catchup_10000, ratios=((FOREBAY, BY_HAND, 1.2),)),
    Case("marker-by-marker", "The first 20 of them, one by one", marker_by_marker,
         ratios=((FOREBAY, BY_HAND), ("forebay load --max-units 1, repeated", FOREBAY)),
         note="Repeated loads start a process, open the database and close it for each marker;"
              " that is most of their time. By hand it is one process."),
    Case("one-marker-50k", "One marker of 50,000 changes into 5 million rows",
         lambda bench: one_marker(bench, 5_000_000), ratios=((FOREBAY, BY_HAND, 1.2),)),
    Case("one-marker-50k-100m", "One marker of 50,000 changes into 100 million rows",
         lambda bench: one_marker(bench, 100_000_000, at_most=3),
         ratios=((FOREBAY, BY_HAND, 1.2),)),
    Case("first-snapshot-20m", "First snapshot: 20 million rows in 200 files", first_snapshot,
         ratios=((FOREBAY, BY_HAND, 1.1),),
         note="By hand means CREATE TABLE AS over all files, with no check of keys. That check is most"
              " of what forebay takes above it: of a load of 5 million rows 0.92 of 13.4 s, nearly"
              " all of which is reading and hashing the keys once more."),
    Case("first-load-s3", "The same first snapshot from SeaweedFS", first_load_s3,
         ratios=((FOREBAY, RCLONE_AND_SQL, 1.15), (FOREBAY, HTTPFS, 1.0)), elapsed=True,
         note="rclone copies the files into a folder, eight at a time, and one CREATE TABLE AS"
              " reads that. DuckDB's own extension httpfs can be had for its version 1.5.5, not for the"
              " one that the others run."),
    Case("files-5000", "5,000 files of 20 rows", lambda bench: many_files(bench, "parquet"),
         ratios=((FOREBAY, BY_HAND, 1.3),),
         note="By hand means one CREATE TABLE AS over all files. Forebay verifies each file and"
              " keeps a ledger entry for it."),
    Case("files-100000", "100,000 files of 20 rows",
         lambda bench: many_files(bench, "parquet", 100_000), ratios=((FOREBAY, BY_HAND, 1.3),)),
    Case("files-5000-csv", "5,000 CSV files of 20 rows", lambda bench: many_files(bench, "csv"),
         ratios=((FOREBAY, BY_HAND),),
         note="By hand means one CREATE TABLE AS over read_csv, which guesses types from a sample."),
    Case("csv-10m", "10 million rows of CSV in 20 files", lambda bench: text_files(bench, "csv"),
         ratios=((FOREBAY, BY_HAND, 1.15),), note=TEXT.format("read_csv")),
    Case("json-10m", "10 million rows of JSON in 20 files", lambda bench: text_files(bench, "json"),
         ratios=((FOREBAY, BY_HAND, 1.15),), note=TEXT.format("read_json")),
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
    Case("nothing-new", "Start to exit with nothing new, in a folder of ten files", nothing_new,
         ratios=((FOREBAY, BY_HAND),), elapsed=True,
         note="By hand means opening the database and reading one number: that is the limit. The goal"
              " of 60 ms is missed where the engine's start alone takes most of that; what forebay"
              " adds is mostly statements about the ledger, of 1 to 9 ms each."),
    Case("small-memory-first-load",
         "First snapshot of 140 million rows, some 10 GB of files, in 512 MB",
         small_memory_first_load, ratios=((FOREBAY, BY_HAND),),
         note="`memory_limit: 512MB`, for both."),
    Case("small-memory-upsert", "20 million changes into 20 million rows, in 512 MB",
         small_memory_upsert, ratios=((FOREBAY, BY_HAND),),
         note="`memory_limit: 512MB`, for both."),
    Case("idle-poll", "A poll of a bucket whose keys are all loaded", idle_polls,
         note="A thousand keys a day, from a server on the same machine that makes them up. Dated: a"
              " window of two days, at most 3 LIST requests. Undated: every key is listed, in pages"
              " of 1,000, and compared with the ledger. Most of the ledger was put there by SQL."),
    Case("download-large", "Four files of 256 MB from SeaweedFS",
         lambda bench: download(bench, "large"), ratios=((FETCH, RCLONE),), note=DOWNLOADS, elapsed=True),
    Case("download-small", "5,000 files of 20 KB from SeaweedFS",
         lambda bench: download(bench, "small"), ratios=((FETCH, RCLONE),), note=DOWNLOADS, elapsed=True),
    *peer_cases.CASES,
)


@functools.cache
def by_name():
    return {case.name: case for case in CASES}
