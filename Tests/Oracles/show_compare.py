#!/usr/bin/env python3
"""Runs the built program and the oracle on the same calendars and shows where they differ.

    show_compare.py --program .build/release/agenda --count 1000 --seed 1
    show_compare.py --program .build/release/agenda --files Fixtures/quirks/*.ics

A difference in a random calendar is shrunk: components, lines and options are left out as long as it stays. Exit code 1 says that there
was one. `explained.json` has the expected differences with their reasons. They are counted separately.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone

import show_oracle
from random_calendar import Case, random_case
from show_series import UNKNOWN

FOLDER = os.path.dirname(os.path.abspath(__file__))
FILE_OPTIONS = [
    ["--now", "2026-11-21T08:30:00Z", "--timezone", zone, *more, "--include-cancelled"]
    for zone, more in (
        ("Europe/Berlin", ["--from", "2020-01-01", "--years", "12"]), ("America/New_York", []),
        ("Pacific/Apia", ["--group-by", "month"]))]


class Failure(Exception):
    """The program did not do what it must, whatever it printed."""


def run_program(program: str, arguments: list[str]) -> tuple[dict, int]:
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    if "TZDIR" in os.environ:
        environment["TZDIR"] = os.environ["TZDIR"]
    try:
        result = subprocess.run(
            [program, "show", *arguments, "--format", "json"], capture_output=True, timeout=30, env=environment)
    except subprocess.TimeoutExpired as error:
        raise Failure("no answer in 30 seconds") from error
    if result.returncode not in (0, 1):
        raise Failure(f"exit code {result.returncode}: {result.stderr.decode(errors='replace')[:500]}")
    try:
        return json.loads(result.stdout), result.returncode
    except ValueError as error:
        raise Failure(f"no JSON ({error}): {result.stdout[:200]!r} {result.stderr[:500]!r}") from error


def point(text: str | None):
    """A time as what it means: a date, or a moment and its offset."""
    if text is None or text == UNKNOWN or len(text) == 10:
        return text or ""
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    utc = moment.astimezone(timezone.utc)
    return f"{utc:%Y-%m-%dT%H:%M:%S}Z{moment.utcoffset()}"


FIELDS = (
    "allDay", "start", "end", "title", "uid", "recurrenceId", "calendar", "kind", "timeZone", "day", "days", "status",
    "location", "categories")


def plain(entry: dict) -> dict:
    result = {}
    for name in FIELDS:
        value = entry.get(name, "missing")
        if name in ("start", "end", "recurrenceId") and value != "missing":
            value = point(value)
        result[name] = value
    return result


def mark(entry: dict) -> tuple:
    """What an entry has in both documents, also if its UID is unknown."""
    return (entry["kind"], entry["title"], entry["start"], entry["end"], entry["day"])


def order(entry: dict, days: dict) -> tuple:
    """How a section is sorted, as the contract says it: by the day on which an entry is listed first. The
    oracle knows that day."""
    day = days.get(mark(entry), "")
    if not entry["start"]:
        return (day, True, "a", "", entry["title"] or "", entry["uid"] or "")
    return (day, not entry["allDay"], entry["start"], entry["end"], entry["title"] or "", entry["uid"] or "")


def compared(expected: dict, got: dict) -> str | None:
    """The first difference, in words."""
    if got.get("version") != 1 or got.get("groupedBy") != expected["groupedBy"]:
        return f"head: {got.get('version')} {got.get('groupedBy')}"
    for edge in ("start", "end"):
        if point(expected["window"][edge]) != point(got["window"][edge]):
            return f"window {edge}: expected {expected['window'][edge]}, got {got['window'][edge]}"
    if expected["window"]["timeZone"] != got["window"]["timeZone"]:
        return f"window timeZone: got {got['window']['timeZone']}"
    sections = {section["id"]: section for section in got["sections"]}
    if expected["groupedBy"] == "none":
        sections = {"": section for section in got["sections"]}
    wanted = {section["id"]: section for section in expected["sections"]}
    for name in [*wanted, *(name for name in sections if name not in wanted)]:
        left = [plain(one) for one in wanted.get(name, {"entries": []})["entries"]]
        right = [plain(one) for one in sections.get(name, {"entries": []})["entries"]]
        days = {mark(plain(one)): one["listed"] for one in wanted.get(name, {"entries": []})["entries"]}
        orders = [order(one, days) for one in right]
        if orders != sorted(orders):
            return f"section {name!r} is not in order: {[one['title'] for one in right]}"
        for one in left + right:
            for open_field in ("timeZone", "recurrenceId"):
                if any(other[open_field] == UNKNOWN and other["uid"] == one["uid"] for other in left):
                    one[open_field] = UNKNOWN
            if one["uid"] not in [other["uid"] for other in left] and any(other["uid"] is None for other in left):
                one["uid"] = None
        keys = [sorted((json.dumps(one, sort_keys=True, ensure_ascii=False) for one in side)) for side in (left, right)]
        missing = [one for one in keys[0] if keys[0].count(one) > keys[1].count(one)]
        extra = [one for one in keys[1] if keys[1].count(one) > keys[0].count(one)]
        if missing or extra:
            return (f"section {name!r}\n  expected: " + "\n            ".join(missing[:3] or ["nothing more"])
                    + "\n  got:      " + "\n            ".join(extra[:3] or ["nothing more"]))
    if expected["groupedBy"] != "none" and list(sections) != list(wanted):
        return f"order of sections: expected {list(wanted)}, got {list(sections)}"
    for number, section in enumerate(got["sections"], 1):
        for index, entry in enumerate(section["entries"], 1):
            if entry["indexPath"] != f"{number}.{index}":
                return f"index path {entry['indexPath']} at {number}.{index}"
    return None


def difference(program: str, files: list[str], options: list[str], may_reject: bool) -> str | None:
    expected = show_oracle.show(show_oracle.parser().parse_args([*files, *options]))
    try:
        got, status = run_program(program, [*files, *options])
    except Failure as error:
        return str(error)
    found = compared(expected, got)
    if found is None and status != 0 and not may_reject:
        return f"exit code {status}"
    return found


def case_difference(program: str, case: Case, folder: str) -> str | None:
    files = []
    for index, calendar in enumerate(case.calendars):
        files.append(os.path.join(folder, f"random{index}.ics"))
        with open(files[-1], "w", encoding="utf-8", newline="") as stream:
            stream.write(calendar.text())
    try:
        return difference(program, files, case.options, may_reject=False)
    except (OverflowError, ValueError) as error:
        return f"the oracle fails: {error!r}"


def smaller(case: Case):
    """The case with one thing less, for each thing there is, large things first."""
    for index in range(len(case.calendars)):
        if len(case.calendars) > 1:
            less = copy.deepcopy(case)
            del less.calendars[index]
            yield less
    for number, calendar in enumerate(case.calendars):
        for index in range(len(calendar.blocks)):
            if len(calendar.blocks) > 1:
                less = copy.deepcopy(case)
                del less.calendars[number].blocks[index]
                yield less
    for index in range(4, len(case.options)):
        less = copy.deepcopy(case)
        value = index + 1 < len(case.options) and not case.options[index + 1].startswith("--")
        if case.options[index].startswith("--"):
            del less.options[index:index + 2 if value else index + 1]
            yield less
    for number, calendar in enumerate(case.calendars):
        for line in range(3, len(calendar.head)):
            less = copy.deepcopy(case)
            del less.calendars[number].head[line]
            yield less
        for index, block in enumerate(calendar.blocks):
            for line in range(1, len(block) - 1):
                if not block[line].startswith(("UID", "DTSTART", "SUMMARY")):
                    less = copy.deepcopy(case)
                    del less.calendars[number].blocks[index][line]
                    yield less


def shrunk(program: str, case: Case, folder: str) -> Case:
    """Smaller, as long as it differs in some way."""
    changed, deadline = True, time.monotonic() + 60
    while changed and time.monotonic() < deadline:
        changed = False
        for less in smaller(case):
            found = case_difference(program, less, folder)
            if found and "oracle fails" not in found:
                case, changed = less, True
                break
    return case


def report(case: Case, found: str) -> str:
    texts = "\n".join("\n".join([*calendar.head, *(line for block in calendar.blocks for line in block), "END:VCALENDAR"])
                      for calendar in case.calendars)
    return f"agenda show {' '.join(case.options)}\n{texts}\n{found}"


def compare_random(arguments: argparse.Namespace) -> int:
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            case = random_case(seed)
            found = case_difference(arguments.program, case, folder)
            if found is None:
                continue
            failures += 1
            print(f"--- seed {seed}")
            if not arguments.whole and "oracle fails" not in found:
                case = shrunk(arguments.program, case, folder)
                found = case_difference(arguments.program, case, folder) or found
            print(report(case, found), flush=True)
            if failures >= arguments.stop_after:
                break
    print(f"{arguments.count} random calendars from seed {arguments.seed}: {failures} differ")
    return 1 if failures else 0


def compare_files(arguments: argparse.Namespace) -> int:
    with open(os.path.join(FOLDER, "explained.json"), encoding="utf-8") as stream:
        known = json.load(stream)
    explained = known["explained"]
    counts = {"equal": 0, "explained": 0, "different": 0, "skipped": 0}
    for path in arguments.files:
        name = os.path.basename(path)
        if name in known["too dear for brute force"]:
            counts["skipped"] += 1
            continue
        outcome = "equal"
        for options in FILE_OPTIONS:
            found = difference(arguments.program, [path], options, may_reject=True)
            if found:
                outcome = "explained" if name in explained else "different"
                if outcome == "different":
                    print(f"--- {path}\nagenda show {' '.join(options)}\n{found}")
                break
        if outcome == "equal" and name in explained:
            print(f"--- {path}\nis explained and yet the same: {explained[name]}")
            outcome = "different"
        counts[outcome] += 1
    print(f"{len(arguments.files)} files: " + ", ".join(f"{number} {name}" for name, number in counts.items()))
    return 1 if counts["different"] else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop-after", type=int, default=1, help="how many differences to show")
    parser.add_argument("--whole", action="store_true", help="do not shrink")
    parser.add_argument("--files", nargs="+", help="these calendars in place of random ones")
    arguments = parser.parse_args()
    return compare_files(arguments) if arguments.files else compare_random(arguments)


if __name__ == "__main__":
    sys.exit(main())
