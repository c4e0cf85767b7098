"""Makes a copy of a bucket in which files bring versions of records, as the feed `twisp` describes
it, and the SQL that a careful person writes for it."""

import dataclasses
import json
import pathlib
import shutil

from parts.feed import TABLE
from parts.hand import files_sql

ROWS_SQL = """
SELECT m[1:8] || '-' || m[9:12] || '-' || m[13:16] || '-' || m[17:20] || '-' || m[21:32]
    AS record_rowid,
  'c0ffee00-0000-4000-8000-000000000001' AS record_tenantid, version::UBIGINT AS record_version,
  CASE WHEN version = {last} AND k % 10 = 0 THEN 'DELETE' WHEN version % 2 = 0 THEN 'EOL'
    ELSE 'ALIVE' END AS record_status,
  make_timestamp(1767225600000000 + i * 1000) AS record_begin,
  (h % 1000000)::VARCHAR AS amount, 'entry ' || (h % 8)::VARCHAR AS layer, h // 7 % 100000 AS units
FROM (SELECT i, i % {records} AS k, i // {records} + 1 AS version,
        md5('{seed}:' || (i % {records})) AS m, md5_number_lower('{seed}:' || i)::UBIGINT AS h
      FROM range({first}, {end}) r(i))
"""

KEY = "record_tenantid, record_rowid"
RANK = "CASE record_status WHEN 'ALIVE' THEN 0 WHEN 'EOL' THEN 1 ELSE 2 END"


@dataclasses.dataclass(frozen=True)
class Shape:
    """`records` records in as many versions each; every file brings as many rows of the next."""
    records: int
    versions: int
    files: int


class Versions:
    """A folder described by what is in it."""

    options = ["--feed", "twisp"]

    def __init__(self, folder, seed, shape):
        self.folder = pathlib.Path(folder)
        self.seed = seed
        self.shape = shape

    def files(self):
        return [self.folder / f"warehouse/parquet/2026/01/{i // 24 % 28 + 1:02}/{i % 24:02}"
                / TABLE / f"batch-{i:06}.parquet" for i in range(self.shape.files)]

    def make(self, hand_sql):
        """Makes the folder unless it is there already, made the same way."""
        wanted = {"layout": 1, "seed": self.seed, "shape": dataclasses.asdict(self.shape)}
        made = self.folder.with_suffix(".json")
        if made.exists() and json.loads(made.read_text()) == wanted:
            return False
        made.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        total = self.shape.records * self.shape.versions
        sql = "SET TimeZone = 'UTC';\n"
        for i, path in enumerate(self.files()):
            path.parent.mkdir(parents=True, exist_ok=True)
            rows = ROWS_SQL.format(seed=self.seed, records=self.shape.records,
                                   last=self.shape.versions, first=total * i // self.shape.files,
                                   end=total * (i + 1) // self.shape.files)
            sql += f"COPY ({rows}) TO '{path}' (FORMAT parquet);\n"
        hand_sql(":memory:", sql)
        made.write_text(json.dumps(wanted))
        return True


def by_window(paths):
    """Each version once, then the newest of each record, both by window functions."""
    return f"""BEGIN;
CREATE TABLE {TABLE}__history AS SELECT * FROM {files_sql(paths)}
  QUALIFY row_number() OVER (PARTITION BY {KEY}, record_version
    ORDER BY {RANK} DESC, record_begin DESC) = 1;
CREATE TABLE {TABLE} AS SELECT * FROM (SELECT * FROM {TABLE}__history
  QUALIFY row_number() OVER (PARTITION BY {KEY} ORDER BY record_version DESC) = 1)
  WHERE record_status <> 'DELETE';
COMMIT;
"""


def by_groups(paths):
    """The same with groups of keys, so that whole rows are read only where they win."""
    return f"""BEGIN;
CREATE TEMP TABLE numbered AS SELECT *, row_number() OVER () AS n FROM {files_sql(paths)};
CREATE TEMP TABLE versions AS SELECT {KEY}, record_version,
  arg_max(n, ROW({RANK}, record_begin, n)) AS n FROM numbered GROUP BY ALL;
CREATE TABLE {TABLE}__history AS SELECT * EXCLUDE (n) FROM numbered SEMI JOIN versions USING (n);
CREATE TEMP TABLE newest AS SELECT arg_max(n, record_version) AS n FROM versions GROUP BY {KEY};
CREATE TABLE {TABLE} AS SELECT * EXCLUDE (n) FROM numbered SEMI JOIN newest USING (n)
  WHERE record_status <> 'DELETE';
COMMIT;
"""


def digest_sql():
    """One line that is equal for equal histories and current tables."""
    columns = ("record_rowid, record_tenantid, record_version, record_status, record_begin, amount,"
               " layer, units")
    return "".join(
        f"SELECT count(*), sum(hash({columns})::HUGEINT), sum(units), sum(record_version) "
        f"FROM {table};\n" for table in (TABLE, TABLE + "__history"))
