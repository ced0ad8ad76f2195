"""Recurrence rules (RFC 5545, section 3.3.10; RFC 7529's SKIP) by brute force.

Every period of the rule is walked from DTSTART on, every day in it is asked whether it fits, and nothing is ever skipped or computed
ahead. Slow, and plain enough to be believed.
"""

from __future__ import annotations

import calendar
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

DAY = timedelta(days=1)
WEEKDAYS = {"MO": 0, "TU": 1, "WE": 2, "TH": 3, "FR": 4, "SA": 5, "SU": 6}
BY_DAY_OR_LONGER = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
UNITS = {"SECONDLY": timedelta(seconds=1), "MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1)}


@dataclass
class Rule:
    frequency: str
    interval: int = 1
    count: int | None = None
    until: datetime | None = None
    until_is_date: bool = False
    until_is_utc: bool = False
    week_start: int = 0
    skip: str = "OMIT"
    by: dict[str, list[int]] = field(default_factory=dict)
    by_day: list[tuple[int | None, int]] = field(default_factory=list)

    @staticmethod
    def parsed(text: str) -> "Rule":
        rule = Rule("")
        for part in text.strip().upper().split(";"):
            name, separator, value = (piece.strip() for piece in part.partition("="))
            if not separator:
                continue
            if name == "FREQ":
                if value not in BY_DAY_OR_LONGER and value not in UNITS:
                    raise ValueError(value)
                rule.frequency = value
            elif name == "INTERVAL":
                rule.interval = int(value)
            elif name == "COUNT":
                rule.count = int(value)
            elif name == "UNTIL":
                rule.until_is_date = len(value) == 8
                rule.until_is_utc = value.endswith("Z")
                rule.until = datetime.strptime(value[:15], "%Y%m%d" if rule.until_is_date else "%Y%m%dT%H%M%S")
            elif name == "WKST":
                rule.week_start = WEEKDAYS[value]
            elif name == "SKIP":
                rule.skip = value
            elif name == "BYDAY":
                for one in value.split(","):
                    match = re.fullmatch(r"([+-]?\d+)?(MO|TU|WE|TH|FR|SA|SU)", one.strip())
                    if not match or match[1] and not 1 <= abs(int(match[1])) <= 53:
                        raise ValueError(one)
                    rule.by_day.append((int(match[1]) if match[1] else None, WEEKDAYS[match[2]]))
            elif name.startswith("BY"):
                rule.by[name] = [int(one) for one in value.split(",")]
        if not rule.frequency or rule.interval < 1:
            raise ValueError(text)
        return rule


def days_in_month(day: date) -> int:
    return calendar.monthrange(day.year, day.month)[1]


def days_in_year(day: date) -> int:
    return 366 if calendar.isleap(day.year) else 365


def week_begin(day: date, week_start: int) -> date:
    return day - (day.weekday() - week_start) % 7 * DAY


def week_number(day: date, week_start: int) -> tuple[int, int]:
    """The week's number in the year that has four days of it, and how many weeks that year has."""
    middle = week_begin(day, week_start) + 3 * DAY
    number = (middle - date(middle.year, 1, 1)).days // 7 + 1
    last = week_begin(date(middle.year, 12, 31), week_start) + 3 * DAY
    if last.year != middle.year:
        last -= 7 * DAY
    return number, (last - date(middle.year, 1, 1)).days // 7 + 1


def either_way(wanted: list[int], number: int, total: int) -> bool:
    """Whether a number fits, counted from the start or, where negative, from the end."""
    return number in wanted or number - total - 1 in wanted


def fits_weekday(rule: Rule, day: date) -> bool:
    for ordinal, weekday in rule.by_day:
        if day.weekday() != weekday:
            continue
        if ordinal is None or rule.frequency not in ("MONTHLY", "YEARLY"):
            return True
        if rule.frequency == "MONTHLY" or "BYMONTH" in rule.by:
            number, total = day.day, days_in_month(day)
        else:
            number, total = day.timetuple().tm_yday, days_in_year(day)
        if ordinal in ((number - 1) // 7 + 1, -((total - number) // 7 + 1)):
            return True
    return False


def fits(rule: Rule, day: date, start: date) -> bool:
    """Whether the rule's parts, and those that DTSTART lends it, let this day through."""
    by = rule.by
    if "BYMONTH" in by and day.month not in by["BYMONTH"]:
        return False
    if "BYWEEKNO" in by and not either_way(by["BYWEEKNO"], *week_number(day, rule.week_start)):
        return False
    if "BYYEARDAY" in by and not either_way(by["BYYEARDAY"], day.timetuple().tm_yday, days_in_year(day)):
        return False
    if "BYMONTHDAY" in by and not either_way(by["BYMONTHDAY"], day.day, days_in_month(day)):
        return False
    if rule.by_day and not fits_weekday(rule, day):
        return False
    if rule.by_day or "BYMONTHDAY" in by or "BYYEARDAY" in by:
        return True
    if rule.frequency == "YEARLY":
        if "BYWEEKNO" in by:
            return day.weekday() == start.weekday()
        return day.day == start.day and ("BYMONTH" in by or day.month == start.month)
    if rule.frequency == "MONTHLY":
        return day.day == start.day
    if rule.frequency == "WEEKLY":
        return day.weekday() == start.weekday()
    return True


def moved_days(rule: Rule, days: list[date], start: date) -> Iterator[date]:
    """The days to which SKIP moves what the months of a period, or a year, do not have."""
    if rule.skip == "OMIT" or rule.frequency not in ("MONTHLY", "YEARLY"):
        return
    if rule.frequency == "YEARLY":
        for number in rule.by.get("BYYEARDAY", []):
            if abs(number) <= len(days) or (12 if number > 0 else 1) not in rule.by.get("BYMONTH", [1, 12]):
                continue
            edge = days[-1] if number > 0 else days[0]
            beyond = edge + DAY if number > 0 else edge - DAY
            moved = beyond if (number > 0) == (rule.skip == "FORWARD") else edge
            if "BYMONTHDAY" in rule.by and not either_way(rule.by["BYMONTHDAY"], moved.day, days_in_month(moved)):
                continue
            if "BYWEEKNO" in rule.by and not either_way(rule.by["BYWEEKNO"], *week_number(moved, rule.week_start)):
                continue
            if not rule.by_day or fits_weekday(rule, moved):
                yield moved
    if "BYMONTHDAY" in rule.by:
        wanted = rule.by["BYMONTHDAY"]
    elif rule.by_day or "BYYEARDAY" in rule.by or "BYWEEKNO" in rule.by:
        return
    else:
        wanted = [start.day]
    for first in days:
        if first.day != 1:
            continue
        if "BYMONTH" in rule.by:
            if first.month not in rule.by["BYMONTH"]:
                continue
        elif rule.frequency == "YEARLY" and "BYMONTHDAY" not in rule.by and first.month != start.month:
            continue
        last = first + (days_in_month(first) - 1) * DAY
        if any(number > last.day for number in wanted):
            moved = last + DAY if rule.skip == "FORWARD" else last
            if not rule.by_day or fits_weekday(rule, moved):
                yield moved


def periods(rule: Rule, begin: date, end: date, start: date) -> Iterator[list[date]]:
    """The days of every INTERVALth year, month, week or day, from DTSTART's own on."""
    if rule.frequency == "YEARLY":
        years = range(start.year, min(end.year, 9998) + 1, rule.interval)
        for year in years:
            if year >= begin.year:
                yield [date(year, 1, 1) + index * DAY for index in range(days_in_year(date(year, 1, 1)))]
    elif rule.frequency == "MONTHLY":
        last = end.year * 12 + end.month - 1
        for number in range(start.year * 12 + start.month - 1, last + 1, rule.interval):
            first = date(number // 12, number % 12 + 1, 1)
            if first.year >= begin.year:
                yield [first + index * DAY for index in range(days_in_month(first))]
    else:
        length = 7 if rule.frequency == "WEEKLY" else 1
        first = week_begin(start, rule.week_start) if rule.frequency == "WEEKLY" else start
        while first <= end:
            yield [first + index * DAY for index in range(length)]
            first += length * rule.interval * DAY


def chosen(rule: Rule, candidates: list) -> list:
    """What BYSETPOS leaves of one period, in order."""
    ordered = sorted(set(candidates))
    if "BYSETPOS" not in rule.by:
        return ordered
    return [one for index, one in enumerate(ordered) if either_way(rule.by["BYSETPOS"], index + 1, len(ordered))]


def rule_days(rule: Rule, begin: date, end: date, start: date) -> Iterator[date]:
    """The dates of a rule of days or longer, counted by COUNT, without regard to UNTIL."""
    left = rule.count
    for days in periods(rule, begin, end, start):
        candidates = [day for day in days if fits(rule, day, start)] + list(moved_days(rule, days, start))
        for day in chosen(rule, candidates):
            if day < start or day > end or left == 0:
                continue
            left = None if left is None else left - 1
            yield day


def candidates_of_time(rule: Rule, start: time) -> list[time]:
    return [
        time(hour, minute, second)
        for hour, minute, second in itertools.product(
            rule.by.get("BYHOUR", [start.hour]), rule.by.get("BYMINUTE", [start.minute]),
            rule.by.get("BYSECOND", [start.second]))]


def sub_daily(rule: Rule, start: datetime, end: datetime) -> Iterator[list[datetime]]:
    unit = UNITS[rule.frequency]
    period = start.replace(second=0) if rule.frequency != "SECONDLY" else start
    if rule.frequency == "HOURLY":
        period = period.replace(minute=0)
    known: dict[date, bool] = {}
    while period <= end:
        day = period.date()
        if day not in known:
            known[day] = fits(rule, day, start.date())
        if known[day] and period.hour in rule.by.get("BYHOUR", [period.hour]):
            if rule.frequency == "HOURLY":
                minutes = rule.by.get("BYMINUTE", [start.minute])
            else:
                minutes = [one for one in rule.by.get("BYMINUTE", [period.minute]) if one == period.minute]
            if rule.frequency == "SECONDLY":
                seconds = [one for one in rule.by.get("BYSECOND", [period.second]) if one == period.second]
            else:
                seconds = rule.by.get("BYSECOND", [start.second])
            yield [
                period.replace(minute=minute, second=second)
                for minute, second in itertools.product(minutes, seconds)]
        period += unit * rule.interval


def occurrences(
    rule: Rule, start: datetime | date, end: datetime, within_until: Callable[[datetime | date], bool],
    counts_start: bool = True,
) -> Iterator[datetime | date]:
    """What the rule gives from DTSTART up to `end`, in order.

    With `counts_start`, DTSTART is the first of them whether the rule gives it or not.
    """
    has_time = isinstance(start, datetime)
    left = rule.count
    if counts_start:
        yield start
        left = None if left is None else left - 1
    if rule.frequency in BY_DAY_OR_LONGER:
        first_day = start.date() if has_time else start
        times = candidates_of_time(rule, start.time()) if has_time else []

        def by_days() -> Iterator[list]:
            for days in periods(rule, first_day, end.date(), first_day):
                fitting = [day for day in days if fits(rule, day, first_day)]
                fitting += moved_days(rule, days, first_day)
                yield [datetime.combine(day, one) for day in fitting for one in times] if has_time else fitting

        sets = by_days()
    else:
        sets = sub_daily(rule, start, end)
    last = None
    for candidates in sets:
        for one in chosen(rule, candidates):
            if one < start or (counts_start and one == start) or one == last or not within_until(one):
                continue
            if left is not None and left <= 0:
                return
            left = None if left is None else left - 1
            last = one
            yield one
