"""Runs a statement over a bucket by DuckDB's own extension httpfs, in one process. Run by the Python
of the environment `httpfs`; its DuckDB is the newest whose extension can be had from PyPI.

usage: httpfs_load.py ENDPOINT DATABASE STATEMENT THREADS MEMORY"""

import glob
import pathlib
import sys

import duckdb

ENDPOINT, DATABASE, STATEMENT, THREADS, MEMORY = sys.argv[1:]


def main():
    connection = duckdb.connect(DATABASE, config={"threads": THREADS, "memory_limit": MEMORY})
    packages = pathlib.Path(duckdb.__file__).resolve().parents[1]
    extension, = glob.glob(f"{packages}/duckdb_extension_httpfs/extensions/*/*.duckdb_extension")
    connection.execute(f"LOAD '{extension}'")
    connection.execute(
        "CREATE SECRET (TYPE s3, KEY_ID 'bench', SECRET 'bench', REGION 'us-east-1',"
        f" ENDPOINT '{ENDPOINT.removeprefix('http://')}', USE_SSL false, URL_STYLE 'path')")
    connection.execute("SET preserve_insertion_order = false")
    connection.execute(STATEMENT)
    connection.close()


if __name__ == "__main__":
    main()
