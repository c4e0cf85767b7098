#!/usr/bin/env python3
"""A strict files API over a folder: lists keys by pages, hands out links that live for a short time.

It is stricter and less reliable than a real one, on purpose: the first request is throttled, every
listing begins with an empty page that has a token, pages are small, each key's first link dies in
the middle of the file, and whoever sends a header to the wrong side is written down. GET /wrongs
tells what was wrong, as a JSON list; a test expects it to be empty.
"""

import datetime
import http.server
import json
import pathlib
import secrets
import sys
import threading
import urllib.parse

FOLDER = pathlib.Path(sys.argv[1])
PORT = int(sys.argv[2])
TOKEN, ACCOUNT = "Bearer test-token", "test-account"
PAGE = 2
LIFE = datetime.timedelta(minutes=5)


class State:
    def __init__(self):
        self.lock = threading.Lock()
        self.wrongs = []
        self.throttled = False
        self.tokens = {}  # token: (prefix, how many keys were told)
        self.links = {}   # id: [key, expires, may it live to the end]
        self.seen = set()  # keys that had a link

    def wrong(self, text):
        with self.lock:
            self.wrongs.append(text)


STATE = State()


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def keys_below(prefix):
    keys = (path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file())
    return sorted(key for key in keys if key.startswith(prefix))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def data(self, data):
        self.answer(200, {"data": data}, [("Content-Type", "application/json")])

    def error(self, message):
        self.answer(200, {"data": None, "errors": [{"message": message}]})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != "/graphql":
            return self.answer(404, {})
        if self.headers.get("Authorization") != TOKEN or \
                self.headers.get("x-twisp-account-id") != ACCOUNT:
            return self.answer(401, {})
        if self.headers.get("X-Link"):
            STATE.wrong("a link's header came to the API")
        with STATE.lock:
            first, STATE.throttled = not STATE.throttled, True
        if first:
            return self.answer(429, {}, [("Retry-After", "1")])
        request = json.loads(body)
        variables = request["variables"]
        if "listPage" in request["query"]:
            return self.list_page(variables["prefix"], variables["token"])
        if "createDownload" in request["query"]:
            return self.create_download(variables["key"])
        return self.error("unknown operation")

    def list_page(self, prefix, token):
        told = 0
        if token is None:
            page, more = [], True
        else:
            with STATE.lock:
                known = STATE.tokens.pop(token, None)
            if known is None or known[0] != prefix:
                STATE.wrong("a token that was not given for this prefix, or was used before")
                return self.error("unknown token")
            told = known[1]
            keys = keys_below(prefix)
            page, more = keys[told:told + PAGE], told + PAGE < len(keys)
            told += len(page)
        next_token = secrets.token_hex(8) if more else None
        if more:
            with STATE.lock:
                STATE.tokens[next_token] = (prefix, told)
        self.data({"files": {"listPage": {"keys": [{"key": key} for key in page],
                                          "nextPageToken": next_token}}})

    def create_download(self, key):
        if not (FOLDER / key).is_file():
            return self.error("no such key")
        link, expires = secrets.token_hex(8), now() + LIFE
        with STATE.lock:
            STATE.links[link] = [key, expires, key in STATE.seen]
            STATE.seen.add(key)
        url = f"http://127.0.0.1:{PORT}/files/{urllib.parse.quote(key)}?signature={link}"
        self.data({"files": {"createDownload": {
            "downloadURL": url, "downloadURLExpiration": expires.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "downloadHeaders": {"X-Link": [link]}, "contentType": "application/octet-stream"}}})

    def do_GET(self):
        if self.path == "/wrongs":
            return self.answer(200, STATE.wrongs)
        path, _, query = self.path.partition("?")
        link = urllib.parse.parse_qs(query).get("signature", [""])[0]
        for name in ("Authorization", "x-twisp-account-id"):
            if self.headers.get(name):
                STATE.wrong(f"{name} came to a link")
        known = STATE.links.get(link)
        if known is None or self.headers.get("X-Link") != link or now() > known[1] or \
                path != "/files/" + urllib.parse.quote(known[0]):
            return self.answer(403, b"this link has run out")
        content = (FOLDER / known[0]).read_bytes()
        etag = f'"{hash(content) & 0xffffffff:08x}"'
        begin = 0
        if wanted := self.headers.get("Range"):
            begin = int(wanted.removeprefix("bytes=").split("-")[0])
        if known[2]:
            headers = [("ETag", etag)]
            if not wanted:
                return self.answer(200, content, headers)
            headers.append(("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}"))
            return self.answer(206, content[begin:], headers)
        # The first link dies in the middle of the file.
        with STATE.lock:
            STATE.links.pop(link)
        self.send_response(200)
        self.send_header("ETag", etag)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:len(content) // 2])
        self.wfile.flush()
        self.close_connection = True


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
