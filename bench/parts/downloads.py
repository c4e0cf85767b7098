"""The same files from the same SeaweedFS: by rclone, and the way a load downloads them."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

from parts.environments import installed
from parts.measure import Failed, run_command

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEED = ROOT / ".deps" / "venv" / "bin" / "weed"
CONCURRENCY = 8
SIZES = {"large": (4, 32_000_000), "small": (5_000, 2_500)}  # files, rows of 8 bytes each


class Files:
    """A folder of Parquet files of random numbers, which do not shrink."""

    def __init__(self, folder, count, rows):
        self.folder = pathlib.Path(folder)
        self.count, self.rows = count, rows

    def make(self, hand_sql):
        if len(list(self.folder.glob("*.parquet"))) == self.count:
            return False
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        hand_sql(":memory:", "".join(
            f"COPY (SELECT random() AS x FROM range({self.rows})) TO"
            f" '{self.folder}/{i:05}.parquet' (FORMAT parquet, COMPRESSION uncompressed);\n"
            for i in range(self.count)))
        return True


def free_ports(count):
    with contextlib.ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


@contextlib.contextmanager
def seaweed(folder):
    """The endpoint of a server that runs meanwhile, with data of its own."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "data").mkdir(parents=True)
    (folder / "s3.json").write_text(
        '{"identities":[{"name":"bench","credentials":[{"accessKey":"bench","secretKey":"bench"}],'
        '"actions":["Admin","Read","Write","List"]}]}')
    ports = free_ports(8)
    names = ("master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port",
             "filer.port.grpc", "s3.port", "s3.port.grpc")
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            [WEED, "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-dir={folder / 'data'}",
             "-filer", "-s3", f"-s3.config={folder / 's3.json'}", "-master.volumeSizeLimitMB=1024",
             "-volume.max=20", "-s3.port.iceberg=0", "-s3.port.lance=0",
             *(f"-{name}={port}" for name, port in zip(names, ports))],
            stdout=log, stderr=log)
    endpoint = f"http://127.0.0.1:{ports[6]}"
    try:
        wait_for(endpoint)
        yield endpoint
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(endpoint):
    for _ in range(600):
        try:
            urllib.request.urlopen(endpoint, timeout=5).close()
            return
        except urllib.error.HTTPError:
            return  # it answers
        except OSError:
            time.sleep(0.1)
    raise Failed("SeaweedFS does not answer")


class Bucket:
    """A bucket of the server, and rclone's commands about it."""

    def __init__(self, work, endpoint, name):
        self.rclone = installed(work, "tools") / "rclone"
        self.endpoint, self.name = endpoint, name
        self.into = pathlib.Path(work) / "downloaded"
        os.environ.update(AWS_ACCESS_KEY_ID="bench", AWS_SECRET_ACCESS_KEY="bench")

    def _rclone(self, *words):
        return [self.rclone, *words, "--config", "/dev/null", "--s3-provider", "SeaweedFS",
                "--s3-access-key-id", "bench", "--s3-secret-access-key", "bench",
                "--s3-endpoint", self.endpoint, "--s3-force-path-style", "--retries", "10"]

    def upload(self, folder, below=""):
        run_command(self._rclone("mkdir", f":s3:{self.name}"))
        run_command(self._rclone("copy", folder, f":s3:{self.name}/{below}",
                                 "--transfers", str(CONCURRENCY)))

    def download(self):
        """With as many transfers, and streams of one large file, as forebay has."""
        self.forget()
        return self._rclone("copy", f":s3:{self.name}", self.into, "--transfers",
                            str(CONCURRENCY), "--checkers", str(CONCURRENCY),
                            "--multi-thread-streams", str(CONCURRENCY))

    def forget(self):
        shutil.rmtree(self.into, ignore_errors=True)

    def expect_downloaded(self, count):
        found = sum(1 for _ in self.into.rglob("*.parquet"))
        self.forget()
        expect_files(found, count)


class Race:
    """The commands of both, over a bucket that holds the files."""

    def __init__(self, bucket, files, fetch_files):
        self.bucket, self.files, self.fetch_files = bucket, files, fetch_files

    def by_rclone(self):
        return self.bucket.download()

    def by_forebay(self):
        self.bucket.into.mkdir(parents=True, exist_ok=True)
        return [self.fetch_files, self.bucket.endpoint, self.bucket.name, self.bucket.into,
                str(CONCURRENCY)]

    def expect_rclone(self, _output):
        self.bucket.expect_downloaded(self.files.count)

    def expect_forebay(self, output):
        expect_files(int(output.split()[0]), self.files.count)


def expect_files(found, expected):
    if found != expected:
        raise Failed(f"{found} files were downloaded, there are {expected}")
