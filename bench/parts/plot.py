"""Draws the ratios of every case that was measured whole, with their goals. Run by the Python of
the environment `tools`, which has matplotlib.

usage: plot.py RESULTS FILE.svg CASE…"""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
# The same picture for the same numbers.
matplotlib.rcParams.update({"svg.hashsalt": "forebay", "svg.fonttype": "none", "font.size": 9})
from matplotlib import pyplot  # noqa: E402  (after the choice of what draws)

LIMIT = "CPU of forebay ÷ CPU of the best SQL by hand (1 is the limit; less is better)"
PEERS = "CPU of the other loader ÷ CPU of forebay (more is better)"


def ratios(folder, names):
    """(case, ratio) of what was measured whole."""
    for name in names:
        path = folder / f"{name}.json"
        if path.exists():
            one = json.loads(path.read_text())
            if one["scale"] == 1:
                yield from ((name, ratio) for ratio in one["ratios"] if ratio["of"] == "CPU")


def peer_label(name, ratio):
    against = "" if ratio["second"] == "forebay load" else f", forebay {ratio['second']}"
    return f"{name.removeprefix('peers-')}: {ratio['first']}{against}"


def draw(axes, bars, title, colour):
    labels = [label for label, _ in bars]
    axes.barh(range(len(bars)), [ratio["value"] for _, ratio in bars], color=colour, height=0.6)
    axes.set_yticks(range(len(bars)), labels)
    axes.invert_yaxis()
    axes.set_title(title, fontsize=10, loc="left")
    axes.axvline(1, color="black", linewidth=0.8)
    for row, (_, ratio) in enumerate(bars):
        axes.annotate(f"{ratio['value']:.2f}", (ratio["value"], row), xytext=(3, 0),
                      textcoords="offset points", va="center", fontsize=8)
        if ratio["goal"]:
            axes.plot([ratio["goal"]] * 2, [row - 0.4, row + 0.4], color="crimson", linewidth=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.margins(x=0.12)


def main():
    folder, target = map(pathlib.Path, sys.argv[1:3])
    found = list(ratios(folder, sys.argv[3:]))
    limit = [(name if ratio["second"] == "by hand" else f"{name}: {ratio['second']}", ratio)
             for name, ratio in found if ratio["first"] == "forebay load"]
    peers = [(peer_label(name, ratio), ratio) for name, ratio in found if name.startswith("peers-")]
    panels = [panel for panel in ((limit, LIMIT, "steelblue"), (peers, PEERS, "darkseagreen"))
              if panel[0]]
    if not panels:
        return
    heights = [len(bars) for bars, _, _ in panels]
    figure, axes = pyplot.subplots(len(panels), squeeze=False, layout="constrained",
                                   figsize=(9, 0.32 * sum(heights) + 1.1 * len(panels)),
                                   height_ratios=heights)
    for (bars, title, colour), one in zip(panels, axes[:, 0]):
        draw(one, bars, title, colour)
        if bars is peers:
            one.set_xscale("log")
            one.xaxis.set_major_formatter("{x:g}")
    figure.supxlabel("red: the goal", fontsize=8)
    figure.savefig(target, metadata={"Date": None, "Creator": "bench/run"})


if __name__ == "__main__":
    main()
