"""The command lines of forebay."""

import json

from parts.measure import Failed


def load(binary, feed, database, max_units=None, description="rollerup"):
    command = [binary, "load", "--json", "--no-progress", "--source", feed.folder,
               "--feed", description, "--target", f"duckdb:{database}"]
    return command + (["--max-units", max_units] if max_units else [])


def units_applied(output):
    report = json.loads(output)
    return sum(pipeline["units"]["applied"] for pipeline in report["pipelines"])


def expect_units(output, expected):
    applied = units_applied(output)
    if applied != expected:
        raise Failed(f"forebay applied {applied} units where {expected} were waiting")
