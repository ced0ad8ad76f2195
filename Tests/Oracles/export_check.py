"""Imports each file into a new store, exports it, and lists what is wrong with the export.

    export_check.py AGENDA FILE...

What judges: the PyPI package icalendar reads it, libical (by ctypes, where it is there) parses it and
checks its restrictions, and its bytes and content lines are compared with those of the source here.
One line is printed for each thing that is not as it should be: the file, what, and the first case.
"""

import codecs
import collections
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile

import icalendar

AGENDA = sys.argv[1]
PINNED = ["--now", "2026-11-21T09:00:00+01:00", "--timezone", "Europe/Berlin"]


def run(*arguments):
    environment = {"PATH": "/usr/bin:/bin", "TZ": "Europe/Berlin"}
    return subprocess.run([AGENDA, *arguments], capture_output=True, env=environment)


def agenda(store):
    document = json.loads(run("show", "--store", store, "-f", "json", "--tasks", *PINNED).stdout)
    return document["sections"]


def decoded(data):
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16").encode()
    return data.removeprefix(b"\xef\xbb\xbf")


def lines(data):
    """The unfolded content lines, each as a text."""
    data = decoded(data).replace(b"\0", b"").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = data.replace(b"\n ", b"").replace(b"\n\t", b"")
    texts = [line.decode(errors="windows-1252") for line in data.split(b"\n")]
    return [text for text in texts if text.strip()]


# Bytes that are not UTF-8 are Windows-1252.
codecs.register_error(
    "windows-1252", lambda error: (error.object[error.start : error.end].decode("cp1252", "replace"), error.end))


def zones_used(texts):
    return {
        (found[1] or found[2])
        for text in texts
        if (found := re.match(r'[\w-]+(?:;(?!TZID)[\w-]+=(?:"[^"]*"|[^";:]*))*;TZID=(?:"([^"]*)"|([^";:]*))', text))
    }


class Libical:
    def __init__(self):
        try:
            self.library = ctypes.CDLL("libical.so.3")
        except OSError:
            self.library = None
            return
        self.library.icalparser_parse_string.restype = ctypes.c_void_p
        self.library.icalcomponent_as_ical_string.restype = ctypes.c_char_p
        self.library.icalerror_set_errors_are_fatal(0)

    def problems(self, data):
        if not self.library:
            return []
        parsed = self.library.icalparser_parse_string(ctypes.c_char_p(data))
        if not parsed:
            return ["it cannot be parsed"]
        component = ctypes.c_void_p(parsed)
        self.library.icalrestriction_check(component)
        text = self.library.icalcomponent_as_ical_string(component).decode(errors="replace")
        self.library.icalcomponent_free(component)
        errors = [line for line in text.replace("\r\n ", "").split("\r\n") if line.startswith("X-LIC-ERROR")]
        return [error.split(":", 1)[1] for error in errors]


def check(path, folder, libical):
    base = os.path.basename(path)
    first, second = os.path.join(folder, "1.sqlite"), os.path.join(folder, "2.sqlite")
    run("import", "--store", first, *PINNED[:2], path)
    done = run("export", "--store", first)
    if done.returncode:
        return
    exported = done.stdout
    with open(path, "rb") as file:
        source = lines(file.read())
    result = lines(exported)

    for line in exported.split(b"\r\n"):
        if len(line) > 75 or b"\n" in line or b"\r" in line:
            yield "form", repr(line[:60])
        try:
            line.decode()
        except UnicodeDecodeError:
            yield "cut", repr(line[:60])
    if any(line.startswith("METHOD") for line in result):
        yield "method", ""
    lost = collections.Counter(source) - collections.Counter(result)
    lost = [line for line in lost if not re.match(r"METHOD\b", line, re.I)]
    if lost:
        yield "lost", f"{len(lost)}: {lost[0][:60]!r}"
    defined = {line.split(":", 1)[1] for line in result if line.startswith("TZID:")}
    if missing := zones_used(result) - defined:
        yield "zone", sorted(missing)[0]
    for problem in libical.problems(exported)[:1]:
        yield "libical", problem[:110]
    try:
        for calendar in icalendar.Calendar.from_ical(exported, multiple=True):
            for component in calendar.walk():
                for error in component.errors[:1]:
                    yield "icalendar", str(error)[:110]
    except ValueError as error:
        yield "icalendar", repr(error)[:110]

    copy = os.path.join(folder, base)
    with open(copy, "wb") as file:
        file.write(exported)
    run("import", "--store", second, *PINNED[:2], copy)
    if agenda(first) != agenda(second):
        yield "agenda", ""
    if run("export", "--store", second).stdout != exported:
        yield "again", ""


def main():
    libical = Libical()
    for path in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            said = set()
            for kind, text in check(path, folder, libical):
                if kind not in said:
                    print(f"{os.path.basename(path)}\t{kind}\t{text}")
                said.add(kind)


main()
