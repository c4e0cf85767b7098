"""What a case is, and the contestants that many have: forebay, and the SQL by hand."""

import dataclasses

from parts import forebay, hand
from parts.bench import Contestant

FOREBAY = "forebay load"
BY_HAND = "by hand"


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    title: str
    contestants: object  # Bench -> list of Contestant
    ratios: tuple = ()   # pairs of contestants: how many times the second one's CPU the first takes
    note: str = ""
    elapsed: bool = False  # the ratios of elapsed time too


def loaded_template(bench, feed, units):
    """The feed's first `units` markers, loaded by forebay."""
    def make(path):
        bench.run_forebay(forebay.load(bench.forebay, feed, path, units))
    return bench.template(feed, f"forebay-{bench.forebay_digest}-{units}", make)


def forebay_contestant(bench, feed, units, start_after, name=FOREBAY, source=None, options=()):
    return Contestant(
        name, template=loaded_template(bench, feed, start_after) if start_after else None,
        commands=lambda database: [forebay.load(bench.forebay, feed, database, units or None,
                                                source, options)],
        check=lambda output: forebay.expect_units(output, units))


def hand_contestant(bench, feed, sql, base, name=BY_HAND, settings=hand.SETTINGS, memory=None):
    def make(path):
        bench.run_hand(path, hand.SETTINGS + hand.snapshot(feed.snapshot_files()))
    return Contestant(
        name, template=bench.template(feed, "hand", make) if base else None,
        commands=lambda database: [bench.hand_command(database, name, settings + sql, memory)])
