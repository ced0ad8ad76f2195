#!/usr/bin/env python3
"""Random edits in three places: by agenda in one folder, on a CalDAV server, and by khal and todoman in a second
folder. vdirsyncer synchronises both folders with the server. After each round all three must have the same events.

    caldav_round_trip.py PROGRAM ROUNDS SEED

Each round has one edit in each place, of different events. The packages of requirements.txt are needed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from datetime import date, datetime, timedelta
from urllib.parse import quote

import icalendar
import recurring_ical_events
from khal.cli_utils import build_collection
from khal.settings import get_config

from caldav_server import Server, files

NOW = "2026-11-21T09:00:00+01:00"
FIRST, AFTER = date(2026, 11, 1), date(2027, 2, 1)
# These change with each edit, and vdirsyncer does not upload a file in which nothing else changed.
IGNORED = {"DTSTAMP", "LAST-MODIFIED", "CREATED"}
HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Phone//EN\r\n"
ZONE = """BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
"""


def calendar(lines: list[str]) -> str:
    return HEAD + (ZONE + "\n".join(lines) + "\nEND:VCALENDAR\n").replace("\n", "\r\n")


def canonical(texts: dict[str, str]) -> dict[tuple, list]:
    """What the files say, as `icalendar` reads it: by UID and RECURRENCE-ID the properties and alarms."""
    result: dict[tuple, list] = {}
    for text in texts.values():
        for part in icalendar.Calendar.from_ical(text).walk():
            if part.name not in ("VEVENT", "VTODO"):
                continue
            place = part.get("RECURRENCE-ID")
            key = (part.name, str(part["UID"]), place.to_ical().decode() if place else "")
            assert key not in result, f"twice: {key}"
            result[key] = content(part)
    return result


def content(part) -> list:
    lines = []
    for name, value in part.property_items(recursive=False):
        if name in IGNORED or name in ("BEGIN", "END"):
            continue
        parameters = sorted((key, str(one)) for key, one in getattr(value, "params", {}).items() if key != "VALUE")
        lines.append((name, value.to_ical() if hasattr(value, "to_ical") else str(value), parameters))
    inner = [content(one) for one in part.subcomponents]
    return sorted(lines, key=repr) + sorted(inner, key=repr)


def listed(texts: dict[str, str]) -> list[tuple[str, str]]:
    """The starts and titles of all events in the window."""
    found = []
    for text in texts.values():
        for one in recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(FIRST, AFTER):
            start = one.start
            if isinstance(start, datetime):
                start = start.astimezone(zone()).strftime("%Y-%m-%dT%H:%M")
            found.append((str(start), str(one.get("SUMMARY", ""))))
    return sorted(found)


def zone():
    from zoneinfo import ZoneInfo
    return ZoneInfo("Europe/Berlin")


class Trip:
    def __init__(self, program: str, folder: str, server: Server, seed: int):
        self.program, self.folder, self.server = os.path.abspath(program), folder, server
        self.random = random.Random(seed)
        self.count = 0
        self.desk, self.other = (os.path.join(folder, name, "work") for name in ("desk", "other"))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8",
            "AGENDA_STORE": os.path.join(folder, "agenda.sqlite"),
            "TODOMAN_CONFIG": os.path.join(folder, "todoman.py"),
        }
        self.tools = os.path.dirname(sys.executable)
        self.write("vdirsyncer", self.synchroniser_configuration())
        self.write("khal", (
            f"[calendars]\n[[work]]\npath = {self.other}\n[locale]\nlocal_timezone = Europe/Berlin\n"
            "default_timezone = Europe/Berlin\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\n"
            "longdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
            f"[sqlite]\npath = {folder}/khal.db\n[default]\ndefault_calendar = work\n"))
        self.write("todoman.py", (
            f'path = "{folder}/other/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
            f'default_list = "work"\ncache_path = "{folder}/todoman.db"\n'))

    def synchroniser_configuration(self) -> str:
        text = f'[general]\nstatus_path = "{self.folder}/status/"\n'
        for name in ("desk", "other"):
            text += (
                f'[pair {name}]\na = "{name}_files"\nb = "{name}_server"\ncollections = ["work"]\n'
                'metadata = ["displayname", "color"]\n'
                f'[storage {name}_files]\ntype = "filesystem"\npath = "{self.folder}/{name}/"\nfileext = ".ics"\n'
                f'[storage {name}_server]\ntype = "caldav"\nurl = "{self.server.url}ana/"\n'
                'username = "ana"\npassword = "secret"\n')
        return text

    def write(self, name: str, text: str) -> None:
        with open(os.path.join(self.folder, name), "w", newline="") as stream:
            stream.write(text)

    def run(self, *command: str, answer: str = "") -> str:
        result = subprocess.run(
            command, capture_output=True, text=True, env=self.environment, cwd=self.folder, input=answer, timeout=300)
        if result.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def synchronise(self, *arguments: str, answer: str = "") -> None:
        self.run(f"{self.tools}/vdirsyncer", "-c", f"{self.folder}/vdirsyncer", *arguments, answer=answer)

    def agenda(self, *arguments: str) -> str:
        return self.run(self.program, *arguments)

    # MARK: Edits. Each one of an event that the other places leave alone in this round.

    def title(self) -> str:
        self.count += 1
        return f"{self.random.choice(['Lunch', 'Übung', 'Stand-up; daily', 'Call, long', '会議'])} {self.count}"

    def moment(self) -> datetime:
        return datetime(2026, 11, 23) + timedelta(
            days=self.random.randrange(40), minutes=30 * self.random.randrange(14, 40))

    def agenda_edit(self, uids: set[str]) -> str:
        pick = self.random
        entries = json.loads(self.agenda(
            "show", "--tasks", "--now", NOW, "--years", "1", "-f", "json", "--timezone", "Europe/Berlin"))
        entries = [one for section in entries["sections"] for one in section["entries"] if one["uid"] in uids]
        arguments = ["--now", NOW, "--timezone", "Europe/Berlin", "--quiet"]
        if not entries or pick.random() < 0.25:
            when = self.moment()
            kind = pick.random()
            if kind < 0.25:
                words = ["add", "--task", self.title(), "--due", f"{when:%Y-%m-%d}", "--priority", "3"]
            elif kind < 0.5:
                words = ["add", self.title(), "--at", f"{when:%Y-%m-%dT%H:%M}", "--for", "45m", "--repeat", "weekly",
                         "--alarm", "10m"]
            else:
                words = ["add", self.title(), "--at", f"{when:%Y-%m-%dT%H:%M}", "--in-zone", "America/New_York"]
            self.agenda(*words, "--calendar", "work", *arguments)
            return " ".join(words)
        entry = pick.choice(entries)
        scope = [pick.choice(["--only", "--following", "--all"])] if entry["recurrenceId"] else []
        kind = pick.random()
        if entry["kind"] == "task" and kind < 0.5:
            words = ["done", entry["id"]]
        elif kind < 0.2:
            words = ["remove", "--event", entry["id"], *scope]
        elif kind < 0.5 and entry["start"]:
            words = ["edit", entry["id"], "--at", f"{self.moment():%Y-%m-%dT%H:%M}", *scope]
            if entry["recurrenceId"]:
                # Further moves would change the order of the occurrences.
                start = entry["start"][:10]
                words[3] = f"{start}T{pick.randrange(7, 20):02}:30" if not entry["allDay"] else start
        elif kind < 0.7:
            words = ["edit", entry["id"], "--location", self.title(), "--note", "a\nb", *scope]
        else:
            words = ["edit", entry["id"], "--title", self.title(), *scope]
        self.agenda(*words, *arguments)
        return " ".join(words)

    def server_edit(self, uids: set[str]) -> str:
        pick = self.random
        items = {name: text for name, text in self.server.items("work").items() if self.uid(text) in uids}
        if not items or pick.random() < 0.3:
            uid = f"phone-{self.count}-{pick.randrange(1 << 30)}"
            when = self.moment()
            self.server.request("PUT", f"ana/work/{uid}.ics", calendar([
                "BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20261101T000000Z", f"SUMMARY:{self.title()}".replace(
                    ";", "\\;").replace(",", "\\,"),
                f"DTSTART;TZID=Europe/Berlin:{when:%Y%m%dT%H%M%S}", "DURATION:PT1H",
                pick.choice(["RRULE:FREQ=DAILY;COUNT=5", "X-PHONE;P=q:kept", "CATEGORIES:a,b"]),
                "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM", "END:VEVENT"]))
            return f"PUT {uid}"
        name = pick.choice(sorted(items))
        if pick.random() < 0.2:
            self.server.request("DELETE", f"ana/work/{quote(name)}")
            return f"DELETE {name}"
        document = icalendar.Calendar.from_ical(items[name])
        part = next(one for one in document.walk() if one.name in ("VEVENT", "VTODO"))
        part["SUMMARY"] = icalendar.vText(self.title())
        part["SEQUENCE"] = int(part.get("SEQUENCE", 0)) + 1
        self.server.request("PUT", f"ana/work/{quote(name)}", document.to_ical().decode())
        return f"changed {name}"

    def other_edit(self, uids: set[str]) -> str:
        """khal writes events, and todoman tasks."""
        pick = self.random
        items = {name: text for name, text in files(self.other).items() if self.uid(text) in uids}
        kind = pick.random()
        if kind < 0.2 or not items:
            when = self.moment()
            self.run(
                f"{self.tools}/khal", "-c", f"{self.folder}/khal", "new", "-a", "work", f"{when:%Y-%m-%d %H:%M}", "45m",
                self.title())
            return "khal new"
        if kind < 0.35:
            self.run(f"{self.tools}/todo", "new", "--due", f"{self.moment():%Y-%m-%d}", "-l", "work", self.title())
            return "todo new"
        name = pick.choice(sorted(items))
        if "BEGIN:VTODO" in items[name]:
            tasks = json.loads(self.run(f"{self.tools}/todo", "--porcelain", "list", "--status", "ANY"))
            summary = next(
                str(one["SUMMARY"]) for one in icalendar.Calendar.from_ical(items[name]).walk("VTODO"))
            number = next((one["id"] for one in tasks if one["summary"] == summary), None)
            if number is None:
                return "nothing"
            self.run(f"{self.tools}/todo", "done", str(number))
            return f"todo done {name}"
        collection = build_collection(get_config(f"{self.folder}/khal"), None)
        event = collection.get_event(name, "work")
        if pick.random() < 0.2:
            collection.delete(name, event.etag, "work")
            return f"khal deleted {name}"
        event.update_summary(self.title())
        event.update_location("Room, 2")
        event.increment_sequence()
        collection.update(event)
        return f"khal changed {name}"

    @staticmethod
    def uid(text: str) -> str:
        return next(
            str(one["UID"]) for one in icalendar.Calendar.from_ical(text).walk() if one.name in ("VEVENT", "VTODO"))

    # MARK: Rounds

    def begin(self) -> None:
        self.server.make_calendar("work", "Work", "#336699")
        self.synchronise("discover", answer="y\n" * 8)
        self.synchronise("metasync")
        series = [
            "BEGIN:VEVENT", "UID:series", "DTSTAMP:20261101T000000Z", "SUMMARY:Team", "X-APPLE-FOO;A=b:kept",
            "DTSTART;TZID=Europe/Berlin:20261103T090000", "DTEND;TZID=Europe/Berlin:20261103T100000",
            "RRULE:FREQ=WEEKLY;COUNT=12", "EXDATE;TZID=Europe/Berlin:20261215T090000",
            "ORGANIZER;CN=Ana:mailto:ana@example.com", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com", "END:VEVENT",
            "BEGIN:VEVENT", "UID:series", "DTSTAMP:20261101T000000Z", "SUMMARY:Team (moved)",
            "RECURRENCE-ID;TZID=Europe/Berlin:20261201T090000", "DTSTART;TZID=Europe/Berlin:20261202T110000",
            "DTEND;TZID=Europe/Berlin:20261202T120000", "END:VEVENT"]
        self.server.request("PUT", "ana/work/series.ics", calendar(series))
        for number in range(5):
            self.server_edit(set())
        self.server.request("PUT", "ana/work/task.ics", calendar([
            "BEGIN:VTODO", "UID:task", "DTSTAMP:20261101T000000Z", "SUMMARY:Pay the rent",
            "DUE;VALUE=DATE:20261130", "PRIORITY:1", "END:VTODO"]))
        self.synchronise("sync")
        self.agenda("import", "desk/work", "--calendar", "work", "--quiet")
        self.compare("at the start")

    def round(self, number: int) -> None:
        uids = sorted({key[1] for key in canonical(files(self.desk))})
        self.random.shuffle(uids)
        third = (len(uids) + 2) // 3
        parts = [set(uids[:third]), set(uids[third:2 * third]), set(uids[2 * third:])]
        before = canonical(files(self.desk))
        done = [self.agenda_edit(parts[0]), self.server_edit(parts[1]), self.other_edit(parts[2])]
        # What each place has of its own part and of new events is what all must have afterwards.
        places = [files(self.desk), self.server.items("work"), files(self.other)]
        wanted = {}
        for part, texts in zip(parts, places):
            wanted |= {
                key: value for key, value in canonical(texts).items()
                if key[1] in part or not any(key[1] == old[1] for old in before)}
        # The first run brings the edits of both folders to the server, the second one to the other folder.
        self.synchronise("sync")
        self.synchronise("sync")
        self.agenda("refresh", "--quiet")
        found = self.compare(f"round {number}: {done}")
        if found != wanted:
            different = [key for key in found.keys() | wanted.keys() if found.get(key) != wanted.get(key)]
            raise SystemExit("\n".join(
                [f"round {number}: {done}: an edit is lost"]
                + [f"{key}\n  edited {wanted.get(key)}\n  found  {found.get(key)}" for key in different]))

    def compare(self, where: str) -> dict:
        texts = [files(self.desk), self.server.items("work"), files(self.other)]
        desk, server, other = (canonical(one) for one in texts)
        for name, one in (("the server", server), ("the second folder", other)):
            if one != desk:
                different = [key for key in one.keys() | desk.keys() if one.get(key) != desk.get(key)]
                raise SystemExit(f"{where}: {name} differs in {[(key, desk.get(key), one.get(key)) for key in different]}")
        shown = json.loads(self.agenda(
            "show", "--from", f"{FIRST}", "--to", f"{AFTER - timedelta(days=1)}", "--timezone", "Europe/Berlin",
            "--once", "-f", "json"))
        starts = sorted(
            (one["start"] if one["allDay"] else one["start"][:16], one["title"])
            for section in shown["sections"] for one in section["entries"])
        if starts != listed(texts[0]):
            raise SystemExit(f"{where}: the store shows {set(starts) ^ set(listed(texts[0]))}")
        return desk


def main() -> None:
    program, rounds, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder, Server(os.path.join(folder, "server")) as server:
        trip = Trip(program, folder, server, seed)
        trip.begin()
        for number in range(rounds):
            trip.round(number)
    print(f"{rounds} rounds, 3 edits each: the same in three places")


if __name__ == "__main__":
    main()
