"""SQL that makes the rows of the feed: the same for the same seed, key and version, on any machine."""

# In the order of the files; the first two are the feed's own.
COLUMNS = ("_row_id", "_deleted", "id", "location_id", "member_no", "total", "tip", "visited_at",
           "updated_at", "package", "note")
# What stands in the table.
STORED = tuple(name for name in COLUMNS if name != "_deleted")


def rows_sql(seed, relation):
    """Rows for `relation`, which has the columns k (key), v (version) and d (deleted)."""
    return f"""
SELECT row_id AS _row_id, d AS _deleted,
  CASE WHEN NOT d THEN row_id END AS id,
  CASE WHEN NOT d THEN (h % 200)::INTEGER END AS location_id,
  CASE WHEN NOT d THEN (h // 7 % 100000000)::BIGINT END AS member_no,
  CASE WHEN NOT d THEN ((h // 11 % 1000000)::DECIMAL(18, 2) / 100)::DECIMAL(12, 2) END AS total,
  CASE WHEN NOT d THEN (h // 13 % 10000)::DOUBLE / 100 END AS tip,
  CASE WHEN NOT d THEN
    make_timestamptz(1767225600000000 + (h // 17 % 20000000)::BIGINT * 1000000) END AS visited_at,
  CASE WHEN NOT d THEN
    make_timestamp(1780272000000000 + (h // 19 % 20000000000)::BIGINT * 1000) END AS updated_at,
  CASE WHEN NOT d THEN
    ['exterior', 'interior', 'full', 'express', 'unlimited'][(h // 23 % 5)::INTEGER + 1]
    END AS package,
  CASE WHEN NOT d THEN
    'visit ' || (h // 29 % 1000000)::VARCHAR || ' lane ' || (h // 31 % 8)::VARCHAR END AS note
FROM (
  SELECT d, md5_number_lower('{seed}:' || k || ':' || v)::UBIGINT AS h,
    md5('{seed}:' || k) AS m,
    m[1:8] || '-' || m[9:12] || '-' || m[13:16] || '-' || m[17:20] || '-' || m[21:32] AS row_id
  FROM ({relation}))"""


def snapshot_relation(first, end):
    """Keys first … end - 1, version 0."""
    return f"SELECT range AS k, 0 AS v, false AS d FROM range({first}, {end})"


def changes_relation(seed, file, rows, keys, deletes_of_10=1):
    """`rows` changes of file number `file` to keys below `keys`, drawn at random, some twice."""
    return (f"SELECT (draw % {keys})::BIGINT AS k, {file + 1} AS v,"
            f" draw // {keys} % 10 < {deletes_of_10} AS d FROM (SELECT"
            f" md5_number_lower('{seed}:{file}:' || range)::UBIGINT AS draw FROM range({rows}))")


def digest_sql(table):
    """One line that is equal for equal tables: count, and sums over every column and over rows."""
    sums = [f"sum(hash({name})::HUGEINT)" for name in STORED]
    plain = ["sum(location_id)", "sum(member_no)", "sum(total)", "sum(tip::DECIMAL(18, 4))",
             "sum(epoch_us(visited_at)::HUGEINT)"]
    return (f"SELECT count(*), sum(hash({', '.join(STORED)})::HUGEINT), {', '.join(plain)},"
            f" {', '.join(sums)} FROM {table};\n")


TYPES = {"location_id": "INTEGER", "member_no": "BIGINT", "total": "DECIMAL(12, 2)",
         "tip": "DOUBLE", "visited_at": "TIMESTAMPTZ", "updated_at": "TIMESTAMP"}


def cast_digest_sql(table):
    """The same line for tables that hold the same values, as whatever types: a peer may choose
    wider ones, and text formats have none."""
    columns = ", ".join(f"{name}::{TYPES.get(name, 'VARCHAR')} AS {name}" for name in STORED)
    return ("SET TimeZone = 'UTC';\n"
            + digest_sql(f"(SELECT {columns} FROM {table})"))
