"""Files of 100 kB at the most that are made to print or keep as much as they can, and every command and format.

A text of a file is printed once for each entry. So a file is a field, whose text fills it, and a shape: how many events
have the text, and how often each of them takes place.
"""

from __future__ import annotations

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

from hostile import NOW, alarm, calendar, event, numbered, observance, zone

# What a command may need for any of these files, and print.
SECONDS, MEMORY, OUTPUT = 10, 512, 512
SIZE = 100_000

SECONDLY = b"RRULE:FREQ=SECONDLY\r\n"
START = b"DTSTART:19700101T000000Z"


def _text(size: int) -> bytes:
    """Words, and characters that each format has to escape."""
    return (b"Word <&\"*_[|' " * (size // 14 + 1))[:size]


def _address(size: int) -> bytes:
    return b"https://example.com/" + (b"a%20b'(c)&" * (size // 10 + 1))[:max(1, size - 20)]


# The properties of an event with a text of so many bytes, its DTSTART, and what stands before all events.
FIELDS = {
    "title": lambda n: (b"SUMMARY:" + _text(n) + b"\r\n", START, b""),
    "place": lambda n: (b"SUMMARY:x\r\nLOCATION:" + _text(n) + b"\r\n", START, b""),
    "description": lambda n: (b"SUMMARY:x\r\nDESCRIPTION:" + _text(n) + b"\r\n", START, b""),
    "url": lambda n: (b"SUMMARY:x\r\nURL:" + _address(n) + b"\r\n", START, b""),
    "conference": lambda n: (b"SUMMARY:x\r\nCONFERENCE;VALUE=URI:" + _address(n) + b"\r\n", START, b""),
    "category": lambda n: (b"SUMMARY:x\r\nCATEGORIES:" + _text(n) + b"\r\n", START, b""),
    "categories": lambda n: (b"SUMMARY:x\r\nCATEGORIES:" + b",".join(
        b"%x" % i for i in range(n // 5)) + b"\r\n", START, b""),
    "attendee": lambda n: (b'SUMMARY:x\r\nATTENDEE;CN="' + b"x" * n + b'":mailto:bo@example.com\r\n', START, b""),
    "attendees": lambda n: (b"SUMMARY:x\r\n" + b"".join(
        b"ATTENDEE:mailto:%d@e\r\n" % i for i in range(n // 22)), START, b""),
    "organizer": lambda n: (b"SUMMARY:x\r\nORGANIZER:mailto:" + b"x" * n + b"@example.com\r\n", START, b""),
    "attachments": lambda n: (b"SUMMARY:x\r\n" + numbered(b"ATTACH:https://e.org/%d\r\n", n // 26), START, b""),
    "attachment": lambda n: (b"SUMMARY:x\r\nATTACH:" + _address(n) + b"\r\n", START, b""),
    "other properties": lambda n: (b"SUMMARY:x\r\nX-TEXT:" + _text(n // 2) + b"\r\nCOMMENT:" + _text(n // 2) + b"\r\n",
                                   START, b""),
    "zone": lambda n: (b"SUMMARY:x\r\n", b"DTSTART;TZID=" + b"Z" * (n // 2) + b":19700101T000000", zone(
        b"Z" * (n // 2), observance(b"STANDARD", b"19700101T000000", b"+0100", b"+0200"))),
    "alarm": lambda n: (b"SUMMARY:" + b"x" * (n // 2) + b"\r\n" + alarm(
        b"TRIGGER:-PT5M\r\nSUMMARY:" + b"y" * (n // 2) + b"\r\n"), START, b""),
    "alarms": lambda n: (b"SUMMARY:" + b"x" * (n // 2) + b"\r\n" + alarm(
        b"TRIGGER:-PT5M\r\nREPEAT:999\r\nDURATION:PT1S\r\n") * (n // 200), START, b""),
}


def _file(field: str, events: int, rule: bytes) -> bytes:
    body, start, head = FIELDS[field](max(0, SIZE // events - 120 - len(rule)))
    return calendar(head + b"".join(event(body + rule, start, b"%d" % n) for n in range(events)))


def _uids(events: int) -> bytes:
    room = SIZE // events - 200
    return calendar(b"".join(
        event(b"SUMMARY:x\r\n" + SECONDLY, START, b"%d-" % n + b"u" * room) for n in range(events)))


def _tasks(events: int) -> bytes:
    room = SIZE // events - 200
    return _file("title", events, SECONDLY).replace(b"VEVENT", b"VTODO")


FILES = {}
for _field in FIELDS:
    FILES[f"{_field}: one event every second"] = (lambda f: lambda: _file(f, 1, SECONDLY))(_field)
    if _field != "zone":
        FILES[f"{_field}: ten events every second"] = (lambda f: lambda: _file(f, 10, SECONDLY))(_field)
FILES |= {
    "UID: ten events every second": lambda: _uids(10),
    "title: 500 events every second": lambda: _file("title", 480, SECONDLY),
    "title: an event every day for a century": lambda: _file("title", 1, b"RRULE:FREQ=DAILY\r\nDURATION:P36500D\r\n"),
    "title: 400 events every day for a century": lambda: _file(
        "title", 400, b"RRULE:FREQ=DAILY\r\nDURATION:P36500D\r\n"),
    "title: 20 events every minute": lambda: _file("title", 20, b"RRULE:FREQ=MINUTELY\r\nDURATION:PT1M\r\n"),
    "title: ten tasks every second": lambda: _tasks(10),
    "title: 700 events at once": lambda: calendar(b"".join(
        event(b"SUMMARY:%d\r\nDURATION:P1D\r\n" % n, b"DTSTART:20261124T090000Z", b"%d" % n) for n in range(950))),
}

STORE = "STORE"
COMMANDS = {
    **{f"show {f}": ["show", "FILE", "-f", f, *NOW] for f in ["text", "markdown", "html", "json", "jsonl", "tsv"]},
    "show zones": ["show", "FILE", "--zones", *NOW],
    "show also": ["show", "FILE", "--also", "Asia/Tokyo", "-f", "markdown", *NOW],
    "show by category": ["show", "FILE", "--group-by", "category", "-f", "json", *NOW],
    "show by place": ["show", "FILE", "--group-by", "location", *NOW],
    "show template": ["show", "FILE", "--template", "{title} {description} {url} {location}", *NOW],
    "show mail": ["show", "FILE", "--mail", "ana@example.com", *NOW],
    "show grid": ["show", "FILE", "-f", "html", "--grid", "month", *NOW],
    "show tasks": ["show", "FILE", "--tasks", "-f", "json", *NOW],
    **{f"alarms {f}": ["alarms", "FILE", "--within", "10d", "-f", f, *NOW]
       for f in ["text", "markdown", "json", "jsonl", "tsv"]},
    "next": ["next", "1000000", "FILE", "-f", "json", *NOW],
    **{f"tasks {f}": ["tasks", "FILE", "-f", f, *NOW] for f in ["text", "json"]},
    **{f"search {f}": ["search", "word", "--store", STORE, "-f", f, *NOW] for f in ["text", "json"]},
    **{f"calendar {g}": ["calendar", "FILE", "--grid", g, *NOW] for g in ["month", "week", "year"]},
    "calendar": ["calendar", "FILE", *NOW],
    **{f"event {f}": ["event", "1.1", "FILE", "-f", f, *NOW] for f in ["text", "json"]},
    **{f"explain {f}": ["explain", "1.1", "FILE", "-f", f, *NOW] for f in ["text", "json"]},
    "free": ["free", "FILE", "-f", "json", *NOW],
    **{f"conflicts {f}": ["free", "FILE", "--conflicts", "-f", f, *NOW] for f in ["text", "json"]},
    "invitations": ["invitations", "FILE", "--as", "bo@example.com", "-f", "json", *NOW],
    "check": ["check", "FILE", "-f", "json"],
    "import": ["import", "FILE", "--store", STORE, "-f", "json"],
    "show store": ["show", "--store", STORE, "-f", "json", *NOW],
    "alarms store": ["alarms", "--store", STORE, "--within", "10d", *NOW],
    "changes": ["changes", "--store", STORE, "-f", "json"],
    "calendars": ["calendars", "--store", STORE, "-f", "json"],
    "export": ["export", "--store", STORE],
    "doctor": ["doctor", "--store", STORE],
}


class Cost:
    def __init__(self, seconds: float, memory: float, output: float, code: int):
        self.seconds, self.memory, self.output, self.code = seconds, memory, output, code

    @property
    def problem(self) -> str | None:
        found = [text for text, is_wrong in [
            (f"{self.seconds:.1f} s", self.seconds > SECONDS),
            (f"{self.memory:.0f} MB of memory", self.memory > MEMORY),
            (f"{self.output:.0f} MB of output", self.output > OUTPUT),
            (f"ended with {self.code}", self.code not in (0, 1))] if is_wrong]
        return ", ".join(found) or None

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s, {self.memory:.0f} MB, {self.output:.0f} MB printed, {self.code}"


def cost(arguments: list[str], environment: dict[str, str], factor: float = 1) -> Cost:
    """What a command needs. It is stopped well above the bounds, so that this computer goes on."""
    def limits() -> None:
        seconds = int(3 * SECONDS * factor)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (6 * MEMORY << 20, 6 * MEMORY << 20))

    process = subprocess.Popen(
        arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=limits)
    printed = 0
    while chunk := os.read(process.stdout.fileno(), 1 << 20):
        printed += len(chunk)
        if printed > 2 * OUTPUT * 1_000_000:
            process.kill()
            break
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost((usage.ru_utime + usage.ru_stime) / factor, usage.ru_maxrss / 1000 * 1.024, printed / 1e6,
                process.returncode)


def costs(agenda: str, files: list[str], commands: list[str], factor: float = 1):
    """The file, the command and its cost. `factor` is how much slower a build is than an optimised one."""
    for name in files:
        with tempfile.TemporaryDirectory(prefix="proof-") as folder:
            place = pathlib.Path(folder)
            # In another process: the peak memory of a program counts what its parent held when it was started.
            if (child := os.fork()) == 0:
                (place / "bounds.ics").write_bytes(FILES[name]())
                os._exit(0)
            os.waitpid(child, 0)
            words = {"FILE": str(place / "bounds.ics"), STORE: str(place / "store")}
            environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8"}
            for command in commands:
                if STORE in COMMANDS[command] and command != "import" and not (place / "store").exists():
                    cost([agenda, "import", words["FILE"], "--store", words[STORE]], environment, factor)
                yield name, command, cost(
                    [agenda, *[words.get(word, word) for word in COMMANDS[command]]], environment, factor)


def main() -> int:
    """bounds.py PROGRAM [WORDS OF FILES [WORDS OF COMMANDS]]: prints what is above the bounds."""
    agenda, *words = sys.argv[1:]
    files, commands = ([
        name for name in names if len(words) <= place or any(word in name for word in words[place].split(","))]
        for place, names in enumerate([FILES, COMMANDS]))
    wrong = 0
    for name, command, found in costs(agenda, files, commands):
        wrong += found.problem is not None
        print(f"{'WRONG' if found.problem else 'ok':6}{name:45}{command:20}{found}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
