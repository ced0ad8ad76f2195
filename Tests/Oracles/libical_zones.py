"""How often libical's own zones differ from Python's zoneinfo, which reads the same files.

Usage: libical_zones.py [FIRST_YEAR LAST_YEAR]      (default 1970 2060)

Asks both at the first of every month, 00:00 UTC, in every zone of the system's folder. Needs
libical.so.3.
"""
import ctypes
import sys
import zoneinfo
from datetime import datetime, timezone


class Time(ctypes.Structure):
    """struct icaltimetype of libical/icaltime.h."""

    _fields_ = [
        (name, ctypes.c_int)
        for name in ("year", "month", "day", "hour", "minute", "second", "is_date", "is_daylight")
    ] + [("zone", ctypes.c_void_p)]


def main():
    first, last = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (1970, 2060)
    zoneinfo.reset_tzpath(to=["/usr/share/zoneinfo"])
    ical = ctypes.CDLL("libical.so.3")
    ical.icaltimezone_get_builtin_timezone.restype = ctypes.c_void_p
    ical.icaltimezone_get_utc_offset_of_utc_time.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(Time), ctypes.POINTER(ctypes.c_int),
    ]
    months = [(year, month) for year in range(first, last + 1) for month in range(1, 13)]
    names = sorted(zoneinfo.available_timezones() - {"localtime", "Factory"})
    missing, wrong = [], {}
    for name in names:
        theirs = ical.icaltimezone_get_builtin_timezone(name.encode())
        if not theirs:
            missing.append(name)
            continue
        zone = zoneinfo.ZoneInfo(name)
        daylight = ctypes.c_int()
        for year, month in months:
            moment = datetime(year, month, 1, tzinfo=timezone.utc).astimezone(zone)
            expected = int(moment.utcoffset().total_seconds())
            time = Time(year, month, 1, 0, 0, 0, 0, 0, None)
            got = ical.icaltimezone_get_utc_offset_of_utc_time(theirs, time, daylight)
            if got != expected:
                wrong[name] = wrong.get(name, 0) + 1
    print(f"{len(names)} zones, {len(months)} months each, {first} to {last}")
    print(f"libical has no such zone: {len(missing)}")
    print(f"wrong in some month: {len(wrong)} zones, {sum(wrong.values())} months")
    for name in sorted(wrong, key=wrong.get, reverse=True)[:10]:
        print(f"  {name}: {wrong[name]} months")


main()
