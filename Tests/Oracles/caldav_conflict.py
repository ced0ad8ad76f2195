"""A store with an open conflict, and nothing else.

  caldav_conflict.py AGENDA FOLDER

An event of the calendar Work is changed here and on its server, which is gone afterwards. FOLDER/store.sqlite is left.
"""

from __future__ import annotations

import os
import subprocess
import sys

import caldav_server

PROGRAM, FOLDER = sys.argv[1:]
WINDOW = ("--from", "2026-12-07", "--days", "1")


def event(title: str, place: str) -> str:
    return (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//third//EN\r\nBEGIN:VEVENT\r\nUID:party\r\n"
        f"DTSTAMP:20261101T000000Z\r\nDTSTART:20261207T100000Z\r\nSUMMARY:{title}\r\nLOCATION:{place}\r\n"
        "DESCRIPTION:Bring a cake\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")


def main() -> None:
    environment = dict(
        os.environ, AGENDA_STORE=FOLDER + "/store.sqlite", TZ="UTC", LC_ALL="C.UTF-8", HOME=FOLDER)

    def run(*arguments: str) -> None:
        subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, stdin=subprocess.DEVNULL, check=True)

    with caldav_server.Server(FOLDER + "/server") as server:
        server.make_calendar("work", "Work", "#ff8800")
        path = f"{server.home}work/party.ics"
        server.request("PUT", path, event("Party", "Hall"))
        run("import", server.url, "--user", "ana", "--password-command", "echo secret")
        server.request("PUT", path, event("Their party", "Hall"))
        run("edit", "party", "--title", "My party", *WINDOW)
        run("refresh")


main()
