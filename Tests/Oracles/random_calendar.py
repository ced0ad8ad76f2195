#!/usr/bin/env python3
"""Random calendars that look for trouble, the same for the same seed.

    random_calendar.py --seed 7 > calendar.ics

Odd zones and their transitions, every FREQ with parts, COUNT and UNTIL in each form, exceptions and overrides in other zones and types,
orphans, cancelled ones, versions, events of no length and of many days. What the specification and this project leave undecided is left out.
"""

from __future__ import annotations

import argparse
import functools
import random
import sys
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from show_lines import components
from show_series import Event, Occurrence, events_of, series_occurrences
from show_zones import DAY, HOUR, UTC, Zone, ZoneNames, database_zone

ZONES = (
    "Europe/Berlin America/New_York Africa/Cairo Asia/Beirut America/Santiago America/Havana Australia/Lord_Howe "
    "Africa/Casablanca Europe/Dublin Asia/Gaza Asia/Tehran America/St_Johns Pacific/Chatham Pacific/Apia Asia/Kathmandu "
    "America/Sao_Paulo Antarctica/Troll America/Vancouver America/Nuuk Pacific/Kiritimati Etc/GMT+12 Europe/London "
    "America/Asuncion Africa/El_Aaiun America/Scoresbysund Australia/Sydney Pacific/Norfolk Asia/Amman").split()
OTHER_NAMES = [
    "W. Europe Standard Time", "Pacific SA Standard Time", "Egypt Standard Time", "New Zealand Standard Time",
    "/mozilla.org/20070129_1/Europe/Paris", "/freeassociation.sourceforge.net/America/Chicago", "europe/lisbon", "US/Eastern"]
# Zones that only the file defines: rules as Exchange writes them, rules that end and begin again, and another name for a known zone.
DEFINITIONS = """BEGIN:VTIMEZONE
TZID:Depot
BEGIN:STANDARD
DTSTART:16011028T030000
TZOFFSETFROM:+0330
TZOFFSETTO:+0230
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
TZOFFSETFROM:+0230
TZOFFSETTO:+0330
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VTIMEZONE
TZID:Island
BEGIN:DAYLIGHT
DTSTART:20000401T000000
TZOFFSETFROM:-0900
TZOFFSETTO:-0800
RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=1;UNTIL=20270401T090000Z
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20001001T000000
TZOFFSETFROM:-0800
TZOFFSETTO:-0900
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU;UNTIL=20271003T080000Z
END:STANDARD
BEGIN:STANDARD
DTSTART:20280115T120000
TZOFFSETFROM:-0900
TZOFFSETTO:-1030
RDATE:20280115T120000
END:STANDARD
END:VTIMEZONE
BEGIN:VTIMEZONE
TZID:Branch office
X-LIC-LOCATION:Asia/Tokyo
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0100
TZOFFSETTO:+0100
END:STANDARD
END:VTIMEZONE"""
DEFINED_NAMES = ["Depot", "Island", "Branch office"]
VIEWERS = ZONES + ["UTC"]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
WORDS = "Review Budget Dentist Choir Lecture Flight Dinner Training Standup Visit".split()


@dataclass
class RandomCalendar:
    """The text of one source as blocks, so that a difference can be shrunk by leaving some out."""

    head: list[str]
    blocks: list[list[str]] = field(default_factory=list)
    line_end: str = "\r\n"

    def text(self) -> str:
        used = any(f"TZID={name}" in line for block in self.blocks for line in block for name in DEFINED_NAMES)
        definitions = DEFINITIONS.splitlines() if used else []
        lines = self.head + definitions + [line for block in self.blocks for line in block] + ["END:VCALENDAR"]
        return "".join(fold(line, self.line_end) for line in lines)


def fold(line: str, line_end: str) -> str:
    data, pieces = line.encode(), []
    while len(data) > 70:
        cut = 70
        while data[cut] & 0xC0 == 0x80:
            cut -= 1
        pieces.append(data[:cut].decode())
        data = data[cut:]
    return (line_end + " ").join(pieces + [data.decode()]) + line_end


@functools.cache
def transitions(zone: Zone, year: int) -> list[datetime]:
    """The local times before the changes of the clocks in a year."""
    found = []
    moment = datetime(year, 1, 1)
    while moment.year == year:
        if zone.offset_at(moment) != zone.offset_at(moment + 6 * HOUR):
            found.append(zone.civil(moment))
        moment += 6 * HOUR
    return found


class Maker:
    def __init__(self, seed: int, viewer: Zone, today: date):
        self.random = random.Random(seed)
        self.viewer = viewer
        self.today = today
        self.floating: Zone = viewer
        self.number = 0

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def some(self, values, most: int) -> list:
        values = list(values)
        return sorted(self.random.sample(values, min(len(values), self.random.randint(1, most))))

    def calendar(self) -> RandomCalendar:
        pick = self.random
        head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//agenda//random//EN"]
        if self.chance(0.3):
            head.append(f"X-WR-CALNAME:Calendar {pick.choice('ABCDE')}")
        if self.chance(0.4):
            name = pick.choice(ZONES)
            head.append(f"X-WR-TIMEZONE:{name}")
            self.floating = database_zone(name) or self.viewer
        result = RandomCalendar(head, line_end=pick.choice(["\r\n", "\r\n", "\n"]))
        for _ in range(pick.randint(1, 9)):
            result.blocks += self.family(head)
        pick.shuffle(result.blocks)
        return result

    # One event, or a series with what changes it.

    def family(self, head: list[str]) -> list[list[str]]:
        pick = self.random
        self.number += 1
        uid = f"{self.number}-{pick.randrange(1000)}@example.com"
        kind = "VTODO" if self.chance(0.05) else "VEVENT"
        if kind == "VTODO":
            return [self.task(uid)]
        start, tzid = self.start(near=True)
        if self.chance(0.4):
            master = self.component(uid, start, tzid)
            return self.versions(master)
        rule_start = start
        lines = []
        fast = isinstance(start, datetime) and self.chance(0.12)
        if fast:
            rule_start = datetime.combine(self.today, start.time()) + pick.randint(-20, 200) * DAY
        rule = self.rule(rule_start, tzid, fast)
        if self.chance(0.93):
            lines.append(f"RRULE:{rule}")
            if self.chance(0.06) and not fast:
                lines.append(f"RRULE:{self.rule(rule_start, tzid, False)}")
        if not lines or self.chance(0.12):
            lines += self.added_dates(rule_start, tzid)
        if self.chance(0.04) and not fast:
            lines.append(f"EXRULE:{self.rule(rule_start, tzid, False)}")
        master = self.component(uid, rule_start, tzid, lines)
        overrides = []
        slots = self.slots(head, master)
        if slots and self.chance(0.45):
            for item in pick.sample(slots, min(len(slots), pick.randint(1, 3))):
                slots.remove(item)
                master.insert(-1, self.exclusion(item, tzid))
        if slots and self.chance(0.5):
            for item in pick.sample(slots, min(len(slots), pick.randint(1, 3))):
                overrides.append(self.override(uid, item, tzid))
        if self.chance(0.04):
            missing, missing_tzid = self.start(near=True)
            overrides.append(self.component(
                uid + ".orphan", missing, missing_tzid, [written("RECURRENCE-ID", missing, missing_tzid)]))
        result = self.versions(master)
        for override in overrides:
            result += self.versions(override)
        return result

    def slots(self, head: list[str], master: list[str]) -> list[Occurrence]:
        """Occurrences of the series near the window."""
        text = "\r\n".join(head + DEFINITIONS.splitlines() + master + ["END:VCALENDAR", ""])
        event = events_of(text.encode(), "", self.viewer)[0]
        end = datetime.combine(self.today, time()) + 400 * DAY
        begin = self.today - 30 * DAY
        found = [item for item in series_occurrences(event, [], set(), end) if item_day(item) >= begin]
        return found[:60]

    def versions(self, component: list[str]) -> list[list[str]]:
        if not self.chance(0.06):
            return [component]
        newer = [line for line in component if not line.startswith(("SEQUENCE", "LAST-MODIFIED", "SUMMARY"))]
        newer.insert(2, f"SUMMARY:{self.title()}")
        if self.chance(0.5):
            newer.insert(2, f"SEQUENCE:{self.random.randint(0, 3)}")
        older = list(component)
        if self.chance(0.5):
            for one in (newer, older):
                one.insert(2, f"LAST-MODIFIED:2026{self.random.randint(10, 12)}{self.random.randint(10, 28)}T101010Z")
        return [older, newer]

    # Properties.

    def title(self) -> str:
        number = f"{self.random.choice('ABCDEFGHKLMNOPRSTVWZ')}{self.random.randrange(10000):04}"
        extra = self.random.choice(["", "", "", r"\, with comma", r"\; so", " Über 東京", r" two\nlines", " 🎂", r" back\\slash"])
        return f"{number} {self.random.choice(WORDS)}{extra}"

    def start(self, near: bool) -> tuple[date | datetime, str | None]:
        """A date or a local time, and its TZID: `None` for floating, `Z` for UTC."""
        pick = self.random
        distance = pick.randint(-20, 380) if self.chance(0.6) else pick.randint(-1500, 500)
        day = self.today + distance * DAY
        if self.chance(0.2):
            if self.chance(0.2):
                day = date(day.year, *pick.choice([(1, 31), (12, 31), (2, 28), (1, 1), (3, 30)]))
            return day, None
        choice = pick.random()
        if choice < 0.15:
            tzid, zone = "Z", UTC
        elif choice < 0.35:
            tzid, zone = None, self.floating
        elif choice < 0.9:
            tzid = pick.choice(ZONES)
            zone = zone_of(tzid)
        else:
            tzid = pick.choice(OTHER_NAMES + DEFINED_NAMES)
            zone = zone_of(tzid)
        clock = time(pick.choice([0, 0, 1, 2, 2, 3, 9, 12, 18, 23, 23]), pick.choice([0, 0, 15, 30, 59]), pick.choice([0, 0, 0, 7]))
        civil = datetime.combine(day, clock)
        changes = transitions(zone, day.year)
        if changes and self.chance(0.35):
            civil = pick.choice(changes)
            civil = civil.replace(minute=pick.choice([0, 30]), second=0) + pick.randint(-8, 24) * timedelta(minutes=30)
            if self.chance(0.3):
                civil -= pick.randint(1, 30) * DAY
        return civil, tzid

    def length(self, start: date | datetime, tzid: str | None) -> list[str]:
        pick = self.random
        if not isinstance(start, datetime):
            return pick.choice([
                [], [written("DTEND", start + DAY, None)], [written("DTEND", start + pick.randint(2, 40) * DAY, None)],
                [written("DTEND", start, None)], [written("DTEND", start - DAY, None)], ["DURATION:P3D"], ["DURATION:P1W"]])
        choice = pick.random()
        if choice < 0.12:
            return []
        if choice < 0.35:
            return [f"DURATION:{pick.choice(['PT15M', 'PT1H', 'P1D', 'P1W', 'P1DT2H', 'PT24H', 'PT36H', 'PT0S', 'P2D'])}"]
        if choice < 0.4:
            return [written("DTEND", start, tzid)]
        if choice < 0.44:
            return [written("DTEND", start - 30 * HOUR, tzid)]
        minutes = pick.choice([15, 30, 60, 60, 90, 120, 240, 600, 1440, 2000, 4320, 20000])
        zone = zone_of(tzid) or self.floating
        end = start + timedelta(minutes=minutes)
        if zone.instant(end) < zone.instant(start):
            end += 3 * HOUR
        if self.chance(0.1):
            return [written("DTEND", zone.instant(end), "Z")]
        if self.chance(0.06):
            other = pick.choice(ZONES)
            return [written("DTEND", zone_of(other).civil(zone.instant(end)), other)]
        return [written("DTEND", end, tzid)]

    def component(
        self, uid: str, start: date | datetime, tzid: str | None, lines: list[str] | None = None
    ) -> list[str]:
        pick = self.random
        result = ["BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{self.title()}", "DTSTAMP:20261001T000000Z", written("DTSTART", start, tzid)]
        result += self.length(start, tzid) + (lines or [])
        if self.chance(0.3):
            result.append(f"STATUS:{pick.choice(['CONFIRMED', 'TENTATIVE', 'CONFIRMED', 'CANCELLED'])}")
        if self.chance(0.3):
            result.append(f"LOCATION:{pick.choice(['Hall', 'Kitchen', 'Office', 'Park'])}")
        if self.chance(0.3):
            result.append(f"CATEGORIES:{','.join(self.some(['Family', 'Home', 'School', 'Work'], 2))}")
        if self.chance(0.1):
            result.append("CATEGORIES:Extra")
        if self.chance(0.1):
            result = [result[0]] + pick.sample(result[1:], len(result) - 1)
        return result + ["END:VEVENT"]

    def task(self, uid: str) -> list[str]:
        due, tzid = self.start(near=True)
        lines = ["BEGIN:VTODO", f"UID:{uid}", f"SUMMARY:{self.title()}", "DTSTAMP:20261001T000000Z"]
        kind = self.random.random()
        if kind < 0.6:
            lines.append(written("DUE", due, tzid))
        elif kind < 0.7:
            lines.append(written("DTSTART", due, tzid))
        elif kind < 0.8:
            lines += [written("DTSTART", due, tzid), "RRULE:FREQ=WEEKLY;COUNT=30", "DURATION:P1D"]
        if self.chance(0.3):
            lines.append("STATUS:" + self.random.choice(["COMPLETED", "CANCELLED", "IN-PROCESS", "NEEDS-ACTION"]))
        return lines + ["END:VTODO"]

    # Rules.

    def rule(self, start: date | datetime, tzid: str | None, fast: bool) -> str:
        pick = self.random
        timed = isinstance(start, datetime)
        frequency = pick.choice(["SECONDLY", "MINUTELY", "HOURLY", "HOURLY"]) if fast else pick.choice(
            ["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY", "YEARLY"])
        parts = [f"FREQ={frequency}"]
        interval = pick.choice([1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 13])
        if fast:
            interval = {"SECONDLY": pick.choice([700, 1800, 5000]), "MINUTELY": pick.choice([15, 45, 90, 600])}.get(
                frequency, pick.choice([1, 1, 2, 5, 7, 25]))
        if interval > 1:
            parts.append(f"INTERVAL={interval}")
        by = self.parts(frequency, interval, timed, fast)
        parts += by
        if self.chance(0.25):
            parts.append(f"WKST={pick.choice(WEEKDAYS)}")
        if frequency in ("MONTHLY", "YEARLY") and not by and self.chance(0.15):
            parts += ["RSCALE=GREGORIAN", f"SKIP={pick.choice(['OMIT', 'FORWARD', 'BACKWARD'])}"]
        choice = pick.random()
        if choice < 0.3:
            parts.append(f"COUNT={pick.randint(1, 60)}")
        elif choice < 0.65 or fast:
            parts.append(f"UNTIL={self.until(start, tzid, fast)}")
        if self.chance(0.2):
            parts = parts[1:] + parts[:1]
        return ";".join(parts)

    def until(self, start: date | datetime, tzid: str | None, fast: bool) -> str:
        pick = self.random
        distance = pick.randint(0, 30) if fast else pick.randint(0, 700)
        base = self.today if (start.date() if isinstance(start, datetime) else start) < self.today else start
        form = pick.random()
        if not isinstance(start, datetime):
            last = base + distance * DAY
            return f"{last:%Y%m%d}" if form < 0.8 else f"{last:%Y%m%d}T000000Z"
        day = (base.date() if isinstance(base, datetime) else base) + distance * DAY
        moment = datetime.combine(day, start.time())
        if form < 0.3:
            return f"{day:%Y%m%d}"
        if form < 0.5:
            return f"{moment:%Y%m%dT%H%M%S}"
        zone = zone_of(tzid) or self.floating
        exact = zone.instant(moment) + pick.choice([0, 0, 0, -1, 1]) * timedelta(seconds=1)
        return f"{exact:%Y%m%dT%H%M%SZ}"

    def parts(self, frequency: str, interval: int, timed: bool, fast: bool) -> list[str]:
        pick = self.random
        by: dict[str, list] = {}
        month_days = [1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -15, -31]
        if self.chance(0.3):
            by["BYMONTH"] = self.some(range(1, 13), 5)
        if frequency == "YEARLY":
            kind = pick.choice(["", "", "monthday", "yearday", "week", "weekday", "ordinal", "monthday+weekday", "yearday+weekday"])
            if kind == "" and "BYMONTH" not in by and self.chance(0.5):
                by["BYMONTH"] = self.some(range(1, 13), 4)
            if kind.startswith("monthday"):
                by["BYMONTHDAY"] = self.some(month_days, 4)
            if kind.startswith("yearday"):
                by["BYYEARDAY"] = self.some([1, 2, 59, 60, 61, 100, 200, 365, 366, -1, -2, -100, -365, -366], 5)
            if kind == "week":
                edges = [1, 52, 53, -1, -2] if interval == 1 else []
                by["BYWEEKNO"] = self.some([2, 10, 20, 30, 45, -10] + edges, 4)
                if self.chance(0.6):
                    by["BYDAY"] = self.some(WEEKDAYS, 3)
            if kind.endswith("weekday"):
                by["BYDAY"] = self.some(WEEKDAYS, 3)
            if kind == "ordinal":
                reach = 5 if "BYMONTH" in by else 53
                by["BYDAY"] = [f"{pick.choice([1, 2, -1, pick.randint(1, reach), -pick.randint(1, reach)])}{day}" for day in self.some(WEEKDAYS, 3)]
        elif frequency == "MONTHLY":
            kind = pick.choice(["", "monthday", "monthday", "weekday", "ordinal", "ordinal", "monthday+weekday"])
            if kind.startswith("monthday"):
                by["BYMONTHDAY"] = self.some(month_days, 4)
            if kind.endswith("weekday"):
                by["BYDAY"] = self.some(WEEKDAYS, 4)
            if kind == "ordinal":
                by["BYDAY"] = [f"{pick.choice([1, 2, 3, 4, 5, -1, -2, -5])}{day}" for day in self.some(WEEKDAYS, 3)]
        else:
            if self.chance(0.6 if frequency == "WEEKLY" else 0.25):
                by["BYDAY"] = self.some(WEEKDAYS, 4)
            if frequency != "WEEKLY" and self.chance(0.2):
                by["BYMONTHDAY"] = self.some(month_days, 4)
            if fast and self.chance(0.1):
                by["BYYEARDAY"] = self.some(range(-366, 0), 200)
        if timed:
            if self.chance(0.5 if frequency in ("SECONDLY", "MINUTELY") else 0.12):
                by["BYHOUR"] = self.some([0, 1, 2, 3, 9, 23], 3)
            if self.chance(0.1):
                by["BYMINUTE"] = self.some([0, 15, 30, 59], 2)
            if self.chance(0.04):
                by["BYSECOND"] = self.some([0, 7, 59], 2)
        if by and self.chance(0.2):
            by["BYSETPOS"] = self.some([1, 2, 3, -1, -2], 2)
        return [f"{name}={','.join(str(value) for value in values)}" for name, values in by.items()]

    # What is added, taken out or changed.

    def added_dates(self, start: date | datetime, tzid: str | None) -> list[str]:
        pick = self.random
        lines = []
        for _ in range(pick.randint(1, 2)):
            if not isinstance(start, datetime):
                days = [self.today + pick.randint(-10, 300) * DAY for _ in range(pick.randint(1, 4))]
                lines.append("RDATE;VALUE=DATE:" + ",".join(f"{day:%Y%m%d}" for day in days))
                continue
            moments = [
                datetime.combine(self.today, start.time()) + pick.randint(-10, 300) * DAY + pick.randint(-3, 3) * HOUR
                for _ in range(pick.randint(1, 4))]
            zone_name = tzid if self.chance(0.7) else pick.choice(["Z", pick.choice(ZONES)])
            suffix = "Z" if zone_name == "Z" else ""
            parameter = "" if zone_name in (None, "Z") else f";TZID={zone_name}"
            if self.chance(0.35):
                values = []
                for moment in moments:
                    moment += timedelta(seconds=pick.randint(1, 50))
                    if self.chance(0.5):
                        values.append(f"{moment:%Y%m%dT%H%M%S}{suffix}/{pick.choice(['PT45M', 'P1D', 'PT5H'])}")
                    else:
                        values.append(f"{moment:%Y%m%dT%H%M%S}{suffix}/{moment + 5 * HOUR:%Y%m%dT%H%M%S}{suffix}")
                lines.append(f"RDATE;VALUE=PERIOD{parameter}:{','.join(values)}")
            else:
                lines.append(f"RDATE{parameter}:" + ",".join(f"{moment:%Y%m%dT%H%M%S}{suffix}" for moment in moments))
        return lines

    def pointing(self, name: str, item: Occurrence, tzid: str | None, parameter: str = "") -> str:
        """A line that names an occurrence: as it is written, in UTC, in another zone, or by its date."""
        pick = self.random
        choice = pick.random()
        if item.all_day:
            if choice < 0.15:
                return f"{name}{parameter}:{item.start:%Y%m%d}T000000"
            return written(name + parameter, item.start, None)
        if choice < 0.2:
            return written(name + parameter, item.start, "Z")
        if choice < 0.35:
            other = pick.choice(ZONES)
            zone = zone_of(other)
            if zone.instant(zone.civil(item.start)) == item.start:
                return written(name + parameter, zone.civil(item.start), other)
        zone = zone_of(tzid) or self.floating
        if zone.instant(item.civil) != item.start:
            return written(name + parameter, item.start, "Z")
        return written(name + parameter, item.civil, tzid)

    def exclusion(self, item: Occurrence, tzid: str | None) -> str:
        if not item.all_day and self.chance(0.2):
            return f"EXDATE;VALUE=DATE:{item.civil:%Y%m%d}"
        return self.pointing("EXDATE", item, tzid)

    def override(self, uid: str, item: Occurrence, tzid: str | None) -> list[str]:
        pick = self.random
        choice = pick.random()
        if choice < 0.2:
            start = item.civil + pick.choice([-3, -1, 0, 1, 2, 9]) * DAY
            if not item.all_day:
                start += pick.choice([-5, -1, 0, 1, 2]) * HOUR
            recurrence = self.pointing("RECURRENCE-ID", item, tzid, ";RANGE=THISANDFUTURE")
            return self.component(uid, start, tzid, [recurrence])
        recurrence = self.pointing("RECURRENCE-ID", item, tzid)
        if choice < 0.3:
            result = self.component(uid, item.civil, tzid, [recurrence, "STATUS:CANCELLED"])
            return result[:1] + [line for line in result[1:] if not line.startswith("STATUS") or "CANCELLED" in line]
        if choice < 0.4:
            start, other = self.start(near=True)
            return self.component(uid, start, other, [recurrence])
        if choice < 0.5:
            return self.component(uid, item.civil + pick.choice([-900, 900]) * DAY, tzid, [recurrence])
        start = item.civil + pick.randint(-3, 3) * DAY
        if not item.all_day:
            start += pick.randint(-12, 12) * HOUR
        return self.component(uid, start, tzid, [recurrence])


def item_day(item: Occurrence) -> date:
    return item.start if item.all_day else item.start.date()


@functools.cache
def defined_zones() -> ZoneNames:
    root = components(DEFINITIONS.encode())
    return ZoneNames({part.first("TZID").value: part for part in root.children})


def zone_of(tzid: str | None) -> Zone | None:
    if tzid is None:
        return None
    return UTC if tzid == "Z" else defined_zones().zone(tzid)


def written(name: str, value: date | datetime, tzid: str | None) -> str:
    if not isinstance(value, datetime):
        return f"{name};VALUE=DATE:{value:%Y%m%d}"
    if tzid == "Z":
        return f"{name}:{value:%Y%m%dT%H%M%SZ}"
    return f"{name}{f';TZID={tzid}' if tzid else ''}:{value:%Y%m%dT%H%M%S}"


@dataclass
class Case:
    """Calendars and the options to look at them with."""

    calendars: list[RandomCalendar]
    options: list[str]


def random_case(seed: int) -> Case:
    pick = random.Random(seed)
    viewer = pick.choice(VIEWERS)
    zone = database_zone(viewer)
    today = date(2026, 11, 21) + pick.choice([0, 0, pick.randint(-100, 900)]) * DAY
    calendars = [Maker(seed * 10 + index, zone, today).calendar() for index in range(2 if pick.random() < 0.1 else 1)]
    now = zone.instant(datetime.combine(today, time(pick.randint(3, 22), 17, 13)))
    options = ["--now", f"{now:%Y-%m-%dT%H:%M:%SZ}", "--timezone", viewer]
    choice = pick.random()
    if choice < 0.5:
        first = today + pick.randint(-30, 300) * DAY
        changes = transitions(zone, today.year + 1)
        if changes and pick.random() < 0.4:
            first = pick.choice(changes).date() + pick.randint(-2, 2) * DAY
        options += ["--from", pick.choice([first.isoformat(), f"+{pick.randint(0, 90)}d", "monday", "tomorrow"])]
    choice = pick.random()
    if choice < 0.3:
        options += ["--days", str(pick.choice([1, 1, 2, 7, 45]))]
    elif choice < 0.5:
        options += ["--months", str(pick.randint(1, 14))]
    elif choice < 0.6:
        options += ["--weeks", str(pick.randint(1, 30))]
    elif choice < 0.65:
        options += ["--to", (today + 1400 * DAY).isoformat()]
    if pick.random() < 0.35:
        options += ["--group-by", pick.choice(
            ["week", "month", "year", "calendar", "category", "location", "status", "initial", "none"])]
    for option, probability in (("--once", 0.1), ("--include-cancelled", 0.25), ("--tasks", 0.3), ("--not-started", 0.05)):
        if pick.random() < probability:
            options.append(option)
    return Case(calendars, options)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    arguments = parser.parse_args()
    case = random_case(arguments.seed)
    print("options:", " ".join(case.options), file=sys.stderr)
    for calendar in case.calendars:
        sys.stdout.write(calendar.text())
