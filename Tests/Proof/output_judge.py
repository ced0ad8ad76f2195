#!/usr/bin/env python3
"""Writes a calendar with hostile texts, and reads what agenda makes of it with independent parsers.

    output_judge.py AGENDA --events 100 --seed 1

Prints a JSON object: how many texts there were, how many values were compared in each format, and what is wrong there.
"""

from __future__ import annotations

import argparse
import collections
import csv
import email
import email.policy
import io
import html
import html.entities
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse

import html5lib
import icalendar
import markdown_it
import pyte

# Parts of Markdown that are text, in several lines.
TEXT = {"text", "softbreak", "hardbreak", "text_special"}
HTML = "{http://www.w3.org/1999/xhtml}"
NOW = ["--now", "2026-11-21T09:00:00Z", "--timezone", "Europe/Berlin"]
PIECES = [
    "# heading", "- item", "1. item", "> quote", "```", "---", "===", "| a | b |", "|---|---|",
    "<script>alert(1)</script>", "<!--", "-->", "<img src=x onerror=alert(1)>", "</title>", "</li>", "</bdi>",
    "&lt;b&gt;", "&#35;", "&amp", "[a](javascript:alert(1))", "![a](http://example.com/x.png)",
    "[a]: http://example.com", "**bold**", "__b__", "*i*", "~~gone~~", "`code", "\\", "\\\\", "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07", "\x9b31m", "\x90q\x9c", "\u202etxt.exe", "\u2066a\u2069", "\u200f", "\ufeff", "\u2028",
    "\u2029", "\u0085", "\x7f", "\x08", "\t", "\n", "\r\n", "\n\n# b", "\n- c", "\nBcc: x@example.com",
    "\r\n\r\nbody", "\"", "'", "{\"a\":1}", ",\"x\":1}", "\\u0000", "\\n", "=?UTF-8?Q?x?=", "--boundary", "\n--=_x",
    "=20", "=3D=\n", "http://example.com/*x*", "javascript:x", "\u00a0", "\u3000", "👩‍👩‍👧‍👦", "e\u0301\u0301\u0301",
    "日本語", "لقاء", "word", " ", "x" * 200, "$x$", "==m==", "%%h%%", "^a", ":b:",
]


def hostile(generator: random.Random) -> str:
    return generator.choice(["", " ", "\n"]).join(generator.choice(PIECES) for _ in range(generator.randint(1, 4)))


def escaped(text: str) -> str:
    """As a TEXT of RFC 5545."""
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def entities(text: str) -> str:
    """What is shown of a text without a `<`: its entities of HTML 4 are characters."""
    def character(match: re.Match) -> str:
        return html.unescape(match[0]) if match[1][0] == "#" or match[1] in html.entities.name2codepoint else match[0]
    return text if "<" in text else re.sub(r"&(#\d+|#[xX][0-9a-fA-F]+|\w+);", character, text)


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


# The text fields of an entry, in the order in which they are written.
FIELDS = [
    "title", "location", "description", "category", "comment", "contact", "attendee", "organizer", "url", "name",
    "file", "alarm"]


class Calendar:
    """Events whose fields are hostile texts. `events` has the fields of each."""

    def __init__(self, events: int, seed: int, is_plain: bool = False):
        generator = random.Random(seed)

        def text() -> str:
            made = hostile(generator)
            return "word" if is_plain else made

        self.name = text()
        self.events = []
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "X-WR-CALNAME:" + escaped(self.name)]
        for number in range(events):
            fields = {name: text() for name in FIELDS}
            for name in ("url", "file"):
                # A line end in an address would be a line of its own, and programs differ on backslashes there, which
                # no address may have: that is the calendar's, not the output's matter.
                fields[name] = f"http://example.com/{name}{number}" + re.sub(r"[\r\n\\]", "", fields[name])
            self.events.append(fields)
            lines += [
                "BEGIN:VEVENT", f"UID:{number}@example.com", "DTSTAMP:20260101T000000Z",
                f"DTSTART:202611{22 + number % 8:02}T{8 + number // 8 % 12:02}{number // 96 % 60:02}00Z",
                "DURATION:PT30M",
                "SUMMARY:" + escaped(fields["title"]), "LOCATION:" + escaped(fields["location"]),
                "DESCRIPTION:" + escaped(fields["description"]), "CATEGORIES:" + escaped(fields["category"]),
                "COMMENT:" + escaped(fields["comment"]), "CONTACT:" + escaped(fields["contact"]),
                f'ATTENDEE;CN="{parameter(fields["attendee"])}":mailto:a{number}@example.com',
                f'ORGANIZER;CN="{parameter(fields["organizer"])}":mailto:o@example.com',
                "URL:" + fields["url"], f'ATTACH;FILENAME="{parameter(fields["name"])}":{fields["file"]}',
                "STATUS:" + escaped(text()), "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M",
                "DESCRIPTION:" + escaped(fields["alarm"]), "END:VALARM", "END:VEVENT"]
            fields["raw"] = dict(fields)
            for name in ("title", "location", "description", "url", "file"):
                fields[name] = entities(fields[name])
        lines.append("END:VCALENDAR")
        self.text = "\r\n".join(folded(line) for line in lines) + "\r\n"
        # Each event has its fields and a status, and the calendar has a name.
        self.texts = events * (len(FIELDS) + 1) + 1


def exact(text: str | None) -> str:
    """The text itself. Blanks around it say nothing, and all line ends are one."""
    return re.sub(r"\r\n?", "\n", text or "").strip()


def visible(text: str | None) -> str:
    """What a person sees of a text: neither blanks nor controls nor marks."""
    return "".join(
        letter for letter in text or ""
        if not letter.isspace() and letter != "\ufffd" and unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zs"))


def letters(text: str | None) -> str:
    """Letters and digits alone: the emulator shows one of several accents. It loses what comes after joined emoji."""
    if "\u200d" in (text or ""):
        return ""
    return "".join(letter for letter in unicodedata.normalize("NFD", text or "") if letter.isalnum())


def is_markup(text: str) -> bool:
    """Whether a description can be HTML, of which only the text is shown."""
    return re.search(r"<[a-zA-Z/!?]|&", text) is not None


def harmless(text: str | None) -> str:
    """Without the controls that no calendar may have, which the other library refuses."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", "", exact(text)).strip()


def unescaped(text: str) -> str:
    """A cell of a table."""
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t", "r": "\r"}.get(match[1], match[1]), text)


FORMATS = ["json", "jsonl", "tsv", "markdown", "html", "mail", "text", "terminal", "template", "event", "ics"]


class Judge:
    def __init__(self, agenda: str, calendar: Calendar, plain: Calendar, folder: pathlib.Path):
        self.agenda, self.folder, self.events = agenda, folder, len(calendar.events)
        self.calendar, self.plain = folder / "c.ics", folder / "p.ics"
        self.calendar.write_text(calendar.text, newline="")
        self.plain.write_text(plain.text, newline="")
        self.name, self.fields = calendar.name, calendar.events
        self.entries: list[dict] = []
        self.wrong: dict[str, list[str]] = {}
        self.compared: dict[str, int] = {}

    def output(self, *options: str, file: pathlib.Path | None = None) -> bytes:
        return self.command("show", str(file or self.calendar), *options, *NOW)

    def command(self, *words: str) -> bytes:
        environment = {
            "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "HOME": str(self.folder),
            "AGENDA_STORE": str(self.folder / "store")}
        done = subprocess.run([self.agenda, *words], env=environment, capture_output=True, timeout=120)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{words}: {done.stderr.decode(errors='replace')[-300:]}")
        return done.stdout

    def run(self) -> dict[str, list[str]]:
        for name in FORMATS:
            self.found: list[str] = []
            self.compared[name] = 0
            self.format = name
            try:
                getattr(self, name)()
            except (ValueError, KeyError, UnicodeError) as error:
                self.found.append(repr(error))
            self.wrong[name] = self.found
        return self.wrong

    def check(self, is_right: bool, text: str) -> None:
        if not is_right:
            self.found.append(text)

    def same(self, field: str, got, wanted, by=exact) -> None:
        """Compares a value with the text that the calendar has."""
        self.compared[self.format] += 1
        # A blank name is none: the address of the person is shown, and the name of the file.
        is_name = field in ("attendee", "organizer", "calendar", "X-WR-CALNAME")
        if field == "description" and is_markup(wanted) or is_name and not visible(wanted):
            return
        if by(got) != by(wanted):
            self.found.append(f"{field} {got!r}, not {wanted!r}")

    def shows(self, field: str, text: str, where: str, by=visible) -> None:
        """Whether a text is among what a person sees."""
        self.compared[self.format] += 1
        if by(text) not in where and not (field == "description" and is_markup(text)):
            self.found.append(f"{field} is missing: {text!r}")

    def fields_of(self, entry: dict) -> dict:
        return self.fields[int(entry["uid"].split("@")[0])]

    def json(self) -> None:
        document = json.loads(self.output("--format", "json"))
        self.entries = [entry for section in document["sections"] for entry in section["entries"]]
        self.check(len(self.entries) == self.events, f"{len(self.entries)} entries")
        for entry in self.entries:
            self.entry(entry)

    def entry(self, entry: dict) -> None:
        fields = self.fields_of(entry)
        for name in ("title", "location", "description", "url"):
            self.same(name, entry[name], fields[name])
        self.same("calendar", entry["calendar"], self.name)
        self.same("category", ",".join(entry["categories"]), fields["category"])
        self.same("organizer", entry["organizer"]["name"], fields["organizer"])
        self.same("attendee", entry["attendees"][0]["name"], fields["attendee"])
        self.same("file", entry["attachments"][0]["uri"], fields["file"])

    def jsonl(self) -> None:
        lines = self.output("--format", "jsonl").decode().split("\n")
        self.check(lines.pop() == "", "no line end at the end")
        self.check(len(lines) == self.events, f"{len(lines)} lines")
        for line in lines:
            self.entry(json.loads(line))

    def tsv(self) -> None:
        text = self.output("--format", "tsv").decode()
        rows = list(csv.reader(
            io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n"))
        self.check(len(rows) == self.events + 1, f"{len(rows) - 1} rows")
        self.check(len({len(row) for row in rows}) == 1, "rows of different lengths")
        self.controls(text.replace("\t", ""))
        for row in rows[1:]:
            entry = dict(zip(rows[0], map(unescaped, row)))
            fields = self.fields_of(entry)
            self.same("title", entry["title"], fields["title"], visible)
            self.same("location", entry["location"], fields["location"], visible)
            self.same("category", entry["categories"], fields["category"], visible)
            self.same("calendar", entry["calendar"], self.name, visible)

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
        items = []
        for token in parser.parse(hostile):
            if token.type == "list_item_open":
                items.append("")
            for inner in token.children or []:
                if items and inner.type in ("text", "text_special", "code_inline"):
                    items[-1] += inner.content
        self.lines(items, ["title", "location"])

    def lines(self, lines: list[str], names: list[str], by=visible, count: int | None = None) -> None:
        """Whether the line of each entry has the texts of its fields."""
        count = len(self.entries) if count is None else count
        self.check(len(lines) == count, f"{len(lines)} lines for {count} entries")
        for line, entry in zip(lines, self.entries):
            line, fields = by(line.replace("\u200d", "") if by is letters else line), self.fields_of(entry)
            for name in names:
                self.shows(name, fields[name], line, by)
            self.shows("calendar", self.name, line, by)

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
        items = [
            element for element in tree.iter(HTML + "li") if element.find(f"{HTML}div[@class='is']") is not None]
        self.lines(["".join(item.itertext()) for item in items], ["title", "location", "description"])
        for item, entry in zip(items, self.entries):
            links = [visible(urllib.parse.unquote(element.get("href", ""))) for element in item.iter(HTML + "a")]
            self.compared[self.format] += 1
            url = self.fields_of(entry)["url"]
            self.check(visible(urllib.parse.unquote(url)) in links, f"url is missing: {url!r} {links}")

    def mail(self) -> None:
        data = self.output("--mail", "ana@example.com", "--subject", "Agenda")
        message = email.message_from_bytes(data, policy=email.policy.default)
        fields = {field.lower() for field in message.keys()}
        known = {
            "to", "subject", "date", "message-id", "mime-version", "auto-submitted", "content-language", "content-type"}
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
            # What is indented further goes on with the entry.
            lines = re.sub(r"\n {3,}", " ", parts[0].get_content()).split("\n")
            # A long mail is cut.
            more = [int(line.split()[1]) for line in lines if re.fullmatch(r"and \d+ more", line)]
            count = self.events - sum(more)
            self.lines([line for line in lines if line.startswith("  ")], ["title", "location"], count=count)
            # A row has the time and what is there; that of a day has one cell.
            rows = [row for row in tree.iter(HTML + "tr") if len(row.findall(HTML + "td")) == 2]
            self.lines(["".join(row.itertext()) for row in rows], ["title", "location"], count=count)

    def text(self) -> None:
        text = self.output().decode()
        self.controls(text)
        # In a pipe an entry is one line, below the line of its day.
        lines = [line for line in text.split("\n") if line.startswith("  ")]
        self.lines(lines, ["title", "location"])

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
        count = data.count("\n")
        self.check(screen.cursor.y == count, f"the cursor is in line {screen.cursor.y}, not {count}")
        # A mark in the colour of the calendar comes before the time.
        lines = [line for line in screen.display if re.match(r"\S\s+\d\d:\d\d", line)]
        self.lines(lines, ["title", "location"], letters)

    def template(self) -> None:
        fields_by_name = {
            "title": "title", "location": "location", "description": "description", "url": "url",
            "categories": "category", "organizer": "organizer", "attendees": "attendee", "attachments": "file"}
        names = [*fields_by_name, "calendar"]
        # No text has this character.
        text = self.output("--template", "\u241f".join(f"{{{name}}}" for name in ["uid", *names])).decode()
        self.controls(text)
        rows = [line.split("\u241f") for line in text.split("\n")[:-1]]
        self.check(len(rows) == self.events, f"{len(rows)} lines")
        for row in rows:
            self.check(len(row) == len(names) + 1, f"{len(row)} fields")
            entry = dict(zip(["uid", *names], row))
            fields = self.fields_of(entry)
            for name, field in fields_by_name.items():
                self.same(field, entry[name], fields[field], visible)
            self.same("calendar", entry["calendar"], self.name, visible)

    def event(self) -> None:
        for entry in self.entries[::max(1, self.events // 5)]:
            fields = self.fields_of(entry)
            text = self.command("event", entry["id"], str(self.calendar), *NOW).decode()
            self.controls(text)
            shown = visible(text)
            for name in FIELDS:
                # The words of an alarm are in JSON alone. Of a property without a line of its own, the beginning is
                # shown.
                if name != "alarm":
                    self.shows(name, fields[name][:60] if name in ("comment", "contact") else fields[name], shown)
            found = json.loads(self.command("event", entry["id"], str(self.calendar), "--format", "json", *NOW))
            self.entry(found["entry"])
            self.same("alarm", found["alarms"][0]["description"], fields["alarm"])
            lines = ["BEGIN:VEVENT", *map(folded, map(harmless, found["properties"])), "END:VEVENT", ""]
            event = icalendar.Event.from_ical("\r\n".join(lines))
            self.component(event, fields)

    def component(self, event: icalendar.Event, fields: dict) -> None:
        """The properties of an entry, read by another library: they are as in the calendar."""
        fields = fields["raw"]
        properties = {
            "title": "SUMMARY", "location": "LOCATION", "description": "DESCRIPTION", "comment": "COMMENT",
            "contact": "CONTACT", "url": "URL"}
        for name, property in properties.items():
            self.same(property, event.get(property), fields[name], harmless)
        self.same("CATEGORIES", ",".join(event["CATEGORIES"].cats), fields["category"], harmless)
        self.same("CN of ATTENDEE", rfc6868(event["ATTENDEE"].params.get("CN")), fields["attendee"], parameter_of)
        self.same("CN of ORGANIZER", rfc6868(event["ORGANIZER"].params.get("CN")), fields["organizer"], parameter_of)
        self.same("ATTACH", str(event["ATTACH"]), fields["file"], harmless)
        self.same("FILENAME of ATTACH", rfc6868(event["ATTACH"].params.get("FILENAME")), fields["name"], parameter_of)

    def ics(self) -> None:
        self.command("import", str(self.calendar))
        data = self.command("export")
        self.check(max(map(len, data.split(b"\r\n"))) <= 75, "a long line")
        self.check(data.count(b"\n") == data.count(b"\r\n"), "a line end without CR")
        calendar = icalendar.Calendar.from_ical(re.sub(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", b"", data))
        events = calendar.walk("VEVENT")
        self.check(len(events) == self.events, f"{len(events)} events")
        # The library leaves the escapes of properties that it does not know.
        self.same("X-WR-CALNAME", unescaped(calendar["X-WR-CALNAME"].to_ical().decode()), self.name, harmless)
        for event in events:
            self.check(not event.errors, f"errors {event.errors}")
            fields = self.fields[int(event["UID"].split("@")[0])]
            self.component(event, fields)
            self.same("DESCRIPTION of VALARM", event.walk("VALARM")[0].get("DESCRIPTION"), fields["alarm"], harmless)


def rfc6868(text: str | None) -> str:
    """The library leaves this encoding as it is."""
    return re.sub(r"\^([n'^])", lambda match: {"n": "\n", "'": '"', "^": "^"}[match[1]], text or "")


def parameter_of(text: str | None) -> str:
    """The library takes two backslashes of a parameter for one, also in longer runs."""
    return re.sub(r"\\+", r"\\", harmless(text))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("agenda")
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    calendar = Calendar(options.events, options.seed)
    plain = Calendar(options.events, options.seed, is_plain=True)
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        judge = Judge(options.agenda, calendar, plain, pathlib.Path(folder))
        wrong = judge.run()
    print(json.dumps({"texts": calendar.texts, "compared": judge.compared, "wrong": wrong}))


if __name__ == "__main__":
    sys.exit(main())
