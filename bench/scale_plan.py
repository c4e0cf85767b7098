#!/usr/bin/env python3
"""What polling a bucket costs as it grows to a billion objects: the tables of docs/SCALE.md.

A bucket grows by so many objects a day for 1,000 days. For each layout the requests of one idle poll
are counted day by day, the way `forebay plan` would list it, and priced. Nothing is measured here;
what a ledger entry takes is (docs/BENCHMARKS.md), and is an argument.
"""

import argparse

PAGE = 1000  # keys that a LIST answers
DAYS = 1000


def pages(keys):
    """LIST requests for so many keys below one prefix: an empty one costs a request too."""
    return max(1, -(-keys // PAGE))


def dated(per_day, window):
    """One prefix for each day of the window, today's included."""
    return sum(pages(per_day) for _ in range(window + 1))


def hourly(per_day, window):
    """Days and hours in the keys, a window in hours: one prefix for each hour."""
    return sum(pages(per_day // 24) for _ in range(window + 1))


def growing(per_day, lookback_hours):
    """Names that begin with their time: from the mark minus the look-back on."""
    return pages(per_day * lookback_hours // 24)


LAYOUTS = (
    ("day in the key, window 2d", lambda per_day: dated(per_day, 2)),
    ("hour in the key, window 6h", lambda per_day: hourly(per_day, 6)),
    ("time at the start of the name, look-back 1h", lambda per_day: growing(per_day, 1)),
    ("nothing in the key: all of it", lambda per_day: pages(per_day * DAYS)),
)


def money(amount):
    return f"{amount:,.2f}" if amount < 100 else f"{amount:,.0f}"


def polling(arguments):
    month = 30 * 24 * 60
    print("| objects | a day | layout | LIST per idle poll | every minute | every 15 minutes | "
          "every hour |")
    print("| ---: | ---: | --- | ---: | ---: | ---: | ---: |")
    for objects in (10**6, 10**7, 10**8, 10**9):
        per_day = objects // DAYS
        for layout, requests in LAYOUTS:
            count = requests(per_day)
            costs = [money(count * month / minutes * arguments.list / 1000)
                     for minutes in (1, 15, 60)]
            print(f"| {objects:,} | {per_day:,} | {layout} | {count:,} | " + " | ".join(costs)
                  + " |")


def once(arguments):
    print("| objects | reading each once | one full listing | 30 of them | its time, 10 pages a "
          "second | ledger |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for objects in (10**6, 10**7, 10**8, 10**9):
        listing = pages(objects)
        print(f"| {objects:,} | {money(objects * arguments.get / 1000)} | "
              f"{money(listing * arguments.list / 1000)} | "
              f"{money(30 * listing * arguments.list / 1000)} | {listing / 10 / 60:,.0f} min | "
              f"{objects * arguments.entry / 1e9:,.1f} GB |")


def notifications(arguments):
    """A queue: each event is sent once, received and deleted ten at a time, and asked for every 20
    seconds while nothing comes."""
    print("| new objects a day | queue, a month | polling every minute, day in the key |")
    print("| ---: | ---: | ---: |")
    idle = 30 * 24 * 60 * 3
    for per_day in (1_000, 10_000, 100_000, 1_000_000):
        requests = per_day * 30 * 1.2 + idle
        polls = dated(per_day, 2) * 30 * 24 * 60
        print(f"| {per_day:,} | {money(requests * arguments.queue / 1e6)} | "
              f"{money(polls * arguments.list / 1000)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", type=float, default=0.005, help="1,000 LIST requests")
    parser.add_argument("--get", type=float, default=0.0004, help="1,000 GET requests")
    parser.add_argument("--queue", type=float, default=0.40, help="1,000,000 requests to a queue")
    parser.add_argument("--entry", type=float, default=95, help="bytes of the ledger per object")
    arguments = parser.parse_args()
    for table in (polling, once, notifications):
        table(arguments)
        print()


if __name__ == "__main__":
    main()
