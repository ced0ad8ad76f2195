"""A calendar behind a proxy, and a store of agenda that has imported it, for tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from urllib.parse import quote

import caldav_server
from caldav_proxy import Fault, Proxy

PROGRAM = sys.argv[1]


def event(uid: str, title: str, more: str = "") -> str:
    return (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//third//EN\r\nBEGIN:VEVENT\r\n"
        f"UID:{uid}\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261207T100000Z\r\nSUMMARY:{title}\r\n{more}"
        "END:VEVENT\r\nEND:VCALENDAR\r\n")


class Store:
    """agenda with a store of its own."""

    def __init__(self, folder: str, name: str):
        self.environment = dict(
            os.environ, AGENDA_STORE=f"{folder}/{name}.sqlite", TZ="UTC", LC_ALL="C.UTF-8", HOME=folder)

    def run(self, *arguments: str, status: int = 0) -> str:
        done = subprocess.run(
            [PROGRAM, *arguments], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        output = done.stdout + done.stderr
        check(done.returncode == status, f"agenda {' '.join(arguments)} ended with {done.returncode}: {output}")
        check("secret" not in output, "the password is in a message")
        return output

    def titles(self) -> list[str]:
        listing = json.loads(self.run("show", "-f", "json", "--from", "2026-12-07", "--days", "1"))
        return sorted(entry["title"] for section in listing["sections"] for entry in section["entries"])

    def counts(self) -> dict:
        calendars = json.loads(self.run("calendars", "-f", "json"))["calendars"]
        return {name: sum(calendar[name] for calendar in calendars) for name in ("waiting", "conflicts")}

    def add(self, title: str) -> None:
        self.run("add", title, "--at", "2026-12-07T10:00", "--for", "1h", "--calendar", "Work")


def check(condition: bool, message: str) -> None:
    if not condition:
        raise SystemExit(f"{Scene.place}: {message}")


class Scene:
    """A calendar with four events behind a proxy, and a store that has imported it."""

    # What is tried at the moment, for messages.
    place = "start"
    used_stores = 0

    def __init__(self, server: caldav_server.Server, folder: str, name: str, faults: tuple[Fault, ...] = ()):
        Scene.place = name
        Scene.used_stores += 1
        self.server = server
        for existing in list(server.items("work")):
            server.request("DELETE", f"{server.home}work/{quote(existing)}")
        for number in range(4):
            server.request("PUT", f"{server.home}work/e{number}.ics", event(f"e{number}", f"Event {number}"))
        self.proxy = Proxy(server.port)
        self.proxy.faults = list(faults)
        self.store = Store(folder, f"store{Scene.used_stores}")
        self.folder = folder

    def imported(self, *arguments: str) -> "Scene":
        self.store.run(
            "import", self.proxy.url, *(arguments or ("--user", "ana", "--password-command", "echo secret")))
        check(self.store.titles() == ["Event 0", "Event 1", "Event 2", "Event 3"], "the import lacks events")
        return self

    def server_titles(self) -> list[str]:
        return sorted(re.search(r"(?m)^SUMMARY:(.*?)\s*$", text).group(1) for text in self.server.items("work").values())

    def settle(self, titles: list[str] | None = None) -> None:
        """Without faults, everything is the same on both sides."""
        self.proxy.faults = []
        self.store.run("refresh", "--force", "--allow-shrink")
        own, there = self.store.titles(), self.server_titles()
        check(own == there, f"agenda has {own}, the server {there}")
        if titles is not None:
            check(own == sorted(titles), f"expected {titles}, found {own}")
        check(self.store.counts() == {"waiting": 0, "conflicts": 0}, f"left: {self.store.counts()}")
        check("no problems found" in self.store.run("doctor"), "the store has problems")

    def change_both(self) -> list[str]:
        """Changes on both sides; returns the titles in the end."""
        self.store.add("Added")
        self.store.run("edit", "e0", "--title", "Mine", "--from", "2026-12-07", "--days", "1")
        self.store.run("remove", "--event", "e1", "--from", "2026-12-07", "--days", "1")
        self.server.request("PUT", f"{self.server.home}work/e2.ics", event("e2", "Theirs"))
        self.server.request("DELETE", f"{self.server.home}work/e3.ics")
        self.server.request("PUT", f"{self.server.home}work/e9.ics", event("e9", "New"))
        return ["Added", "Mine", "Theirs", "New"]
