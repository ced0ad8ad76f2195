#!/usr/bin/env python3
"""Writes Sources/CivilTime/Calendars/MonthTables.swift: the months of the Chinese, Korean and Umm al-Qura calendars.

  pip install lunardate==0.3.0 lunar_python==1.4.8 korean_lunar_calendar==0.4.0 hijridate==2.6.0 ummalqura==2.0.1 ephem==4.2.1
  Tests/Oracles/make-month-tables.py > Sources/CivilTime/Calendars/MonthTables.swift

Every year is taken from one source and compared with a second one that was made independently. Each difference has
to be listed in EXPLAINED with its reason, otherwise the script fails. What it compared is printed on standard error.

- Chinese: lunar_python (computed: new moons and solar terms) and lunardate (a table, to 2099); 2100 is compared with
  our own computation from ephem, as is every year from 1929 (before that, China did not use UTC+8).
- Dangi: korean_lunar_calendar (the table of the Korea Astronomy and Space Science Institute, to 2050) and our own
  computation from ephem for UTC+9; from 2050 the formulas of lunar_python for UTC+9, and ephem.
- Both: every month has to begin on the day of the new moon by Meeus' formulas. CLOSE_MOONS lists the months whose new
  moon is within a minute of midnight.
- Umm al-Qura: hijridate (compiled from printed calendars) and ummalqura (R.H. van Gent's table, from 1356). Before 1356
  there is no second table: every month has to begin 0 to 2 days after the new moon that ephem computes.
"""
import datetime
import math
import sys

import ephem
import hijridate.ummalqura
from korean_lunar_calendar import KoreanLunarCalendar
from lunar_python import LunarYear
from lunar_python.util import ShouXingUtil
import lunardate
from ummalqura.ummalqura_arrray import UmalqurraArray

UNIX_EPOCH = datetime.date(1970, 1, 1)


def day_number(date):
    return (date - UNIX_EPOCH).days


def lunar_years(first, last, new_moons, terms):
    """Years as (first day, leap month or 0, month lengths), by the rule of 1645 that holds today.

    `new_moons` are the local days of new moons, `terms` those of the major solar terms with their number from 0 at
    the winter solstice. The month of the solstice is the 11th; of 13 months from one solstice to the next the first
    without a major term is a leap month.
    """
    solstices = {year: day for day, number, year in terms if number == 0}
    term_days = sorted(day for day, _, _ in terms)

    def index_of_month(day):
        return max(i for i, moon in enumerate(new_moons) if moon <= day)

    months = []  # (first day, number, is leap)
    for year in range(first - 1, last + 2):
        begin, end = index_of_month(solstices[year]), index_of_month(solstices[year + 1])
        number, is_leap_left = 11, end - begin == 13
        for i in range(begin, end):
            has_term = any(new_moons[i] <= day < new_moons[i + 1] for day in term_days)
            if i > begin and is_leap_left and not has_term:
                is_leap_left = False
                months.append((new_moons[i], (number - 2) % 12 + 1, True))
                continue
            months.append((new_moons[i], number, False))
            number = number % 12 + 1
    result, starts = {}, [i for i, month in enumerate(months) if month[1:] == (1, False)]
    for begin, end in zip(starts, starts[1:]):
        part = months[begin:end + 1]
        year = (UNIX_EPOCH + datetime.timedelta(part[0][0])).year
        leap = next((number for _, number, is_leap in part if is_leap), 0)
        lengths = [after[0] - before[0] for before, after in zip(part, part[1:])]
        if first <= year <= last:
            result[year] = (part[0][0], leap, lengths)
    return result


def ephem_years(first, last, hours):
    """Computed from the positions that libastro gives, for a zone."""
    def local_day(moment):
        return day_number((moment.datetime() + datetime.timedelta(hours=hours)).date())

    new_moons, moment = [], ephem.Date(f"{first - 2}/11/1")
    while moment.datetime().year < last + 3:
        moment = ephem.next_new_moon(moment)
        new_moons.append(local_day(moment))
        moment = ephem.Date(moment + 20)

    def longitude(moment):
        sun = ephem.Sun(moment)
        return math.degrees(ephem.Ecliptic(sun, epoch=moment).lon)

    terms, moment = [], ephem.Date(f"{first - 2}/12/10")
    for year in range(first - 2, last + 3):
        for number in range(12):
            target = (270 + 30 * number) % 360
            low = float(ephem.Date(f"{year}/12/21")) + number * 30.4 - 6
            high = low + 12
            for _ in range(40):
                middle = (low + high) / 2
                if (longitude(middle) - target + 180) % 360 - 180 < 0:
                    low = middle
                else:
                    high = middle
            terms.append((local_day(ephem.Date(high)), number, year))
    return lunar_years(first, last, new_moons, terms)


def shouxing_years(first, last, hours):
    """Computed by the formulas in lunar_python, for a zone."""
    J2000 = datetime.datetime(2000, 1, 1, 12)

    def local_day(days):  # from J2000, dynamical time
        days -= ShouXingUtil.dtT(days)
        return day_number((J2000 + datetime.timedelta(days=days, hours=hours)).date())

    new_moons = []
    count = round((first - 2 - 2000) * 12.3685)
    while not new_moons or new_moons[-1] < day_number(datetime.date(last + 3, 1, 1)):
        new_moons.append(local_day(ShouXingUtil.msaLonT(count * 2 * math.pi) * 36525))
        count += 1
    terms = []
    for year in range(first - 2, last + 3):
        for number in range(12):
            angle = (year - 2000) * 2 * math.pi + (270 + 30 * number) * math.pi / 180
            terms.append((local_day(ShouXingUtil.saLonT(angle) * 36525), number, year))
    return lunar_years(first, last, new_moons, terms)


def lunar_python_years(first, last):
    result = {}
    for year in range(first, last + 1):
        months = LunarYear.fromYear(year).getMonthsInYear()
        first_day = math.floor(months[0].getFirstJulianDay() - 2440587.5)
        leap = next((-month.getMonth() for month in months if month.getMonth() < 0), 0)
        result[year] = (first_day, leap, [month.getDayCount() for month in months])
    return result


def lunardate_years(first, last):
    result = {}
    for year in range(first, last + 1):
        leap = lunardate.LunarDate.leap_month_for_year(year) or 0
        order = [(number, is_leap) for number in range(1, 13) for is_leap in (False, True)
                 if not is_leap or number == leap]
        starts = [day_number(lunardate.LunarDate(year, number, 1, is_leap).to_solar_date())
                  for number, is_leap in order]
        number, is_leap = order[-1]
        try:
            lunardate.LunarDate(year, number, 30, is_leap).to_solar_date()
            end = starts[-1] + 30
        except ValueError:
            end = starts[-1] + 29
        lengths = [after - before for before, after in zip(starts, starts[1:] + [end])]
        result[year] = (starts[0], leap, lengths)
    return result


def korean_years(first, last):
    result = {}
    calendar = KoreanLunarCalendar()

    def day(year, month, number, is_leap):
        if not calendar.setLunarDate(year, month, number, is_leap):
            return None
        found = (calendar.lunarYear, calendar.lunarMonth, calendar.lunarDay, bool(calendar.isIntercalation))
        if found != (year, month, number, is_leap):
            return None
        return day_number(datetime.date.fromisoformat(calendar.SolarIsoFormat()))

    for year in range(first, last + 1):
        months, leap = [], 0
        for number in range(1, 13):
            for is_leap in (False, True):
                start = day(year, number, 1, is_leap)
                if start is None:
                    continue
                months.append((start, 30 if day(year, number, 30, is_leap) is not None else 29))
                if is_leap:
                    leap = number
        result[year] = (months[0][0], leap, [length for _, length in months])
    return result


MISPRINT = "lunardate's table differs; lunar_python agrees with ephem, and the new moon is not near midnight"
CLOSE = "the new moon is within a minute of local midnight, so the computed day depends on the forecast of UT"
OLD_CALENDAR = "until 1911 Korea printed a calendar that was computed for Beijing's local time; the table has it"
# Years in which two sources differ, and why the first one is taken.
EXPLAINED = {
    "lunardate/chinese": {
        1933: "new moon at 00:03 on 23 July in UTC+8; lunardate has the day before",
        1954: MISPRINT,
        1978: "new moon at 00:09 on 3 September in UTC+8; lunardate has the day before",
        2057: CLOSE,
    },
    "ephem/chinese": {2057: CLOSE},
    "ephem/dangi": dict.fromkeys([1903, 1904, 1905, 1907, 1908, 1909, 1911], OLD_CALENDAR),
    "ephem/dangi from 2050": {2096: CLOSE},
}
# Months of Umm al-Qura (year, month) in which ummalqura differs from hijridate by a day: the Moon sets within seconds of
# the Sun in Mecca, or is new within minutes of sunset. hijridate follows the printed calendar.
CLOSE_SUNSETS = {(1427, 6), (1446, 6), (1485, 10)}


# The months whose new moon is within a minute of local midnight, by the day on which they begin in the table, and the
# seconds from that midnight to the new moon (negative: before it). From the middle of the century on, forecasts of the
# rotation of the Earth (delta T) differ by more than that. The table follows the sources above.
CLOSE_MOONS = {
    ("chinese", "2057-09-29"): -2,
    ("chinese", "2097-08-07"): -20,
    ("dangi", "2005-12-02"): 53,
    ("dangi", "2051-11-03"): -51,
    ("dangi", "2074-08-22"): -53,
    ("dangi", "2097-01-14"): -4,
}


def delta_t(year):
    """Seconds from universal to dynamical time (Espenak and Meeus, Five Millennium Canon of Solar Eclipses)."""
    for end, origin, terms in (
            (1920, 1900, (-2.79, 1.494119, -0.0598939, 0.0061966, -0.000197)),
            (1941, 1920, (21.20, 0.84493, -0.076100, 0.0020936)),
            (1961, 1950, (29.07, 0.407, -1 / 233, 1 / 2547)),
            (1986, 1975, (45.45, 1.067, -1 / 260, -1 / 718)),
            (2005, 2000, (63.86, 0.3345, -0.060374, 0.0017275, 0.000651814, 0.00002373599)),
            (2050, 2000, (62.92, 0.32217, 0.005589))):
        if year < end:
            return sum(term * (year - origin) ** power for power, term in enumerate(terms))
    return -20 + 32 * ((year - 1820) / 100) ** 2 - 0.5628 * (2150 - year)


# The periodic terms of a new moon: the factor and the multiples of M, M', F (Astronomical Algorithms, table 49.A).
MOON_TERMS = (
    (-0.40720, 0, 1, 0), (0.17241, 1, 0, 0), (0.01608, 0, 2, 0), (0.01039, 0, 0, 2), (0.00739, -1, 1, 0),
    (-0.00514, 1, 1, 0), (0.00208, 2, 0, 0), (-0.00111, 0, 1, -2), (-0.00057, 0, 1, 2), (0.00056, 1, 2, 0),
    (-0.00042, 0, 3, 0), (0.00042, 1, 0, 2), (0.00038, 1, 0, -2), (-0.00024, -1, 2, 0), (-0.00007, 2, 1, 0),
    (0.00004, 0, 2, -2), (0.00004, 3, 0, 0), (0.00003, 1, 1, -2), (0.00003, 0, 2, 2), (-0.00003, 1, 1, 2),
    (0.00003, -1, 1, 2), (-0.00002, -1, 1, -2), (-0.00002, 1, 3, 0), (0.00002, 0, 4, 0))
# Those of the planets: the angle, its change per month, the factor (table 49.B).
PLANET_TERMS = (
    (299.77, 0.107408, 325), (251.88, 0.016321, 165), (251.83, 26.651886, 164), (349.42, 36.412478, 126),
    (84.66, 18.206239, 110), (141.74, 53.303771, 62), (207.14, 2.453732, 60), (154.84, 7.306860, 56),
    (34.52, 27.261239, 47), (207.19, 0.121824, 42), (291.34, 1.844379, 40), (161.72, 24.198154, 37),
    (239.56, 25.513099, 35), (331.55, 3.592518, 23))


def meeus_new_moon(k):
    """Days from the start of 1970 in universal time to the new moon `k` months after the first of 2000 (Jean Meeus,
    Astronomical Algorithms, chapter 49; within 20 seconds in this period)."""
    t = k / 1236.85
    day = 2451550.09766 + 29.530588861 * k + 0.00015437 * t ** 2 - 0.00000015 * t ** 3
    eccentricity = 1 - 0.002516 * t - 0.0000074 * t ** 2
    sun = 2.5534 + 29.1053567 * k - 0.0000014 * t ** 2
    moon = 201.5643 + 385.81693528 * k + 0.0107582 * t ** 2 + 0.00001238 * t ** 3
    latitude = 160.7108 + 390.67050284 * k - 0.0016118 * t ** 2 - 0.00000227 * t ** 3
    node = 124.7746 - 1.56375588 * k + 0.0020672 * t ** 2
    for factor, m, m1, f in MOON_TERMS:
        day += factor * eccentricity ** min(abs(m), 2) * math.sin(math.radians(m * sun + m1 * moon + f * latitude))
    day -= 0.00017 * math.sin(math.radians(node))
    for number, (angle, change, factor) in enumerate(PLANET_TERMS):
        curve = 0.009173 * t ** 2 if number == 0 else 0
        day += factor * 1e-6 * math.sin(math.radians(angle + change * k - curve))
    return day - delta_t(2000 + k / 12.3685) / 86400 - 2440587.5


def check_new_moons(name, table, first, hours):
    """Compares the first day of every month from the year `first` on with its new moon."""
    close, count = {}, 0
    for year in sorted(year for year in table if year >= first):
        day, _, lengths = table[year]
        for length in lengths:
            k = round((day - (2451550.1 - 2440587.5)) / 29.530588861)
            moon = meeus_new_moon(k) + hours / 24
            midnight = round(moon)
            seconds = (moon - midnight) * 86400
            date = str(UNIX_EPOCH + datetime.timedelta(day))
            if abs(seconds) < 60:
                close[(name, date)] = seconds
            elif math.floor(moon) != day:
                raise SystemExit(f"{name}: the month of {date} begins {day - math.floor(moon)} days after its new moon")
            count += 1
            day += length
    listed = {key: seconds for key, seconds in CLOSE_MOONS.items() if key[0] == name}
    if close.keys() != listed.keys() or any(abs(close[key] - listed[key]) > 1 for key in close):
        raise SystemExit(f"{name}: months with a new moon near midnight: {close}, listed: {listed}")
    print(f"{name}: {count} months compared with their new moons, {len(close)} are within a minute of midnight",
          file=sys.stderr)


def compare(name, table, other):
    years = sorted(set(table) & set(other))
    failed = False
    different = []
    for year in years:
        if table[year] == other[year]:
            continue
        different.append(year)
        if year not in EXPLAINED[name]:
            failed = True
            print(f"{name} {year}: {table[year]} {other[year]}", file=sys.stderr)
    print(f"{name}: {len(years)} years compared, {len(different)} differ: {different}", file=sys.stderr)
    if failed:
        raise SystemExit(f"{name}: differences without an explanation")


def umm_al_qura():
    starts = hijridate.ummalqura.MONTH_STARTS
    # Both count the days from 2,400,000 of the Julian day count; 1970-01-01 is 2,440,588.
    months = [start - 40_588 for start in starts]
    offset = (1356 - 1343) * 12
    other = [start - 40_588 for start in UmalqurraArray.ummalqura_dat]
    common = min(len(months) - offset, len(other))
    different = {(1356 + i // 12, i % 12 + 1) for i in range(common) if months[offset + i] != other[i]}
    print(f"umm al-qura: {common} months compared, differ: {sorted(different)}", file=sys.stderr)
    if different - CLOSE_SUNSETS:
        raise SystemExit("umm al-qura: differences without an explanation")
    for index in range(offset):
        date = UNIX_EPOCH + datetime.timedelta(months[index])
        moon = ephem.previous_new_moon(ephem.Date(date) + 1).datetime()
        age = (datetime.datetime.combine(date, datetime.time(12)) - moon).total_seconds() / 86400
        if not 0 <= age <= 3:
            raise SystemExit(f"umm al-qura: month {index} begins {age:.1f} days after the new moon")
    return months


def packed(year):
    _, leap, lengths = year
    return leap << 26 | sum(length - 28 << 2 * i for i, length in enumerate(lengths))


def swift_list(numbers, digits):
    lines = []
    for i in range(0, len(numbers), 7):
        lines.append("    " + ", ".join(f"0x{number:0{digits}X}" for number in numbers[i:i + 7]) + ",")
    return "\n".join(lines)


def main():
    first, last = 1900, 2100
    chinese = lunar_python_years(first, last)
    compare("lunardate/chinese", chinese, lunardate_years(first, 2099))
    compare("ephem/chinese", chinese, ephem_years(1929, last, 8))
    korean = korean_years(first, 2050)
    korean.pop(2050)  # its last month lies beyond the table
    computed = ephem_years(first, last, 9)
    compare("ephem/dangi", korean, computed)
    dangi = {**shouxing_years(2050, last, 9), **korean}
    compare("ephem/dangi from 2050", {year: dangi[year] for year in range(2050, last + 1)}, computed)
    check_new_moons("chinese", chinese, 1929, 8)
    check_new_moons("dangi", dangi, 1912, 9)
    hijri = umm_al_qura()
    for name, table in (("chinese", chinese), ("dangi", dangi)):
        for year in range(first, last):
            if table[year][0] + sum(table[year][2]) != table[year + 1][0]:
                raise SystemExit(f"{name} {year} does not end where {year + 1} begins")
    years = [hijri[i:i + 13] for i in range(0, len(hijri) - 12, 12)]
    hijri_years = [packed((0, 0, [year[i + 1] - year[i] for i in range(12)])) for year in years]
    print(f"""// Written by Tests/Oracles/make-month-tables.py, which names the sources. Do not edit.
// swift-format-ignore-file

/// The months of calendars that arithmetic does not give.
///
/// A number is a year. For month `i` of the year (from 0, in order) bits `2 * i` and `2 * i + 1` are
/// the length of the month less 28. The bits from 26 on are the number of the regular month that a
/// leap month follows, or 0.
enum MonthTables {{
  static let chinese = MonthTable(
    firstYear: {first}, firstDay: {chinese[first][0]}, years: chineseYears)
  static let dangi = MonthTable(firstYear: {first}, firstDay: {dangi[first][0]}, years: dangiYears)
  static let ummAlQura = MonthTable(
    firstYear: 1343, firstDay: {hijri[0]}, years: ummAlQuraYears)

  private static let chineseYears: [UInt32] = [
{swift_list([packed(chinese[year]) for year in range(first, last + 1)], 8)}
  ]

  private static let dangiYears: [UInt32] = [
{swift_list([packed(dangi[year]) for year in range(first, last + 1)], 8)}
  ]

  private static let ummAlQuraYears: [UInt32] = [
{swift_list(hijri_years, 8)}
  ]
}}""")


main()
