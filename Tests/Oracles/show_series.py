"""Events of a source and the occurrences of their series: sets of rules and dates, exceptions, overrides."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

from show_lines import Component, Property, components, split_texts
from show_rules import Rule, occurrences
from show_zones import DAY, UTC, ZERO, Zone, ZoneNames

KINDS = {"VEVENT": "event", "VTODO": "task"}
UNKNOWN = "?"


@dataclass(frozen=True)
class EventTime:
    """A date, or a local time in a zone. `zone` is nil for a floating one."""

    civil: date | datetime
    zone: Zone | None = None

    @property
    def is_date(self) -> bool:
        return not isinstance(self.civil, datetime)

    @property
    def day(self) -> date:
        return self.civil if self.is_date else self.civil.date()

    def instant(self, floating: Zone) -> datetime:
        return (self.zone or floating).instant(self.civil)


@dataclass(frozen=True)
class Length:
    """How long an event lasts: days of the calendar first, exact time after."""

    days: int = 0
    exact: timedelta = ZERO


@dataclass
class Event:
    kind: str
    uid: str
    calendar: str
    start: EventTime
    length: Length
    floating: Zone
    recurrence_id: EventTime | None
    and_future: bool
    version: tuple
    order: int
    content: str
    title: str | None
    location: str | None
    status: str | None
    categories: list[str]
    rules: list[Rule] = field(default_factory=list)
    exception_rules: list[Rule] = field(default_factory=list)
    dates: list[tuple[EventTime, Length | None]] = field(default_factory=list)
    exception_dates: list[EventTime] = field(default_factory=list)
    floating_is_given: bool = False
    is_undated: bool = False
    has_due_time: bool = False
    is_completed: bool = False
    # Where a moment in UTC names a date of a series of whole days.
    day_zone: Zone | None = None
    # A cancelled override without DTSTART: it is where its occurrence would be.
    lacks_start: bool = False

    @property
    def zone(self) -> Zone:
        return self.start.zone or self.floating

    @property
    def written_zone(self) -> str | None:
        if self.start.is_date:
            return None
        if self.start.zone is None:
            return UNKNOWN if self.floating_is_given else None
        zone = self.start.zone
        return zone.name if zone is UTC or type(zone) is Zone else UNKNOWN

    @property
    def recurs(self) -> bool:
        return bool(self.rules or self.dates)


@dataclass
class Occurrence:
    """`civil` and `moment` are both the date for an all-day one."""

    event: Event
    civil: date | datetime
    start: date | datetime
    end: date | datetime
    recurrence_id: date | datetime | None
    is_added: bool = False
    own_length: Length | None = None

    @property
    def all_day(self) -> bool:
        return not isinstance(self.start, datetime)


def parsed_time(text: str, item: Property, names: ZoneNames) -> EventTime:
    text = text.strip()
    match = re.fullmatch(r"(\d{8})(?:T(\d{6})(Z)?)?", text, re.IGNORECASE)
    if not match:
        raise ValueError(f"{text} is not a date")
    day = datetime.strptime(match[1], "%Y%m%d").date()
    if match[2] is None:
        return EventTime(day)
    moment = datetime.strptime(match[1] + match[2], "%Y%m%d%H%M%S")
    if match[3]:
        return EventTime(moment, UTC)
    tzid = item.parameter("TZID")
    return EventTime(moment, names.zone(tzid) if tzid else None)


def nearest_midnight(moment: datetime) -> date:
    return (moment + timedelta(hours=12)).date()


def day_named(value: EventTime, zone: Zone | None) -> date:
    """The date that a time names in a series of whole days."""
    if value.is_date or value.zone is None or (value.zone is not UTC and value.civil.time() == time()):
        return value.day
    if zone:
        return zone.civil(value.zone.instant(value.civil)).date()
    return nearest_midnight(value.civil) if value.zone is UTC else value.day


def until_of_days(rule: Rule, zone: Zone | None) -> Rule:
    if rule.until is None or not rule.until_is_utc:
        return rule
    on_quarter = rule.until.second == 0 and rule.until.minute % 15 == 0
    if zone:
        last = zone.civil(rule.until).date()
    else:
        last = nearest_midnight(rule.until) if on_quarter else rule.until.date()
    return replace(rule, until=datetime.combine(last, time()), until_is_utc=False, until_is_date=True)


def parsed_duration(text: str) -> Length:
    match = re.fullmatch(
        r"([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", text.strip().upper())
    if not match:
        raise ValueError(text)
    weeks, days, hours, minutes, seconds = (int(match[index] or 0) for index in range(2, 7))
    return Length(weeks * 7 + days, timedelta(hours=hours, minutes=minutes, seconds=seconds))


def ended(civil: date | datetime, length: Length, zone: Zone) -> date | datetime:
    if not isinstance(civil, datetime):
        return civil + length.days * DAY
    return zone.instant(civil + length.days * DAY) + length.exact


def event_length(component: Component, start: EventTime, names: ZoneNames, floating: Zone) -> Length:
    missing = Length(days=1) if start.is_date else Length()
    end = component.first("DTEND") if component.name == "VEVENT" else component.first("DUE")
    if end:
        try:
            until = parsed_time(end.value, end, names)
        except ValueError:
            return missing
        if start.is_date:
            # A task due on a date is due on that day, while the end of an event is the day after.
            # An end with a time after 00:00 includes its day too.
            includes = component.name == "VTODO" or isinstance(until.civil, datetime) and until.civil.time() > time()
            length = Length(days=(until.day - start.day).days + includes)
        else:
            if until.is_date:
                until = EventTime(datetime.combine(until.day, time()), start.zone)
            elif until.zone is None and start.zone is not UTC:
                until = EventTime(until.civil, start.zone)
            length = Length(exact=until.instant(floating) - start.instant(floating))
    elif component.first("DURATION"):
        try:
            length = parsed_duration(component.first("DURATION").value)
        except ValueError:
            return missing
        if start.is_date:
            length = Length(length.days - -length.exact // DAY)
    else:
        return missing
    if length.days < 0 or length.exact < ZERO or (start.is_date and length == Length()):
        return missing
    return length


def parsed_event(
    component: Component, names: ZoneNames, floating: Zone, calendar: str, order: int, day_zone: Zone | None
) -> Event | None:
    first = component.first("DTSTART")
    lacks_start = first is None and (component.text("STATUS") or "").strip().upper() == "CANCELLED"
    if lacks_start:
        first = component.first("RECURRENCE-ID")
    if first is None:
        if component.name == "VEVENT":
            return None
        first = component.first("DUE")
        component = Component(component.name, [one for one in component.properties if one.name != "DUE"])
    start = parsed_time(first.value, first, names) if first else EventTime(date(1, 1, 2))
    if first and first.parameter("TZID") and start.zone is not UTC:
        day_zone = names.zone(first.parameter("TZID")) or day_zone
    end = component.first("DTEND")
    if (component.text("X-MICROSOFT-CDO-ALLDAYEVENT") or "").strip().upper() == "TRUE" and not start.is_date:
        if start.civil.time() == time() and (end is None or re.match(r"\d{8}T000000", end.value)):
            start = EventTime(start.civil.date())
    recurrence = component.first("RECURRENCE-ID")
    uid = component.text("UID")
    if uid is None:
        lines = sorted(
            f"{one.name}{one.parameters}{one.value}" for one in component.properties
            if one.name not in ("DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE"))
        uid = "no uid " + hashlib.sha256("\n".join(lines).encode()).hexdigest()
    changed = component.text("LAST-MODIFIED") or component.text("DTSTAMP") or ""
    try:
        sequence = int(component.text("SEQUENCE") or 0)
    except ValueError:
        sequence = 0
    event = Event(
        kind=KINDS[component.name], uid=uid, calendar=calendar, start=start,
        length=event_length(component, start, names, floating), floating=floating,
        recurrence_id=parsed_time(recurrence.value, recurrence, names) if recurrence else None,
        and_future=bool(recurrence) and (recurrence.parameter("RANGE") or "").upper() == "THISANDFUTURE",
        version=(sequence, changed), order=order, content=content_of(component),
        title=trimmed(component.text("SUMMARY")), location=trimmed(component.text("LOCATION")),
        status=(component.text("STATUS") or "").strip().lower() or None,
        categories=[
            one.strip() for item in component.all("CATEGORIES") for one in split_texts(item.value) if one.strip()])
    event.day_zone = day_zone
    event.lacks_start = lacks_start and component.name == "VEVENT"
    event.is_undated = first is None
    event.has_due_time = first is not None and (
        first.name == "DUE" or bool(component.first("DUE") or component.first("DURATION")))
    event.is_completed = event.status in ("completed", "cancelled")
    # In an override they count only if its master is missing.
    if event.recurrence_id is None or component.first("RRULE") or component.first("RDATE"):
        event.rules = parsed_rules(component.all("RRULE"))
        event.exception_rules = parsed_rules(component.all("EXRULE"))
        for item in component.all("RDATE"):
            event.dates += readable(item, lambda one, item: added_date(one, item, names, event))
        for item in component.all("EXDATE"):
            event.exception_dates += readable(item, lambda one, item: parsed_time(one, item, names))
        if start.is_date:
            event.rules = [until_of_days(rule, day_zone) for rule in event.rules]
            event.exception_rules = [until_of_days(rule, day_zone) for rule in event.exception_rules]
            event.dates = [(EventTime(day_named(one, day_zone)), length) for one, length in event.dates]
            event.exception_dates = [EventTime(day_named(one, day_zone)) for one in event.exception_dates]
    return event


def readable(item: Property, read) -> list:
    """The values of a list that say something; what cannot be read is left out alone."""
    result = []
    for one in item.value.split(","):
        try:
            result.append(read(one, item))
        except ValueError:
            pass
    return result


def trimmed(text: str | None) -> str | None:
    return text.strip() if text is not None else None


def parsed_rules(items: list[Property]) -> list[Rule]:
    rules = []
    for item in items:
        try:
            rules.append(Rule.parsed(item.value.removeprefix("RRULE:")))
        except (ValueError, KeyError):
            pass
    return rules


def added_date(text: str, item: Property, names: ZoneNames, event: Event) -> tuple[EventTime, Length | None]:
    begin, slash, rest = text.partition("/")
    start = parsed_time(begin, item, names)
    if not slash:
        return start, Length(days=1) if start.is_date and not event.start.is_date else None
    if rest.strip().upper().startswith(("P", "+P", "-P")):
        return start, parsed_duration(rest)
    until = parsed_time(rest, item, names)
    if start.is_date:
        return start, Length(days=(until.day - start.day).days)
    return start, Length(exact=until.instant(event.zone) - start.instant(event.zone))


def source_events(path: str, viewer: Zone) -> list[Event]:
    """All events and tasks of a file. What cannot be read is left out."""
    with open(path, "rb") as stream:
        return events_of(stream.read(), os.path.splitext(os.path.basename(path))[0], viewer)


def events_of(data: bytes, calendar: str, viewer: Zone) -> list[Event]:
    """All events and tasks of a source that is called `calendar` unless it says otherwise."""
    root = components(data)
    calendars = [one for one in root.children if one.name == "VCALENDAR"]
    definitions = {}
    for holder in [root, *calendars]:
        for part in holder.children:
            if part.name == "VTIMEZONE" and part.first("TZID"):
                definitions.setdefault(part.first("TZID").value.strip(), part)
    names = ZoneNames(definitions)
    stated = [holder.text("X-WR-CALNAME") or holder.text("NAME") for holder in calendars]
    known = [name for name in stated if name]
    calendar = known[0] if known else calendar
    # Calendars with different names stay apart; one without a name belongs to the first.
    own_names = {id(root): calendar}
    for holder, name in zip(calendars, stated):
        own_names[id(holder)] = name if name and len(set(known)) > 1 else calendar
    events = []
    for holder in [root, *calendars]:
        written = holder.text("X-WR-TIMEZONE")
        given = names.zone(written.strip()) if written else None
        floating = given or viewer
        own = {part.first("TZID").value.strip() for part in holder.children if part.name == "VTIMEZONE" and part.first("TZID")}
        day_zone = given or (names.zone(own.pop()) if len(own) == 1 else None)
        for part in holder.children:
            if part.name not in KINDS or not part.closed:
                continue
            try:
                event = parsed_event(part, names, floating, own_names[id(holder)], len(events), day_zone)
            except ValueError:
                continue
            if event:
                event.floating_is_given = given is not None
                if (holder.text("METHOD") or "").strip().upper() == "CANCEL":
                    event.status = "cancelled"
                events.append(event)
    return events


def source_occurrences(events: list[Event], end: datetime) -> Iterator[Occurrence]:
    """What happens before `end`, in no order, cancelled ones included."""
    groups: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        groups.setdefault((event.kind, event.uid), []).append(event)
    for group in groups.values():
        masters = counting_masters([one for one in group if one.recurrence_id is None])
        overrides = newest(
            (one for one in group if one.recurrence_id is not None), lambda one: moment_key(one, masters))
        if not masters:
            masters = [replace(one, recurrence_id=None) for one in overrides if one.recurs]
            overrides = [one for one in overrides if not one.recurs]
        overrides = [one for one in overrides if not any(is_stale(one, master) for master in masters)]
        if any(master.status == "cancelled" for master in masters):
            overrides = [replace(override, status="cancelled") for override in overrides]
        taken: set[int] = set()
        for master in masters:
            yield from series_occurrences(master, overrides, taken, end)
        for override in overrides:
            if id(override) not in taken:
                yield occurrence(override, override.start.civil, None, recurrence_value(override, None))


def time_key(value: EventTime, event: Event) -> tuple:
    return (value.is_date, value.civil, value.zone.name if value.zone else None)


def moment_key(override: Event, masters: list[Event]):
    value = override.recurrence_id
    if masters and masters[0].start.is_date:
        return day_named(value, masters[0].day_zone or override.day_zone)
    return value.civil if value.is_date else value.instant(masters[0].zone if masters else override.floating)


def content_of(component: Component) -> str:
    """What a component says, apart from when it was written."""
    properties = [one for one in component.properties if one.name not in ("DTSTAMP", "LAST-MODIFIED")]
    return repr((component.name, properties, component.children))


def counting_masters(masters: list[Event]) -> list[Event]:
    """The highest SEQUENCE wins. For each start, the latest stamp wins; equal stamps keep all different contents."""
    highest = max((one.version[0] for one in masters), default=0)
    starts: dict[tuple, list[Event]] = {}
    for master in masters:
        if master.version[0] == highest:
            starts.setdefault(time_key(master.start, master), []).append(master)
    result = []
    for group in starts.values():
        latest = max(one.version for one in group)
        result += {one.content: one for one in group if one.version == latest}.values()
    return sorted(result, key=lambda one: one.order)


def newest(events: Iterator[Event], key) -> list[Event]:
    best: dict = {}
    for event in events:
        identity = key(event)
        if identity not in best or (event.version, event.order) > (best[identity].version, best[identity].order):
            best[identity] = event
    return list(best.values())


def recurrence_value(override: Event, master: Event | None) -> date | datetime:
    value = override.recurrence_id
    if value.is_date:
        return value.civil
    return value.instant(master.zone if master else override.floating)


def occurrence(event: Event, civil: date | datetime, length: Length | None, recurrence_id) -> Occurrence:
    end = ended(civil, length or event.length, event.zone)
    start = event.zone.instant(civil) if isinstance(civil, datetime) else civil
    return Occurrence(event, civil, start, end, recurrence_id)


def is_stale(override: Event, master: Event) -> bool:
    """Whether a newer version of the series has removed the occurrence that the override replaces."""
    if override.version[0] >= master.version[0]:
        return False
    item = occurrence(master, override.recurrence_id.civil, None, None)
    if not item.all_day:
        item.start = override.recurrence_id.instant(master.zone)
    if any(matches(excluded, item, master) for excluded in master.exception_dates):
        return True
    civil = override.recurrence_id.civil
    return bool(master.rules) and not master.dates and not any(within_until(rule, master)(civil) for rule in master.rules)


def within_until(rule: Rule, event: Event):
    def inside(candidate: date | datetime) -> bool:
        if rule.until is None:
            return True
        if not isinstance(candidate, datetime):
            return candidate <= rule.until.date()
        if rule.until_is_date:
            return candidate.date() <= rule.until.date()
        if rule.until_is_utc:
            return event.zone.instant(candidate) <= rule.until
        return candidate <= rule.until
    return inside


def matches(value: EventTime, item: Occurrence, event: Event, other: Event | None = None) -> bool:
    """Whether an EXDATE or a RECURRENCE-ID, that of `other`, means this occurrence."""
    if item.all_day:
        return day_named(value, event.day_zone or (other and other.day_zone)) == item.start
    if value.is_date:
        return value.day == item.civil.date()
    return value.instant(event.zone) == item.start


def of_midnight(value: EventTime, found: dict, master: Event) -> EventTime:
    """A midnight that a timed series does not have means the only occurrence of its date."""
    if master.start.is_date or value.is_date or value.civil.time() != time():
        return value
    if any(matches(value, item, master) for item in found.values()):
        return value
    day = EventTime(value.day)
    return day if sum(matches(day, item, master) for item in found.values()) == 1 else value


def series_occurrences(
    master: Event, overrides: list[Event], taken: set[int], end: datetime
) -> Iterator[Occurrence]:
    horizon = end
    for override in overrides:
        for value in (override.recurrence_id, override.start):
            horizon = max(horizon, datetime.combine(value.day, time()) + 2 * DAY)
        if override.and_future:
            horizon += abs(override.start.day - override.recurrence_id.day) + 2 * DAY
    found: dict[date | datetime, Occurrence] = {}
    for rule in master.rules:
        if not within_until(rule, master)(master.start.civil):
            continue
        for civil in occurrences(rule, master.start.civil, horizon, within_until(rule, master)):
            item = occurrence(master, civil, None, None)
            found.setdefault(item.start, item)
    if not master.rules:
        item = occurrence(master, master.start.civil, None, None)
        found[item.start] = item
    for value, length in master.dates:
        if value.is_date:
            civil = value.civil
        else:
            civil = value.civil if value.zone in (None, master.zone) else master.zone.civil(value.instant(master.zone))
        item = occurrence(master, civil, length, None)
        item.is_added, item.own_length = value.zone != master.start.zone, length
        found.setdefault(item.start, item)
    for rule in master.exception_rules if master.recurs else []:
        for civil in occurrences(
                rule, master.start.civil, horizon, within_until(rule, master), counts_start=False):
            found.pop(master.zone.instant(civil) if isinstance(civil, datetime) else civil, None)
    before = dict(found)
    for excluded in master.exception_dates:
        excluded = of_midnight(excluded, before, master)
        for key in [key for key, item in found.items() if matches(excluded, item, master)]:
            del found[key]
    following: list[tuple[Occurrence, Event]] = []
    replaced: dict[int, Event] = {}
    for override in overrides:
        if id(override) in taken:
            continue
        for item in found.values():
            if matches(of_midnight(override.recurrence_id, found, master), item, master, override):
                taken.add(id(override))
                replaced[id(item)] = override
                if override.and_future:
                    following.append((item, override))
        if override.and_future and id(override) not in taken:
            value = override.recurrence_id
            civil = value.civil if value.zone in (None, master.start.zone) else master.zone.civil(
                value.instant(master.zone))
            following.append((occurrence(master, civil, None, None), override))
    emitted: set[int] = set()
    following.sort(key=lambda pair: str(pair[0].start))
    for item in found.values():
        own = replaced.get(id(item))
        if own:
            if id(own) not in emitted:
                emitted.add(id(own))
                if own.lacks_start:
                    own = replace(
                        own, start=replace(master.start, civil=item.civil), length=item.own_length or master.length,
                        title=own.title or master.title, location=own.location or master.location)
                yield occurrence(own, own.start.civil, None, item.start if master.recurs else None)
            continue
        change = None
        for begin, override in following:
            if begin.all_day == item.all_day and begin.start <= item.start:
                change = (begin, override)
        if change is None:
            item.recurrence_id = item.start if master.recurs else None
            yield item
            continue
        begin, override = change
        moved = override.start
        if moved.is_date:
            civil = item.civil + (moved.civil - begin.civil)
        else:
            there = moved.civil if moved.zone in (None, master.zone) else master.zone.civil(
                moved.instant(override.floating))
            civil = item.civil + (there - begin.civil)
        shifted = replace(override, start=EventTime(civil, master.start.zone))
        yield occurrence(shifted, civil, item.own_length, item.start)
