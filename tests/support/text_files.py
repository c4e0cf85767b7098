"""Writes CSV and JSON files, and what pyarrow reads from them.

usage: text_files.py FOLDER

Below FOLDER each case has a folder with one file of a column `n` (the row's number) and a column
`v`; cases.json says of each case what pyarrow's reader of the format found in `v`, told the type
that docs/TYPES.md promises, as text in one canonical form: numbers by their digits, DOUBLE as
Python's repr, dates as days and times as nanoseconds since 1970, JSON without spaces.
"""

import json
import os
import sys

import pyarrow as pa
import pyarrow.csv
import pyarrow.json

TEXT = pa.string()
# format, case, column of the table, pyarrow's type, values as the file has them
CASES = [
    ("csv", "booleans", "BOOLEAN", pa.bool_(), ["true", "false", ""]),
    ("csv", "integers", "BIGINT", pa.int64(), ["-9223372036854775808", "0", "9223372036854775807", ""]),
    ("csv", "wide integers", "HUGEINT", pa.decimal128(38, 0), ["9223372036854775808", "-9223372036854775809", ""]),
    ("csv", "leading zeros", "VARCHAR", TEXT, ["007", "10", ""]),
    ("csv", "doubles", "DOUBLE", pa.float64(), ["0.1", "-2.5", "1e-07", "1.7976931348623157e+308", ""]),
    ("csv", "dates", "DATE", pa.date32(), ["0001-01-01", "1969-12-31", "2024-02-29", "9999-12-31", ""]),
    ("csv", "times", "TIMESTAMP", pa.timestamp("us"), ["1970-01-01 00:00:00", "2024-02-29 23:59:59", ""]),
    ("csv", "texts", "VARCHAR", TEXT, ["a", '""', '"a,b"', '"a ""b"""', '"two\nlines"', " x ", "äöü", "NULL", "NaN", ""]),
    ("json", "booleans", "BOOLEAN", pa.bool_(), ["true", "false", "null"]),
    ("json", "integers", "BIGINT", pa.int64(), ["-9223372036854775808", "0", "9223372036854775807", "null"]),
    ("json", "doubles", "DOUBLE", pa.float64(), ["0.1", "-2.5", "1e-07", "1.7976931348623157e+308", "null"]),
    ("json", "texts", "VARCHAR", TEXT, ['"a"', '""', '"a\\"b"', '"\\u00e4\\ud83d\\ude00"', '"007"', '"null"', "null"]),
    ("json", "lists", "JSON", pa.list_(pa.int64()), ["[1,null,3]", "[]", "null"]),
    ("json", "objects", "JSON", pa.struct([("a", pa.int64()), ("b", TEXT)]), ['{"a":1,"b":"x"}', '{"a":null,"b":null}', "null"]),
]


def canonical(value):
    type, plain = value.type, value.as_py()
    if plain is None:
        return None
    if pa.types.is_boolean(type):
        return "true" if plain else "false"
    if pa.types.is_date32(type):
        return str(value.value)
    if pa.types.is_timestamp(type):
        return str(value.value * 1000)
    if pa.types.is_floating(type):
        return repr(plain)
    if pa.types.is_nested(type):
        return json.dumps(plain, separators=(",", ":"))
    return str(plain)


def read(form, path, type):
    if form == "json":
        schema = pa.schema([("n", pa.int64()), ("v", type)])
        return pyarrow.json.read_json(path, parse_options=pyarrow.json.ParseOptions(explicit_schema=schema))
    return pyarrow.csv.read_csv(
        path,
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={"v": type}, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
        ),
    )


def main(folder):
    answer = []
    for form, name, column, type, values in CASES:
        table = f"{form}_{name.replace(' ', '_')}"
        os.makedirs(f"{folder}/{table}")
        path = f"{folder}/{table}/1.{form}"
        with open(path, "w", encoding="utf-8", newline="") as out:
            if form == "csv":
                out.write("n,v\n" + "".join(f"{n},{value}\n" for n, value in enumerate(values)))
            else:
                out.write("".join(f'{{"n":{n},"v":{value}}}\n' for n, value in enumerate(values)))
        found = [canonical(value) for value in read(form, path, type).column("v")]
        shown = ", ".join(value for value in values if value and value.isprintable())
        answer.append({"case": table, "format": form.upper(), "says": f"{name}: {shown}", "type": column, "values": found})
    with open(f"{folder}/cases.json", "w") as out:
        json.dump(answer, out)


main(sys.argv[1])
