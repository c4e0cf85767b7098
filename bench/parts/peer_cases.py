"""Races against other loaders: dlt, and ingestr where it can take part. dlt is told to read Arrow
batches, its fastest way; one case has the way that is its default."""

from parts import feeds, forebay, peers, polls
from parts.bench import Contestant
from parts.contestants import FOREBAY, Case, forebay_contestant
from parts.feed import Files

DLT = "dlt"
DLT_DEFAULT = "dlt, dictionaries (its default)"
INGESTR = "ingestr"


def dlt_contestant(commands, name=DLT, **how):
    return Contestant(name, commands=lambda database: [commands(database)], peer=True,
                      digest_sql=peers.DLT_DIGEST, **how)


def with_casts(race):
    """Compared by values: what dlt made has other types in other schemas."""
    for contestant in race:
        if not contestant.peer:
            contestant.digest_sql = peers.OWN_DIGEST
    return race


def whole_files(bench, rows):
    name = "two-million" if rows == 2_000_000 else f"rows-{rows}"
    return bench.made_feed(Files(bench.work / "feeds" / name, bench.seed, 20,
                                 bench.scaled(rows // 20)))


def first_load(bench, name, rows, *options, at_most=1_000_000):
    feed = whole_files(bench, rows)
    return with_casts([
        forebay_contestant(bench, feed, 20, start_after=0),
        dlt_contestant(lambda database: peers.dlt(bench, database, feed.folder, "*.parquet",
                                                  *options), name, at_most=at_most)])


def first_load_s3(bench):
    feed = whole_files(bench, 2_000_000)
    bucket = feeds.uploaded(bench, feed, "peers")
    below = f"{bucket.name}/{feed.folder.name}"
    ingestr = Contestant(
        INGESTR, peer=True, digest_sql=peers.OWN_DIGEST, commands=lambda database: [
            peers.ingestr(bench, database, bucket.endpoint, f"{below}/*.parquet")])
    return with_casts([
        forebay_contestant(bench, feed, 20, start_after=0, source=f"s3://{below}/",
                           options=feeds.at(bucket)),
        dlt_contestant(lambda database: peers.dlt(
            bench, database, f"s3://{below}", "*.parquet", "--endpoint", bucket.endpoint)),
        ingestr])


def merged(bench, feed, markers):
    """Changes into a table that each loaded itself before."""
    folder = feed.snapshot_files()[0].parent

    def load(database, pattern):
        return peers.dlt(bench, database, folder, pattern, *peers.MERGED)

    def make(path):
        bench.run_forebay(load(path, "*.snapshot-*.parquet"))
    return with_casts([
        forebay_contestant(bench, feed, markers, start_after=1),
        dlt_contestant(lambda database: load(database, "*.parquet"),
                       template=bench.template(feed, "dlt", make))])


def one_batch(bench):
    return merged(bench, feeds.one_marker(bench), 1)


def catch_up(bench):
    feed = feeds.catchup(bench)
    return merged(bench, feed, len(feed.change_files()))


def tiny_files(bench):
    feed = feeds.tiny_files(bench)
    return with_casts([
        forebay_contestant(bench, feed, len(feed.paths()), start_after=0),
        dlt_contestant(lambda database: peers.dlt(bench, database, feed.folder, "*.parquet"))])


def idle_poll(bench):
    """dlt has loaded the newest day, which is all that it remembers."""
    keys = bench.scaled(100_000)
    bucket = bench.made_feed(polls.Bucket(bench.work / "feeds" / f"polls-{keys}", keys))
    port = bench.until_the_end.enter_context(bucket.served())
    race = polls.contestants(bench, bucket, port)

    def load(database, pattern):
        return peers.dlt(bench, database, "s3://keys", pattern, "--endpoint",
                         f"http://127.0.0.1:{port}")

    def make(path):
        bench.run_forebay(load(path, f"dt={bucket.last}/**"))
    race.append(dlt_contestant(
        lambda database: load(database, "**"), compared=False,
        check=expect_nothing, template=bench.template(bucket, f"dlt-{bucket.last}", make)))
    return race


def expect_nothing(output):
    if not output.split() or output.split()[-1] != "0":
        raise forebay.Failed(f"dlt was to load nothing: {output[-200:]}")


ONLY_ARROW = ("dlt 1.31.0, filesystem source and DuckDB 2.0.1, told to read Arrow batches of"
              " 100,000 rows{}.{}")
MERGING = ONLY_ARROW.format(", and merging by key, delete flag and the order of changes", "")

CASES = (
    Case("peers-first-load", "Against dlt: first load of 2 million rows in 20 files",
         lambda bench: first_load(bench, DLT, 2_000_000), ratios=((DLT, FOREBAY, 2),),
         note=ONLY_ARROW.format("", " ingestr 0.15.9 reads no folders of Parquet.")),
    Case("peers-first-load-default", "Against dlt as it reads by default: 200,000 rows in 20 files",
         lambda bench: first_load(bench, DLT_DEFAULT, 200_000, "--dictionaries", at_most=1),
         ratios=((DLT_DEFAULT, FOREBAY),),
         note="dlt 1.31.0, by lists of dictionaries; a tenth of the rows, since it takes minutes"
              " for 2 million."),
    Case("peers-first-load-s3", "Against dlt and ingestr: the same from SeaweedFS", first_load_s3,
         ratios=((DLT, FOREBAY, 2), (INGESTR, FOREBAY)),
         note=ONLY_ARROW.format("", " ingestr 0.15.9 writes through the same DuckDB library as"
                                " forebay and remembers no files, so it takes part here alone.")),
    Case("peers-one-batch", "Against dlt: one batch of 50,000 changes into 5 million rows",
         one_batch, ratios=((DLT, FOREBAY, 4),),
         note=MERGING + " The limit is the SQL by hand of `one-marker-50k`, for the same files."),
    Case("peers-catch-up", "Against dlt: 1,000 batches of 500 changes over 1 million rows",
         catch_up, ratios=((DLT, FOREBAY, 3),),
         note=MERGING),
    Case("peers-tiny-files", "Against dlt: 5,000 files of 20 rows", tiny_files,
         ratios=((DLT, FOREBAY, 4),), note=ONLY_ARROW.format("", "")),
    Case("peers-idle-poll", "Against dlt: a poll of 100,000 objects that are all loaded", idle_poll,
         ratios=((DLT, polls.DATED_NAME, 20), (DLT, polls.UNDATED_NAME, 20)),
         note="dlt lists everything, whatever the keys look like, and compares with the time of the"
              " newest file it knows. Where keys have no dates forebay lists everything too, and"
              " compares each key with its ledger: some 11 microseconds a key, of which 3 are the"
              " comparison."),
)
