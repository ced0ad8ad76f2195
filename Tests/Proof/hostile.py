"""Files that are made to hurt, what each command and libical need for them, and how commands must end.

The files are made anew each time. Every one has what some reader of calendars is known to hang, crash or fill the
memory with, or what costs the most for its size. A command exits with 1 if something was rejected or failed, and
otherwise with 0.
"""

from __future__ import annotations

import base64
import os
import pathlib
import resource
import signal
import subprocess

from bench import BUILD, ROOT, Skipped, run as run_program

KIBI, MEBI = 1 << 10, 1 << 20
NOW = ["--now", "2026-11-21T09:00:00Z", "--timezone", "Europe/Berlin"]


def calendar(body: bytes, head: bytes = b"VERSION:2.0\r\nPRODID:-//example//EN\r\n") -> bytes:
    return b"BEGIN:VCALENDAR\r\n" + head + body + b"END:VCALENDAR\r\n"


def event(body: bytes, start: bytes = b"DTSTART:20261124T090000Z", uid: bytes = b"1") -> bytes:
    return b"BEGIN:VEVENT\r\nUID:" + uid + b"\r\n" + start + b"\r\n" + body + b"END:VEVENT\r\n"


def one(body: bytes, start: bytes = b"DTSTART:20261124T090000Z") -> bytes:
    return calendar(event(body, start))


def rule(text: bytes, start: bytes = b"DTSTART:20260101T090000Z", count: int = 60) -> bytes:
    """So many events with a rule."""
    return calendar(b"".join(
        event(b"SUMMARY:Rule\r\nRRULE:" + text + b"\r\n", start, b"%d" % number) for number in range(count)))


def numbered(template: bytes, count: int) -> bytes:
    return b"".join(template % number for number in range(count))


def filled(text: bytes, size: int) -> bytes:
    return text * (size // len(text))


def zone(name: bytes, *observances: bytes) -> bytes:
    return b"BEGIN:VTIMEZONE\r\nTZID:" + name + b"\r\n" + b"".join(observances) + b"END:VTIMEZONE\r\n"


def observance(kind: bytes, start: bytes, before: bytes, after: bytes, more: bytes = b"") -> bytes:
    return (b"BEGIN:" + kind + b"\r\nDTSTART:" + start + b"\r\nTZOFFSETFROM:" + before + b"\r\nTZOFFSETTO:" + after
            + b"\r\n" + more + b"END:" + kind + b"\r\n")


def alarm(body: bytes) -> bytes:
    return b"BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\n" + body + b"END:VALARM\r\n"


def mail(body: bytes, head: bytes = b"Content-Type: text/calendar\r\n") -> bytes:
    return b"From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n" + head + b"\r\n" + body


LOCAL = b"DTSTART;TZID=Own:20261124T090000"
PLAIN = one(b"SUMMARY:Plain\r\n")

# What the file is, and how it is made.
ORDINARY = "an ordinary calendar, to compare"
FILES = {
    ORDINARY: lambda: PLAIN,
    # Structure
    "nothing": lambda: b"",
    "one zero byte": lambda: b"\0",
    "a mebibyte of zero bytes": lambda: b"\0" * MEBI,
    "a mebibyte of line ends": lambda: b"\r\n" * (MEBI // 2),
    "a mebibyte of blanks": lambda: b" " * MEBI,
    "junk lines": lambda: one(filled(b"J\r\n", MEBI)),
    "10,000 components within components": lambda: one(b"BEGIN:X-A\r\n" * 10_000 + b"END:X-A\r\n" * 10_000),
    "10,000 events, none closed": lambda: calendar(b"BEGIN:VEVENT\r\n" * 10_000),
    "10,000 calendars, none closed": lambda: b"BEGIN:VCALENDAR\r\n" * 10_000,
    "10,000 ENDs": lambda: calendar(b"END:VEVENT\r\n" * 10_000),
    "ENDs in the wrong order": lambda: calendar(numbered(b"BEGIN:X-%d\r\n", 3_000) + numbered(b"END:X-%d\r\n", 3_000)),
    "5,000 calendars": lambda: calendar(b"METHOD:CANCEL\r\n") * 5_000 + PLAIN,
    "20,000 events without anything": lambda: calendar(b"BEGIN:VEVENT\r\nEND:VEVENT\r\n" * 20_000),
    "events with one UID": lambda: calendar(event(b"SUMMARY:Same\r\n") * 5_000),
    "5,000 versions of one event": lambda: calendar(b"".join(
        event(b"SEQUENCE:%d\r\n" % number) for number in range(5_000))),
    "events in a poll that does not end": lambda: calendar(b"BEGIN:VPOLL\r\n" + event(b"") * 5_000),
    "components of unknown kinds": lambda: calendar(numbered(b"BEGIN:X-%d\r\nX:y\r\n", 5_000) + event(b"")),
    "BEGIN without a name": lambda: calendar(b"BEGIN:\r\n" * 5_000 + event(b"")),
    "a name of 100,000 letters": lambda: calendar(b"BEGIN:" + b"A" * 100_000 + b"\r\n" + event(b"")),
    "an event outside of a calendar": lambda: event(b"SUMMARY:Alone\r\n") * 1_000,
    "a calendar cut in the middle of a line": lambda: one(b"DESCRIPTION:" + b"x" * 1_000)[:500],
    # Lines
    "one line of 2 MiB": lambda: one(b"SUMMARY:" + b"x" * (2 * MEBI) + b"\r\n"),
    "a line in pieces of one byte": lambda: one(b"SUMMARY:" + b"\r\n x" * (MEBI // 4) + b"\r\n"),
    "folds of nothing": lambda: one(b"SUMMARY:a" + b"\r\n " * (MEBI // 3) + b"\r\n"),
    "folds within the names": lambda: one(b"S\r\n U\r\n M\r\n M\r\n A\r\n R\r\n Y\r\n :x\r\n" * 10_000),
    "folds within characters": lambda: one("SUMMARY:é".encode()[:-1] + b"\r\n " + "é".encode()[-1:] + b"\r\n"),
    "lines that end with CR alone": lambda: one(filled(b"COMMENT:y\r\n", MEBI)).replace(b"\r\n", b"\r"),
    "lines that end with CR CR LF": lambda: one(filled(b"COMMENT:y\r\n", MEBI)).replace(b"\r\n", b"\r\r\n"),
    "a file without a line end": lambda: b"BEGIN:VCALENDAR:" * (MEBI // 16),
    "raw lines after a text": lambda: one(b"DESCRIPTION:a\r\n" + filled(b"raw text\r\n", MEBI)),
    "lines without a colon": lambda: one(filled(b"SUMMARY\r\n", MEBI)),
    "lines of colons": lambda: one(b":" * MEBI + b"\r\n"),
    "quotes that never close": lambda: one(b'SUMMARY;X="' + b'a";X="' * (MEBI // 6) + b":x\r\n"),
    "20,000 parameters": lambda: one(b"ATTENDEE" + b";X-P=v" * 20_000 + b":mailto:bo@example.com\r\n"),
    "a parameter with 100,000 values": lambda: one(
        b"ATTENDEE;MEMBER=" + b'"mailto:a@example.com",' * 100_000 + b'"x":mailto:bo@example.com\r\n'),
    "a parameter of a mebibyte": lambda: one(b'ATTENDEE;CN="' + b"x" * MEBI + b'":mailto:bo@example.com\r\n'),
    "a parameter name of a mebibyte": lambda: one(b"ATTENDEE;" + b"X" * MEBI + b"=1:mailto:bo@example.com\r\n"),
    "circumflexes": lambda: one(b'ATTENDEE;CN="' + b"^n^'^^" * 100_000 + b'":mailto:bo@example.com\r\n'),
    "backslashes": lambda: one(b"SUMMARY:" + b"\\" * MEBI + b"\r\n"),
    "escapes of line ends": lambda: one(b"DESCRIPTION:" + b"\\n" * (MEBI // 2) + b"\r\n"),
    # Bytes
    "UTF-16": lambda: PLAIN.decode().encode("utf-16"),
    "UTF-32": lambda: PLAIN.decode().encode("utf-32"),
    "bytes that are no UTF-8": lambda: one(b"SUMMARY:" + bytes(range(128, 256)) * 4_000 + b"\r\n"),
    "overlong UTF-8": lambda: one(b"SUMMARY:" + b"\xc0\x8d\xc0\x8a" * 10_000 + b"\r\n"),
    "surrogates in UTF-8": lambda: one(b"SUMMARY:" + b"\xed\xa0\x80" * 10_000 + b"\r\n"),
    "a byte order mark in each line": lambda: one(filled(b"\xef\xbb\xbfCOMMENT:x\r\n", MEBI)),
    "zero bytes in a text": lambda: one(b"SUMMARY:a" + b"\0" * 100_000 + b"b\r\n"),
    "an unknown charset": lambda: mail(PLAIN, b"Content-Type: text/calendar; charset=x-none\r\n"),
    "gzip": lambda: b"\x1f\x8b\x08\0" + b"x" * 100_000,
    "a web page": lambda: b"<!DOCTYPE html><html>" + b"<p>BEGIN:VCALENDAR</p>" * 50_000,
    "JSON": lambda: b"[" * 500_000 + b"]" * 500_000,
    "one accent on another": lambda: one("SUMMARY:e".encode() + "\u0301".encode() * 100_000 + b"\r\n"),
    "one emoji joined to another": lambda: one("SUMMARY:👩".encode() + "\u200d👩".encode() * 50_000 + b"\r\n"),
    "marks of direction": lambda: one("SUMMARY:".encode() + "\u202e\u2066".encode() * 50_000 + b"\r\n"),
    "sequences of terminals": lambda: one(b"SUMMARY:" + b"\x1b]0;x\x07\x1b[2J\x9b1m" * 20_000 + b"\r\n"),
    # Mails
    "a mail with 10,000 parts": lambda: mail(
        b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * 10_000 + b"--b--",
        b"Content-Type: multipart/mixed; boundary=b\r\n"),
    "a mail with parts in parts": lambda: mail(b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (number, number + 1)
        for number in range(5_000)),
        b"Content-Type: multipart/mixed; boundary=b0\r\n"),
    "a mail with 50,000 fields": lambda: mail(PLAIN, b"X-A: b\r\n" * 50_000 + b"Content-Type: text/calendar\r\n"),
    "a mail in base64 with junk": lambda: mail(
        filled(base64.b64encode(PLAIN) + b"!?\r\n", MEBI),
        b"Content-Type: text/calendar\r\nContent-Transfer-Encoding: base64\r\n"),
    "a mail in quoted-printable": lambda: mail(
        b"=\r\n" * 200_000 + PLAIN, b"Content-Type: text/calendar\r\nContent-Transfer-Encoding: quoted-printable\r\n"),
    # Rules
    "every second since 1970": lambda: rule(b"FREQ=SECONDLY", b"DTSTART:19700101T000000Z"),
    "every minute since the year 1": lambda: rule(b"FREQ=MINUTELY", b"DTSTART:00010101T000000Z"),
    "every second on a 30 February": lambda: rule(b"FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"),
    "every minute in a week 53": lambda: rule(b"FREQ=MINUTELY;INTERVAL=7;BYWEEKNO=53;BYHOUR=3;COUNT=100000"),
    "every second on Friday the 13th": lambda: rule(
        b"FREQ=SECONDLY;INTERVAL=86401;BYMONTHDAY=13;BYDAY=FR;BYHOUR=3;BYSECOND=1"),
    "all seconds of a year, the last of them": lambda: rule(
        b"FREQ=YEARLY;BYHOUR=" + b",".join(b"%d" % n for n in range(24)) + b";BYMINUTE="
        + b",".join(b"%d" % n for n in range(60)) + b";BYSECOND=" + b",".join(b"%d" % n for n in range(60))
        + b";BYYEARDAY=" + b",".join(b"%d" % n for n in range(1, 367)) + b";BYSETPOS=-1", count=5),
    "a month in February on the 29th on Mondays": lambda: rule(
        b"FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=1000"),
    "a Hebrew year": lambda: rule(b"RSCALE=HEBREW;FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31"),
    "a Chinese year": lambda: rule(b"RSCALE=CHINESE;FREQ=WEEKLY;COUNT=99999"),
    "a COUNT of a thousand million": lambda: rule(b"FREQ=SECONDLY;COUNT=999999999"),
    "an INTERVAL of a thousand million": lambda: rule(b"FREQ=SECONDLY;INTERVAL=999999999"),
    "numbers beyond 64 bits": lambda: rule(b"FREQ=DAILY;COUNT=99999999999999999999;INTERVAL=18446744073709551617"),
    "a rule with 100,000 values": lambda: rule(b"FREQ=DAILY;BYMONTHDAY=" + b"1," * 100_000 + b"1", count=2),
    "5,000 rules of an event": lambda: one(b"".join(b"RRULE:FREQ=DAILY;INTERVAL=%d\r\n" % n for n in range(1, 5_000))),
    "100,000 EXDATEs": lambda: one(b"RRULE:FREQ=DAILY\r\nEXDATE:" + b"20261124T090000Z," * 100_000 + b"\r\n"),
    "50,000 RDATEs": lambda: one(b"RDATE:" + b",".join(
        b"2026%02d%02dT%02d%02d00Z" % (n % 12 + 1, n // 12 % 28 + 1, n // 336 % 24, n // 8064 % 60)
        for n in range(50_000)) + b"\r\n"),
    "periods of years as RDATEs": lambda: one(b"RDATE;VALUE=PERIOD:" + b"20000101T000000Z/P3000D," * 20_000 + b"\r\n"),
    "an EXRULE for each RRULE": lambda: one(b"RRULE:FREQ=MINUTELY\r\nEXRULE:FREQ=MINUTELY\r\n" * 20),
    "10,000 overrides": lambda: calendar(event(b"RRULE:FREQ=MINUTELY\r\n", b"DTSTART:20261124T000000Z") + b"".join(
        event(b"RECURRENCE-ID:202611%02dT%02d%02d00Z\r\n" % (24 + n // 1440 % 7, n // 60 % 24, n % 60))
        for n in range(10_000))),
    "a thousand years long, every day": lambda: rule(b"FREQ=DAILY", b"DTSTART:00010101T000000Z\r\nDURATION:P365000D"),
    "ends before they begin": lambda: calendar(event(b"DTEND:00010101T000000Z\r\n") * 5_000),
    "a duration beyond all numbers": lambda: one(b"DURATION:P99999999999999999999W\r\n"),
    "dates that do not exist": lambda: calendar(event(b"", b"DTSTART:20261399T996199Z") * 5_000),
    # Time zones
    "10,000 zones that define nothing": lambda: calendar(
        numbered(b"BEGIN:VTIMEZONE\r\nTZID:Z%d\r\nEND:VTIMEZONE\r\n", 10_000) + event(b"")),
    "10,000 names of zones": lambda: calendar(numbered(
        b"BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=../../Z%d:20261124T090000\r\nEND:VEVENT\r\n", 10_000)),
    "a zone that is a file of the system": lambda: one(b"", b"DTSTART;TZID=../../../etc/passwd:20261124T090000"),
    "a zone with a name of a mebibyte": lambda: one(b"", b"DTSTART;TZID=" + b"Z" * MEBI + b":20261124T090000"),
    "a zone that changes each second": lambda: calendar(zone(b"Own", *[
        observance(kind, b"16010101T000000", b"+0%d00" % (n % 9), b"+0%d00" % (n % 9 + 1), b"RRULE:FREQ=SECONDLY\r\n")
        for n in range(40) for kind in [b"STANDARD", b"DAYLIGHT"]]) + event(b"", LOCAL)),
    "a zone with 5,000 parts": lambda: calendar(zone(b"Own", *[
        observance(b"STANDARD", b"%04d0101T000000" % (n % 9_000 + 1), b"+0100", b"+0200")
        for n in range(5_000)]) + event(b"", LOCAL)),
    "a zone with offsets of days": lambda: calendar(zone(
        b"Own", observance(b"STANDARD", b"20000101T000000", b"+9959", b"-9959"))
        + event(b"RRULE:FREQ=DAILY\r\n", LOCAL)),
    # Details
    "20,000 attendees": lambda: one(numbered(b"ATTENDEE;CN=Bo:mailto:%d@example.com\r\n", 20_000)),
    "10,000 alarms": lambda: one(b"RRULE:FREQ=MINUTELY\r\n" + alarm(b"TRIGGER:-PT5M\r\n") * 10_000),
    "alarms that repeat for ever": lambda: calendar(b"".join(
        event(b"RRULE:FREQ=MINUTELY\r\n" + alarm(b"TRIGGER:-PT5M\r\nREPEAT:999999\r\nDURATION:PT1S\r\n") * 50,
              uid=b"%d" % n)
        for n in range(20))),
    "an alarm centuries before": lambda: one(b"RRULE:FREQ=DAILY\r\n" + alarm(b"TRIGGER:-P99999W\r\n")),
    "50,000 categories": lambda: one(b"CATEGORIES:" + b",".join(b"c%d" % n for n in range(50_000)) + b"\r\n"),
    "HTML that never closes": lambda: one(b"DESCRIPTION:" + b"<a href=" * (MEBI // 8) + b"\r\n"),
    "tags within tags": lambda: one(b"DESCRIPTION:" + b"<b><i>" * 50_000 + b"\r\n"),
    "entities without an end": lambda: one(b"DESCRIPTION:" + b"&#99999999999" * 50_000 + b"\r\n"),
    "an attachment of 2 MiB": lambda: one(b"ATTACH;ENCODING=BASE64;VALUE=BINARY:" + b"QUFB" * (MEBI // 2) + b"\r\n"),
    "5,000 attachments": lambda: one(numbered(b"ATTACH:https://example.com/%d\r\n", 5_000)),
    "links in links": lambda: one(b"DESCRIPTION:" + b"https://meet.jit.si/" * 50_000 + b"\r\n"),
    "coordinates that are none": lambda: one(b"GEO:" + b"9" * 100_000 + b";nan\r\n"),
    "10,000 tasks that wait for one another": lambda: calendar(b"".join(
        b"BEGIN:VTODO\r\nUID:%d\r\nRELATED-TO:%d\r\nSUMMARY:Task\r\nEND:VTODO\r\n" % (n, (n + 1) % 10_000)
        for n in range(10_000))),
    "busy times without an end": lambda: calendar(
        b"BEGIN:VFREEBUSY\r\nUID:1\r\nFREEBUSY:" + b"00010101T000000Z/99991231T235959Z," * 20_000
        + b"\r\nEND:VFREEBUSY\r\n"),
    "vCalendar 1.0 with 10,000 summers": lambda: calendar(
        b"TZ:+01\r\n" + b"DAYLIGHT:TRUE;+02;20260329T020000;20261025T030000;CET;CEST\r\n" * 10_000 + event(b""),
        b"VERSION:1.0\r\n"),
}

# A store is made by the first of these that needs one; all of them work on it afterwards.
COMMANDS = {
    "check": ["check", "FILE"],
    "show": ["show", "FILE", *NOW],
    "JSON": ["show", "FILE", "-f", "json", *NOW],
    "HTML": ["show", "FILE", "-f", "html", *NOW],
    "next": ["next", "20", "FILE", *NOW],
    "tasks": ["tasks", "FILE", *NOW],
    "calendar": ["calendar", "FILE", *NOW],
    "invitations": ["invitations", "FILE", "--as", "ana@example.com", *NOW],
    "event": ["event", "1.1", "FILE", *NOW],
    "explain": ["explain", "1.1", "FILE", *NOW],
    "free": ["free", "FILE", *NOW],
    "alarms": ["alarms", "FILE", *NOW],
    "import": ["import", "FILE"],
    "show (store)": ["show", *NOW],
    "search": ["search", "plain", *NOW],
    "refresh": ["refresh"],
    "changes": ["changes"],
    "export": ["export"],
}
# How files are read, the commands that exit with 1 then, and the files. All others exit with 0 for each command, if
# with warnings. Nothing is imported from a file that is no calendar, so there is no store; `refresh` then has nothing
# to do.
READING = {command for command, words in COMMANDS.items() if "FILE" in words}
LISTING_A_YEAR = {"show", "JSON", "HTML", "event", "explain", "show (store)"}
FAILING = [
    ("no calendar at all", READING | {"show (store)", "search", "changes", "export"}, [
        "nothing", "one zero byte", "a mebibyte of zero bytes", "a mebibyte of line ends", "a mebibyte of blanks",
        "a file without a line end", "gzip", "a web page", "JSON", "a mail with 10,000 parts",
        "a mail with parts in parts"]),
    ("events that are rejected: no DTSTART, no such date, not closed, or nested too deep", READING, [
        "10,000 components within components", "10,000 events, none closed", "20,000 events without anything",
        "a calendar cut in the middle of a line", "dates that do not exist"]),
    ("rules or lengths that are ignored: no valid number, too many, or too much work", READING, [
        "numbers beyond 64 bits", "a rule with 100,000 values", "5,000 rules of an event",
        "a duration beyond all numbers", "every minute in a week 53", "every second on Friday the 13th",
        "a month in February on the 29th on Mondays", "a Hebrew year", "a Chinese year"]),
    ("details that are not shown: too long or too many", READING, [
        "a parameter with 100,000 values", "a parameter of a mebibyte", "a parameter name of a mebibyte",
        "20,000 attendees", "10,000 alarms"]),
    ("no entry that could have details", {"event", "explain"}, [
        "10,000 calendars, none closed", "10,000 ENDs", "ENDs in the wrong order", "every second on a 30 February",
        "an INTERVAL of a thousand million", "an EXRULE for each RRULE", "10,000 tasks that wait for one another",
        "busy times without an end"]),
    ("more entries in a year than a listing has", LISTING_A_YEAR, ["alarms that repeat for ever"]),
    ("the same in a month", LISTING_A_YEAR | {"calendar"}, ["every minute since the year 1"]),
    ("the same in a week", LISTING_A_YEAR | {"calendar", "free"}, [
        "every second since 1970", "a COUNT of a thousand million", "a thousand years long, every day"]),
]
# Seconds that a command may take, and MiB that it may need.
PATIENCE, MEMORY = 60, 1024


def exit_code(name: str, command: str) -> int:
    """How a command must end for a file."""
    return 1 if any(name in names and command in commands for _, commands, names in FAILING) else 0


def wrong_classes(classes) -> list[str]:
    names = [name for _, _, names in classes for name in names]
    doubled = sorted({name for name in names if names.count(name) > 1})
    return [f"{name} is in two classes of hostile files" for name in doubled] + [
        f"there is no hostile file {name}" for name in sorted(set(names) - FILES.keys())]


class Cost:
    def __init__(self, seconds: float, memory: float, end: str = "", code: int = 0):
        self.seconds, self.memory, self.end, self.code = seconds, memory, end, code

    @property
    def is_right(self) -> bool:
        return not self.end and self.memory <= MEMORY

    def __str__(self) -> str:
        return self.end or f"{self.seconds * 1000:.0f} ms, {self.memory:.0f} MiB"


def cost(arguments: list, environment: dict[str, str], patience: int = PATIENCE) -> Cost:
    """What a program needs: time of the processor and the most memory. A signal or too much time is its end."""
    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (patience, patience + 1))
        # A program can also wait for ever. On a busy computer it does not get all of the processor.
        signal.alarm(10 * patience)
        # Whatever happens, this computer goes on.
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

    process = subprocess.Popen(
        [str(word) for word in arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, preexec_fn=limits)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    if process.returncode < 0:
        number = -process.returncode
        is_late = number in (signal.SIGALRM, signal.SIGXCPU)
        return Cost(seconds, memory, f"> {patience} s" if is_late else signal.Signals(number).name)
    return Cost(seconds, memory, code=process.returncode)


def write(path: pathlib.Path, name: str) -> None:
    """In another process: the peak memory of a program counts what its parent held when it was started."""
    child = os.fork()
    if child == 0:
        path.write_bytes(FILES[name]())
        os._exit(0)
    os.waitpid(child, 0)


def libical() -> pathlib.Path:
    """The program that lets libical parse a whole file."""
    path = BUILD / "baseline" / "parse"
    if not path.exists():
        done = run_program([ROOT / "Tests/Benchmarks/baseline/build"])
        if done.returncode != 0:
            raise Skipped("the baseline of libical cannot be built: .ci/install test")
    return path


def costs(agenda: pathlib.Path, names: list[str], commands: list[str], folder: pathlib.Path, patience: int = PATIENCE):
    """The file, its size, and what each command and libical need, for each file."""
    parse = libical()
    for number, name in enumerate(names):
        place = folder / str(number)
        place.mkdir()
        file = place / "hostile.ics"
        write(file, name)
        size = file.stat().st_size
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(place), "LC_ALL": "C.UTF-8", "AGENDA_STORE": str(place / "store"),
            "XDG_STATE_HOME": str(place / "state")}
        found = {
            command: cost(
                [agenda, *[file if word == "FILE" else word for word in COMMANDS[command]]], environment, patience)
            for command in commands}
        yield name, size, found, cost([parse, file], environment, 10)
        for path in sorted(place.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        place.rmdir()
