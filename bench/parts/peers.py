"""The command lines of other loaders, over the same files and the same kind of database."""

import os
import pathlib

from parts import rows
from parts.environments import installed
from parts.feed import TABLE

ROOT = pathlib.Path(__file__).resolve().parents[2]
DLT_LOAD = pathlib.Path(__file__).with_name("dlt_load.py")
HTTPFS_LOAD = pathlib.Path(__file__).with_name("httpfs_load.py")
DUCKDB = ROOT / ".deps" / "duckdb" / "lib" / "libduckdb.so"
# What a person who merges changes tells dlt about them.
MERGED = ["--key", "_row_id", "--delete-flag", "_deleted"]
OWN_DIGEST = rows.cast_digest_sql(TABLE)
DLT_DIGEST = rows.cast_digest_sql(f"peer.{TABLE}")

# As a driver of ADBC, which ingestr writes DuckDB through, the library that forebay uses.
DRIVER = """manifest_version = 1
name = "DuckDB"
version = "2.0.0"
[ADBC]
version = "1.1.0"
[Driver]
entrypoint = "duckdb_adbc_init"
[Driver.shared]
linux_amd64 = "{library}"
"""


def dlt(bench, database, url, pattern, *options):
    """`url` is a folder, or s3://… with the option --endpoint."""
    os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
    python = installed(bench.work, "dlt") / "python"
    address = url if "://" in str(url) else f"file://{url}"
    return [python, DLT_LOAD, address, pattern, database, bench.work / "dlt-state", *options]


def ingestr(bench, database, endpoint, pattern):
    """Replaces the table by what is in the bucket."""
    drivers = bench.work / "adbc"
    drivers.mkdir(exist_ok=True)
    (drivers / "duckdb.toml").write_text(DRIVER.format(library=DUCKDB))
    os.environ["ADBC_DRIVER_PATH"] = str(drivers)
    return [installed(bench.work, "tools") / "ingestr", "ingest", "--yes", "--progress", "log",
            "--source-uri", "s3://?access_key_id=bench&secret_access_key=bench"
            f"&endpoint_url={endpoint}", "--source-table", pattern,
            "--dest-uri", f"duckdb:///{database}", "--dest-table", f"main.{TABLE}"]


def httpfs(bench, database, endpoint, statement):
    return [installed(bench.work, "httpfs") / "python", HTTPFS_LOAD, endpoint, database, statement,
            bench.threads, bench.memory]
