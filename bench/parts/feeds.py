"""The folders and buckets that several cases read."""

from parts import downloads
from parts.feed import Changes, Feed, Files, Snapshot


def catchup(bench, base=1_000_000, markers=1_000):
    base = bench.scaled(base)
    name = "catchup" if markers == 1_000 else f"catchup-{markers}"
    return bench.made_feed(Feed(
        bench.work / "feeds" / name, bench.seed, Snapshot(base, 10),
        Changes(markers=bench.scaled(markers), rows=500, keys=base + base // 10)))


def one_marker(bench, base=5_000_000):
    name = "one-marker" if base == 5_000_000 else f"one-marker-{base}"
    base = bench.scaled(base)
    return bench.made_feed(Feed(
        bench.work / "feeds" / name, bench.seed, Snapshot(base, 50),
        Changes(markers=1, rows=bench.scaled(50_000), keys=base + base // 25)))


def first_snapshot(bench):
    return bench.made_feed(Feed(bench.work / "feeds" / "first-snapshot", bench.seed,
                                Snapshot(bench.scaled(20_000_000), 200)))


def tiny_files(bench, suffix="parquet", count=5_000):
    name = f"files-{suffix}" if count == 5_000 else f"files-{suffix}-{count}"
    return bench.made_feed(Files(bench.work / "feeds" / name, bench.seed, bench.scaled(count), 20,
                                 suffix))


def uploaded(bench, feed, name):
    """A bucket with the feed's folder, on a server that runs until the case ends."""
    endpoint = bench.until_the_end.enter_context(downloads.seaweed(bench.work / "seaweed"))
    bucket = downloads.Bucket(bench.work, endpoint, f"bench-{name}")
    bench.say(f"  uploading: {feed.folder.name}")
    bucket.upload(feed.folder, below=feed.folder.name)
    bench.until_the_end.callback(bucket.forget)
    return bucket


def at(bucket):
    """Options of forebay for that bucket."""
    return ["--set", f"endpoint={bucket.endpoint}"]
