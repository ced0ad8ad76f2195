#!/usr/bin/env python3
"""Runs the commands of Docs/CalDAV.md as they are written, with Radicale as the server.

    caldav_document.py PROGRAM DOCUMENT

Only the address of the server is replaced, and `pass` is a script that prints the password.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile

from caldav_round_trip import calendar, canonical
from caldav_server import Server, files

HOST = "https://cloud.example.com/"
ADDRESS = HOST + "remote.php/dav/"


def blocks(document: str, language: str) -> list[str]:
    with open(document, encoding="utf-8") as stream:
        return re.findall(rf"^```{language}\n(.*?)^```$", stream.read(), re.MULTILINE | re.DOTALL)


class Home:
    def __init__(self, folder: str, program: str):
        self.folder = folder
        scripts = os.path.join(folder, "scripts")
        self.write("scripts/pass", '#!/bin/sh\n[ "$*" = cloud ] && echo secret\n', 0o755)
        os.symlink(os.path.abspath(program), os.path.join(scripts, "agenda"))
        os.symlink(os.path.join(os.path.dirname(sys.executable), "vdirsyncer"), os.path.join(scripts, "vdirsyncer"))
        self.environment = {
            "HOME": folder, "PATH": f"{scripts}:/usr/bin:/bin", "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8"}

    def write(self, name: str, text: str, mode: int = 0o644) -> None:
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="") as stream:
            stream.write(text)
        os.chmod(path, mode)

    def run(self, text: str) -> str:
        # `yes` ends with the signal of a closed pipe, so the shell's own `set -e` is enough.
        result = subprocess.run(
            ["sh", "-ec", text], capture_output=True, text=True, env=self.environment, cwd=self.folder, timeout=300)
        assert result.returncode == 0, f"{text}\n{result.returncode}\n{result.stdout}{result.stderr}"
        return result.stdout


def event(uid: str, *lines: str) -> str:
    kind = "VTODO" if uid == "rent" else "VEVENT"
    return calendar([f"BEGIN:{kind}", f"UID:{uid}", "DTSTAMP:20261101T000000Z", *lines, f"END:{kind}"])


def main() -> None:
    program, document = sys.argv[1], sys.argv[2]
    (configuration,) = blocks(document, "ini")
    direct, first, later, write = blocks(document, "sh")
    assert ADDRESS in configuration
    with tempfile.TemporaryDirectory() as folder, Server(os.path.join(folder, "server")) as server:
        home = Home(folder, program)
        server.make_calendar("one", "Work", "#336699")
        server.make_calendar("two", "Family", "#993366")
        zone = "TZID=Europe/Berlin"
        for uid, text in {
            "dentist": event("dentist", "SUMMARY:Dentist", f"DTSTART;{zone}:20261121T110000", "DURATION:PT1H"),
            "rent": event("rent", "SUMMARY:Pay the rent", f"DUE;{zone}:20261121T180000"),
            "stand-up": event("stand-up", "SUMMARY:Stand-up", f"DTSTART;{zone}:20261123T090000", "X-PHONE:kept"),
        }.items():
            server.request("PUT", f"ana/one/{uid}.ics", text)
        server.request("PUT", "ana/two/trip.ics", event("trip", "SUMMARY:Trip", "DTSTART;VALUE=DATE:20261205"))
        home.write(".config/vdirsyncer/config", configuration.replace(ADDRESS, server.url))
        home.write(".config/agenda/config", "now = 2026-11-21T09:00:00+01:00\ntimezone = Europe/Berlin\nlocale = en_GB\n")

        home.run(first)
        calendars = home.run("agenda calendars")
        assert "Work" in calendars and "Family" in calendars, calendars
        assert "#336699" in home.run("agenda calendars -f json"), "the colour is missing"

        server.request("PUT", "ana/two/visit.ics", event("visit", "SUMMARY:Visit", "DTSTART;VALUE=DATE:20261124"))
        home.run(later)
        assert "Visit" in home.run("agenda show --days 7")

        home.run(write)
        texts = server.items("one")
        lunch = [text for text in texts.values() if "SUMMARY:Lunch with Ana" in text]
        assert len(lunch) == 1 and f"DTSTART;{zone}:20261122T123000" in lunch[0], texts
        assert f"DTSTART;{zone}:20261122T150000" in texts["stand-up.ics"], texts["stand-up.ics"]
        assert "X-PHONE:kept" in texts["stand-up.ics"]
        assert "STATUS:COMPLETED" in texts["rent.ics"]
        assert canonical(texts) == canonical(files(os.path.join(folder, ".local/share/calendars/one")))

        # Both sides change an event: the server wins.
        server.request("PUT", "ana/one/dentist.ics", texts["dentist.ics"].replace("Dentist", "Dentist at noon"))
        home.run("agenda edit 1.1 --location Room --quiet")
        home.run(later)
        assert "Dentist at noon" in home.run("agenda today")
        assert "Room" not in server.items("one")["dentist.ics"]

    with tempfile.TemporaryDirectory() as folder, Server(os.path.join(folder, "server")) as server:
        home = Home(folder, program)
        server.make_calendar("one", "Work", "#336699")
        home.run(direct.replace(HOST, server.url))
        texts = list(server.items("one").values())
        assert len(texts) == 1 and "SUMMARY:Lunch" in texts[0], texts
        assert "#336699" in home.run("agenda calendars -f json"), "the colour is missing"
    print("the commands work as written")


if __name__ == "__main__":
    main()
