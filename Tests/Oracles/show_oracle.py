#!/usr/bin/env python3
"""What `agenda show FILE… --format json` must print, worked out a second time.

Written from the contract of the command line, the decisions about time, and RFC 5545, without a look at the Swift sources, by brute force
and with Python's `zoneinfo`. It prints only what the comparison needs: no titles of sections, no ids of entries.

    show_oracle.py calendar.ics --now 2026-11-21T09:00:00+01:00 --timezone Europe/Berlin
"""

from __future__ import annotations

import argparse
import calendar
import json
import re
import sys
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

from show_lines import NotACalendar
from show_series import UNKNOWN, Occurrence, source_events, source_occurrences
from show_zones import DAY, Zone, database_zone, start_of_day

WEEKDAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
TIME_KEYS = ("day", "week", "month", "year")
SECOND = timedelta(seconds=1)


def months_later(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 + months
    year, month = number // 12, number % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def phrase(text: str, today: date) -> date:
    text = text.strip().lower()
    match = re.fullmatch(r"([+-]\d+)([dwmy])", text)
    if match:
        number = int(match[1])
        if match[2] in "dw":
            return today + number * (7 if match[2] == "w" else 1) * DAY
        return months_later(today, number * (12 if match[2] == "y" else 1))
    if text in WEEKDAY_NAMES:
        return today + (WEEKDAY_NAMES.index(text) - today.weekday()) % 7 * DAY
    if text in ("today", "tomorrow", "yesterday"):
        return today + ["today", "tomorrow"].index(text) * DAY if text != "yesterday" else today - DAY
    return date.fromisoformat(text)


@dataclass
class Window:
    """Whole days of one zone: from the first moment of the first to the first moment after the last."""

    zone: Zone
    first: date
    after: date

    @property
    def start(self) -> datetime:
        return start_of_day(self.zone, self.first)

    @property
    def end(self) -> datetime:
        return start_of_day(self.zone, self.after)

    @staticmethod
    def of(options: argparse.Namespace, zone: Zone, now: datetime) -> "Window":
        today = zone.civil(now).date()
        first = phrase(options.from_, today) if options.from_ else today
        if options.to:
            after = phrase(options.to, today) + DAY
        elif options.days:
            after = first + options.days * DAY
        elif options.weeks:
            after = first + options.weeks * 7 * DAY
        elif options.months:
            after = months_later(first, options.months)
        else:
            after = months_later(first, 12 * (options.years or 1))
        return Window(zone, first, after)


@dataclass
class Span:
    """The days of the reader that an entry touches, by date."""

    first: date
    last: date

    @staticmethod
    def of(item: Occurrence, zone: Zone) -> "Span":
        if item.all_day:
            return Span(item.start, item.end - DAY)
        first = zone.civil(item.start).date()
        return Span(first, zone.civil(item.end - SECOND).date() if item.end > item.start else first)


def touches(item: Occurrence, window: Window) -> bool:
    if item.all_day:
        return item.start < window.after and item.end > window.first
    if item.start == item.end:
        return window.start <= item.start < window.end
    return item.start < window.end and item.end > window.start


def written(value: date | datetime | None, zone: Zone) -> str | None:
    if value is None or value == UNKNOWN:
        return value
    if not isinstance(value, datetime):
        return value.isoformat()
    offset = zone.offset_at(value)
    if offset.total_seconds() % 60:
        return value.replace(tzinfo=timezone.utc).isoformat()
    return (value + offset).replace(tzinfo=timezone(offset)).isoformat()


def section_keys(item: Occurrence, day: date, key: str) -> list[str]:
    if key == "day":
        return [day.isoformat()]
    if key == "week":
        year, week, _ = day.isocalendar()
        return [f"{year:04}-W{week:02}"]
    if key == "month":
        return [str(day.year * 1000 + day.month)]
    if key == "year":
        return [f"{day.year:04}"]
    if key == "calendar":
        return [item.event.calendar]
    if key == "category":
        return list(dict.fromkeys(item.event.categories)) or [""]
    if key == "location":
        return [item.event.location or ""]
    if key == "status":
        return [item.event.status or ""]
    if key == "initial":
        return [(item.event.title or "")[:1].upper()]
    return [""]


def entry(item: Occurrence, span: Span, day: date, zone: Zone) -> dict:
    event = item.event
    return {
        "uid": None if event.uid.startswith("no uid ") else event.uid,
        "recurrenceId": written(item.recurrence_id, zone),
        "calendar": event.calendar, "kind": event.kind, "title": event.title, "allDay": item.all_day,
        "start": written(item.start, zone), "end": written(item.end, zone),
        "timeZone": UNKNOWN if item.is_added else event.written_zone,
        "day": (day - span.first).days + 1, "days": (span.last - span.first).days + 1,
        "status": event.status, "location": event.location, "categories": event.categories,
    }


def undated_keys(item: Occurrence, key: str) -> list[str]:
    return [""] if key in TIME_KEYS else section_keys(item, date.max, key)


def undated_entry(item: Occurrence, zone: Zone) -> dict:
    day = item.start
    return {
        **entry(item, Span(day, day), day, zone), "allDay": False, "start": None, "end": None, "timeZone": None,
        "recurrenceId": None}


def due(item: Occurrence) -> Occurrence:
    """A task is listed where it is due."""
    if item.all_day:
        last = item.end - DAY
        return Occurrence(item.event, last, last, item.end, item.recurrence_id)
    return Occurrence(item.event, item.civil, item.end, item.end, item.recurrence_id)


def overdue_tasks(tasks: list[Occurrence], now: datetime, zone: Zone) -> list[Occurrence]:
    """Of each task the last date up to today, if that is before today and the task is still open."""
    today = zone.civil(now).date()
    latest: dict[str, Occurrence] = {}
    for item in sorted(tasks, key=lambda one: str(one.start)):
        if Span.of(item, zone).first <= today:
            latest[item.event.uid] = item
    return [
        one for one in latest.values()
        if one.event.has_due_time and not one.event.is_completed and Span.of(one, zone).first < today]


def show(options: argparse.Namespace) -> dict:
    zone = database_zone(options.timezone)
    if zone is None:
        raise SystemExit(f"no such zone: {options.timezone}")
    now = datetime.fromisoformat(options.now).astimezone(timezone.utc).replace(tzinfo=None)
    window = Window.of(options, zone, now)
    horizon = window.end + 3 * DAY
    sections: dict[str, list[tuple[tuple, dict]]] = {}
    for path in dict.fromkeys(options.files):
        try:
            events = source_events(path, zone)
        except NotACalendar:
            continue
        found = list(source_occurrences(events, horizon))
        tasks = [due(one) for one in found if one.event.kind == "task" and not one.event.is_undated]
        today = zone.civil(now).date()
        overdue = overdue_tasks(tasks, now, zone) if window.first <= today < window.after else []
        moved = [(one.event.uid, one.start) for one in overdue]
        for item in found:
            if item.event.kind == "task":
                if not options.tasks:
                    continue
                item = item if item.event.is_undated else due(item)
            is_overdue = item.event.kind == "task" and (item.event.uid, item.start) in moved
            if item.event.status == "cancelled" and not options.include_cancelled:
                continue
            if options.calendar and item.event.calendar not in options.calendar:
                continue
            if options.not_started and not item.all_day and item.start <= now:
                continue
            if item.event.is_undated:
                if not item.event.is_completed:
                    for key in undated_keys(item, options.group_by):
                        order = ("a", True, "a", "", item.event.title or "", item.event.uid, "")
                        sections.setdefault(key, []).append((order, undated_entry(item, zone) | {"listed": "a"}))
                continue
            if not is_overdue and not touches(item, window):
                continue
            span = Span(today, today) if is_overdue else Span.of(item, zone)
            day = max(span.first, window.first)
            last = min(span.last, window.after - DAY) if options.group_by == "day" and not options.once else day
            while day <= last:
                if item.all_day or zone.civil(start_of_day(zone, day)).date() == day:
                    order = (
                        str(day), not item.all_day, str(item.start), str(item.end), item.event.title or "",
                        item.event.uid, str(item.recurrence_id))
                    for key in section_keys(item, day, options.group_by):
                        shown = entry(item, span, day, zone) | {"listed": str(day)}
                        sections.setdefault(key, []).append((order, shown))
                day += DAY
    return {
        "version": 1,
        "window": {
            "start": written(window.start, zone), "end": written(window.end, zone), "timeZone": zone.name},
        "groupedBy": options.group_by,
        "sections": [
            {"id": key, "entries": [one for _, one in sorted(sections[key], key=lambda pair: pair[0])]}
            for key in sorted(sections, key=lambda key: (key == "", key.casefold(), key))],
    }


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("files", nargs="+")
    result.add_argument("--now", required=True)
    result.add_argument("--timezone", required=True)
    result.add_argument("--from", dest="from_")
    result.add_argument("--to")
    for name in ("days", "weeks", "months", "years"):
        result.add_argument(f"--{name}", type=int)
    result.add_argument("--group-by", default="day")
    result.add_argument("--calendar", action="append")
    for name in ("once", "tasks", "include-cancelled", "not-started"):
        result.add_argument(f"--{name}", action="store_true")
    result.add_argument("--format", "-f", choices=["json"], default="json")
    return result


if __name__ == "__main__":
    json.dump(show(parser().parse_args()), sys.stdout, ensure_ascii=False, indent=2)
    print()
