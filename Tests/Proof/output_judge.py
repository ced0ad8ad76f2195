#!/usr/bin/env python3
"""Writes a calendar with hostile texts, and reads what agenda makes of it with independent parsers.

    output_judge.py AGENDA --events 100 --seed 1

Prints a JSON object: how many texts there were, and what is wrong by format.
"""

from __future__ import annotations

import argparse
import collections
import csv
import email
import email.policy
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import html5lib
import markdown_it
import pyte

# Parts of Markdown that are text, in several lines.
TEXT = {"text", "softbreak", "hardbreak", "text_special"}
NOW = ["--now", "2026-11-21T09:00:00Z", "--timezone", "Europe/Berlin"]
PIECES = [
    "# heading", "- item", "1. item", "> quote", "```", "---", "===", "| a | b |", "|---|---|", "<script>alert(1)</script>",
    "<!--", "-->", "<img src=x onerror=alert(1)>", "</title>", "</li>", "</bdi>", "&lt;b&gt;", "&#35;", "&amp", "[a](javascript:alert(1))",
    "![a](http://example.com/x.png)", "[a]: http://example.com", "**bold**", "__b__", "*i*", "~~gone~~", "`code", "\\", "\\\\",
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b31m", "\x90q\x9c", "\u202etxt.exe", "\u2066a\u2069", "\u200f", "\ufeff", "\u2028",
    "\u2029", "\u0085", "\x7f", "\x08", "\t", "\n", "\r\n", "\n\n# b", "\n- c", "\nBcc: x@example.com", "\r\n\r\nbody", "\"", "'", "{\"a\":1}",
    ",\"x\":1}", "\\u0000", "\\n", "=?UTF-8?Q?x?=", "--boundary", "\n--=_x", "=20", "=3D=\n", "http://example.com/*x*", "javascript:x",
    "\u00a0", "\u3000", "👩‍👩‍👧‍👦", "e\u0301\u0301\u0301", "日本語", "لقاء", "word", " ", "x" * 200, "$x$", "==m==", "%%h%%", "^a", ":b:",
]


def hostile(generator: random.Random) -> str:
    return generator.choice(["", " ", "\n"]).join(generator.choice(PIECES) for _ in range(generator.randint(1, 4)))


def escaped(text: str) -> str:
    """As a TEXT of RFC 5545."""
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def parameter(text: str) -> str:
    """As RFC 6868 writes it."""
    return text.replace("^", "^^").replace("\r\n", "^n").replace("\n", "^n").replace('"', "^'")


def folded(line: str) -> str:
    pieces, rest = [], line
    while len(rest.encode()) > 75:
        size = 75
        while len(rest[:size].encode()) > 74:
            size -= 1
        pieces.append(rest[:size])
        rest = " " + rest[size:]
    return "\r\n".join([*pieces, rest])


class Calendar:
    def __init__(self, events: int, seed: int, is_plain: bool = False):
        generator = random.Random(seed)
        self.texts = 0
        self.titles = []

        def text() -> str:
            self.texts += 1
            made = hostile(generator)
            return "word" if is_plain else made

        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "X-WR-CALNAME:" + escaped(text())]
        for number in range(events):
            title = text()
            self.titles.append(title)
            lines += [
                "BEGIN:VEVENT", f"UID:{number}@example.com", "DTSTAMP:20260101T000000Z",
                f"DTSTART:202611{22 + number % 8:02}T{8 + number // 8 % 12:02}{number // 96 % 60:02}00Z", "DURATION:PT30M",
                "SUMMARY:" + escaped(title), "LOCATION:" + escaped(text()), "DESCRIPTION:" + escaped(text()),
                "CATEGORIES:" + escaped(text()), "COMMENT:" + escaped(text()), "CONTACT:" + escaped(text()),
                f'ATTENDEE;CN="{parameter(text())}":mailto:a{number}@example.com',
                f'ORGANIZER;CN="{parameter(text())}":mailto:o@example.com',
                "URL:http://example.com/" + text().replace("\n", "").replace("\r", ""), "STATUS:" + escaped(text()), "END:VEVENT"]
        lines.append("END:VCALENDAR")
        # A raw line end in a value would be a line of its own: that is the calendar's, not the output's matter.
        self.text = "\r\n".join(folded(line) for line in lines) + "\r\n"


class Judge:
    def __init__(self, agenda: str, calendar: Calendar, plain: Calendar, folder: pathlib.Path):
        self.agenda, self.folder, self.events = agenda, folder, len(calendar.titles)
        self.calendar, self.plain = folder / "c.ics", folder / "p.ics"
        self.calendar.write_text(calendar.text, newline="")
        self.plain.write_text(plain.text, newline="")
        self.titles = calendar.titles
        self.entries: list[dict] = []
        self.sections: list[str] = []
        self.wrong: dict[str, list[str]] = {}

    def output(self, *options: str, file: pathlib.Path | None = None) -> bytes:
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        done = subprocess.run(
            [self.agenda, "show", file or self.calendar, *NOW, *options], env=environment, capture_output=True, timeout=120)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{options}: {done.stderr.decode(errors='replace')[-300:]}")
        return done.stdout

    def run(self) -> dict[str, list[str]]:
        for name in ("json", "jsonl", "tsv", "markdown", "html", "mail", "text", "terminal"):
            self.found: list[str] = []
            try:
                getattr(self, name)()
            except (ValueError, KeyError, UnicodeError) as error:
                self.found.append(repr(error))
            self.wrong[name] = self.found
        return self.wrong

    def check(self, is_right: bool, text: str) -> None:
        if not is_right:
            self.found.append(text)

    def plain_of(self, text: str) -> str:
        """Letters and digits alone: spaces, line ends and controls may be shown otherwise."""
        return "".join(letter for letter in text if letter.isalnum())

    def json(self) -> None:
        document = json.loads(self.output("--format", "json"))
        self.entries = [entry for section in document["sections"] for entry in section["entries"]]
        self.sections = [section["id"] for section in document["sections"]]
        self.check(len(self.entries) == self.events, f"{len(self.entries)} entries")
        wanted = {f"{number}@example.com": title for number, title in enumerate(self.titles)}
        for entry in self.entries:
            title = wanted[entry["uid"]]
            # Control characters other than line ends have no place in a calendar, and blanks around a title say nothing.
            clean = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", title.replace("\r\n", "\n")).strip()
            got = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", entry["title"] or "").strip()
            self.check(got == clean, f"title {entry['title']!r}, not {clean!r}")

    def jsonl(self) -> None:
        lines = self.output("--format", "jsonl").decode().split("\n")
        self.check(lines.pop() == "", "no line end at the end")
        entries = [json.loads(line) for line in lines]
        self.check(len(entries) == self.events, f"{len(entries)} lines")
        self.check([entry["title"] for entry in entries] == [entry["title"] for entry in self.entries], "other titles")

    def tsv(self) -> None:
        text = self.output("--format", "tsv").decode()
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n"))
        self.check(len(rows) == self.events + 1, f"{len(rows) - 1} rows")
        self.check(len({len(row) for row in rows}) == 1, "rows of different lengths")
        self.controls(text.replace("\t", ""))

    def controls(self, text: str) -> None:
        """Nothing that a terminal acts on, except colours and links that agenda itself made."""
        for letter in re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", text):
            self.found.append(f"control character {letter!r}")

    def markdown(self) -> None:
        parser = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])

        def kinds(text: str) -> collections.Counter:
            tokens = parser.parse(text)
            return collections.Counter(
                token.type for outer in tokens for token in [outer, *(outer.children or [])] if token.type not in TEXT)

        hostile = self.output("--format", "markdown").decode()
        self.controls(hostile)
        found = kinds(hostile)
        # With a plain word in place of each hostile text. A text without any letter to show leaves its mark out.
        expected = kinds(self.output("--format", "markdown", file=self.plain).decode())
        for kind in found.keys() | expected.keys():
            is_inner = kind.startswith(("strong_", "em_"))
            self.check(
                found[kind] <= expected[kind] if is_inner else found[kind] == expected[kind],
                f"{found[kind]} {kind}, not {expected[kind]}")

    def html(self) -> None:
        self.document(self.output("--format", "html").decode())

    def document(self, text: str) -> None:
        parser = html5lib.HTMLParser(strict=False)
        tree = parser.parse(text)
        self.found += [str(error) for error in parser.errors]
        names = [element.tag.rsplit("}", 1)[-1] for element in tree.iter() if isinstance(element.tag, str)]
        for name in ("script", "img", "iframe", "link", "object", "form", "base", "b", "i"):
            self.check(name not in names, f"element {name}")
        for element in tree.iter():
            if isinstance(element.tag, str):
                self.found += [f"attribute {name}" for name in element.attrib if str(name).startswith("on")]
                target = element.get("href")
                self.check(target is None or re.match(r"(?i)#|https?:|mailto:", target) is not None, f"link {target}")
        shown = self.plain_of("".join(tree.itertext()))
        for entry in self.entries:
            self.check(self.plain_of(entry["title"] or "") in shown, f"title is missing: {entry['title']!r}")

    def mail(self) -> None:
        data = self.output("--mail", "ana@example.com", "--subject", "Agenda")
        message = email.message_from_bytes(data, policy=email.policy.default)
        fields = {field.lower() for field in message.keys()}
        known = {"to", "subject", "date", "message-id", "mime-version", "auto-submitted", "content-language", "content-type"}
        self.check(fields <= known, f"header fields {sorted(fields - known)}")
        self.check(max(map(len, data.split(b"\n"))) <= 998, "a long line")
        parts = [part for part in message.walk() if not part.is_multipart()]
        self.check([part.get_content_type() for part in parts] == ["text/plain", "text/html"], "other parts")
        defects = [str(defect) for part in message.walk() for defect in part.defects]
        self.check(not defects, f"defects {defects}")
        if len(parts) == 2:
            self.controls(parts[0].get_content())
            parser = html5lib.HTMLParser(strict=False)
            tree = parser.parse(parts[1].get_content())
            self.found += [str(error) for error in parser.errors]
            names = {element.tag.rsplit("}", 1)[-1] for element in tree.iter() if isinstance(element.tag, str)}
            self.check(not names & {"script", "img", "iframe", "object", "form"}, f"elements {names}")

    def text(self) -> None:
        text = self.output().decode()
        self.controls(text)
        # In a pipe an entry is one line, below the line of its day.
        lines = [line for line in text.split("\n") if line.startswith("  ")]
        self.check(len(lines) == self.events, f"{len(lines)} lines for {self.events} entries")

    def terminal(self) -> None:
        data = self.output("--color", "always").decode()
        without = re.sub(r"\x1b\[[0-9;]*m", "", data)
        self.controls(without)
        # The emulator acts on all sequences that it knows, and ends where a terminal would.
        screen = pyte.HistoryScreen(4000, data.count("\n") + 2)
        titles = []
        screen.set_title = titles.append
        pyte.Stream(screen).feed(data.replace("\n", "\r\n"))
        self.check(not titles, f"title of the window {titles}")
        self.check(screen.cursor.y == data.count("\n"), f"the cursor is in line {screen.cursor.y}, not {data.count(chr(10))}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("agenda")
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    calendar = Calendar(options.events, options.seed)
    plain = Calendar(options.events, options.seed, is_plain=True)
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        wrong = Judge(options.agenda, calendar, plain, pathlib.Path(folder)).run()
    print(json.dumps({"texts": calendar.texts, "wrong": wrong}))


if __name__ == "__main__":
    sys.exit(main())
