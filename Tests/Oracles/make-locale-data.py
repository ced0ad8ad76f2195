#!/usr/bin/env python3
"""Writes Sources/AgendaRendering/LocaleTable.swift from CLDR.

Names, patterns and weeks come from Babel 2.17 (CLDR 46), `pip install babel==2.17.0`. The words for
today, tomorrow and yesterday, which Babel leaves out, come from the ICU 76 (CLDR 46) inside the Swift
toolchain, whose shared library is the argument. Always the Gregorian calendar.

    python3 make-locale-data.py …/usr/lib/swift/linux/lib_FoundationICU.so > LocaleTable.swift
"""
import ctypes
import os
import sys
import warnings

import babel
import babel.localedata
from babel import Locale
from babel.core import get_global
from babel.localedata import locale_identifiers

warnings.simplefilter("ignore")
assert babel.__version__.startswith("2.17."), "CLDR 46 is in Babel 2.17"

folder = os.path.dirname(sys.argv[1])
for name in ("libswiftCore.so", "lib_FoundationICU.so"):
    library = ctypes.CDLL(os.path.join(folder, name), mode=ctypes.RTLD_GLOBAL)


def call(name, result, *arguments):
    function = getattr(library, "swift_" + name)
    function.restype = result
    return function(*arguments)


def icu_locales():
    count = call("uloc_countAvailable", ctypes.c_int32)
    return {call("uloc_getAvailable", ctypes.c_char_p, i).decode() for i in range(count)}


DAY_UNIT = 4  # UDAT_REL_UNIT_DAY


def relative_days(identifier):
    status = ctypes.c_int(0)
    formatter = call("ureldatefmt_open", ctypes.c_void_p, identifier.encode(), None, 0, 256,
                     ctypes.byref(status))
    words = []
    for offset in (0, 1, -1):
        buffer = (ctypes.c_uint16 * 200)()
        length = call("ureldatefmt_format", ctypes.c_int32, ctypes.c_void_p(formatter),
                      ctypes.c_double(offset), ctypes.c_int(DAY_UNIT), buffer, 200,
                      ctypes.byref(status))
        words.append(bytes(buffer)[: 2 * length].decode("utf-16-le"))
    call("ureldatefmt_close", None, ctypes.c_void_p(formatter))
    # A locale without these words is not one that CLDR covers.
    return words if status.value <= 0 else None


def clean(text):
    """Plain spaces for the narrow and the no-break ones, and no marks of direction."""
    for space in "\u00a0\u202f\u2009":
        text = text.replace(space, " ")
    return "".join(c for c in text if c not in "\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069")


def pattern_text(pattern):
    return pattern.pattern if hasattr(pattern, "pattern") else pattern


LIKELY = get_global("likely_subtags")


def region_of(locale):
    if locale.territory:
        return locale.territory
    parts = [locale.language] + ([locale.script] if locale.script else [])
    likely = LIKELY.get("_".join(parts)) or LIKELY.get(locale.language) or ""
    return likely.split("_")[-1]


FIRST_WEEKDAY = {}
for identifier in locale_identifiers():
    try:
        locale = Locale.parse(identifier)
    except (babel.UnknownLocaleError, ValueError):
        continue
    if locale.territory:
        FIRST_WEEKDAY[locale.territory] = locale.first_week_day + 1


# Babel lets the Portuguese of these begin its week as Brazil does; CLDR has Monday for them.
for region in ("AO", "CV", "ST", "TL"):
    FIRST_WEEKDAY[region] = 1


def first_weekday(locale):
    return FIRST_WEEKDAY.get(region_of(locale), 1)


def day_periods(locale, time_pattern):
    """The names of the parts of the day with the hours at which they begin."""
    # ICU shows the wide names for "a" in a short time, and people expect them: 오전, not AM.
    formats = locale._data["day_periods"]["format"]
    periods = formats["abbreviated"]
    if "a" in time_pattern and "am" in formats["wide"]:
        periods = formats["wide"]
    if "B" not in time_pattern:
        if "a" not in time_pattern:
            return ""
        return f"0:{periods['am']};12:{periods['pm']}"
    spans = []
    for name, rules in locale._data["day_period_rules"]["selection"].items():
        for rule in rules:
            start, end = rule["from"] // 3600, rule["before"] // 3600
            if start > end:
                spans += [(start, name), (0, name)]
            else:
                spans.append((start, name))
    return ";".join(f"{start}:{periods[name]}" for start, name in sorted(spans))


def record(identifier):
    # Babel resolves aliases in place, in data that locales share: the names of one locale that are
    # alone turn up in the next unless each is read anew (seen with 2.17).
    babel.localedata._cache.clear()
    locale = Locale.parse(identifier)
    data = locale._data
    months, days = data["months"], data["days"]
    skeletons = locale.datetime_skeletons
    weekdays = lambda width, kind="format": ";".join(days[kind][width][i] for i in range(7))
    monthnames = lambda width, kind="format": ";".join(months[kind][width][i] for i in range(1, 13))
    short_time = pattern_text(locale.time_formats["short"])
    fields = {
        "M": monthnames("wide"),
        "L": monthnames("wide", "stand-alone"),
        "m": monthnames("abbreviated"),
        "l": monthnames("abbreviated", "stand-alone"),
        "E": weekdays("wide"),
        "e": weekdays("abbreviated"),
        "C": weekdays("wide", "stand-alone"),
        "c": weekdays("abbreviated", "stand-alone"),
        "s": weekdays("short", "stand-alone"),
        "f": pattern_text(locale.date_formats["full"]),
        "a": pattern_text(skeletons["yMMMEd"]),
        "d": pattern_text(skeletons["MMMEd"]),
        "D": pattern_text(locale.date_formats["long"]),
        "k": pattern_text(skeletons["MMMMd"]),
        "j": pattern_text(locale.datetime_formats["medium"]),
        "y": pattern_text(skeletons["yMMMM"]),
        "Y": pattern_text(skeletons["y"]),
        "w": pattern_text(skeletons["yw"]),
        "t": short_time,
        "p": day_periods(locale, short_time),
        "G": data["eras"]["abbreviated"][1],
        "n": locale.default_numbering_system,
        "r": ";".join(relative_days(identifier)),
        "1": str(first_weekday(locale)),
    }
    fields = {key: clean(value) for key, value in fields.items()}
    if fields["L"] == fields["M"]: fields["L"] = ""
    if fields["l"] == fields["m"]: fields["l"] = ""
    if fields["C"] == fields["E"]: fields["C"] = ""
    if fields["c"] == fields["e"]: fields["c"] = ""
    if "G" not in fields["f"]: fields["G"] = ""
    for value in fields.values():
        assert not set(value) & set("\t\n\\\"|"), (identifier, value)
    return fields


def truncated(identifier):
    return identifier.rsplit("_", 1)[0] if "_" in identifier else None


def parent(identifier):
    exception = get_global("parent_exceptions").get(identifier)
    return exception if exception and exception != "root" else truncated(identifier)


KEYS = "MLmlEeCcsfadDkjyYwtpGnr1"

# Languages of which CLDR 46 has little, so that Babel and ICU fill the gaps differently.
SPARSE = {"arn", "cho", "co", "gn", "lij", "mni", "mus", "nds", "nnh", "nv", "oc", "prg", "rhg", "scn", "shi",
          "szl"}

# What ICU knows, with the short forms of locales whose script is the likely one.
available = icu_locales()
identifiers = []
for identifier in locale_identifiers():
    try:
        locale = Locale.parse(identifier)
    except (babel.UnknownLocaleError, ValueError):
        continue
    if (identifier in available and not locale.variant and locale.language not in SPARSE
            and relative_days(identifier)):
        identifiers.append(identifier)
shorts = set()
for identifier in identifiers:
    parts = identifier.split("_")
    if len(parts) == 3 and LIKELY.get(f"{parts[0]}_{parts[2]}") == identifier:
        shorts.add(f"{parts[0]}_{parts[2]}")

records = {identifier: record(identifier) for identifier in identifiers}
lines = {}


def resolved(identifier):
    """What a reader of the table finds for an identifier that need not be in it."""
    while identifier and identifier not in records:
        identifier = truncated(identifier)
    return records.get(identifier)


for identifier, fields in records.items():
    base = parent(identifier)
    while base and base not in records:
        base = truncated(base)
    if base is None:
        differences = {key: value for key, value in fields.items() if value}
    else:
        differences = {k: v for k, v in fields.items() if v != records[base][k]}
    if base and not differences and base == truncated(identifier):
        continue
    lines[identifier] = "\t".join(
        [identifier, base or ""] + [f"{key}{differences[key]}" for key in KEYS if key in differences])
for short in shorts - set(records):
    full = LIKELY[short]
    if records[full] != resolved(short):
        lines[short] = f"{short}\t{full}"
# A parent that adds nothing to its own parent is not in the table: that parent replaces it.
for identifier, line in lines.items():
    name, base, *rest = line.split("\t")
    while base and base not in lines:
        base = truncated(base)
    lines[identifier] = "\t".join([name, base or ""] + rest)

used_digits = {fields["n"] for fields in records.values()}
sys.stderr.write(f"{len(lines)} lines, {sum(len(l.encode()) + 1 for l in lines.values())} bytes, "
                 f"digits {sorted(used_digits)}\n")
print("""// Made by Tests/Oracles/make-locale-data.py from CLDR 46 (Babel 2.17, ICU 76); do not edit.

/// CLDR's names and patterns for dates of the Gregorian calendar.
///
/// One line for each locale, fields between tabs: its identifier, the locale that it takes from
/// whatever it does not say itself, and its fields, each a letter and a value. Lists are divided by
/// semicolons, months from January, weekdays from Monday.
///
/// `M` months, `L` months standing alone, `m` and `l` the same abbreviated; `E` weekdays, `e`
/// abbreviated, `C` and `c` the same standing alone, `s` shortest; patterns: `f` full date, `a`
/// abbreviated date with weekday, `d` the same without the year, `D` date without weekday, `k` the
/// same without the year, `y` month and year, `Y` year, `w` week of a year, `t` time; `j` a date
/// (`{1}`) with a time (`{0}`); `p` parts of the day with the hour at which each begins; `G` the era;
/// `n` digits; `r` today, tomorrow, yesterday; `1` the first weekday, Monday being 1.
enum LocaleTable {
  static let cldrVersion = "46"

  static let text: StaticString = #\"\"\"""")
for identifier in sorted(lines, key=lambda i: i.encode()):
    print("    " + lines[identifier])
print('    """#\n}')
