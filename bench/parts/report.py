"""Tables of what was measured, on the terminal and for docs/BENCHMARKS.md."""

import dataclasses
import json
import os
import platform

from parts.measure import median, spread

HEAD = ("contestant", "runs", "CPU s", "least to most", "elapsed s", "peak MB", "file MB")


@dataclasses.dataclass
class Measured:
    """One case, measured: what is kept between runs, so that cases can be run one by one."""
    name: str
    title: str
    note: str
    rounds: int
    scale: float
    table: list
    ratios: list

    def save(self, folder):
        (folder / f"{self.name}.json").write_text(json.dumps(dataclasses.asdict(self), indent=1))


def measured(case, results, rounds, scale):
    table = []
    for result in results:
        least, most = spread(result.uses, "cpu")
        table.append([result.name, str(len(result.uses)), f"{median(result.uses, 'cpu'):.2f}",
                      f"{least:.2f} to {most:.2f}", f"{median(result.uses, 'wall'):.2f}",
                      f"{median(result.uses, 'memory'):.0f}", f"{result.file_mb:.0f}"])
    cpu = {result.name: median(result.uses, "cpu") for result in results}
    ratios = [f"{first} : {second} = {cpu[first] / cpu[second]:.2f}"
              for first, second in case.ratios if first in cpu and second in cpu]
    if case.elapsed:
        wall = {result.name: median(result.uses, "wall") for result in results}
        ratios += [f"{first} : {second}, elapsed = {wall[first] / wall[second]:.2f}"
                   for first, second in case.ratios if first in wall and second in wall]
    return Measured(case.name, case.title, case.note, rounds, scale, table, ratios)


def text(one):
    widths = [max(len(row[i]) for row in [HEAD, *one.table]) for i in range(len(HEAD))]
    lines = [f"{one.title} ({one.rounds} rounds)"]
    for row in [HEAD, *one.table]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  " + "  ".join(cells))
    return "\n".join(lines + [f"  {ratio}" for ratio in one.ratios])


def markdown(one):
    lines = [f"## {one.title}", ""]
    if one.note:
        lines += [one.note, ""]
    lines += ["| " + " | ".join(HEAD) + " |", "| --- |" + " ---: |" * (len(HEAD) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in one.table]
    if one.ratios:
        lines += ["", "CPU: " + "; ".join(f"**{ratio}**" for ratio in one.ratios) + "."]
    lines += ["", f"Medians of the runs, {one.rounds} interleaved rounds. `bench/run {one.name}`", ""]
    return "\n".join(lines)


def machine():
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f"{os.cpu_count()} processors ({platform.machine()}), {memory:.0f} GB of memory"


def document(folder, names, versions):
    """Of the cases in `folder` that were measured whole; None if there is none."""
    parts = []
    for name in names:
        path = folder / f"{name}.json"
        if path.exists():
            one = Measured(**json.loads(path.read_text()))
            if one.scale == 1:
                parts.append(markdown(one))
    if not parts:
        return None
    head = f"""# Benchmarks

Written by `bench/run`, which measured every number here; [bench/README.md](../bench/README.md) says how. CPU s is user and system time of the process
by the kernel's account, which other work on the machine disturbs less than elapsed time. Contestants that load the same
files ended with equal tables: by count and by sums over every column.

{machine()}. {versions}.
"""
    return "\n".join([head, *parts]).rstrip() + "\n"
