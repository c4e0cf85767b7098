"""A table that only grows, for the feed `append`: old files, and one that is written again with its
old rows and some new ones."""

import json
import pathlib
import shutil

from parts import forebay, hand, rows
from parts.feed import TABLE

TIME = "taken_at"
FIRST = 1_577_836_800  # 2020-01-01, a row every second from there


class GrowingTable:
    """`old` rows in ten files, then `window` rows in one that comes again with `more` rows."""

    def __init__(self, folder, seed, old, window, more):
        self.folder = pathlib.Path(folder)
        self.seed = seed
        self.old, self.window, self.more = old, window, more

    @property
    def growing(self):
        return self.folder / "growing.parquet"

    def old_files(self):
        return [self.folder / f"old-{i}.parquet" for i in range(10)]

    def version(self, number):
        return self.folder.with_name(f"{self.folder.name}-{number}.parquet")

    def make(self, hand_sql):
        wanted = {"layout": 1, "seed": self.seed, "old": self.old, "window": self.window,
                  "more": self.more}
        made = self.folder.with_suffix(".json")
        if made.exists() and json.loads(made.read_text()) == wanted:
            return False
        made.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        bounds = [self.old * i // 10 for i in range(11)]
        copies = list(zip(self.old_files(), bounds, bounds[1:]))
        end = self.old + self.window
        copies += [(self.version(1), self.old, end), (self.version(2), self.old, end + self.more)]
        hand_sql(":memory:", "SET TimeZone = 'UTC';\n" + "".join(
            f"COPY (SELECT * EXCLUDE (_deleted, k), make_timestamptz(({FIRST} + k) * 1000000)"
            f" AS {TIME} FROM (SELECT *, row_number() OVER () - 1 + {first} AS k FROM"
            f" ({rows.rows_sql(self.seed, rows.snapshot_relation(first, last))})))"
            f" TO '{path}' (FORMAT parquet);\n" for path, first, last in copies))
        made.write_text(json.dumps(wanted))
        return True

    def put(self, number):
        """Puts a version of the growing file in its place, as a writer does."""
        partial = self.folder.with_suffix(".partial")
        shutil.copyfile(self.version(number), partial)
        partial.rename(self.growing)


def load(binary, table, database):
    return [binary, "load", "--json", "--no-progress", "--source", table.folder, "--feed", "append",
            "--target", f"duckdb:{database}", "--set", f"table={TABLE}", "--set",
            f"time_column={TIME}", "--set", f"overlap={table.window}s", "--set", "settle=0s"]


def first_load_sql(table):
    files = hand.files_sql(table.old_files() + [table.growing])
    return f"{hand.SETTINGS}CREATE TABLE {TABLE} AS SELECT * FROM {files};\n"


def anti_join_sql(table):
    """What is in the file above the bound and not in the table."""
    columns = ", ".join(rows.STORED + (TIME,))
    above = f"{TIME} > (SELECT max({TIME}) - INTERVAL {table.window} SECOND FROM {TABLE})"
    return (f"{hand.SETTINGS}INSERT INTO {TABLE} BY NAME SELECT * FROM"
            f" (SELECT * FROM {hand.files_sql([table.growing])} WHERE {above}) n"
            f" ANTI JOIN (SELECT * FROM {TABLE} WHERE {above}) s USING ({columns});\n")


def expect_new_rows(output, expected):
    tables = json.loads(output)["pipelines"][0]["tables"]
    inserted = sum(table["inserted"] for table in tables.values())
    if inserted != expected:
        raise forebay.Failed(f"forebay added {inserted} rows where {expected} were new")
