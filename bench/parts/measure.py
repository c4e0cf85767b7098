"""Runs commands and takes what the kernel counted for them."""

import dataclasses
import os
import statistics
import subprocess
import tempfile
import time


class Failed(Exception):
    """A command failed, or tables differ."""


@dataclasses.dataclass
class Use:
    """What one run took: CPU seconds of user and system, wall seconds, peak memory in MB."""
    cpu: float = 0.0
    wall: float = 0.0
    memory: float = 0.0
    output: str = ""

    def add(self, other):
        self.cpu += other.cpu
        self.wall += other.wall
        self.memory = max(self.memory, other.memory)
        self.output = other.output


def run_command(command):
    """The command's own use: the kernel's numbers for that child, not for all children."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                                   stderr=errors, text=True)
        output = process.stdout.read()
        process.stdout.close()
        _, status, used = os.wait4(process.pid, 0)
        errors.seek(0)
        said = errors.read()
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    if process.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}\nended with {process.returncode}:\n"
                     f"{output[-2000:]}{said[-2000:]}")
    return Use(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, output)


def run_commands(commands):
    total = Use()
    for command in commands:
        total.add(run_command(command))
    return total


def median(uses, field):
    return statistics.median(getattr(use, field) for use in uses)


def spread(uses, field):
    values = [getattr(use, field) for use in uses]
    return min(values), max(values)
