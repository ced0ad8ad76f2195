#!/usr/bin/env python3
"""Says what Python's icalendar reads in calendar files, one component a line.

    icalendar_events.py FILE…

A line has the file's number and UID, RECURRENCE-ID, DTSTART and SUMMARY, separated by tabs; times in UTC with a Z where the zone is known,
else as they are. A file that icalendar refuses is a line with its number and `refused`.
"""

import sys
from datetime import date, datetime, timezone

from icalendar import Calendar


def said(value):
    if value is None:
        return "-"
    try:
        when = value.dt
    except Exception:
        return "?"
    if isinstance(when, datetime):
        if when.tzinfo is not None:
            return when.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        return when.strftime("%Y-%m-%dT%H:%M:%S")
    if isinstance(when, date):
        return when.isoformat()
    return "?"


def first(component, name):
    value = component.get(name)
    return value[0] if isinstance(value, list) else value


def main():
    for number, path in enumerate(sys.argv[1:]):
        try:
            with open(path, "rb") as file:
                calendars = Calendar.from_ical(file.read(), multiple=True)
        except Exception:
            print(number, "refused", sep="\t")
            continue
        for calendar in calendars:
            for component in calendar.walk():
                if component.name not in ("VEVENT", "VTODO", "VJOURNAL"):
                    continue
                fields = [
                    str(first(component, "UID") or "-").strip(),
                    said(first(component, "RECURRENCE-ID")),
                    said(first(component, "DTSTART")),
                    str(first(component, "SUMMARY") or "").strip(),
                ]
                print(number, *(field.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") for field in fields), sep="\t")


main()
