#!/usr/bin/env python3
"""A strict S3 server whose bucket holds as many keys as one likes: they are computed, not stored.

usage: key_server.py PORT KEYS PER_DAY FIRST [BODY]

The bucket `keys` has the keys dt=2020-01-01/part-0000000.parquet and so on, from the day FIRST on,
PER_DAY for each day, all of them with the bytes of the file BODY (none: they can be listed and not
read). The ETag of key number i (from 0) is the MD5 of "v" and i, and "-1"; it was written at
midnight of its day.

It refuses what a real one would take: unsigned requests, query parameters that it does not know, a
delimiter that is not empty, tokens that were given for another prefix. GET /counts tells how many
requests came, by kind, and what was wrong, as JSON; POST /counts also sets them to nothing.
"""

import bisect
import datetime
import functools
import hashlib
import http.server
import json
import pathlib
import sys
import threading
import urllib.parse

PORT, KEYS, PER_DAY = map(int, sys.argv[1:4])
FIRST = datetime.date.fromisoformat(sys.argv[4])
BODY = pathlib.Path(sys.argv[5]).read_bytes() if len(sys.argv) > 5 else None
SIZE = len(BODY) if BODY is not None else 1000
LIST_PARAMETERS = {"list-type", "max-keys", "encoding-type", "prefix", "start-after",
                   "continuation-token", "delimiter"}


@functools.lru_cache(maxsize=64)
def day_of(number):
    return (FIRST + datetime.timedelta(days=number)).isoformat()


def key_of(i):
    return f"dt={day_of(i // PER_DAY)}/part-{i % PER_DAY:07}.parquet"


def etag_of(i):
    return hashlib.md5(b"v%d" % i).hexdigest() + "-1"


class Keys:
    """All keys, in byte order: numbers and their order agree."""

    def __len__(self):
        return KEYS

    def __getitem__(self, i):
        return key_of(i)


ALL = Keys()


def end_of(prefix):
    """The number of the first key behind those that begin so."""
    return bisect.bisect_left(ALL, prefix + "\U0010ffff") if prefix else KEYS


def entries(first, end):
    """The keys of a page, day by day."""
    parts = []
    while first < end:
        number = first // PER_DAY
        last = min(end, (number + 1) * PER_DAY)
        day = day_of(number)
        head = f"<Contents><Key>dt%3D{day}/part-"
        middle = f".parquet</Key><LastModified>{day}T00:00:00.000Z</LastModified><ETag>&quot;"
        tail = f"&quot;</ETag><Size>{SIZE}</Size><StorageClass>STANDARD</StorageClass></Contents>"
        begin = number * PER_DAY
        parts += [f"{head}{i - begin:07}{middle}{etag_of(i)}{tail}" for i in range(first, last)]
        first = last
    return "".join(parts)


class Counts:
    def __init__(self):
        self.lock = threading.Lock()
        self.clear()

    def clear(self):
        self.kinds = {"list": 0, "get": 0, "head": 0}
        self.wrongs = []
        self.listing = 0  # listings under way now, and at most
        self.most_listing = 0

    def add(self, kind):
        with self.lock:
            self.kinds[kind] += 1

    def wrong(self, text):
        with self.lock:
            self.wrongs.append(text)

    def listings(self, change):
        with self.lock:
            self.listing += change
            self.most_listing = max(self.most_listing, self.listing)

    def text(self):
        with self.lock:
            return json.dumps({**self.kinds, "wrongs": self.wrongs,
                               "most_listing": self.most_listing})


COUNTS = Counts()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 20

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, headers=()):
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def refuse(self, status, code, why):
        COUNTS.wrong(f"{self.command} {self.path}: {why}")
        self.answer(status, f"<Error><Code>{code}</Code><Message>{why}</Message></Error>".encode())

    def do_POST(self):
        text = COUNTS.text()
        COUNTS.clear()
        self.answer(200, text.encode())

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/counts":
            return self.answer(200, COUNTS.text().encode())
        if not self.headers.get("Authorization", "").startswith("AWS4-HMAC-SHA256 Credential="):
            return self.refuse(403, "AccessDenied", "the request is not signed")
        if path in ("/keys", "/keys/"):
            return self.list(query)
        if not path.startswith("/keys/"):
            return self.refuse(404, "NoSuchBucket", "there is only the bucket keys")
        return self.read(urllib.parse.unquote(path.removeprefix("/keys/")))

    def list(self, query):
        COUNTS.add("list")
        COUNTS.listings(1)
        try:
            self.list_page(query)
        finally:
            COUNTS.listings(-1)

    def list_page(self, query):
        given = urllib.parse.parse_qs(query, keep_blank_values=True, strict_parsing=True)
        if unknown := set(given) - LIST_PARAMETERS:
            return self.refuse(400, "InvalidArgument", f"unknown parameters {sorted(unknown)}")
        if any(len(values) > 1 for values in given.values()):
            return self.refuse(400, "InvalidArgument", "a parameter that stands there twice")
        asked = {name: values[0] for name, values in given.items()}
        if asked.get("delimiter"):
            return self.refuse(400, "InvalidArgument", "folders are not known here")
        if asked.get("list-type") != "2" or asked.get("encoding-type") != "url":
            return self.refuse(400, "InvalidArgument", "not the listing that is expected")
        prefix = asked.get("prefix", "")
        first = bisect.bisect_left(ALL, prefix)
        if "start-after" in asked:
            first = max(first, bisect.bisect_right(ALL, asked["start-after"]))
        if "continuation-token" in asked:
            number, _, of = asked["continuation-token"].partition("|")
            if of != prefix or not number.isdecimal():
                return self.refuse(400, "InvalidArgument", "a token that was not given for this")
            first = int(number)
        size = int(asked.get("max-keys", 1000))
        if not 1 <= size <= 1000:
            return self.refuse(400, "InvalidArgument", "max-keys is out of range")
        stop = max(first, end_of(prefix))
        end = min(stop, first + size)
        more = "" if end == stop else \
            f"<NextContinuationToken>{end}|{prefix}</NextContinuationToken>"
        self.answer(200, (
            '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>keys</Name>'
            f"<EncodingType>url</EncodingType><KeyCount>{end - first}</KeyCount>"
            f"<IsTruncated>{'true' if more else 'false'}</IsTruncated>{more}"
            f"{entries(first, end)}</ListBucketResult>").encode())

    def read(self, key):
        COUNTS.add("head" if self.command == "HEAD" else "get")
        i = bisect.bisect_left(ALL, key)
        if BODY is None or i == KEYS or key_of(i) != key:
            return self.refuse(404, "NoSuchKey", "there is no such key, or it has no bytes")
        etag = f'"{etag_of(i)}"'
        if self.headers.get("If-Match", etag) != etag:
            return self.refuse(412, "PreconditionFailed", "another version was asked for")
        headers = [("ETag", etag), ("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT")]
        wanted = self.headers.get("Range")
        if not wanted:
            return self.answer(200, BODY, headers)
        begin, _, last = wanted.removeprefix("bytes=").partition("-")
        begin, last = int(begin), min(int(last or SIZE - 1), SIZE - 1)
        headers.append(("Content-Range", f"bytes {begin}-{last}/{SIZE}"))
        return self.answer(206, BODY[begin:last + 1], headers)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


Server(("127.0.0.1", PORT), Handler).serve_forever()
