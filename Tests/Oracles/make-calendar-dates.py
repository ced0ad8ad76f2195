#!/usr/bin/env python3
"""Writes Fixtures/recurrence/calendar-dates.txt: dates in calendars by convertdate and lunar_python.

  pip install convertdate==2.5.1 lunar_python==1.4.8
  Tests/Oracles/make-calendar-dates.py > Fixtures/recurrence/calendar-dates.txt

The tests cannot install these two packages themselves, because they only install wheels.
Each line has the name of RSCALE, the Gregorian date, and the year, month and day.
"""
import datetime
import random

from convertdate import coptic, indian_civil, islamic, persian
from lunar_python import Solar


def chinese(year, month, day):
    lunar = Solar.fromYmd(year, month, day).getLunar()
    month = lunar.getMonth()
    return lunar.getYear(), f"{-month}L" if month < 0 else month, lunar.getDay()


CALENDARS = {
    "CHINESE": (chinese, 1901, 2100),
    "COPTIC": (coptic.from_gregorian, 1600, 2400),
    "INDIAN": (indian_civil.from_gregorian, 1600, 2400),
    "ISLAMIC-CIVIL": (islamic.from_gregorian, 1600, 2400),
    # convertdate follows the equinox; the cycle of 33 years agrees with it in these years.
    "PERSIAN": (persian.from_gregorian, 1900, 2085),
}

pick = random.Random(7529)
for name, (convert, first, last) in CALENDARS.items():
    low = datetime.date(first, 1, 1).toordinal()
    high = datetime.date(last, 12, 31).toordinal()
    for number in sorted(pick.sample(range(low, high + 1), 200)):
        date = datetime.date.fromordinal(number)
        print(name, date, *convert(date.year, date.month, date.day))
