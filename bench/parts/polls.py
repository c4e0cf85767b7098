"""A bucket of as many keys as one likes, all of them loaded, and what a poll of it takes.

The server is the one of the tests, whose keys are computed. A ledger of ten million files is not
loaded file by file: forebay loads three, and SQL adds the entries that it would have written for the
others, with versions and checksums that do not compress."""

import contextlib
import datetime
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

from parts.bench import Contestant
from parts.measure import Failed

SERVER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "support" / "key_server.py"
PER_DAY = 1000
DATED_NAME = "dated"
UNDATED_NAME = "undated"
DATED = ["--set", "partition=dt={date:%Y-%m-%d}/", "--set", "window=2d"]


class Bucket:
    """`keys` keys, a thousand a day, the last of them today."""

    def __init__(self, folder, keys):
        self.folder = pathlib.Path(folder)  # its name names the templates
        self.keys = keys
        today = datetime.datetime.now(datetime.timezone.utc).date()
        self.first = today - datetime.timedelta(days=(keys - 1) // PER_DAY)

    @property
    def last(self):
        return (self.first + datetime.timedelta(days=(self.keys - 1) // PER_DAY)).isoformat()

    def make(self, hand_sql):
        self.folder.mkdir(parents=True, exist_ok=True)
        hand_sql(":memory:", f"COPY (SELECT 1 AS n) TO '{self.body}' (FORMAT parquet);\n")
        return False

    @property
    def body(self):
        return self.folder / "body.parquet"

    @contextlib.contextmanager
    def served(self, keys=None):
        """Its port, while a server runs; with `keys` only the first of them are there."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen([sys.executable, SERVER, str(port), str(keys or self.keys),
                                    str(PER_DAY), self.first.isoformat(), self.body])
        try:
            wait_for(port)
            yield port
        finally:
            process.kill()
            process.wait()


def wait_for(port):
    for _ in range(200):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/counts", timeout=5).close()
            return
        time.sleep(0.05)
    raise Failed("the key server does not answer")


def load(binary, database, port, layout):
    os.environ.setdefault("AWS_ACCESS_KEY_ID", "bench")
    os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "bench")
    return [binary, "load", "--json", "--no-progress", "--source", "s3://keys/", "--feed", "files",
            "--target", f"duckdb:{database}", "--set", "table=events",
            "--set", f"endpoint=http://127.0.0.1:{port}", *layout]


def fill_sql(bucket, loaded):
    """Entries for the keys from number `loaded` on, in the order in which they would have come."""
    keys = (f"(SELECT i, 'dt=' || strftime(DATE '{bucket.first}' + (i // {PER_DAY})::INTEGER,"
            f" '%Y-%m-%d') || '/part-' || printf('%07d', i % {PER_DAY}) || '.parquet' AS k"
            f" FROM range({loaded}, {bucket.keys}) r(i))")
    return (
        "SET preserve_insertion_order = true;\n"
        "INSERT INTO _forebay.units SELECT u.* REPLACE (k AS unit, md5('v' || i) || '-1' AS version,"
        f" md5('u' || i)[1:16] AS digest) FROM {keys}, (FROM _forebay.units LIMIT 1) u"
        " ORDER BY i;\n"
        "INSERT INTO _forebay.file_log SELECT f.* REPLACE (i + 1 AS file_id, k AS unit,"
        " k AS store_key, md5('v' || i) || '-1' AS etag, md5('c' || i) AS checksum)"
        f" FROM {keys}, (FROM _forebay.file_log LIMIT 1) f ORDER BY i;\n"
        "UPDATE _forebay.commit_log SET mark = 'name ' || k, mark_name = k, mark_time ="
        f" (k[4:13] || ' 00:00:00+00')::TIMESTAMPTZ FROM (SELECT max(k) AS k FROM {keys});\n"
        "CHECKPOINT;\n")


def expect_idle(output, lists):
    report = json.loads(output)["pipelines"][0]
    if report["outcome"] != "nothing_new" or report["requests"]["get"]:
        raise Failed(f"this was no idle poll: {report['outcome']}, {report['requests']}")
    if report["requests"]["list"] > lists:
        raise Failed(f"{report['requests']['list']} LIST requests, {lists} were expected")


def contestants(bench, bucket, port):
    """A poll with dates in the keys and one without, of a bucket whose keys are all known."""
    def contestant(layout_name, layout, lists):
        def make(path):
            loaded = min(bucket.keys, 3)
            with bucket.served(loaded) as few:
                bench.run_forebay(load(bench.forebay, path, few, layout))
            bench.run_hand(path, fill_sql(bucket, loaded))
        # A listing of all is due a day after the one that the template knows.
        name = f"{layout_name}-{bench.forebay_digest}-{bucket.first}"
        return Contestant(
            layout_name, template=bench.template(bucket, name, make),
            commands=lambda database: [load(bench.forebay, database, port, layout)],
            check=lambda output: expect_idle(output, lists), compared=False)

    return [contestant(DATED_NAME, DATED, 3),
            contestant(UNDATED_NAME, [], max(1, -(-bucket.keys // 1000)))]
