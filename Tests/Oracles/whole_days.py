#!/usr/bin/env python3
"""Histories of series of whole days, in the forms of their producers, compared with two libraries in four viewer zones.

    whole_days.py AGENDA --rounds 20 --seed 1

Each round makes a series of whole days whose dates it knows, and writes it as a producer does: DTSTART as a date, as a
date with a TZID, or as a midnight with a TZID and Microsoft's mark; with X-WR-TIMEZONE, with one VTIMEZONE or without
any zone; UNTIL, EXDATE, RDATE and RECURRENCE-ID as dates, as local times, as times with a TZID or as moments in UTC. Then
somebody cancels an occurrence by mail, and a second version of the series comes. After each step agenda must show the
same dates from the files and from a store, for viewers in UTC, Berlin, Tokyo and Los Angeles, and an export must too.

The dates are worked out by brute force here, and by recurring-ical-events and icalevents of PyPI from a calendar that
says the same with dates only: what they make of other forms depends on the form (`date` against `datetime` fails, and a
moment in UTC counts by its date there). `EXPLAINED` has what they do otherwise. Each difference is a line of the output.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import tempfile
import warnings
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

warnings.simplefilter("ignore")

FIRST, DAYS = date(2026, 10, 1), 150
VIEWERS = ["UTC", "Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles"]
# The names that Exchange writes, and the zones that they mean.
WINDOWS = {
    "Europe/Berlin": "W. Europe Standard Time", "America/New_York": "Eastern Standard Time",
    "America/Los_Angeles": "Pacific Standard Time", "Asia/Tokyo": "Tokyo Standard Time",
    "Asia/Kolkata": "India Standard Time", "Pacific/Auckland": "New Zealand Standard Time",
    "America/Sao_Paulo": "E. South America Standard Time",
}
ZONES = [*WINDOWS, "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"]
# Where midnight is nearest to that of UTC on the same date: what a file without any zone can mean.
NEAR = ["Europe/Berlin", "America/New_York", "America/Los_Angeles", "Asia/Tokyo", "Asia/Kolkata", "UTC", "Pacific/Pago_Pago"]
VTIMEZONE = ["BEGIN:VTIMEZONE", "TZID:{}", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000",
             "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"]
PRODUCERS = ["exchange", "exchange with a definition", "X-WR-TIMEZONE", "one definition", "TZID of a date", "no zone"]

EXPLAINED = {
    "recurring-ical-events": {},
    "icalevents": {"rdate": "ignores RDATE"},
}


def day_text(day: date) -> str:
    return day.strftime("%Y%m%d")


@dataclass
class Series:
    """What the series means, apart from how it is written."""

    start: date
    days: int
    step: int
    count: int | None
    last: date | None
    excluded: list[date] = field(default_factory=list)
    added: list[date] = field(default_factory=list)
    moved: dict[date, date] = field(default_factory=dict)
    cancelled: list[date] = field(default_factory=list)
    sequence: int = 0

    @property
    def ruled(self) -> list[date]:
        number = self.count or 1000
        dates = [self.start + timedelta(days=self.step * index) for index in range(number)]
        return [one for one in dates if self.last is None or one <= self.last]

    def shown(self) -> list[str]:
        dates = set(self.ruled) | set(self.added)
        dates -= {*self.excluded, *self.moved, *self.cancelled}
        entries = [(one, "series") for one in dates]
        entries += [(target, "moved") for one, target in self.moved.items() if one not in self.cancelled]
        return sorted(f"{one} {title} {self.days}" for one, title in entries)


class Writer:
    """Writes a series as one producer does. `form` chooses among the forms of each value."""

    def __init__(self, generator: random.Random, producer: str):
        self.random = generator
        self.producer = producer
        zone = generator.choice(NEAR if producer == "no zone" else ZONES)
        if producer.startswith("exchange"):
            zone = generator.choice([*WINDOWS])
        self.zone = ZoneInfo(zone)
        self.name = WINDOWS[zone] if producer.startswith("exchange") else zone
        self.forms: list[str] = []

    @property
    def head(self) -> list[str]:
        lines = []
        if self.producer == "X-WR-TIMEZONE":
            lines.append(f"X-WR-TIMEZONE:{self.name}")
            # It counts more than a definition of another zone.
            if self.random.random() < 0.3:
                lines += [line.format("Australia/Sydney") for line in VTIMEZONE]
        if self.producer in ("one definition", "exchange with a definition"):
            lines += [line.format(self.name) for line in VTIMEZONE]
        return lines

    def start(self, name: str, day: date) -> str:
        if self.producer.startswith("exchange"):
            return f"{name};TZID={self.name}:{day_text(day)}T000000"
        if self.producer == "TZID of a date" and name == "DTSTART":
            return f"{name};TZID={self.name};VALUE=DATE:{day_text(day)}"
        return f"{name};VALUE=DATE:{day_text(day)}"

    def moment(self, day: date, clock: time = time()) -> str:
        there = datetime.combine(day, clock, self.zone)
        return there.astimezone(timezone.utc).strftime("%Y%m%dT%H%M%SZ")

    def until(self, day: date) -> str:
        forms = ["date", "local", "utc", "utc"]
        offset = datetime.combine(day, time(), self.zone).utcoffset()
        if self.producer != "no zone" or offset >= timedelta():
            forms.append("end of day")
        form = self.random.choice(forms)
        self.forms.append(f"until {form}")
        return {
            "date": day_text(day), "local": f"{day_text(day)}T{self.random.choice(['000000', '235959'])}",
            "utc": self.moment(day), "end of day": self.moment(day, time(23, 59, 59)),
        }[form]

    def named(self, name: str, day: date) -> str:
        form = self.random.choice(["date", "local", "zone", "utc", "utc"])
        self.forms.append(f"{name} {form}")
        if form == "date":
            return f"{name};VALUE=DATE:{day_text(day)}"
        if form == "local":
            return f"{name}:{day_text(day)}T000000"
        if form == "zone":
            # With another definition in the file there is not only one zone any more.
            return f"{name};TZID={self.name}:{day_text(day)}T000000"
        return f"{name}:{self.moment(day)}"

    def event(self, series: Series, *lines: str, start: date, title: str, stamp: int = 0) -> list[str]:
        end = start + timedelta(days=series.days)
        mark = ["X-MICROSOFT-CDO-ALLDAYEVENT:TRUE"] if self.producer.startswith("exchange") else []
        return ["BEGIN:VEVENT", "UID:whole@days", f"DTSTAMP:202609{1 + stamp:02}T000000Z", f"SEQUENCE:{series.sequence}",
                self.start("DTSTART", start), self.start("DTEND", end), f"SUMMARY:{title}", *mark, *lines, "END:VEVENT"]

    def calendar(self, *components: list[str], method: str | None = None) -> str:
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"] + ([f"METHOD:{method}"] if method else []) + self.head
        for component in components:
            lines += component
        return "\r\n".join([*lines, "END:VCALENDAR", ""])

    def series(self, series: Series) -> str:
        rule = "RRULE:FREQ=DAILY" + (f";INTERVAL={series.step}" if series.step > 1 else "")
        rule += f";COUNT={series.count}" if series.count else f";UNTIL={self.until(series.last)}"
        lines = [rule] + [self.named("EXDATE", one) for one in series.excluded] + [self.named("RDATE", one) for one in series.added]
        components = [self.event(series, *lines, start=series.start, title="series")]
        for one, target in series.moved.items():
            components.append(self.event(series, self.named("RECURRENCE-ID", one), start=target, title="moved", stamp=1))
        for one in series.cancelled:
            lines = [self.named("RECURRENCE-ID", one), "STATUS:CANCELLED"]
            component = self.event(series, *lines, start=one, title="cancelled", stamp=2)
            if self.random.random() < 0.5:
                component = [line for line in component if not line.startswith(("DTSTART", "DTEND"))]
                self.forms.append("cancelled without DTSTART")
            components.append(component)
        # The order of components does not matter.
        self.random.shuffle(components)
        return self.calendar(*components)

    def cancellation(self, series: Series, day: date) -> str:
        lines = [self.named("RECURRENCE-ID", day)]
        return self.calendar(self.event(series, *lines, start=day, title="series", stamp=3), method="CANCEL")


def plain(series: Series) -> str:
    """The same with dates only, for the libraries."""
    dates = type("Dates", (Writer,), {
        "until": lambda self, day: day_text(day), "named": lambda self, name, day: f"{name};VALUE=DATE:{day_text(day)}"})
    writer = dates(random.Random(1), "no zone")
    writer.random.random = lambda: 0.9  # every component has its DTSTART
    moved = {one: target for one, target in series.moved.items() if one not in series.cancelled}
    return writer.series(replace(series, moved=moved))


def random_series(generator: random.Random) -> Series:
    start = FIRST + timedelta(days=generator.randint(3, 40))
    series = Series(start, generator.choice([1, 1, 2]), generator.choice([1, 1, 2, 7]), None, None)
    number = generator.choice([1, 2, 4, 6, 7])
    if generator.random() < 0.25:
        series.count = number
    else:
        series.last = start + timedelta(days=series.step * (number - 1))
        if series.step > 1 and generator.random() < 0.3:
            series.last += timedelta(days=1)
    choice = series.ruled[1:]
    generator.shuffle(choice)
    if choice and generator.random() < 0.6:
        series.excluded.append(choice.pop())
    if choice and generator.random() < 0.6:
        one = choice.pop()
        series.moved[one] = one + timedelta(days=generator.choice([30, 31]))
    if choice and generator.random() < 0.4:
        series.cancelled.append(choice.pop())
    if generator.random() < 0.3:
        series.added.append(series.ruled[-1] + timedelta(days=3))
        if series.added[0] in series.ruled or series.added[0] in series.moved.values():
            series.added.clear()
    return series


def run(program: str, *arguments: str, zone: str = "UTC") -> bytes:
    return subprocess.run([program, *arguments], capture_output=True, check=False, env={**os.environ, "TZ": zone}).stdout


def of_agenda(program: str, sources: list[str], viewer: str) -> list[str]:
    output = run(program, "show", *sources, "--from", FIRST.isoformat(), "--days", str(DAYS), "--once", "-f", "jsonl", zone=viewer)
    found = []
    for line in output.decode().splitlines():
        entry = json.loads(line)
        if not entry["allDay"]:
            found.append(f"{entry['start']} {entry['title']} is not a whole day")
            continue
        days = date.fromisoformat(entry["end"]) - date.fromisoformat(entry["start"])
        found.append(f"{entry['start']} {entry['title']} {days.days}")
    return sorted(found)


def of_recurring(text: str) -> list[str]:
    import icalendar
    import recurring_ical_events

    events = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(FIRST, FIRST + timedelta(days=DAYS))
    return sorted(
        f"{event['DTSTART'].dt} {event['SUMMARY']} {(event['DTEND'].dt - event['DTSTART'].dt).days}"
        for event in events if str(event.get("STATUS")) != "CANCELLED")


def of_icalevents(text: str) -> list[str]:
    from icalevents import icalparser

    begin = datetime.combine(FIRST, time(), timezone.utc)
    events = icalparser.parse_events(text, start=begin, end=begin + timedelta(days=DAYS), default_span=timedelta(days=1))
    return sorted(
        f"{event.start.date()} {event.summary} {(event.end.date() - event.start.date()).days}"
        for event in events if event.status != "CANCELLED")


def check(program: str, number: int, folder: Path, generator: random.Random) -> list[str]:
    problems = []
    writer = Writer(generator, PRODUCERS[number % len(PRODUCERS)])
    series = random_series(generator)
    source, message, store = (folder / f"{number}{end}" for end in (".ics", "-cancel.ics", ".sqlite"))

    def compare(step: str, files: list[str], text: str) -> None:
        expected = series.shown()

        def note(what: str, found: list[str]) -> None:
            if found != expected:
                problems.append(
                    f"{number}\t{writer.producer} {writer.name}\t{step}, {what}\t{sorted(set(writer.forms))}"
                    f"\tonly found {sorted(set(found) - set(expected))}\tmissing {sorted(set(expected) - set(found))}\t{text!r}")

        for viewer in VIEWERS:
            note(f"files in {viewer}", of_agenda(program, files, viewer))
            note(f"store in {viewer}", of_agenda(program, ["--store", str(store)], viewer))
        export, copy = folder / f"{number}-export.ics", folder / f"{number}-copy.sqlite"
        copy.unlink(missing_ok=True)
        export.write_bytes(run(program, "export", "--store", str(store)))
        note("export", of_agenda(program, [str(export)], generator.choice(VIEWERS)))
        run(program, "import", str(export), "--store", str(copy), "--quiet", zone=generator.choice(VIEWERS))
        note("copy", of_agenda(program, ["--store", str(copy)], generator.choice(VIEWERS)))
        for library, read in [("recurring-ical-events", of_recurring), ("icalevents", of_icalevents)]:
            if not ("rdate" in EXPLAINED[library] and series.added):
                note(library, read(plain(series)))

    def bring(path: Path, text: str) -> None:
        path.write_bytes(text.encode())
        run(program, "import", str(path), "--store", str(store), "--calendar", "c", "--quiet", zone=generator.choice(VIEWERS))

    text = writer.series(series)
    bring(source, text)
    compare("first version", [str(source)], text)
    others = [one for one in series.ruled if one not in [*series.excluded, *series.cancelled]]
    if others:
        cancelled = generator.choice(others)
        series.cancelled.append(cancelled)
        mail = writer.cancellation(series, cancelled)
        bring(message, mail)
        compare("a cancellation", [str(source), str(message)], text + mail)
    # A later version knows nothing of the message, which is about the version before.
    series = random_series(generator)
    series.sequence = 1
    text = writer.series(series)
    bring(source, text)
    compare("second version", [str(source), str(message)] if message.exists() else [str(source)], text)
    return problems


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("agenda")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generator = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            for problem in check(options.agenda, number, Path(folder), generator):
                print(problem)


if __name__ == "__main__":
    main()
