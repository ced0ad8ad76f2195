"""Zones: what a TZID means, and which moment a local time is.

An instant is a naive `datetime` in UTC. Rules come from the system's tzdata through Python's `zoneinfo`; a zone that only the file
defines is worked out by listing its onsets.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import os
import re
import zoneinfo
from datetime import date, datetime, time, timedelta, timezone

from show_lines import Component
from show_rules import Rule, rule_days

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ZERO = timedelta(0)

# Windows names that the test data uses, as CLDR maps them for the world ("001").
WINDOWS_NAMES = {
    "w. europe standard time": "Europe/Berlin",
    "romance standard time": "Europe/Paris",
    "central europe standard time": "Europe/Budapest",
    "central european standard time": "Europe/Warsaw",
    "gmt standard time": "Europe/London",
    "greenwich standard time": "Atlantic/Reykjavik",
    "e. europe standard time": "Europe/Chisinau",
    "fle standard time": "Europe/Kiev",
    "gtb standard time": "Europe/Bucharest",
    "turkey standard time": "Europe/Istanbul",
    "russian standard time": "Europe/Moscow",
    "eastern standard time": "America/New_York",
    "central standard time": "America/Chicago",
    "mountain standard time": "America/Denver",
    "us mountain standard time": "America/Phoenix",
    "pacific standard time": "America/Los_Angeles",
    "alaskan standard time": "America/Anchorage",
    "hawaiian standard time": "Pacific/Honolulu",
    "atlantic standard time": "America/Halifax",
    "newfoundland standard time": "America/St_Johns",
    "e. south america standard time": "America/Sao_Paulo",
    "pacific sa standard time": "America/Santiago",
    "egypt standard time": "Africa/Cairo",
    "south africa standard time": "Africa/Johannesburg",
    "israel standard time": "Asia/Jerusalem",
    "middle east standard time": "Asia/Beirut",
    "iran standard time": "Asia/Tehran",
    "india standard time": "Asia/Calcutta",
    "nepal standard time": "Asia/Katmandu",
    "china standard time": "Asia/Shanghai",
    "singapore standard time": "Asia/Singapore",
    "tokyo standard time": "Asia/Tokyo",
    "korea standard time": "Asia/Seoul",
    "aus eastern standard time": "Australia/Sydney",
    "lord howe standard time": "Australia/Lord_Howe",
    "new zealand standard time": "Pacific/Auckland",
    "samoa standard time": "Pacific/Apia",
    "utc": "UTC",
}

# What Outlook displays for some of them.
DISPLAY_NAMES = {
    "amsterdam, berlin, bern, rome, stockholm, vienna": "Europe/Berlin",
    "brussels, copenhagen, madrid, paris": "Europe/Paris",
    "eastern time (us & canada)": "America/New_York",
    "central time (us & canada)": "America/Chicago",
    "pacific time (us & canada)": "America/Los_Angeles",
    "dublin, edinburgh, lisbon, london": "Europe/London",
}


class Zone:
    """A zone by the system's tzdata."""

    def __init__(self, name: str):
        self.name = name
        self.info = zoneinfo.ZoneInfo(name)

    def offset_at(self, instant: datetime) -> timedelta:
        aware = instant.replace(tzinfo=timezone.utc).astimezone(self.info)
        return aware.utcoffset() or ZERO

    def instant(self, civil: datetime) -> datetime:
        """The offset before a gap, the first of the two in a fold: what `fold=0` says (PEP 495)."""
        offset = civil.replace(tzinfo=self.info, fold=0).utcoffset() or ZERO
        return civil - offset

    def civil(self, instant: datetime) -> datetime:
        return instant + self.offset_at(instant)


class FixedZone(Zone):
    def __init__(self, name: str, offset: timedelta):
        self.name = name
        self.offset = offset

    def offset_at(self, instant: datetime) -> timedelta:
        return self.offset

    def instant(self, civil: datetime) -> datetime:
        return civil - self.offset


class DefinedZone(Zone):
    """A zone by the rules of a VTIMEZONE: its onsets, listed."""

    def __init__(self, name: str, definition: Component):
        self.name = name
        onsets: list[tuple[datetime, timedelta, timedelta]] = []
        for part in definition.children:
            if part.name not in ("STANDARD", "DAYLIGHT"):
                continue
            start, after = part.first("DTSTART"), part.first("TZOFFSETTO")
            before = part.first("TZOFFSETFROM") or after
            if not start or not after or not before:
                continue
            offset_before, offset_after = offset_of(before.value), offset_of(after.value)
            first = datetime.strptime(start.value.strip()[:15], "%Y%m%dT%H%M%S")
            local = {first}
            for text in part.all("RDATE"):
                for value in text.value.split(","):
                    local.add(datetime.strptime(value.strip()[:15], "%Y%m%dT%H%M%S"))
            for text in part.all("RRULE"):
                rule = Rule.parsed(text.value)
                until = None
                if rule.until is not None:
                    until = rule.until + offset_before if rule.until_is_utc else rule.until
                begin = first if rule.count else max(first, first.replace(year=max(first.year, 1890)))
                local.update(
                    datetime.combine(day, first.time())
                    for day in rule_days(rule, begin.date(), date(2110, 1, 1), first.date())
                    if until is None or datetime.combine(day, first.time()) <= until)
            onsets += [(moment - offset_before, offset_before, offset_after) for moment in local]
        if not onsets:
            raise ValueError("no rules")
        onsets.sort()
        self.moments = [onset[0] for onset in onsets]
        self.onsets = onsets

    def offset_at(self, instant: datetime) -> timedelta:
        index = bisect.bisect_right(self.moments, instant)
        return self.onsets[index - 1][2] if index else self.onsets[0][1]

    def instant(self, civil: datetime) -> datetime:
        near = {self.offset_at(civil + step * HOUR) for step in (-48, -24, -14, 0, 14, 24, 48)}
        fitting = [civil - offset for offset in near if self.offset_at(civil - offset) == offset]
        return min(fitting) if fitting else civil - self.offset_at(civil - max(near))


UTC = FixedZone("UTC", ZERO)

# Those of all files: a definition means the same everywhere.
DEFINED_ZONES: dict[str, DefinedZone | None] = {}


def offset_of(text: str) -> timedelta:
    match = re.fullmatch(r"\s*([+-]?)(\d\d):?(\d\d)?:?(\d\d)?\s*", text)
    if not match:
        raise ValueError(text)
    length = timedelta(hours=int(match[2]), minutes=int(match[3] or 0), seconds=int(match[4] or 0))
    return -length if match[1] == "-" else length


@functools.cache
def database_names() -> dict[str, str]:
    """Every name of the zoneinfo folder by its lower-case form."""
    folder = os.environ.get("TZDIR") or "/usr/share/zoneinfo"
    if os.environ.get("TZDIR"):
        zoneinfo.reset_tzpath([folder])
    names = {}
    for path, folders, files in os.walk(folder):
        folders[:] = [one for one in folders if one not in ("posix", "right")]
        for file in files:
            full = os.path.join(path, file)
            with open(full, "rb") as stream:
                if stream.read(4) == b"TZif":
                    name = os.path.relpath(full, folder)
                    names[name.lower()] = name
    for excluded in ("localtime", "posixrules"):
        names.pop(excluded, None)
    return names


@functools.cache
def database_zone(name: str) -> Zone | None:
    known = database_names().get(name.lower())
    if known is None:
        return None
    return UTC if known == "UTC" else Zone(known)


def named_zone(tzid: str) -> Zone | None:
    """A TZID as a name of tzdata, also behind a vendor's prefix."""
    found = database_zone(tzid)
    if found:
        return found
    parts = tzid.strip("/").split("/")
    if tzid.startswith("/"):
        for index in range(len(parts)):
            found = database_zone("/".join(parts[index:]))
            if found:
                return found
    # A hyphen or an underscore where a slash belongs: America_New_York, America-Argentina-Buenos_Aires.
    marks = [index for index, letter in enumerate(tzid) if letter in "-_"]
    for chosen in [(one,) for one in marks] + list(itertools.combinations(marks, 2)):
        found = database_zone("".join("/" if index in chosen else letter for index, letter in enumerate(tzid)))
        if found:
            return found
    return None


def windows_zone(tzid: str) -> Zone | None:
    name = tzid.strip().lower()
    found = WINDOWS_NAMES.get(name) or WINDOWS_NAMES.get(re.sub(r" \d+$", "", name))
    if not found:
        match = re.match(r"\((?:utc|gmt)[^)]*\)\s*(.*)", name)
        if match:
            found = DISPLAY_NAMES.get(match[1].strip())
    return database_zone(found) if found else None


class ZoneNames:
    """What the TZIDs of one file mean."""

    def __init__(self, definitions: dict[str, Component]):
        self.definitions = definitions
        self.known: dict[str, Zone | None] = {}

    def zone(self, tzid: str) -> Zone | None:
        if tzid not in self.known:
            self.known[tzid] = self.resolved(tzid)
        return self.known[tzid]

    def resolved(self, tzid: str) -> Zone | None:
        found = named_zone(tzid) or windows_zone(tzid)
        if found:
            return found
        match = re.fullmatch(r"(?:GMT|UTC)([+-]\d{1,2}:?\d\d)", tzid.strip(), re.IGNORECASE)
        if match:
            return FixedZone(tzid, offset_of(match[1]))
        definition = self.definitions.get(tzid)
        if definition is None:
            return None
        location = definition.first("X-LIC-LOCATION")
        if location:
            found = named_zone(location.value.strip())
            if found:
                return found
        key = repr(definition)
        if key not in DEFINED_ZONES:
            try:
                DEFINED_ZONES[key] = DefinedZone(tzid, definition)
            except ValueError:
                DEFINED_ZONES[key] = None
        return DEFINED_ZONES[key]


@functools.cache
def start_of_day(zone: Zone, day: date) -> datetime:
    """The first moment of that date in the zone, or of the next date that there is."""
    midnight = datetime.combine(day, time())
    around = [midnight + step * HOUR for step in range(-39, 40, 3)]
    offsets = [zone.offset_at(moment) for moment in around]
    candidates = [midnight - offset for offset in set(offsets)]
    for index in range(len(around) - 1):
        if offsets[index] != offsets[index + 1]:
            low, high = around[index], around[index + 1]
            while high - low > timedelta(seconds=1):
                middle = low + timedelta(seconds=int((high - low).total_seconds()) // 2)
                if zone.offset_at(middle) == offsets[index]:
                    low = middle
                else:
                    high = middle
            candidates.append(high)
    fitting = [moment for moment in candidates if zone.civil(moment).date() == day]
    return min(fitting) if fitting else start_of_day(zone, day + DAY)
