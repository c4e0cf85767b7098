"""HTTPS servers with good and bad certificates, and a proxy, for tests of what is trusted and sent.

usage: tls_servers.py FOLDER

Writes ca.pem and ports.json into FOLDER. Each HTTPS server answers every GET with an empty S3
listing and appends what it was asked to FOLDER/NAME.seen; the proxy appends what it was told to
FOLDER/proxy.seen, and wants the user `user` with the password `hush`.
"""

import base64
import datetime
import http.server
import ipaddress
import json
import os
import pathlib
import select
import socket
import ssl
import sys
import threading
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

FOLDER = pathlib.Path(sys.argv[1])
NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)
LISTING = (b"<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>"
           b"</ListBucketResult>")


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def certify(subject, key, issuer, issuer_key, address=None, until=NOW + DAY):
    builder = (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
               .public_key(key.public_key()).serial_number(x509.random_serial_number())
               .not_valid_before(NOW - 10 * DAY).not_valid_after(until)
               .add_extension(x509.BasicConstraints(ca=address is None, path_length=None), True))
    if address:
        names = [x509.IPAddress(ipaddress.ip_address(address))]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), False)
    return builder.sign(issuer_key, hashes.SHA256())


def write(path, *parts):
    pem = serialization.Encoding.PEM
    path.write_bytes(b"".join(
        part.public_bytes(pem) if isinstance(part, x509.Certificate)
        else part.private_bytes(pem, serialization.PrivateFormat.PKCS8,
                                serialization.NoEncryption()) for part in parts))


def see(server, text):
    with open(FOLDER / f"{server}.seen", "a") as file:
        file.write(text + "\n")


def listing_server(server, certificate, key):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            see(server, f"{self.requestline}\n{self.headers}")
            self.send_response(200)
            self.send_header("Content-Length", str(len(LISTING)))
            self.end_headers()
            self.wfile.write(LISTING)

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if certificate:
        write(FOLDER / f"{server}.pem", key, certificate)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(FOLDER / f"{server}.pem")
        httpd.socket = context.wrap_socket(httpd.socket, server_side=True,
                                           do_handshake_on_connect=False)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    return httpd.server_address[1]


class Proxy(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def allowed(self):
        see("proxy", f"{self.requestline}\n{self.headers}")
        right = "Basic " + base64.b64encode(b"user:hush").decode()
        if self.headers.get("Proxy-Authorization") == right:
            return True
        self.send_response(407)
        self.send_header("Proxy-Authenticate", "Basic realm=tests")
        self.send_header("Content-Length", "0")
        self.end_headers()
        return False

    def do_CONNECT(self):
        if not self.allowed():
            return
        host, port = self.path.split(":")
        with socket.create_connection((host, int(port))) as there:
            self.send_response(200)
            self.end_headers()
            pairs = {self.connection: there, there: self.connection}
            while True:
                for ready in select.select(list(pairs), [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    pairs[ready].sendall(data)

    def do_GET(self):
        if not self.allowed():
            return
        url = urllib.parse.urlsplit(self.path)
        with socket.create_connection((url.hostname, url.port)) as there:
            path = url.path + ("?" + url.query if url.query else "")
            there.sendall(f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\n"
                          "Connection: close\r\n\r\n".encode())
            while data := there.recv(65536):
                self.wfile.write(data)


ca_key, other_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
ca = certify("tests", ca_key, "tests", ca_key)
other_ca = certify("others", other_key, "others", other_key)
write(FOLDER / "ca.pem", ca)
key = ec.generate_private_key(ec.SECP256R1())
here = "127.0.0.1"
ports = {
    "good": listing_server("good", certify("s", key, "tests", ca_key, here), key),
    "other_ca": listing_server("other_ca", certify("s", key, "others", other_key, here), key),
    "other_host": listing_server("other_host", certify("s", key, "tests", ca_key, "127.0.0.2"),
                                 key),
    "expired": listing_server("expired", certify("s", key, "tests", ca_key, here, NOW - DAY), key),
    "plain": listing_server("plain", None, None),
}
proxy = http.server.ThreadingHTTPServer((here, 0), Proxy)
ports["proxy"] = proxy.server_address[1]
(FOLDER / "ports.new").write_text(json.dumps(ports))
os.rename(FOLDER / "ports.new", FOLDER / "ports.json")
proxy.serve_forever()
