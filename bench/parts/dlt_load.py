"""Loads Parquet files with dlt, as the documentation of its filesystem source tells. Run by the
Python of dlt's own environment (parts/environments.py), one load a process.

It remembers what it loaded by the files' times, in the database. Changes are merged: a row whose
flag is set deletes its key, and of several changes to a key the last one read counts; files are
taken in the order of their times, and rows are numbered while they are read."""

import argparse
import itertools
import shutil

import dlt
from dlt.sources.filesystem import filesystem, read_parquet


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("glob")
    parser.add_argument("database")
    parser.add_argument("state", help="a folder that is emptied")
    parser.add_argument("--table", default="visits")
    parser.add_argument("--endpoint")
    parser.add_argument("--key")
    parser.add_argument("--delete-flag")
    parser.add_argument("--dictionaries", action="store_true", help="the default, not Arrow")
    return parser.parse_args()


def credentials(endpoint):
    if not endpoint:
        return None
    from dlt.sources.credentials import AwsCredentials
    return AwsCredentials(aws_access_key_id="bench", aws_secret_access_key="bench",
                          endpoint_url=endpoint, region_name="us-east-1", s3_url_style="path")


def numbered():
    import pyarrow
    numbers = itertools.count()

    def number(batch):
        first = next(numbers) << 32
        return batch.append_column("_read_as", pyarrow.array(range(first, first + len(batch)),
                                                             pyarrow.int64()))
    return number


def main():
    arguments = parse_arguments()
    shutil.rmtree(arguments.state, ignore_errors=True)
    pipeline = dlt.pipeline(
        "bench", destination=dlt.destinations.duckdb(arguments.database), dataset_name="peer",
        pipelines_dir=arguments.state)
    given = {"credentials": credentials(arguments.endpoint)} if arguments.endpoint else {}
    files = filesystem(arguments.url, file_glob=arguments.glob,
                       incremental=dlt.sources.incremental(
                           "modification_date", row_order="asc"), **given)
    reader = read_parquet() if arguments.dictionaries else \
        read_parquet(chunksize=100_000, use_pyarrow=True)
    resource = (files | reader).with_name(arguments.table)
    if arguments.key:
        resource.add_map(numbered())
        resource.apply_hints(
            write_disposition="merge", primary_key=arguments.key,
            columns={arguments.delete_flag: {"hard_delete": True},
                     "_read_as": {"dedup_sort": "desc"}})
    else:
        resource.apply_hints(write_disposition="append")
    pipeline.run(resource)
    counts = pipeline.last_trace.last_normalize_info.row_counts
    print(f"rows {counts.get(arguments.table, 0)}")


if __name__ == "__main__":
    main()
