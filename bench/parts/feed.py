"""Makes feed folders: files of rows, and the markers that list them."""

import dataclasses
import datetime
import json
import pathlib
import shutil

from parts import rows

TABLE = "visits"
FIRST_BATCH = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
EVERY = datetime.timedelta(minutes=15)


def batch_time(number):
    return FIRST_BATCH + number * EVERY


def batch_name(number):
    return batch_time(number).strftime("%Y%m%dT%H%M%SZ")


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """The feed's first marker: `rows` rows in `files` files; without rows there is none."""
    rows: int = 0
    files: int = 1


@dataclasses.dataclass(frozen=True)
class Changes:
    """`markers` markers; every `every`th has one file with `rows` changes to keys below `keys`."""
    markers: int = 0
    rows: int = 0
    keys: int = 1
    every: int = 1


class Files:
    """A folder of `files` files of `rows` rows each, as Parquet or CSV, and nothing else."""

    def __init__(self, folder, seed, files, rows, suffix="parquet"):
        self.folder = pathlib.Path(folder)
        self.seed, self.files, self.rows, self.suffix = seed, files, rows, suffix
        self.options = ["--feed", "files", "--set", f"table={TABLE}"]

    def paths(self):
        return [self.folder / f"{i:06}.{self.suffix}" for i in range(self.files)]

    def make(self, hand_sql):
        """Makes the folder unless it is there already, made the same way."""
        wanted = {"layout": 1, "seed": self.seed, "files": self.files, "rows": self.rows}
        made = self.folder.with_suffix(".json")
        if made.exists() and json.loads(made.read_text()) == wanted:
            return False
        made.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        hand_sql(":memory:", "SET TimeZone = 'UTC';\n" + "".join(
            f"COPY ({self._rows_sql(i)}) TO '{path}' (FORMAT {self.suffix});\n"
            for i, path in enumerate(self.paths())))
        made.write_text(json.dumps(wanted))
        return True

    def _rows_sql(self, file):
        first = file * self.rows
        return rows.rows_sql(self.seed, rows.snapshot_relation(first, first + self.rows))


class Feed:
    """A folder as the vendor's writer leaves it, described by what is in it."""

    options = ["--feed", "rollerup"]

    def __init__(self, folder, seed, snapshot=Snapshot(), changes=Changes()):
        self.folder = pathlib.Path(folder)
        self.seed = seed
        self.snapshot = snapshot
        self.changes = changes

    def snapshot_files(self):
        name = batch_name(0) + ".snapshot"
        return [self.folder / TABLE / f"{name}-{i + 1:04}.parquet"
                for i in range(self.snapshot.files if self.snapshot.rows else 0)]

    def change_files(self):
        return [self.folder / TABLE / f"{batch_name(i + 1)}.parquet"
                for i in range(self.changes.markers) if self._brings_rows(i)]

    def make(self, hand_sql):
        """Makes the folder unless it is there already, made the same way."""
        wanted = {"layout": 1, "seed": self.seed, "snapshot": dataclasses.asdict(self.snapshot),
                  "changes": dataclasses.asdict(self.changes)}
        made = self.folder.with_suffix(".json")
        if made.exists() and json.loads(made.read_text()) == wanted:
            return False
        made.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / TABLE).mkdir(parents=True)
        (self.folder / "_batches").mkdir()
        hand_sql(":memory:", self._copies_sql())
        self._write_markers()
        made.write_text(json.dumps(wanted))
        return True

    def _brings_rows(self, change):
        return self.changes.rows > 0 and change % self.changes.every == 0

    def _snapshot_bounds(self):
        count, files = self.snapshot.rows, self.snapshot.files
        return [(count * i // files, count * (i + 1) // files) for i in range(files)]

    def _copies_sql(self):
        copies = []
        for path, (first, end) in zip(self.snapshot_files(), self._snapshot_bounds()):
            copies.append((path, rows.snapshot_relation(first, end)))
        numbers = [i for i in range(self.changes.markers) if self._brings_rows(i)]
        for path, i in zip(self.change_files(), numbers):
            copies.append((path, rows.changes_relation(self.seed, i, self.changes.rows,
                                                       self.changes.keys)))
        return "SET TimeZone = 'UTC';\n" + "".join(
            f"COPY ({rows.rows_sql(self.seed, relation)}) TO '{path}' (FORMAT parquet);\n"
            for path, relation in copies)

    def _write_markers(self):
        bounds = self._snapshot_bounds()
        if self.snapshot.rows:
            files = [(path, end - first)
                     for path, (first, end) in zip(self.snapshot_files(), bounds)]
            self._write_marker(0, "snapshot", files)
        paths = iter(self.change_files())
        for i in range(self.changes.markers):
            files = [(next(paths), self.changes.rows)] if self._brings_rows(i) else []
            self._write_marker(i + 1, "incremental", files)

    def _write_marker(self, number, kind, files):
        name = batch_name(number)
        marker = {
            "batch": name, "kind": kind, "format_version": "v1",
            "created_at": batch_time(number).strftime("%Y-%m-%dT%H:%M:%S.118Z"),
            "files": [{"table": TABLE, "rows": count,
                       "path": f"{self.folder.name}/{TABLE}/{path.name}"}
                      for path, count in files]}
        suffix = ".snapshot.json" if kind == "snapshot" else ".json"
        (self.folder / "_batches" / (name + suffix)).write_text(json.dumps(marker, indent=2))
