#!/usr/bin/env python3
"""Changes random calendars with agenda, and lets two libraries read what it wrote.

    write_compare.py AGENDA --rounds 40 --seed 1

Each round imports a folder with a random calendar, and edits, moves and removes entries, single ones, all of a series, or one and those after
it. After each change the libraries recurring-ical-events and vobject of PyPI read the folder's files. They must list what agenda lists
from its store, and the export must be the same to them. It prints a line for each difference; nothing means that all agree.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import tempfile
import warnings
from collections import Counter
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from library_compare import BERLIN, DAYS, EXPLAINED, FIRST, Calendar, moment_of, of_recurring

warnings.simplefilter("ignore")

NOW = ["--now", "2026-09-30T09:00:00+02:00"]
FORMS = EXPLAINED["recurring-ical-events"].keys()
# vobject reads each EXDATE as it is written, and overrides are found here by comparing instants.
# vobject compares these with times of the offset that DTSTART has, also after the clocks have changed.
DATES = re.compile(r"UNTIL=\d{8}T\d{6}Z|^(EXDATE|RDATE)[;:]", re.MULTILINE)
FORMS_OF_VOBJECT = {"exdate-as-date", "duplicate", "versions", "several-rules", "exdate-alone"}


class Program:
    def __init__(self, path: str, home: Path):
        self.path, self.home = path, home

    def run(self, *words: str) -> subprocess.CompletedProcess:
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "TZ": "Europe/Berlin",
                       "AGENDA_STORE": str(self.home / "agenda.sqlite")}
        return subprocess.run([self.path, *words, *NOW], capture_output=True, cwd=self.home, env=environment, check=False)

    def entries(self) -> list[dict]:
        shown = self.run("show", "--from", FIRST.isoformat(), "--days", str(DAYS), "--once", "-f", "jsonl")
        return [json.loads(line) for line in shown.stdout.decode().splitlines()]


def of_agenda(entries: list[dict]) -> list[str]:
    found = []
    for entry in entries:
        start = entry["start"]
        value = date.fromisoformat(start) if entry["allDay"] else datetime.fromisoformat(start)
        found.append(f"{moment_of(value, BERLIN)} {entry['title']}")
    return sorted(found)


def of_vobject(text: str) -> list[str]:
    import vobject

    begin, end = (datetime.combine(FIRST + timedelta(days=days), time(), BERLIN) for days in (0, DAYS))

    def instant(value: date | datetime, line) -> datetime:
        if not isinstance(value, datetime):
            value = datetime.combine(value, time())
        # vobject keeps one offset for all dates of a rule: the zone's own are those of Python.
        name = getattr(line, "tzid_param", None) or line.params.get("X-VOBJ-ORIGINAL-TZID", [None])[0]
        if name:
            return value.replace(tzinfo=ZoneInfo(name))
        return value if value.tzinfo else value.replace(tzinfo=BERLIN)

    found = []
    for calendar in vobject.readComponents(text):
        events = list(calendar.contents.get("vevent", []))
        # What it writes again must be what it has read.
        vobject.readOne(calendar.serialize(validate=False))
        overridden = {
            (event.uid.value, instant(event.recurrence_id.value, event.recurrence_id)) for event in events if hasattr(event, "recurrence_id")}
        for event in events:
            if getattr(getattr(event, "status", None), "value", "") == "CANCELLED":
                continue
            start = event.dtstart.value
            days = not isinstance(start, datetime)
            if hasattr(event, "recurrence_id"):
                dates = [start]
            else:
                # It repeats an event without a rule, too, if it has an RDATE.
                repeated = event.rruleset if {"rrule", "rdate", "exdate"} & event.contents.keys() else None
                dates = list(repeated) if repeated is not None else [start]
                dates = [value for value in dates if (event.uid.value, instant(value, event.dtstart)) not in overridden]
            for value in dates:
                if begin <= instant(value, event.dtstart) < end:
                    value = value.date() if days and isinstance(value, datetime) else value
                    value = value if days else instant(value, event.dtstart)
                    found.append(f"{moment_of(value, BERLIN)} {event.summary.value}")
    return sorted(found)


def change(program: Program, generator: random.Random, entry: dict, number: int) -> list[str]:
    """One change of an entry; the words of its command."""
    scope = [generator.choice(["--only", "--all", "--following"])] if entry.get("recurrenceId") else []
    kinds = ["title", "clock", "day", "length", "location", "remove", "zone"]
    kind = generator.choice(kinds)
    what = {
        "title": ["--title", f"changed {number}, with a comma"],
        "clock": ["--at", generator.choice(["+1h", "-30m", "13:15"])] if not entry["allDay"] else ["--at", "+1d"],
        "day": ["--at", generator.choice(["+1d", "+2d"])],
        "length": ["--for", "2d" if entry["allDay"] else "1h30m"],
        "location": ["--location", "Room; 2\\3"],
        "zone": ["--in-zone", "Asia/Tokyo"] if not entry["allDay"] else ["--note", "two\nlines"],
    }
    words = ["remove", "--event", entry["id"]] if kind == "remove" else ["edit", entry["id"], *what[kind]]
    return [*words, *scope]


def missing(some: list[str], others: list[str]) -> list[str]:
    return sorted((Counter(some) - Counter(others)).elements())


def compare(program: Program, forms: set[str], what: str, compared: Counter) -> list[str]:
    ours = of_agenda(program.entries())
    files = [path.read_text() for path in sorted((program.home / "home").glob("*.ics"))]
    # An export is a stream with a VCALENDAR for each document (RFC 5545, 3.4).
    stream = program.run("export").stdout.decode()
    exported = [part + "END:VCALENDAR\r\n" for part in stream.split("END:VCALENDAR\r\n")[:-1]]
    readers = {"recurring-ical-events": of_recurring} | ({} if forms & FORMS_OF_VOBJECT else {"vobject": of_vobject})
    problems = []
    first, last = (FIRST + timedelta(days=margin) for margin in (3, DAYS - 3))

    def inner(entries: list[str]) -> list[str]:
        return [entry for entry in entries if str(first) <= entry < str(last)]

    for library, read in readers.items():
        for name, texts in [("the files", files), ("the export", exported)]:
            if library == "vobject" and any("TZID=" in text and DATES.search(text) for text in texts):
                continue
            compared[library] += 1
            try:
                theirs = inner(sorted(entry for text in texts for entry in read(text)))
            except Exception as error:  # A library refuses what agenda wrote.
                theirs = [repr(error)]
            if inner(ours) != theirs:
                problems.append(
                    f"{library}\t{name}\t{what}\tonly agenda {missing(inner(ours), theirs)}\tonly {library} "
                    f"{missing(theirs, inner(ours))}\t{texts!r}")
    return problems


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("agenda")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--changes", type=int, default=4)
    parser.add_argument("--summary", action="store_true", help="print counts as JSON at the end")
    options = parser.parse_args()
    generator = random.Random(options.seed)
    counts = {"calendars": 0, "changes": 0, "refused": 0}
    compared: Counter = Counter()
    for number in range(options.rounds):
        calendar = Calendar(generator)
        while calendar.forms & FORMS:
            calendar = Calendar(generator)
        with tempfile.TemporaryDirectory() as folder:
            program = Program(str(Path(options.agenda).resolve()), Path(folder))
            home = Path(folder) / "home"
            home.mkdir()
            (home / "a.ics").write_bytes(calendar.text.encode())
            program.run("import", "home", "--quiet")
            counts["calendars"] += 1
            done: list[str] = []
            for problem in compare(program, calendar.forms, "the import", compared):
                print(f"{number}\t{problem}")
            for step in range(options.changes):
                entries = program.entries()
                if not entries:
                    break
                words = change(program, generator, generator.choice(entries), step)
                result = program.run(*words)
                done.append(" ".join(words))
                if result.returncode != 0:
                    counts["refused"] += 1
                    done[-1] += " (refused)"
                    continue
                counts["changes"] += 1
                problems = compare(program, calendar.forms, "; ".join(done), compared)
                for problem in problems:
                    print(f"{number}\t{problem}\t{calendar.text!r}")
                if problems:
                    break
            shutil.rmtree(home)
    if options.summary:
        print(json.dumps(counts | {"compared": compared}))
    for library in ("recurring-ical-events", "vobject"):
        # Most calendars must be comparable, or the comparison says little.
        if compared[library] * 2 < options.rounds:
            print(f"{library} was asked only {compared[library]} times")
    if counts["refused"] * 4 > counts["changes"]:
        print(f"{counts['refused']} changes were refused, {counts['changes']} were not")


if __name__ == "__main__":
    main()
