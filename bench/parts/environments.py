"""Peers and tools from PyPI, each set in a Python environment of its own below the work folder:
pinned by hash, installed at first use, and nowhere else."""

import pathlib
import shutil

from parts.measure import run_command

BENCH = pathlib.Path(__file__).resolve().parents[1]
REQUIREMENTS = {"tools": "requirements.txt", "dlt": "requirements-dlt.txt",
                "httpfs": "requirements-httpfs.txt"}


def installed(work, name):
    """The folder of programs of the environment `name`."""
    requirements = BENCH / REQUIREMENTS[name]
    folder = pathlib.Path(work).resolve() / "environments" / name
    stamp = folder / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != requirements.read_text():
        print(f"  installing: {requirements.name}", flush=True)
        # Debian's own Python, for whose version the requirements are pinned.
        run_command(["/usr/bin/python3", "-m", "venv", "--clear", folder])
        run_command([folder / "bin" / "pip", "install", "--require-hashes", "--only-binary",
                     ":all:", "-r", requirements])
        shutil.copyfile(requirements, stamp)
    return folder / "bin"
