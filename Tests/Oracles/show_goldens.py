#!/usr/bin/env python3
"""Judges the goldens of `agenda show` without the program that printed them.

    show_goldens.py Fixtures

Each kept JSON document is compared with what the oracle works out from the sources. What the other formats say is then compared with
that document: the cells of the table, the lines of JSON lines, and the content of the text and of the Markdown.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from datetime import datetime, timedelta

import show_compare
import show_oracle

PINNED = ["--now", "2026-11-21T09:00:00+01:00", "--timezone", "Europe/Berlin"]
# What changes how it looks and not what it says.
LOOKS = {"--locale": 1, "--toc": 0, "--zones": 0, "--ids": 0}
COLUMNS = (
    "start", "end", "title", "location", "calendar", "status", "kind", "allDay", "day", "days", "timeZone", "categories",
    "id", "indexPath", "section", "uid", "recurrenceId")
# Where the clock has 24 hours and digits are ASCII.
PLAIN_LOCALES = ("en_GB", "de", "de_DE.UTF-8", "fr", "fr_FR", "ja", "ja_JP", "")
# In each language: all day, the day of several days, until, cancelled, link, join, no entries, an empty window.
WORDS = {
    "en": ("all day", "day {0} of {1}", "until ", "cancelled", "link", "join", "no entries", "Nothing "),
    "de": ("ganztägig", "Tag {0} von {1}", "bis ", "abgesagt", "Link", "teilnehmen", "keine Einträge", "Keine Einträge "),
    "fr": ("toute la journée", "jour {0} sur {1}", "jusqu’au ", "annulé", "lien", "participer", "aucune entrée", "Rien "),
    "ja": ("終日", "{1}日間の{0}日目", "まで", "中止", "リンク", "参加", "予定なし", ""),
    "ar": ("طوال اليوم", "اليوم {0} من {1}", "حتى ", "ملغى", "رابط", "انضمام", "لا مواعيد", "لا مواعيد "),
}
ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def read(folder: str, name: str) -> str:
    with open(os.path.join(folder, "goldens", name), encoding="utf-8", newline="") as stream:
        return stream.read()


def split(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """What the oracle knows, and the rest by name."""
    known, rest = [], {}
    words = list(words)
    while words:
        word = words.pop(0)
        if word in LOOKS or word in ("--search", "--limit"):
            rest[word] = words.pop(0) if LOOKS.get(word, 1) else ""
        else:
            known.append(word)
    if "--timezone" not in known:
        known += PINNED[2:]
    return known + PINNED[:2], rest


def selected(document: dict, rest: dict[str, str]) -> dict:
    """The oracle's document with what `--search` and `--limit` leave."""
    left = int(rest.get("--limit", 1 << 30))
    word = rest.get("--search", "").casefold()
    sections = []
    for section in document["sections"]:
        entries = [one for one in section["entries"] if word in (one["title"] or "").casefold()][:left]
        left -= len(entries)
        if entries:
            sections.append({**section, "entries": entries})
    return {**document, "sections": sections}


def cell(value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(value)
    text = str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
    return "".join(one for one in text if one >= " " and one not in "\u202e\x7f")


def visible(text: str | None) -> str:
    """A text as a person sees it: without controls, blanks in one piece."""
    shown = re.sub(r"[\x00-\x1f\x7f]", "\ufffd", (text or "").replace("\u202e", ""))
    return " ".join(shown.split())


def times(entry: dict, all_day: str) -> str:
    """The times of an entry where hours are written as 20:00, as far as they are on this day."""
    if entry["start"] is None:
        return ""
    if entry["allDay"]:
        return all_day
    begin, end = (datetime.fromisoformat(entry[name]) for name in ("start", "end"))
    if begin == end:
        return f"{begin:%H:%M}"
    if begin.date() != (end - timedelta(seconds=1)).date():
        return ""
    return f"{begin:%H:%M}–{end:%H:%M}"


def text_faults(lines: list[str], document: dict, locale: str, kind: str):
    """What an entry or a heading lacks, line by line."""
    lines = [line for line in lines if line.strip()]
    language = locale[:2] or "en"
    all_day, day_of_days, until, cancelled, link, join, no_entries, nothing = WORDS[language]
    if kind == "markdown":
        lines = [re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", line) for line in lines]
        while lines and document["sections"] and lines[0].startswith("- ") and "](#" in lines[0]:
            lines.pop(0)
    if not document["sections"]:
        if len(lines) != 1 or not lines[0].startswith(nothing):
            yield f"an empty window is not one line: {lines}"
        return
    grouped = document["groupedBy"]
    for section in document["sections"]:
        if grouped != "none":
            # A line that is not a section says that today has no entries.
            if kind == "text" and lines and lines[0].endswith(no_entries):
                lines = lines[1:]
            heading = lines.pop(0) if lines else ""
            wanted = "## " + section["title"] if kind == "markdown" else section["title"]
            if heading.split(" · ")[0] != wanted:
                yield f"heading {heading!r}, not {wanted!r}"
        for entry in section["entries"]:
            line = lines.pop(0) if lines else ""
            for name in ("title", "location", "calendar"):
                if name != grouped and visible(entry[name]) not in line:
                    yield f"no {name} {entry[name]!r} in {line!r}"
            clock = times(entry, all_day)
            shown = line.replace(" 9:", " 09:").replace("–9:", "–09:").replace("*9:", "*09:")
            if (locale in PLAIN_LOCALES or clock == all_day) and clock not in shown:
                yield f"no {clock!r} in {line!r}"
            if entry["days"] > 1 and grouped == "day" and until not in line:
                day = day_of_days.format(entry["day"], entry["days"])
                if (day.translate(ARABIC_DIGITS) if language == "ar" else day) not in line:
                    yield f"not the day in {line!r}"
            if (entry["status"] == "cancelled") != (f"({cancelled})" in line):
                yield f"cancelled or not in {line!r}"
            if kind == "markdown" and entry["url"] and f"[{link}](https://" not in line:
                yield f"no link in {line!r}"
            if kind == "markdown" and entry["conference"] and f"[{join}]({entry['conference']})" not in line:
                yield f"no link to join in {line!r}"
            if entry["kind"] == "task":
                if ("[x]" if entry["status"] == "completed" else "[ ]") not in line:
                    yield f"no box in {line!r}"
    if kind == "text" and len(lines) == 1 and lines[0].endswith(no_entries):
        lines = []
    if lines:
        yield f"more than the document has: {lines[0]!r}"


def faults(folder: str, name: str, words: list[str]):
    known, rest = split(words)
    document = json.loads(read(folder, f"{name}.json"))
    expected = selected(show_oracle.show(show_oracle.parser().parse_args(known)), rest)
    found = show_compare.compared(expected, document)
    if found:
        yield f"JSON: {found}"
    entries = [{**one, "section": section["id"]} for section in document["sections"] for one in section["entries"]]
    if [json.loads(line) for line in read(folder, f"{name}.jsonl").splitlines()] != entries:
        yield "JSON lines: not the entries of the document"
    rows = [line.split("\t") for line in read(folder, f"{name}.tsv").splitlines()]
    if rows != [list(COLUMNS)] + [[cell(one[column]) for column in COLUMNS] for one in entries]:
        yield "TSV: not the cells of the document"
    locale = rest.get("--locale", "")
    for kind, ending in (("text", "txt"), ("markdown", "md")):
        for fault in text_faults(read(folder, f"{name}.{ending}").split("\n"), document, locale, kind):
            yield f"{kind}: {fault}"


def main() -> int:
    folder = os.path.abspath(sys.argv[1])
    os.chdir(folder)
    cases = [shlex.split(line) for line in read(folder, "cases.txt").splitlines() if line and not line.startswith("#")]
    count = 0
    for name, *words in cases:
        for fault in faults(folder, name, words):
            count += 1
            print(f"{name}: {fault}")
    print(f"{len(cases)} cases: {count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
