"""The SQL that a careful person writes in place of a loader; the fastest of the shapes that were
tried for each case. Its table has no column for lineage, and nothing remembers what was loaded."""

from parts.feed import TABLE
from parts.rows import STORED

# Rows need no order. Vacuuming at the checkpoint rewrites row groups: in these cases it costs as
# much as the load itself.
SETTINGS = "SET preserve_insertion_order = false;\nSET max_vacuum_tasks = 0;\n"
WITH_VACUUM = "SET preserve_insertion_order = false;\n"


def files_sql(paths):
    return "read_parquet([" + ", ".join(f"'{path}'" for path in paths) + "])"


def snapshot(paths):
    return (f"CREATE TABLE {TABLE} AS SELECT {', '.join(STORED)} FROM {files_sql(paths)}"
            " WHERE _deleted IS NOT TRUE;\n")


def files(paths):
    """Every column of every file; of text the types are guessed from the first file."""
    if paths[0].suffix == ".parquet":
        return f"CREATE TABLE {TABLE} AS SELECT * FROM {files_sql(paths)};\n"
    listed = ", ".join(f"'{path}'" for path in paths)
    reader = f"read_{paths[0].suffix[1:]}"
    return f"CREATE TABLE {TABLE} AS SELECT * FROM {reader}([{listed}]);\n"


def changes(paths):
    """The last action of each key in all files together, then one DELETE and one INSERT."""
    return f"""BEGIN;
CREATE TEMP TABLE delta AS SELECT * FROM {files_sql(paths)}
  QUALIFY row_number() OVER (PARTITION BY _row_id
    ORDER BY file_index DESC, file_row_number DESC) = 1;
DELETE FROM {TABLE} WHERE _row_id IN (SELECT _row_id FROM delta);
INSERT INTO {TABLE} BY NAME SELECT * EXCLUDE (_deleted) FROM delta WHERE _deleted IS NOT TRUE;
COMMIT;
DROP TABLE delta;
"""


def one_at_a_time(paths):
    return "".join(changes([path]) for path in paths)
