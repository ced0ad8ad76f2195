"""What Python's zoneinfo says about zones, for tests to compare with.

Usage: zoneinfo_runs.py FOLDER < names

For each zone, asked at the first of every month from 1900 to 2200 and on both sides of every
change in those years:
  Z name
  R first last offset abbreviation   stretch of instants with the same answer
  L local first second               around changes: a local time (as if UTC) and the instants
                                     that it means with fold=0 and fold=1
  C local first second               the same, where zoneinfo contradicts itself
"""
import calendar
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone

UTC = timezone.utc
EPOCH = datetime(1970, 1, 1)
EPOCH_UTC = datetime(1970, 1, 1, tzinfo=UTC)
MONTHS = [
    calendar.timegm((year, month, 1, 0, 0, 0))
    for year in range(1900, 2201)
    for month in range(1, 13)
]


def answer(zone, instant):
    moment = (EPOCH_UTC + timedelta(seconds=instant)).astimezone(zone)
    return int(moment.utcoffset().total_seconds()), moment.tzname()


def changes(zone, low, low_answer, high, high_answer, found):
    """Changes between two instants, down to a week's distance between them, by bisection."""
    if low_answer == high_answer and high - low < 7 * 86400:
        return
    if high - low == 1:
        found.append(high)
        return
    middle = (low + high) // 2
    middle_answer = answer(zone, middle)
    changes(zone, low, low_answer, middle, middle_answer, found)
    changes(zone, middle, middle_answer, high, high_answer, found)


def listed(folder, name):
    """The transition times that the file itself lists, read here independently."""
    data = open(f"{folder}/{name}", "rb").read()

    def block(at, size):
        isut, isstd, leap, time, kind, chars = (
            int.from_bytes(data[at + 20 + 4 * i : at + 24 + 4 * i], "big") for i in range(6)
        )
        end = at + 44 + time * (size + 1) + kind * 6 + chars + leap * (size + 4) + isstd + isut
        times = [
            int.from_bytes(data[at + 44 + size * i : at + 44 + size * (i + 1)], "big", signed=True)
            for i in range(time)
        ]
        return times, end

    times, end = block(0, 4)
    if data[4:5] >= b"2":
        times, end = block(end, 8)
    return times


def describe(folder, name):
    lines = []
    zone = zoneinfo.ZoneInfo.no_cache(name)
    around = {time for time in listed(folder, name) if MONTHS[0] < time < MONTHS[-1]}
    answers = {instant: answer(zone, instant) for instant in MONTHS}
    for low, high in zip(MONTHS, MONTHS[1:]):
        if answers[low] != answers[high]:
            found = []
            changes(zone, low, answers[low], high, answers[high], found)
            around.update(found)
    for time in around:
        for instant in (time - 1, time, time + 1):
            answers[instant] = answer(zone, instant)
    first = last = current = None
    for instant in sorted(answers):
        if answers[instant] != current:
            if current:
                lines.append(f"R {first} {last} {current[0]} {current[1]}\n")
            first, current = instant, answers[instant]
        last = instant
    lines.append(f"R {first} {last} {current[0]} {current[1]}\n")
    for time in sorted(around):
        before, after = answers[time - 1][0], answers[time][0]
        middle = (before + after) // 2
        for local in {before - 1, before, middle, after - 1, after, after + 1}:
            wall = EPOCH + timedelta(seconds=time + local)
            meant = [
                int((wall.replace(tzinfo=zone, fold=fold) - EPOCH_UTC).total_seconds())
                for fold in (0, 1)
            ]
            # zoneinfo takes the local times just after the last listed transition from the footer
            # alone, also those that the footer would have seen twice and the list does not
            # (America/Nuuk 2023-10-28 in files without redundant transitions). Its answer is then
            # not an instant that shows that time.
            is_fold = meant[0] < meant[1]
            is_shown = all(instant + answer(zone, instant)[0] == time + local for instant in meant)
            kind = "C" if is_fold and not is_shown else "L"
            lines.append(f"{kind} {time + local} {meant[0]} {meant[1]}\n")
    return lines


def main():
    folder = sys.argv[1]
    zoneinfo.reset_tzpath(to=[folder])
    # Aliases are copies of one file: those are asked once, and after the first name come only the
    # stretches.
    described = {}
    for name in sys.stdin.read().split():
        contents = open(f"{folder}/{name}", "rb").read()
        sys.stdout.write(f"Z {name}\n")
        if contents in described:
            sys.stdout.write(described[contents])
            continue
        lines = describe(folder, name)
        sys.stdout.write("".join(lines))
        described[contents] = "".join(line for line in lines if line.startswith("R"))


main()
