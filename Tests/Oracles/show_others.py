#!/usr/bin/env python3
"""What other calendar programs print for the files of `Fixtures/comparison`, next to the right result.

    show_others.py --agenda .build/release/agenda --khal khal --calcurse calcurse --remind remind --ics2rem ics2rem

Each program reads each file as its manual describes, in the zone Europe/Berlin, for the year from 21 November 2026. A program is given an
own empty home. A cell is `right` or describes the difference; the table is Markdown.

With `--times calendar.ics` it measures instead how long each takes to bring in that calendar, where it has to, and to print the year. Of five
runs it prints the median of the processor time, and of the elapsed time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta

ZONE = "Europe/Berlin"
FROM, DAYS = date(2026, 11, 21), 365
TIMEOUT = 60

KHAL_CONFIGURATION = """[calendars]
[[cal]]
path = {home}/vdir
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
local_timezone = {zone}
default_timezone = {zone}
[sqlite]
path = {home}/khal.db
[default]
default_calendar = cal
"""


class Outcome:
    def __init__(self, lines: list[str], statuses: list[int | None], errors: bytes, output: bytes):
        self.lines, self.statuses, self.errors, self.output = sorted(lines), statuses, errors, output


def run(arguments: list[str], home: str, **more) -> subprocess.CompletedProcess:
    environment = {"PATH": os.environ["PATH"], "HOME": home, "TZ": ZONE, "LC_ALL": "C.UTF-8"}
    return subprocess.run(arguments, capture_output=True, timeout=TIMEOUT, env=environment, cwd=home, **more)


def agenda(programs: argparse.Namespace, path: str, home: str) -> Outcome:
    result = run(
        [programs.agenda, "show", path, "--from", FROM.isoformat(), "--years", "1", "--once", "--format", "json"], home)
    lines = []
    if result.stdout.strip():
        for section in json.loads(result.stdout)["sections"]:
            for entry in section["entries"]:
                clock = "" if entry["allDay"] else entry["start"][11:16] + " "
                lines.append(f"{entry['start'][:10]} {clock}{entry['title']}")
    text = run([programs.agenda, "show", path, "--from", FROM.isoformat()], home)
    return Outcome(lines, [result.returncode], result.stderr, text.stdout)


def khal(programs: argparse.Namespace, path: str, home: str) -> Outcome:
    os.mkdir(os.path.join(home, "vdir"))
    configuration = os.path.join(home, "khal.conf")
    with open(configuration, "w", encoding="utf-8") as stream:
        stream.write(KHAL_CONFIGURATION.format(home=home, zone=ZONE))
    brought = run([programs.khal, "-c", configuration, "import", "--batch", "-a", "cal", path], home)
    result = run([
        programs.khal, "-c", configuration, "list", "-df", "", "-f", "{start-date} {start-time}|{title}{cancelled}",
        FROM.isoformat(), f"{DAYS}d"], home)
    lines = []
    for line in result.stdout.decode("utf-8", "replace").splitlines():
        if "|" in line:
            when, title = line.split("|", 1)
            lines.append(f"{when.strip()} {title.strip()}")
    return Outcome(lines, [brought.returncode, result.returncode], brought.stderr + result.stderr, result.stdout)


def calcurse(programs: argparse.Namespace, path: str, home: str) -> Outcome:
    folders = [programs.calcurse, "-D", home, "-C", home]
    brought = run([*folders, "-i", path], home, stdin=subprocess.DEVNULL)
    result = run([
        *folders, "--input-datefmt", "4", "--output-datefmt", "%Y-%m-%d", "-Q", "--filter-type", "cal", "--from", FROM.isoformat(),
        "--days", str(DAYS), "--format-apt", "@%S|%m\n", "--format-recur-apt", "@%S|%m\n", "--format-event", "@|%m\n",
        "--format-recur-event", "@|%m\n"], home)
    lines, day = [], ""
    for line in result.stdout.decode("utf-8", "replace").splitlines():
        heading = re.match(r"(\d{4})-(\d\d)-(\d\d):$", line)
        if heading:
            day = line[:-1]
        elif line.startswith("@"):
            clock, title = line[1:].split("|", 1)
            if clock != "..:..":
                lines.append(f"{day} {clock + ' ' if clock else ''}{title.strip()}")
    statuses = [brought.returncode, result.returncode]
    return Outcome(lines, statuses, brought.stdout + brought.stderr + result.stderr, result.stdout)


def remind(programs: argparse.Namespace, path: str, home: str) -> Outcome:
    brought = run([programs.ics2rem, "-z", ZONE, path, "reminders"], home)
    file = os.path.join(home, "reminders")
    if not os.path.exists(file):
        return Outcome([], [brought.returncode], brought.stderr, b"")
    result = run([programs.remind, "-s13", "-b1", file, FROM.isoformat()], home)
    lines = []
    for line in result.stdout.decode("utf-8", "replace").splitlines():
        match = re.match(r"(\d{4})/(\d\d)/(\d\d) \S+ \S+ \S+ (\S+) (.*)", line)
        if not match:
            continue
        day = date(int(match[1]), int(match[2]), int(match[3]))
        if FROM <= day < FROM + timedelta(days=DAYS):
            clock = "" if match[4] == "*" else f"{int(match[4]) // 60:02}:{int(match[4]) % 60:02} "
            title = re.sub(r"^(?:\d\d?:\d\d(?:-\S+)? )", "", match[5])
            lines.append(f"{day.isoformat()} {clock}{title}")
    return Outcome(lines, [brought.returncode, result.returncode], brought.stderr + result.stderr, result.stdout)


def judged(case: dict, outcome: Outcome) -> str:
    status = "/".join(str(one) for one in outcome.statuses)
    if case["expected"] is None:
        if b"Meeting" not in outcome.output:
            return f"leaves the event out ({status})"
        return ("sends it to the terminal" if b"\x1b]" in outcome.output else "right") + f" ({status})"
    expected = sorted(case["expected"])
    # khal shows cancelled events, marked as such: as good as hidden.
    outcome.lines = [line for line in outcome.lines if not line.endswith("CANCELLED")]
    if outcome.lines == expected:
        silent = case["status"] == 1 and not any(outcome.statuses)
        return ("nothing, as expected, but exit code 0" if silent and not expected
                else "the good ones, but exit code 0" if silent else "right") + f" ({status})"
    missing = [line for line in expected if line not in outcome.lines]
    extra = [line for line in outcome.lines if line not in expected]
    parts = []
    if missing:
        parts.append(f"lacks {len(missing)} of {len(expected)}: {missing[0]}")
    if extra:
        parts.append(f"has {len(extra)} too many: {extra[0]}")
    if not parts:
        parts.append("lists one twice")
    if b"Traceback" in outcome.errors:
        parts.append("Python traceback")
    return "; ".join(parts) + f" ({status})"


def measured(commands: list[list[str]], home: str, runs: int) -> str:
    """The median of so many runs of commands after each other: processor time, and time on the wall."""
    environment = {"PATH": os.environ["PATH"], "HOME": home, "TZ": ZONE, "LC_ALL": "C.UTF-8"}
    figures = []
    for _ in range(runs):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        for command in commands:
            subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=home, env=environment)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        figures.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall))
    return f"{statistics.median(one[0] for one in figures):.3f} s ({statistics.median(one[1] for one in figures):.3f} s)"


def times(programs: argparse.Namespace) -> int:
    path, first = os.path.abspath(programs.times), FROM.isoformat()
    print("| program | import | the year as text |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as home:
        if programs.agenda:
            command = [programs.agenda, "show", path, "--from", first]
            print(f"| agenda | not needed | {measured([command], home, 5)} |")
        if programs.baseline:
            print(f"| C on libical | not needed | {measured([[programs.baseline, path, first, ZONE]], home, 5)} |")
        if programs.khal:
            os.mkdir(os.path.join(home, "vdir"))
            configuration = os.path.join(home, "khal.conf")
            with open(configuration, "w", encoding="utf-8") as stream:
                stream.write(KHAL_CONFIGURATION.format(home=home, zone=ZONE))
            base = [programs.khal, "-c", configuration]
            brought = measured([[*base, "import", "--batch", "-a", "cal", path]], home, 1)
            print(f"| khal | {brought} | {measured([[*base, 'list', first, f'{DAYS}d']], home, 5)} |", flush=True)
        if programs.calcurse:
            base = [programs.calcurse, "-D", home, "-C", home]
            brought = measured([[*base, "-i", path]], home, 1)
            query = [*base, "--input-datefmt", "4", "-Q", "--filter-type", "cal", "--from", first, "--days", str(DAYS)]
            print(f"| calcurse | {brought} | {measured([query], home, 5)} |", flush=True)
        if programs.remind and programs.ics2rem:
            brought = measured([[programs.ics2rem, "-z", ZONE, path, "reminders"]], home, 1)
            print(f"| remind | {brought} | {measured([[programs.remind, '-s13', '-b1', 'reminders', first]], home, 5)} |")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("agenda", "baseline", "khal", "calcurse", "remind", "ics2rem", "times"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--only", help="one case, with all that was printed")
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--folder", default=os.path.join(here, "..", "..", "Fixtures", "comparison"))
    arguments = parser.parse_args()
    # The programs run in other folders.
    for name in ("agenda", "baseline", "khal", "calcurse", "remind", "ics2rem"):
        program = getattr(arguments, name)
        if program and os.sep in program:
            setattr(arguments, name, os.path.abspath(program))
    if arguments.times:
        return times(arguments)
    ways = {"agenda": agenda, "khal": khal, "calcurse": calcurse, "remind": remind}
    present = [name for name in ways if getattr(arguments, name) and (name != "remind" or arguments.ics2rem)]
    with open(os.path.join(arguments.folder, "expected.json"), encoding="utf-8") as stream:
        cases = json.load(stream)
    print("| file | what it contains | " + " | ".join(present) + " |")
    print("| --- " * (len(present) + 2) + "|")
    right = dict.fromkeys(present, 0)
    for name, case in cases.items():
        if arguments.only and name != arguments.only:
            continue
        cells = []
        for program in present:
            with tempfile.TemporaryDirectory() as home:
                path = os.path.abspath(os.path.join(arguments.folder, name + ".ics"))
                try:
                    outcome = ways[program](arguments, path, home)
                    cell = judged(case, outcome)
                    if arguments.only:
                        print(program, outcome.lines, outcome.errors.decode(errors="replace"), outcome.output, file=sys.stderr)
                except subprocess.TimeoutExpired:
                    cell = f"no answer in {TIMEOUT} s"
            right[program] += cell.startswith("right")
            cells.append(cell.replace("|", "\\|"))
        print(f"| {name} | {case['why']} | " + " | ".join(cells) + " |", flush=True)
    if not arguments.only:
        print(f"| | right, of {len(cases)} | " + " | ".join(str(right[program]) for program in present) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
