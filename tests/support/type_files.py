"""Writes a file for each type that Parquet has, and what stands in it.

usage: type_files.py FOLDER

Below FOLDER each case has a folder with one file of one column `v` (and `n`, the row's number), and
cases.json says of each case what pyarrow read back from it, as text in one canonical form:

  numbers          their digits; decimals all of them; floats as Python's repr
  dates            days since 1970-01-01
  times            nanoseconds (since midnight, or since 1970-01-01T00:00:00)
  bytes            hexadecimal digits
  nested values    JSON of these

A case whose `annotate` is not empty is to be given that annotation in its footer by who reads it:
pyarrow writes no such column, and reads it as bytes.
"""

import datetime
import decimal
import json
import os
import struct
import sys

import pyarrow as pa
import pyarrow.parquet as pq

UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
CASES = []


def case(name, values, type, annotate="", **options):
    CASES.append((name, values, type, annotate, options))


def summary(name, values):
    """What a case tries, for people."""
    shown = []
    for value in values:
        text = "null" if value is None else value
        if text not in shown:
            shown.append(text)
    line = ", ".join(shown)
    short = all(text.isprintable() and "|" not in text and "`" not in text for text in shown) and len(line) <= 70
    return f"{name.replace('_', ' ')}: {line}" if short else f"{name.replace('_', ' ')}: {len(values)} values"


def seconds(text):
    """Of a time in the proleptic Gregorian calendar, years 1 to 9999."""
    at = datetime.datetime.fromisoformat(text)
    return (at - datetime.datetime(1970, 1, 1)) // datetime.timedelta(seconds=1)


def canonical(value, type):
    """The value at the lowest level as text; `value` is Arrow's scalar."""
    if not value.is_valid:
        return None
    if pa.types.is_boolean(type):
        return "true" if value.as_py() else "false"
    if pa.types.is_integer(type):
        return str(value.as_py())
    if pa.types.is_floating(type):
        return repr(float(value.as_py()))
    if pa.types.is_decimal(type):
        return format(value.as_py(), "f")
    if pa.types.is_timestamp(type) or pa.types.is_time(type):
        return str(value.value * UNITS[type.unit])
    if pa.types.is_date32(type):
        return str(value.value)
    if pa.types.is_duration(type):
        return str(value.value)
    if pa.types.is_string(type) or pa.types.is_large_string(type):
        return value.as_buffer().to_pybytes().decode("utf-8", "backslashreplace")
    if pa.types.is_binary(type) or pa.types.is_fixed_size_binary(type) or pa.types.is_large_binary(type):
        return value.as_buffer().to_pybytes().hex()
    if pa.types.is_dictionary(type):
        return canonical(value.value, type.value_type)
    if isinstance(type, pa.BaseExtensionType):
        return canonical(value.value, type.storage_type)
    raise TypeError(type)


def nested(value, type):
    if not value.is_valid:
        return None
    if pa.types.is_map(type):
        keys, items = value.values.field(0), value.values.field(1)
        return [[nested(k, type.key_type), nested(i, type.item_type)] for k, i in zip(keys, items)]
    if pa.types.is_list(type) or pa.types.is_large_list(type) or pa.types.is_fixed_size_list(type):
        return [nested(item, type.value_type) for item in value.values]
    if pa.types.is_struct(type):
        return {field.name: nested(value[field.name], field.type) for field in type}
    return canonical(value, type)


def meaning(value, annotate):
    """What bytes stand for by an annotation that pyarrow does not know."""
    if annotate == "INTERVAL":
        return "{} {} {}".format(*struct.unpack("<III", value))  # months, days, milliseconds
    return value.decode() if annotate == "ENUM" else value.hex()


def is_utf8(column):
    try:
        column.to_pylist()
        return True
    except UnicodeDecodeError:
        return False


def is_nested(type):
    return pa.types.is_nested(type)


def texts(column, annotate):
    if annotate:
        return [None if v is None else meaning(v, annotate) for v in column.to_pylist()]
    if pa.types.is_string(column.type) and not is_utf8(column):
        column = pa.chunked_array([chunk.view(pa.binary()) for chunk in column.chunks])
    result = []
    for value in column:
        if not is_nested(column.type):
            result.append(canonical(value, column.type))
        else:
            inner = nested(value, column.type)
            result.append(None if inner is None else json.dumps(inner, separators=(",", ":"), ensure_ascii=False))
    return result


# Whole numbers
for bits in (8, 16, 32, 64):
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    case(f"int{bits}", [low, -1, 0, 1, high, None], getattr(pa, f"int{bits}")())
    case(f"uint{bits}", [0, 1, high, high + 1, 2**bits - 1, None], getattr(pa, f"uint{bits}")())

# Decimals: as pyarrow lays them out (bytes of fixed length), as integers, from 1 digit to 76
for digits, scale in ((1, 0), (1, 1), (9, 0), (9, 2), (18, 3), (19, 0), (38, 0), (38, 10), (38, 38)):
    high = 10**digits - 1
    values = [decimal.Decimal(n).scaleb(-scale, decimal.Context(prec=80)) for n in (high, -high, 1, -1, 0)]
    case(f"decimal_{digits}_{scale}", values + [None], pa.decimal128(digits, scale))
    if digits <= 18:
        case(f"decimal_{digits}_{scale}_int", values + [None], pa.decimal128(digits, scale), store_decimal_as_integer=True)
for digits, scale in ((39, 0), (39, 2), (50, 25), (76, 0), (76, 76)):
    high = 10**digits - 1
    values = [decimal.Decimal(n).scaleb(-scale, decimal.Context(prec=80)) for n in (high, -high, 1, -1, 0, 150)]
    case(f"decimal_{digits}_{scale}", values + [None], pa.decimal256(digits, scale))

# Floats
FLOATS = [0.0, -0.0, 1.5, -2.5, float("nan"), float("inf"), float("-inf"), None]
case("float16", FLOATS + [65504.0, 2**-24], pa.float16())
case("float", FLOATS + [3.4028234663852886e38, 1.401298464324817e-45, 0.10000000149011612], pa.float32())
case("double", FLOATS + [1.7976931348623157e308, 5e-324, 0.1, 9007199254740993.0], pa.float64())
case("boolean", [True, False, None], pa.bool_())

# Dates and times
DAYS = [seconds(t) // 86400 for t in ("0001-01-01", "1582-10-04", "1582-10-15", "1677-09-20", "1969-12-31", "1970-01-01", "2262-04-12", "9999-12-31")]
case("date", DAYS + [2932897, -719163, None], pa.date32())
case("date_beyond", [2**31 - 1, -(2**31), 0], pa.date32())
TIMES = [seconds(t) for t in ("0001-01-01", "1582-10-04", "1582-10-15", "1677-09-21T00:12:44", "1969-12-31T23:59:59", "1970-01-01", "2262-04-11T23:47:16", "9999-12-31T23:59:59")]
IN_NS = [-(2**63) + 1, -1, 0, 1, 1_700_000_000_123_456_789, 2**63 - 1, None]
for zone in (None, "UTC"):
    suffix = "_utc" if zone else ""
    case(f"timestamp_ms{suffix}", [t * 1000 + 1 for t in TIMES] + [None], pa.timestamp("ms", zone))
    case(f"timestamp_us{suffix}", [t * 10**6 + 1 for t in TIMES] + [None], pa.timestamp("us", zone))
    case(f"timestamp_ns{suffix}", IN_NS, pa.timestamp("ns", zone))
    case(f"timestamp_ns{suffix}_whole", [n and n // 1000 * 1000 for n in IN_NS[1:-2]], pa.timestamp("ns", zone))
    case(f"timestamp_ms{suffix}_beyond", [2**62], pa.timestamp("ms", zone))
    case(f"timestamp_us{suffix}_beyond", [-(2**63) + 1], pa.timestamp("us", zone))
    case(f"timestamp_us{suffix}_infinite", [2**63 - 1], pa.timestamp("us", zone))
    case(f"timestamp_ms{suffix}_infinite", [2**63 - 1], pa.timestamp("ms", zone))
case("int96", [t * 10**9 for t in (TIMES[4], TIMES[5], 1_700_000_000)] + [None], pa.timestamp("ns"), use_deprecated_int96_timestamps=True)
case("int96_nanoseconds", [1, 1_700_000_000_123_456_789], pa.timestamp("ns"), use_deprecated_int96_timestamps=True)
case("int96_edges", [-(2**63) + 1, 2**63 - 1], pa.timestamp("ns"), use_deprecated_int96_timestamps=True)
DAY = 86400
case("time_ms", [0, 1, DAY * 1000 - 1, None], pa.time32("ms"))
case("time_us", [0, 1, DAY * 10**6 - 1, None], pa.time64("us"))
case("time_ns", [0, 1, DAY * 10**9 - 1, None], pa.time64("ns"))
case("interval", [struct.pack("<III", 1, 2, 3), struct.pack("<III", 0, 0, 0), None], pa.binary(12), annotate="INTERVAL")

# Text and bytes
TEXTS = ["", " ", "a", "Zoë", "Zoe\u0308", "\u0000", "\U0001f600", "'\"\\\n", "x" * 5000, None]
case("string", TEXTS, pa.string())
case("string_not_utf8", [b"\xff\xfe", b"a"], pa.string())
case("enum", [b"A", b"", None], pa.binary(), annotate="ENUM")
case("json", ['{"a": [1, 1.50, null]}', '"x"', None], pa.json_())
case("json_none", ["{"], pa.json_())
case("bson", [b"\x05\x00\x00\x00\x00", None], pa.binary(), annotate="BSON")
case("binary", [b"", b"\x00\xff", b"a" * 3000, None], pa.binary())
case("fixed_binary", [b"\x00\xff\x80", None], pa.binary(3))
case("uuid", [bytes(16), b"\xff" * 16, bytes(range(16)), None], pa.uuid())
case("null", [None, None], pa.null())

# Nested
INTS = pa.list_(pa.int32())
case("list", [[1, None, 3], [], None], INTS)
case("list_two_level", [[1, 3], [], None], pa.list_(pa.field("element", pa.int32(), nullable=False)), use_compliant_nested_type=False)
case("list_of_lists", [[[1], [], None], [], None], pa.list_(INTS))
case("fixed_list", [[1, 2], None], pa.list_(pa.int32(), 2))
case("map", [[("a", 1), ("b", None)], [], None], pa.map_(pa.string(), pa.int64()))
case("struct", [{"a": 1, "b": "x"}, {"a": None, "b": None}, None], pa.struct([("a", pa.int32()), ("b", pa.string())]))
deep, deep_value = pa.int8(), 7
for _ in range(20):
    deep, deep_value = pa.struct([("d", pa.list_(deep))]), {"d": [deep_value]}
case("deep", [deep_value, None], deep)
case("list_of_uint64", [[2**64 - 1]], pa.list_(pa.uint64()))
case("list_of_decimal_38", [[decimal.Decimal(10**38 - 1)]], pa.list_(pa.decimal128(38, 0)))
case("list_of_string_not_utf8", [[b"\xff"]], pa.list_(pa.string()))
case("list_of_timestamp_ns_utc", [[1]], pa.list_(pa.timestamp("ns", "UTC")))
case("list_of_decimal_50", [[decimal.Decimal("1.50"), None, decimal.Decimal(-(10**49))]], pa.list_(pa.decimal256(52, 2)))
case("map_of_decimal_76", [[("a", decimal.Decimal(10**76 - 1))], None], pa.map_(pa.string(), pa.decimal256(76, 0)))
case("struct_of_decimal_39", [{"a": 1, "d": decimal.Decimal(10**39 - 1)}, {"a": 2, "d": None}, None], pa.struct([("a", pa.int32()), ("d", pa.decimal256(39, 0))]))
case("list_of_int96", [[t * 10**9 for t in (TIMES[4], 1_700_000_000)]], pa.list_(pa.timestamp("ns")), use_deprecated_int96_timestamps=True)
case("list_of_int96_nanoseconds", [[1_700_000_000_000_000_000, 1]], pa.list_(pa.timestamp("ns")), use_deprecated_int96_timestamps=True)
case("struct_of_json", [{"j": "{}"}], pa.struct([("j", pa.json_())]))

# How pages are laid out says nothing about values
SPREAD = [(i * 7919) % 1000 - 500 if i % 11 else None for i in range(2000)]
WORDS = [f"word {(i * 7919) % 1000:04}" if i % 11 else None for i in range(2000)]
for codec in ("NONE", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4"):
    case(f"codec_{codec.lower()}", SPREAD, pa.int64(), compression=codec)
for encoding in ("PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"):
    case(f"int64_{encoding.lower()}", SPREAD, pa.int64(), use_dictionary=False, column_encoding={"v": encoding})
for encoding in ("PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"):
    case(f"string_{encoding.lower()}", WORDS, pa.string(), use_dictionary=False, column_encoding={"v": encoding})
case("boolean_rle", [i % 3 == 0 if i % 11 else None for i in range(2000)], pa.bool_(), use_dictionary=False, column_encoding={"v": "RLE"})
case("double_byte_stream_split", [i / 7 for i in range(2000)], pa.float64(), use_dictionary=False, column_encoding={"v": "BYTE_STREAM_SPLIT"})
case("dictionary_pages", WORDS, pa.string(), use_dictionary=True, data_page_size=1000)
case("dictionary_overflow", WORDS, pa.string(), use_dictionary=True, dictionary_pagesize_limit=1000)
case("dictionary_type", ["a", "b", "a", None], pa.dictionary(pa.int32(), pa.string()))
case("data_page_v2", WORDS, pa.string(), data_page_version="2.0", compression="ZSTD")
case("data_page_v2_uncompressed", SPREAD, pa.int64(), data_page_version="2.0", compression="NONE")
case("row_groups", SPREAD, pa.int64(), row_group_size=7)
case("checksums", SPREAD, pa.int64(), write_page_checksum=True)


def array(values, type):
    if pa.types.is_timestamp(type):
        return pa.array(values, pa.int64()).view(type)
    if pa.types.is_time(type) or pa.types.is_date32(type):
        width = pa.int32() if type.bit_width == 32 else pa.int64()
        return pa.array(values, width).view(type)
    if pa.types.is_string(type) and any(isinstance(v, bytes) for v in values):
        return pa.array(values, pa.binary()).view(type)
    if pa.types.is_list(type) and (pa.types.is_timestamp(type.value_type) or type.value_type == pa.string()):
        inner = array([item for value in values for item in value], type.value_type)
        offsets = [0]
        for value in values:
            offsets.append(offsets[-1] + len(value))
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), inner)
    if pa.types.is_struct(type) and isinstance(type.field(0).type, pa.BaseExtensionType):
        inner = array([value[type.field(0).name] for value in values], type.field(0).type)
        return pa.StructArray.from_arrays([inner], fields=[type.field(0)])
    if type == pa.null():
        return pa.nulls(len(values))
    if type == pa.uuid() or type == pa.json_():
        return pa.ExtensionArray.from_storage(type, pa.array(values, type.storage_type))
    return pa.array(values, type)


def file_type(path):
    """The column as the file's own schema says it."""
    schema = pq.ParquetFile(path).schema
    column = schema.column(1)
    logical = str(column.logical_type)
    for long, short in (("isAdjustedToUTC=true", "UTC"), ("isAdjustedToUTC=false", "local"), ("timeUnit=", ""), (", is_from_converted_type=false, force_set_converted_type=false", ""), ("precision=", ""), ("scale=", ""), ("bitWidth=", ""), ("isSigned=true", "signed"), ("isSigned=false", "unsigned")):
        logical = logical.replace(long, short)
    return column.physical_type + ("" if logical == "None" else f" ({logical})")


def main(folder):
    answer = []
    for name, values, type, annotate, options in CASES:
        os.makedirs(f"{folder}/{name}")
        path = f"{folder}/{name}/1.parquet"
        table = pa.table({"n": pa.array(range(len(values)), pa.int32()), "v": array(values, type)})
        pq.write_table(table, path, store_schema=False, version="2.6", **options)
        read = pq.read_table(path).column("v")
        values = texts(read, annotate)
        answer.append(
            {"case": name, "file_type": file_type(path), "annotate": annotate, "values": values, "says": summary(name, values)}
        )
    with open(f"{folder}/cases.json", "w") as out:
        json.dump(answer, out, ensure_ascii=False, indent=0)


main(sys.argv[1])
