"""The command lines of forebay."""

import json

from parts.measure import Failed


def load(binary, feed, database, max_units=None, source=None, options=()):
    """`source` is where the feed's files lie, if not in its folder."""
    command = [binary, "load", "--json", "--no-progress", "--source", source or feed.folder,
               "--target", f"duckdb:{database}", *feed.options, *options]
    return command + (["--max-units", max_units] if max_units else [])


def units_applied(output):
    report = json.loads(output)
    return sum(pipeline["units"]["applied"] for pipeline in report["pipelines"])


def expect_units(output, expected):
    applied = units_applied(output)
    if applied != expected:
        raise Failed(f"forebay applied {applied} units where {expected} were waiting")
