"""Loads Parquet files with dlt, as the documentation of its filesystem source tells. Run by the
Python of dlt's own environment (parts/environments.py), one load a process.

It remembers what it loaded by the files' times, in the database. Changes are merged: a row whose
flag is set deletes its key, and of several changes to a key the last one counts, by the times in
the names of files and the order of rows."""

import argparse
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


def placed(name, first, count):
    """Numbers of rows that sort like the times in the names of their files, then by the row."""
    time = int("".join(filter(str.isdigit, name.split(".")[0])))
    return [time << 18 | row for row in range(first, first + count)]


@dlt.transformer
def read_placed(items):
    """As read_parquet does, and says at which place of all changes each row stands."""
    import pyarrow
    from pyarrow import parquet
    for item in items:
        with item.open() as file:
            row = 0
            for batch in parquet.ParquetFile(file).iter_batches(batch_size=100_000):
                places = placed(item["file_name"].split("/")[-1], row, len(batch))
                row += len(batch)
                yield batch.append_column("_place", pyarrow.array(places, pyarrow.int64()))


def main():
    arguments = parse_arguments()
    shutil.rmtree(arguments.state, ignore_errors=True)
    pipeline = dlt.pipeline(
        "bench", destination=dlt.destinations.duckdb(arguments.database), dataset_name="peer",
        pipelines_dir=arguments.state)
    given = {"credentials": credentials(arguments.endpoint)} if arguments.endpoint else {}
    files = filesystem(arguments.url, file_glob=arguments.glob,
                       incremental=dlt.sources.incremental("modification_date"), **given)
    if arguments.key:
        reader = read_placed
    elif arguments.dictionaries:
        reader = read_parquet()
    else:
        reader = read_parquet(chunksize=100_000, use_pyarrow=True)
    resource = (files | reader).with_name(arguments.table)
    if arguments.key:
        resource.apply_hints(
            write_disposition="merge", primary_key=arguments.key,
            columns={arguments.delete_flag: {"hard_delete": True},
                     "_place": {"dedup_sort": "desc"}})
    else:
        resource.apply_hints(write_disposition="append")
    pipeline.run(resource)
    counts = pipeline.last_trace.last_normalize_info.row_counts
    print(f"rows {counts.get(arguments.table, 0)}")


if __name__ == "__main__":
    main()
