"""The scripts of Tests/Benchmarks that take turns with libical, curl and vdirsyncer, one after the other."""

from __future__ import annotations

import re
import sys

import following
from bench import BUILD, ROOT, Bench, Failure, Skipped, libical_programs, make_calendar, optimised, run as run_program

NAME = "times"
TITLE = "Times"
ABOUT = (
    "Whole processes of the optimised program, in turns with programs that do the same by libical, or with "
    "`agenda today` on the same store. Medians; the ratios are those to the first row of the same table, and of "
    "processor times. [Performance](Performance.md) says what each row does. Only `--size hour` and `night` measure; "
    "a busy machine changes the times, and the ratios hardly.\n\n" + following.ABOUT)

SCRIPTS = ROOT / "Tests/Benchmarks"
CALENDARS = {"small": (1000, 1), "medium": (20_000, 2), "large": (200_000, 3)}
# Each run, and the largest ratio that it may have.
RUNS = [
    ("showing", ["small.ics", "9"], 0.6),
    ("showing", ["medium.ics", "5"], 0.6),
    ("reading", ["medium.ics"], 0.9),
    ("reading", ["large.ics"], 0.9),
    ("importing", ["small.ics", "9"], 1.5),
    ("importing", ["medium.ics"], 1.5),
    ("importing", ["large.ics"], 1.5),
    ("writing", ["20000", "3"], 3),
]
LINE = re.compile(
    r"(?P<name>.+?) +(?P<wall>[\d.]+) ms \([\d.]+\) +(?P<processor>[\d.]+) ms of processor \((?P<ratio>[\d.]+)\) +"
    r"(?P<memory>\d+) MiB")


def rows_of(output: str) -> list[list]:
    """What `turns.py` prints: name, milliseconds by the clock and of the processor, ratio, MiB."""
    found = [LINE.fullmatch(line) for line in output.splitlines()]
    return [
        [row["name"].strip(), float(row["wall"]), float(row["processor"]), float(row["ratio"]), int(row["memory"])]
        for row in found if row]


def slow(rows: list[list], most: float) -> list[str]:
    """The rows of agenda that need longer than they may."""
    return [row[0] for row in rows if row[3] > most and not row[0].startswith("libical")]


def calendar(name: str) -> str:
    path = BUILD / "proof" / f"{name}.ics"
    if not path.exists():
        make_calendar(path, *CALENDARS[name])
    return str(path)


def run(bench: Bench) -> None:
    if bench.size == "minutes":
        raise Skipped("needs an optimised build and some minutes of an idle machine: --size hour")
    agenda = optimised("agenda")
    optimised("Benchmarks")
    libical_programs()
    for script, arguments, most in RUNS:
        words = [calendar(word.removesuffix(".ics")) if word.endswith(".ics") else word for word in arguments]
        with bench.measure(f"Tests/Benchmarks/{script} {' '.join(arguments)}") as measured:
            done = run_program([sys.executable, "-B", SCRIPTS / script, *words])
            rows = rows_of(done.stdout.decode())
            if done.returncode != 0 or len(rows) < 3:
                raise Failure(f"{script}: {(done.stdout + done.stderr).decode(errors='replace')[-300:]}")
            late = slow(rows, most)
            title = f"{script} {arguments[0]}"
            measured.figure(
                f"{title}: rows that need more than {most} times the first one", len(late), " ".join(["rows", *late]),
                right=not late)
            measured.table(
                title, ["what", "time", "processor time", "ratio", "peak memory"],
                [[name, f"{wall:.1f} ms", f"{processor:.1f} ms", f"{ratio:.2f}", f"{memory} MiB"]
                 for name, wall, processor, ratio, memory in rows])
    following.follow(bench, agenda)


def sabotage(bench: Bench):
    output = (
        "libical             147.9 ms (1.000)     58.6 ms of processor (1.000)     15 MiB\n"
        "week as a grid       31.7 ms (0.214)     82.9 ms of processor (1.415)     23 MiB\n"
        "libical, cut        347.9 ms (2.000)    158.6 ms of processor (2.700)     15 MiB\n")
    yield "a row of agenda that needs longer than libical", slow(rows_of(output), 0.9) == ["week as a grid"]
    yield "a row of libical is none of agenda", slow(rows_of(output), 1.5) == []
    yield from following.sabotage()
