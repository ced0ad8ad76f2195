#!/usr/bin/env python3
"""Compares agenda with two libraries on random calendars that contain what real calendars contain.

    library_compare.py AGENDA --rounds 40 --seed 1

The libraries are recurring-ical-events and icalevents of PyPI. Each round writes a calendar of a few series in zones, in
UTC, floating with X-WR-TIMEZONE, and all-day, with EXDATE and RDATE in several forms, moved and cancelled occurrences,
several RRULEs, UNTIL as a date, versions by SEQUENCE, and an exact duplicate. It prints a line for each calendar in which
agenda differs from a library without a reason that is listed here (`EXPLAINED`); nothing means that all agree.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
import warnings
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

warnings.simplefilter("ignore")

BERLIN = ZoneInfo("Europe/Berlin")
FIRST, DAYS = date(2026, 10, 1), 60
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Tokyo"]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

# What a library does otherwise, by the forms that a calendar contains. agenda does what Docs/Time.md says.
EXPLAINED = {
    "recurring-ical-events": {
        "until-date": "reads UNTIL as midnight",
        "moved-excluded": "EXDATE hides an override of the same SEQUENCE",
        "floating": "x-wr-timezone makes times in UTC of floating ones, so that BYDAY means another day",
        "moved-beside-rdate": "an override hides an RDATE of the same day, too",
        "rdate-after-exdate": "an EXDATE can hide an RDATE an hour later, in a series whose clocks changed",
        "exdate-of-other-utc-day": "can hide the occurrence that is on that day in UTC",
    },
    "icalevents": {
        "until-date": "reads UNTIL as midnight",
        "floating": "makes times in UTC of floating ones, so that BYDAY means another day",
        "rdate": "ignores RDATE",
        "exdate-in-utc": "shows some occurrences that an EXDATE in UTC names",
        "exdate-as-date": "fails: compares a date with a time",
        "duplicate": "shows exact duplicates",
        "versions": "shows the version before",
        "until-in-utc": "can compare UNTIL in UTC with local times",
    },
}


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y%m%dT%H%M%S")


class Calendar:
    """A random calendar, and which forms it contains."""

    def __init__(self, generator: random.Random):
        self.random = generator
        self.forms: set[str] = set()
        self.lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"]
        self.is_floating = generator.random() < 0.2
        if self.is_floating:
            self.forms.add("floating")
            self.lines.append("X-WR-TIMEZONE:Asia/Tokyo")
        for number in range(generator.randint(1, 3)):
            self.event(f"event{number}")
        self.lines.append("END:VCALENDAR")

    @property
    def text(self) -> str:
        return "\r\n".join(self.lines) + "\r\n"

    def event(self, uid: str) -> None:
        generator = self.random
        kind = generator.choice(["zone", "utc", "floating" if self.is_floating else "zone", "day"])
        start = datetime.combine(
            FIRST + timedelta(days=generator.randint(-20, 30)), time(generator.choice([8, 9, 14, 20]), generator.choice([0, 30])))
        zone = generator.choice(ZONES)
        if kind == "day":
            self.forms.add("all-day")

        def written(name: str, moment: datetime) -> str:
            if kind == "day":
                return f"{name};VALUE=DATE:{moment:%Y%m%d}"
            if kind == "utc":
                return f"{name}:{stamp(moment)}Z"
            return f"{name}:{stamp(moment)}" if kind == "floating" else f"{name};TZID={zone}:{stamp(moment)}"

        length = timedelta(days=1) if kind == "day" else timedelta(minutes=generator.choice([30, 60]))

        def component(moment: datetime, title: str, *more: str) -> list[str]:
            return ["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260901T000000Z", written("DTSTART", moment), written("DTEND", moment + length),
                    f"SUMMARY:{title}", *more, "END:VEVENT"]

        lines: list[str] = []
        dates, excluded, extra = [start], None, None
        if generator.random() < 0.8:
            rule, dates = self.rule(start, kind)
            lines += rule
            if generator.random() < 0.25:
                extra = start + timedelta(days=generator.randint(1, 9), hours=0 if kind == "day" else 1)
                lines.append(written("RDATE", extra))
                self.forms.add("rdate")
            if generator.random() < 0.4:
                excluded = generator.choice(dates)
                if extra and kind == "zone" and extra.date() == excluded.date():
                    self.forms.add("rdate-after-exdate")
                lines.append(self.exdate(written, excluded, kind, zone))
        elif generator.random() < 0.3:
            lines.append(written("EXDATE", start + timedelta(days=generator.choice([0, 1]))))
            self.forms.add("exdate-alone")
        sequence = generator.choice([0, 0, 2])
        if sequence:
            lines.append(f"SEQUENCE:{sequence}")
        master = component(start, uid, *lines)
        self.lines += master
        if generator.random() < 0.1:
            self.lines += master
            self.forms.add("duplicate")
        if sequence and generator.random() < 0.4:
            self.lines += component(start - timedelta(days=2), f"{uid} before", "SEQUENCE:1")
            self.forms.add("versions")
        if len(dates) > 2 and generator.random() < 0.5:
            moment = dates[generator.randint(1, len(dates) - 1)]
            if moment == excluded:
                self.forms.add("moved-excluded")
            if extra and extra.date() == moment.date():
                self.forms.add("moved-beside-rdate")
            target = moment + timedelta(days=generator.choice([0, 1]), hours=0 if kind == "day" else 2)
            more = [written("RECURRENCE-ID", moment), f"SEQUENCE:{sequence}"]
            if generator.random() < 0.3:
                more.append("STATUS:CANCELLED")
            self.lines += component(target, f"{uid} moved", *more)
            self.forms.add("moved")

    def rule(self, start: datetime, kind: str) -> tuple[list[str], list[datetime]]:
        """Simple rules, so that their dates are obvious, and the first of these dates."""
        generator = self.random
        interval = generator.randint(1, 3)
        if generator.random() < 0.6:
            step, rule = timedelta(days=interval), f"FREQ=DAILY;INTERVAL={interval}"
        else:
            step = timedelta(weeks=interval)
            rule = f"FREQ=WEEKLY;INTERVAL={interval};BYDAY={WEEKDAYS[start.weekday()]}"
        dates = [start + step * number for number in range(generator.randint(3, 8))]
        end = generator.random()
        if end < 0.5:
            rule += f";COUNT={len(dates)}"
        elif end < 0.8 or kind == "day":
            rule += f";UNTIL={dates[-1]:%Y%m%d}"
            if kind != "day":
                self.forms.add("until-date")
        else:
            rule += f";UNTIL={stamp(dates[-1] + timedelta(days=1))}Z"
            self.forms.add("until-in-utc")
            dates.pop()
        rules = [f"RRULE:{rule}"]
        if generator.random() < 0.15:
            rules.append(f"RRULE:FREQ=WEEKLY;COUNT={generator.randint(2, 3)}")
            self.forms.add("several-rules")
        return rules, dates

    def exdate(self, written, moment: datetime, kind: str, zone: str) -> str:
        form = self.random.random()
        if kind == "zone" and form < 0.3:
            self.forms.add("exdate-in-utc")
            return f"EXDATE:{stamp(moment.replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc))}Z"
        if kind != "day" and form < 0.5:
            self.forms.add("exdate-as-date")
            if kind == "zone" and moment.replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc).date() != moment.date():
                self.forms.add("exdate-of-other-utc-day")
            return f"EXDATE;VALUE=DATE:{moment:%Y%m%d}"
        return written("EXDATE", moment)


def moment_of(value: date | datetime, floating: ZoneInfo) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            value = value.replace(tzinfo=floating)
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%MZ")
    return value.isoformat()


def of_agenda(program: str, path: Path) -> list[str]:
    run = subprocess.run(
        [program, "show", str(path), "--from", FIRST.isoformat(), "--days", str(DAYS), "--timezone", "Europe/Berlin", "--once", "-f", "jsonl"],
        capture_output=True, check=False)
    found = []
    for line in run.stdout.decode().splitlines():
        entry = json.loads(line)
        start = entry["start"]
        value = date.fromisoformat(start) if entry["allDay"] else datetime.fromisoformat(start)
        found.append(f"{moment_of(value, BERLIN)} {entry['title']}")
    return sorted(found)


def of_recurring(text: str) -> list[str]:
    import icalendar
    import recurring_ical_events
    import x_wr_timezone

    calendar = x_wr_timezone.to_standard(icalendar.Calendar.from_ical(text))
    begin = datetime.combine(FIRST, time(), BERLIN)
    events = recurring_ical_events.of(calendar).between(begin, begin + timedelta(days=DAYS))
    return sorted(
        f"{moment_of(event['DTSTART'].dt, BERLIN)} {event['SUMMARY']}" for event in events if str(event.get("STATUS")) != "CANCELLED")


def of_icalevents(text: str) -> list[str]:
    from icalevents import icalparser

    begin = datetime.combine(FIRST, time(), BERLIN)
    events = icalparser.parse_events(text, start=begin, end=begin + timedelta(days=DAYS), default_span=timedelta(days=1))
    return sorted(
        f"{moment_of(event.start.date() if event.all_day else event.start, BERLIN)} {event.summary}"
        for event in events if event.status != "CANCELLED")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("agenda")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--summary", action="store_true", help="print counts as JSON at the end")
    options = parser.parse_args()
    generator = random.Random(options.seed)
    equal = dict.fromkeys(EXPLAINED, 0)
    explained = dict.fromkeys(EXPLAINED, 0)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            calendar = Calendar(generator)
            path = Path(folder) / f"{number}.ics"
            path.write_bytes(calendar.text.encode())
            ours = of_agenda(options.agenda, path)
            for library, read in [("recurring-ical-events", of_recurring), ("icalevents", of_icalevents)]:
                try:
                    theirs = read(calendar.text)
                except (TypeError, ValueError) as error:
                    theirs = [repr(error)]
                # icalevents forgets that an override moves an occurrence across the edge of the window.
                first, last = (FIRST + timedelta(days=margin) for margin in (3, DAYS - 3))
                ours, theirs = ([entry for entry in entries if str(first) <= entry < str(last)] for entries in (ours, theirs))
                if ours == theirs:
                    equal[library] += 1
                elif calendar.forms & EXPLAINED[library].keys():
                    explained[library] += 1
                else:
                    print(f"{number}\t{library}\t{sorted(calendar.forms)}\tonly agenda {sorted(set(ours) - set(theirs))}"
                          f"\tonly {library} {sorted(set(theirs) - set(ours))}\t{calendar.text!r}")
    for library, count in equal.items():
        if options.summary:
            print(json.dumps({"library": library, "equal": count, "explained": explained[library]}))
        # Most calendars must be read alike, or the comparison says nothing.
        if count * 3 < options.rounds:
            print(f"{library}\tonly {count} of {options.rounds} calendars were read alike")


if __name__ == "__main__":
    main()
