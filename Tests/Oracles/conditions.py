"""Evaluates conditions of --where over JSON lines, without the code under test.

Standard input has the number of listings. Each of them is a number of entries and one entry per line.
Then each line has the number of a listing, a condition and the entries that agenda selected from it,
with tabs between them. Prints the conditions for which Python selects other entries.
"""

import json
import re
import sys
from datetime import date, datetime
from unicodedata import normalize
from zoneinfo import ZoneInfo

BERLIN = ZoneInfo("Europe/Berlin")
TOKEN = re.compile(r'\s*(?:("(?:\\.|[^"\\])*")|([()])|(<=|>=|!=|[=<>~])|([^\s()=<>~!"]+))')


def tokens(text):
    place = 0
    while text[place:].strip():
        match = TOKEN.match(text, place)
        yield match.group(match.lastindex), match.lastindex
        place = match.end()


def python(text):
    """The condition as a Python expression: its operators bind in the same order."""
    items = list(tokens(text))
    pieces = []
    comparisons = []
    while items:
        word, _ = items.pop(0)
        if word in ("and", "or", "not", "(", ")"):
            pieces.append(word)
            continue
        sign, _ = items.pop(0)
        value, kind = items.pop(0)
        if kind == 1:
            value = re.sub(r"\\(.)", r"\1", value[1:-1])
        elif value == "null":
            value = None
        pieces.append(f"compare(entry, *comparisons[{len(comparisons)}])")
        comparisons.append((word, sign, value))
    return compile(" ".join(pieces), "condition", "eval"), comparisons


def seconds(text):
    if text == "0":
        return 0
    parts = re.findall(r"(\d+)([wdhms])", text.lower())
    units = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
    return sum(int(number) * units[unit] for number, unit in parts)


def moment(text):
    """A date, or a moment in UTC."""
    if len(text) == 10:
        return date.fromisoformat(text)
    return datetime.fromisoformat(text)


def duration(entry):
    start, end = moment(entry["start"]), moment(entry["end"])
    return int((end - start).total_seconds())


def ordered(left, sign, right):
    return {
        "=": left == right, "<": left < right, "<=": left <= right,
        ">": left > right, ">=": left >= right,
    }[sign]


def inner(entry, field):
    """The values of a key inside of a field: attendees.status."""
    outer, key = field.split(".")
    value = entry[outer] or []
    found = [item[key] for item in (value if isinstance(value, list) else [value])]
    return [value for value in found if value is not None]


def texts(entry, field):
    if "." in field:
        return [normalize("NFC", text) for text in inner(entry, field)]
    value = entry["categories" if field == "category" else field]
    if field == "organizer":
        value = [value["name"], value["email"]] if value else []
    elif field == "attendees":
        value = [text for person in value for text in (person["name"], person["email"])]
    elif field == "attachments":
        value = [text for item in value for text in (item["mediaType"], item["uri"])]
    elif not isinstance(value, list):
        value = [value]
    return [normalize("NFC", text) for text in value if text is not None]


def compare(entry, field, sign, value):
    if sign == "!=":
        return not compare(entry, field, "=", value)
    if value is None and "." in field:
        return inner(entry, field) == []
    if field in ("geo.latitude", "geo.longitude", "attachments.number", "attachments.bytes"):
        return any(ordered(number, sign, float(value)) for number in inner(entry, field))
    if value is None:
        if field == "duration":
            return False
        return entry["categories" if field == "category" else field] in (None, [])
    if field == "duration":
        return ordered(duration(entry), sign, seconds(value))
    if field in ("day", "days"):
        return ordered(entry[field], sign, int(value))
    if field == "allDay":
        return entry["allDay"] == (value == "true")
    if field in ("start", "end", "recurrenceId"):
        if entry[field] is None:
            return False
        left, right = moment(entry[field]), moment(value)
        if not isinstance(right, datetime):
            if isinstance(left, datetime):
                left = left.astimezone(BERLIN).date()
        else:
            if not isinstance(left, datetime):
                left = datetime(left.year, left.month, left.day, tzinfo=BERLIN)
            if right.tzinfo is None:
                right = right.replace(tzinfo=BERLIN)
            left, right = left.timestamp(), right.timestamp()
        return ordered(left, sign, right)
    if sign == "~":
        return any(value.lower() in text.lower() for text in texts(entry, field))
    return value in texts(entry, field)


def main():
    lines = iter(sys.stdin.read().split("\n"))
    listings = []
    for _ in range(int(next(lines))):
        listings.append([json.loads(next(lines)) for _ in range(int(next(lines)))])
        assert len(listings[-1]) > 50, "too few entries"
    for line in filter(None, lines):
        number, text, listed = line.split("\t")
        code, comparisons = python(text)
        names = {"compare": compare, "comparisons": comparisons}
        expected = "|".join(
            f"{entry['section']}/{entry['id']}/{entry['day']}" for entry in listings[int(number)]
            if eval(code, dict(names, entry=entry)))
        if expected != listed:
            print("listing", number, text, "expected", expected, "got", listed)


main()
