"""Tables of what was measured, on the terminal and for docs/BENCHMARKS.md."""

import dataclasses
import datetime
import json
import os
import platform

from parts.contestants import FOREBAY
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
    date: str = ""

    def save(self, folder):
        (folder / f"{self.name}.json").write_text(json.dumps(dataclasses.asdict(self), indent=1))


def measured(case, results, rounds, scale):
    table = []
    for result in results:
        least, most = spread(result.uses, "cpu")
        name = result.name + ": WRONG TABLE" * result.wrong
        table.append([name, str(len(result.uses)), f"{median(result.uses, 'cpu'):.2f}",
                      f"{least:.2f} to {most:.2f}", f"{median(result.uses, 'wall'):.2f}",
                      f"{median(result.uses, 'memory'):.0f}", f"{result.file_mb:.0f}"])
    ratios = ratios_of(case, results, "CPU", "cpu")
    if case.elapsed:
        ratios += ratios_of(case, results, "elapsed", "wall")
    return Measured(case.name, case.title, case.note, rounds, scale, table, ratios,
                    datetime.date.today().isoformat())


def ratios_of(case, results, of, field):
    """Those of contestants that took part and whose tables are right."""
    took = {result.name: median(result.uses, field) for result in results if not result.wrong}
    found = []
    for first, second, *goal in case.ratios:
        if first in took and second in took:
            found.append({"of": of, "first": first, "second": second,
                          "value": round(took[first] / took[second], 3),
                          "goal": goal[0] if goal else None})
    return found


def ratio_text(ratio):
    value, goal = ratio["value"], ratio["goal"]
    said = f"{ratio['first']} : {ratio['second']} = {value:.2f}"
    if ratio["of"] != "CPU":
        return f"{said} ({ratio['of']})"
    if not goal:
        return said
    less = ratio["first"] == FOREBAY
    met = round(value, 2) <= goal if less else round(value, 2) >= goal
    return f"{said} (goal: at {'most' if less else 'least'} {goal:.2f}{'' if met else ', missed'})"


def text(one):
    widths = [max(len(row[i]) for row in [HEAD, *one.table]) for i in range(len(HEAD))]
    lines = [f"{one.title} ({one.rounds} rounds)"]
    for row in [HEAD, *one.table]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  " + "  ".join(cells))
    return "\n".join(lines + [f"  {ratio_text(ratio)}" for ratio in one.ratios])


def markdown(one):
    lines = [f"## {one.title}", ""]
    if one.note:
        lines += [one.note, ""]
    lines += ["| " + " | ".join(HEAD) + " |", "| --- |" + " ---: |" * (len(HEAD) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in one.table]
    if one.ratios:
        lines += ["", "CPU: " + "; ".join(f"**{ratio_text(ratio)}**" for ratio in one.ratios) + "."]
    date = one.date and f", {one.date}"
    lines += ["", f"Medians of the runs, {one.rounds} interleaved rounds{date}. `bench/run"
              f"{'' if one.rounds == 5 else f' --rounds {one.rounds}'} {one.name}`", ""]
    return "\n".join(lines)


def machine():
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f"{os.cpu_count()} processors ({platform.machine()}), {memory:.0f} GB of memory"


def document(folder, names, versions, plot_name):
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

![Ratios of CPU seconds, case by case, with their goals]({plot_name})
"""
    return "\n".join([head, *parts]).rstrip() + "\n"
