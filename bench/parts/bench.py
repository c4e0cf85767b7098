"""The workshop: where things lie, and one race between contestants."""

import contextlib
import dataclasses
import functools
import hashlib
import pathlib
import re
import shutil
import typing

from parts import measure, rows
from parts.feed import TABLE


@dataclasses.dataclass
class Contestant:
    """Commands that bring a copy of `template` (or no database) to the state that is compared."""
    name: str
    commands: typing.Callable  # database -> list of commands
    template: pathlib.Path | None = None
    check: typing.Callable = lambda output: None  # raises Failed when the output is not as it must be
    compared: bool = True  # its table must equal the others'
    digest_sql: str = rows.digest_sql(TABLE)  # what is compared
    at_most: int = 1_000_000  # rounds that it takes part in, where one lasts minutes
    peer: bool = False  # another loader: if its table is wrong, that is a result


@dataclasses.dataclass
class Result:
    """Of one contestant."""
    name: str
    uses: list = dataclasses.field(default_factory=list)
    file_mb: float = 0.0
    digest: str = ""
    peer: bool = False
    wrong: bool = False  # its table is not that of the others


class Bench:
    def __init__(self, arguments):
        self.work = pathlib.Path(arguments.work).resolve()
        self.forebay = arguments.forebay and pathlib.Path(arguments.forebay).resolve()
        self.hand_sql = pathlib.Path(arguments.hand_sql).resolve()
        self.threads = arguments.threads
        self.memory = arguments.memory
        self.seed = arguments.seed
        self.scale = arguments.scale
        self.rounds = arguments.rounds
        self.until_the_end = contextlib.ExitStack()  # servers that contestants need
        self.say = lambda text: print(text, flush=True)
        for name in ("feeds", "scripts", "templates", "results"):
            (self.work / name).mkdir(parents=True, exist_ok=True)

    def scaled(self, count):
        return max(1, round(count * self.scale))

    def script(self, name, sql):
        path = self.work / "scripts" / (re.sub("[^a-z0-9]+", "-", name) + ".sql")
        path.write_text(sql)
        return path

    def hand_command(self, database, name, sql, memory=None):
        return [self.hand_sql, "-t", self.threads, "-m", memory or self.memory, database,
                self.script(name, sql)]

    def run_hand(self, database, sql):
        return measure.run_command(self.hand_command(database, "once", sql)).output

    def run_forebay(self, command):
        return measure.run_command(command).output

    def made_feed(self, feed):
        self.say(f"  data: {feed.folder.name}")
        if feed.make(self.run_hand):
            for old in (self.work / "templates").glob(f"{feed.folder.name}--*"):
                old.unlink()
        return feed

    def template(self, feed, name, make):
        """A database that `make(path)` brings into being, kept until the feed is made anew."""
        path = self.work / "templates" / f"{feed.folder.name}--{name}.duckdb"
        if not path.exists():
            self.say(f"  database: {path.stem}")
            partial = path.with_suffix(".partial")
            remove_database(partial)
            make(partial)
            partial.rename(path)
        return path

    @functools.cached_property
    def forebay_digest(self):
        """Tells builds apart: what one build has loaded is not another's to start from."""
        return hashlib.sha256(self.forebay.read_bytes()).hexdigest()[:8]

    def digest(self, database, sql):
        return self.run_hand(database, sql).strip()

    def race(self, contestants, rounds):
        """`rounds` runs of each, interleaved. In the first round the tables are compared."""
        results = [Result(contestant.name, peer=contestant.peer) for contestant in contestants]
        database = self.work / "run.duckdb"
        for number in range(rounds):
            for contestant, result in zip(contestants, results):
                if number >= contestant.at_most:
                    continue
                remove_database(database)
                if contestant.template:
                    shutil.copyfile(contestant.template, database)
                use = measure.run_commands(contestant.commands(database))
                contestant.check(use.output)
                result.uses.append(use)
                result.file_mb = database.stat().st_size / 1e6 if database.exists() else 0
                if number == 0 and contestant.compared:
                    result.digest = self.digest(database, contestant.digest_sql)
                self.say(f"  round {number + 1}: {contestant.name}: {use.cpu:.2f} s CPU,"
                         f" {use.wall:.2f} s, {use.memory:.0f} MB")
        remove_database(database)
        check_equal(results)
        return results


def remove_database(path):
    path.unlink(missing_ok=True)
    path.with_name(path.name + ".wal").unlink(missing_ok=True)


def check_equal(results):
    """The first of them that is compared is right; a peer that differs is marked, others may not."""
    compared = [result for result in results if result.digest]
    for result in compared[1:]:
        if result.digest == compared[0].digest:
            continue
        differ = (f"the tables differ (count, sums):\n{compared[0].name}: {compared[0].digest}\n"
                  f"{result.name}: {result.digest}")
        if not result.peer:
            raise measure.Failed(differ)
        print(differ, flush=True)
        result.wrong = True
