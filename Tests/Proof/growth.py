"""How time grows with the number of events: agenda and other programs in turns, and the picture of it in the README."""

from __future__ import annotations

import collections
import math
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from bench import BUILD, ROOT, Bench, Failure, libical_programs, make_calendar
import speed

sys.path.insert(0, str(ROOT / "Tests/Oracles"))
import show_others  # noqa: E402

NAME = "growth"
TITLE = "Growth"
ABOUT = (
    "Each program reads calendars that `Tests/Benchmarks/make-calendar` makes, does what its manual describes, and "
    "prints the next 30 days, in turns with the others. The times are processor times of whole processes: the "
    "median of three rounds, from 100,000 events on of one. A program that needs longer than the limit by the clock "
    "is stopped, and not tried with more events. With `--size hour` all programs take part, if they are installed; "
    "`Tests/Oracles/install-others` installs them.")

OTHERS = BUILD / "proof/others/bin"
PACKAGES = BUILD / "python/bin"
FROM, DAYS = show_others.FROM.isoformat(), "30"
NOW = FROM + "T09:00:00+01:00"
LIBRARY = """
import datetime, sys, icalendar, recurring_ical_events
with open(sys.argv[1], "rb") as file:
    calendar = icalendar.Calendar.from_ical(file.read())
begin = datetime.datetime.fromisoformat(sys.argv[2])
for event in recurring_ical_events.of(calendar).between(begin, begin + datetime.timedelta(days=int(sys.argv[3]))):
    print(event["DTSTART"].dt, event.get("SUMMARY"))
"""
# What is drawn in the README: one line for each program.
DRAWN = {
    "agenda show FILE": "agenda",
    "libical parses FILE": "libical, only parsing",
    "remind: convert and print": "remind",
    "calcurse: import and print": "calcurse",
    "recurring-ical-events": "recurring-ical-events",
    "khal: import and print": "khal",
    "agenda today, from the store": "agenda today, from its store",
}


class Program:
    """Commands that are measured together. Each begins in an empty folder."""

    def __init__(self, name: str, prepare=None, *commands: list[str]):
        self.name, self.prepare, self.commands = name, prepare, commands


def programs(agenda: pathlib.Path, baseline: pathlib.Path) -> list[Program]:
    now = ["--now", NOW]
    found = [
        Program("agenda show FILE", None, [agenda, "show", "calendar.ics", "--days", DAYS, *now]),
        Program("libical parses FILE", None, [baseline / "parse", "calendar.ics"]),
        Program("agenda import FILE", None, [agenda, "import", "calendar.ics", "--quiet", *now]),
        Program(
            "agenda today, from the store", [agenda, "import", "calendar.ics", "--quiet", *now],
            [agenda, "today", *now]),
    ]
    python, khal, rem = PACKAGES / "python3", PACKAGES / "khal", OTHERS / "ics2rem"
    if khal.exists():
        found.append(Program(
            "khal: import and print", None,
            [khal, "-c", "khal.conf", "import", "--batch", "-a", "cal", "calendar.ics"],
            [khal, "-c", "khal.conf", "list", FROM, f"{DAYS}d"]))
    if shutil.which("calcurse"):
        base = ["calcurse", "-D", ".", "-C", "."]
        found.append(Program(
            "calcurse: import and print", None, [*base, "-i", "calendar.ics"],
            [*base, "--input-datefmt", "4", "-Q", "--filter-type", "cal", "--from", FROM, "--days", DAYS]))
    if shutil.which("remind") and rem.exists():
        found.append(Program(
            "remind: convert and print", None, [rem, "-z", show_others.ZONE, "calendar.ics", "reminders"],
            ["remind", "-s+5", "-b1", "reminders", FROM]))
    if python.exists():
        found.append(Program(
            "recurring-ical-events", None, [python, "-c", LIBRARY, "calendar.ics", FROM, DAYS]))
    return found


def measure(program: Program, calendar: pathlib.Path, limit: float) -> tuple[float, float] | None:
    """Processor time in seconds and peak memory in MiB; `None` if it takes longer than the limit."""
    with tempfile.TemporaryDirectory(prefix="proof-") as name:
        home = pathlib.Path(name)
        (home / "calendar.ics").symlink_to(calendar)
        (home / "vdir").mkdir()
        (home / "khal.conf").write_text(show_others.KHAL_CONFIGURATION.format(home=home, zone=show_others.ZONE))
        environment = {
            "PATH": os.environ["PATH"], "HOME": name, "TZ": show_others.ZONE, "LC_ALL": "C.UTF-8",
            "AGENDA_STORE": str(home / "agenda.sqlite")}

        def run(command) -> None:
            nothing = subprocess.DEVNULL
            done = subprocess.run(
                command, stdin=nothing, stdout=nothing, stderr=nothing, cwd=home, env=environment, timeout=limit)
            # Other programs say so if they have left an event out.
            if done.returncode != 0 and program.name.startswith(("agenda", "libical", "C on")):
                raise Failure(f"{program.name}: exit code {done.returncode}")

        if program.prepare:
            run(program.prepare)
        # The child waits for its commands, so that their times and memory can be told from others.
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 0
            try:
                for command in program.commands:
                    run(command)
            except subprocess.TimeoutExpired:
                status = 3
            except (Failure, OSError):
                status = 4
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            os.write(writing, f"{usage.ru_utime + usage.ru_stime} {usage.ru_maxrss / 1024}".encode())
            os._exit(status)
        os.close(writing)
        text = os.read(reading, 100)
        os.close(reading)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 4:
        raise Failure(f"{program.name} fails")
    seconds, memory = map(float, text.split())
    return None if status == 3 else (seconds, memory)


def run(bench: Bench) -> None:
    agenda = speed.program(bench)
    baseline = libical_programs()
    sizes = bench.choose([1000], [1000, 10_000, 100_000, 1_000_000], [1000, 10_000, 100_000, 1_000_000])
    limit = bench.choose(10, 30, 600)
    all_programs = programs(agenda, baseline)
    if bench.size == "minutes":
        all_programs = all_programs[:4]
    rows, slow = [], set()
    times: dict[str, dict[int, float]] = collections.defaultdict(dict)
    with bench.measure(f".ci/prove --size {bench.size} growth") as measured, tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            calendar = pathlib.Path(folder) / f"{size}.ics"
            make_calendar(calendar, size)
            found: dict[str, list[tuple[float, float]]] = collections.defaultdict(list)
            rounds = 3 if size <= 10_000 else 1
            for _ in range(rounds):
                print(f"       {size:,} events", flush=True)
                for program in all_programs:
                    if program.name in slow:
                        continue
                    result = measure(program, calendar, limit)
                    if result is None:
                        slow.add(program.name)
                        rows.append([program.name, size, f"more than {limit} s", ""])
                    else:
                        found[program.name].append(result)
            for name, results in found.items():
                if name in slow:
                    continue
                seconds, memory = (statistics.median(column) for column in zip(*results))
                times[name][size] = seconds
                rows.append([name, size, f"{seconds:.3f} s", f"{memory:.0f} MiB"])
            calendar.unlink()
        rows.sort(key=lambda row: row[1])
        measured.table("processor time and memory", ["program", "events", "processor time", "peak memory"], rows)
        show, parse = times["agenda show FILE"], times["libical parses FILE"]
        if len(show) > 1:
            # Cost that grows faster than the work is an error.
            first, last = sorted(show)[-2:]
            measured.figure(
                f"`agenda show`: {last:,} events against {first:,}", round(show[last] / show[first], 1),
                "times the processor time", right=show[last] / show[first] < 1.2 * last / first)
        both = show.keys() & parse.keys()
        if both:
            # The start of a process counts most with few events.
            size = max(both)
            measured.figure(
                f"`agenda show` against libical's parse, {size:,} events", round(show[size] / parse[size], 2),
                "of its processor time", right=show[size] < parse[size] if size > 1000 else None)


def sabotage(bench: Bench):
    baseline = libical_programs()
    with tempfile.TemporaryDirectory(prefix="proof-") as name:
        calendar = pathlib.Path(name) / "calendar.ics"
        make_calendar(calendar, 200)
        parse = Program("once", None, [baseline / "parse", "calendar.ics"])
        wait = Program("for ever", None, ["sleep", "30"])
        busy = Program("busy", None, [sys.executable, "-c", "for _ in range(10 ** 7): pass"])
        once, more = measure(parse, calendar, 10), measure(busy, calendar, 10)
        yield "a program that does not end", measure(wait, calendar, 0.5) is None
        yield "a program that needs more time", once is not None and more is not None and more[0] > 2 * once[0]


# The picture

COLORS = ["#0a7d4f", "#555555", "#9a6b00", "#1f6feb", "#8a3ffc", "#c0392b", "#2ea043"]


def draw(rows: list[list], version: str, date: str) -> str:
    """Both axes are logarithmic: time that grows as the number of events does is a straight line."""
    points: dict[str, list[tuple[int, float]]] = collections.defaultdict(list)
    for name, events, seconds, _ in rows:
        match = re.fullmatch(r"([\d.]+) s", seconds)
        if name in DRAWN and match:
            points[name].append((events, float(match[1])))
    left, top, width, height = 60, 34, 420, 300
    small, large, quick, long = 1000, 1_000_000, 0.005, 100

    def x(events: float) -> float:
        return left + width * math.log(events / small) / math.log(large / small)

    def y(seconds: float) -> float:
        return top + height * (1 - math.log(max(seconds, quick) / quick) / math.log(long / quick))

    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 390" font-family="sans-serif" font-size="12">',
        "<title>Processor time for the agenda of 30 days, by the number of events</title>",
        '<rect width="700" height="390" fill="#ffffff"/>',
        f'<text x="{left}" y="18" font-weight="bold">Processor time for the agenda of 30 days</text>',
    ]
    for seconds, text in [(0.01, "10 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (100, "100 s")]:
        lines.append(
            f'<path d="M{left} {y(seconds):.1f}h{width}" stroke="#dddddd"/>'
            f'<text x="{left - 6}" y="{y(seconds) + 4:.1f}" text-anchor="end" fill="#333333">{text}</text>')
    for events in (1000, 10_000, 100_000, 1_000_000):
        lines.append(
            f'<path d="M{x(events):.1f} {top}v{height}" stroke="#eeeeee"/>'
            f'<text x="{x(events):.1f}" y="{top + height + 18}" text-anchor="middle" fill="#333333">{events:,}</text>')
    lines.append(
        f'<text x="{left + width / 2:.0f}" y="{top + height + 38}" text-anchor="middle" fill="#333333">events</text>')
    # A name is right of the last point, or above a line that ends early; names that would touch move apart.
    placed: dict[float, float] = {}
    for name, found in sorted(points.items(), key=lambda item: (-item[1][-1][0], item[1][-1][1])):
        color = COLORS[list(DRAWN).index(name) % len(COLORS)]
        end, at = x(found[-1][0]), y(found[-1][1])
        path = " ".join(f"{'M' if n == 0 else 'L'}{x(e):.1f} {y(s):.1f}" for n, (e, s) in enumerate(found))
        stroke = 3 if name.startswith("agenda") else 1.5
        lines.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{stroke}"/>')
        lines += [f'<circle cx="{x(e):.1f}" cy="{y(s):.1f}" r="3" fill="{color}"/>' for e, s in found]
        is_last, is_first = end > left + width - 1, end < left + 1
        wanted = at + 4 if is_last or is_first else at - 22
        placed[end] = min(wanted, placed.get(end, math.inf) - 15)
        anchor, shift = ("start", 8) if is_last or is_first else ("end", -4)
        lines.append(
            f'<text x="{end + shift:.1f}" y="{placed[end]:.1f}" text-anchor="{anchor}" fill="{color}">'
            f"{DRAWN[name]}</text>")
    lines.append(
        f'<text x="{left}" y="384" fill="#666666" font-size="10">.ci/prove --size hour growth, {version}, {date}; '
        "a line that ends early took more than 30 s</text>")
    return "\n".join([*lines, "</svg>", ""])
