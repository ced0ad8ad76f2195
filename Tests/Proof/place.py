"""A folder with a store, in which a command runs with a fault, and what a person can see there afterwards."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from bench import ROOT, Skipped, program, python

sys.path.insert(0, str(ROOT / "Tests/Oracles"))
import caldav_server  # noqa: E402

NOW = ["--now", "2026-11-21T09:00:00+01:00"]
# A command that waits for something that never comes is ended.
LONGEST = 120


def event(uid: str, title: str, day: int, *lines: str, zone: str | None = None) -> str:
    start = f";TZID={zone}:202611{day:02}T093000" if zone else f":202611{day:02}T093000Z"
    return "\n".join([
        "BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z", f"DTSTART{start}", "DURATION:PT1H",
        f"SUMMARY:{title}", *lines, "END:VEVENT", ""])


def calendar(*events: str) -> str:
    return "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//example//EN\n" + "".join(events) + "END:VCALENDAR\n"


def build_preload() -> pathlib.Path:
    library = ROOT / ".build/proof/kill-at-call.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    # Under a name of its own first: another run may be using it.
    new = library.with_suffix(f".{os.getpid()}")
    done = subprocess.run(
        ["cc", "-shared", "-fPIC", "-w", "-o", new, ROOT / "Tests/Oracles/kill-at-call.c", "-ldl"],
        capture_output=True)
    if done.returncode != 0:
        raise Skipped("needs a C compiler")
    return new.rename(library)


def temporary_folder() -> tempfile.TemporaryDirectory:
    """In memory if possible, where nobody waits for the disk."""
    return tempfile.TemporaryDirectory(prefix="proof-", dir=caldav_server.memory())


def copied_programs(folder: pathlib.Path, agenda: pathlib.Path | None = None) -> pathlib.Path:
    """Copies of the programs, so that a build in the meantime does no harm: of the debug build without `agenda`."""
    shutil.copy2(program().with_name("agenda-fetch"), folder)
    return pathlib.Path(shutil.copy2(agenda or program(), folder))


def wrapper(path: pathlib.Path, agenda: pathlib.Path, *lines: str) -> pathlib.Path:
    """A program with a fault: agenda after some lines of sh."""
    path.write_text("\n".join(["#!/bin/sh", f"agenda={agenda}", *lines, 'exec "$agenda" "$@"', ""]))
    path.chmod(0o755)
    return path


@dataclasses.dataclass(frozen=True)
class State:
    """All that a person can see."""

    shown: bytes
    exported: tuple[bytes, ...]
    files: tuple[tuple[str, bytes], ...]
    # The objects of the server's calendar.
    objects: tuple[tuple[str, str], ...] = ()

    def here(self) -> tuple:
        return self.shown, self.exported, self.files


class Place:
    """A source is known by its path, so each attempt happens at the same place."""

    def __init__(self, agenda: pathlib.Path, preload: pathlib.Path, folder: pathlib.Path):
        self.agenda, self.preload, self.around = agenda, preload, folder
        self.template, self.folder = folder / "template", folder / "place"
        self.environment: dict[str, str] = {}
        self.server: Server | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, *arguments: str, environment: dict[str, str] = {}, **fault: str) -> subprocess.CompletedProcess:
        whole = {
            "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "Europe/Berlin", "HOME": str(self.folder),
            "AGENDA_STORE": str(self.folder / "agenda.sqlite"), "SWIFT_BACKTRACE": "enable=no",
            # The same calls in each run.
            "SWIFT_DETERMINISTIC_HASHING": "1", **self.environment, **environment}
        if fault:
            whole |= {"LD_PRELOAD": str(self.preload)} | {f"FAULT_{k.upper()}": v for k, v in fault.items()}
        # Every program that was started has the writing end; it is closed when all of them have ended.
        reading, writing = os.pipe()
        try:
            return subprocess.run(
                [self.agenda, *arguments], cwd=self.folder, env=whole, capture_output=True, timeout=LONGEST,
                stdin=subprocess.DEVNULL, pass_fds=[writing])
        finally:
            os.close(writing)
            os.read(reading, 1)
            os.close(reading)

    def write(self, files: dict[str, str]) -> None:
        home = self.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for name, text in files.items():
            (home / name).write_text(text)

    def reset(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)
        if self.server:
            self.server.restore()

    def prepare(self, steps) -> None:
        """Makes the state before the command. A step is files, a command, or something to call."""
        self.environment = {}
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for step in steps:
            if isinstance(step, dict):
                self.write(step)
            elif callable(step):
                step(self)
            else:
                done = self.run(*step)
                if done.returncode != 0:
                    raise AssertionError(f"{step}: {done.stderr.decode()}")
        shutil.rmtree(self.template, ignore_errors=True)
        shutil.copytree(self.folder, self.template)
        if self.server:
            self.server.keep()

    def state(self) -> State:
        shown = self.run("show", "--format", "jsonl", "--days", "60", *NOW)
        exported = self.run("export", *NOW)
        home = self.folder / "home"
        # What waits for the next command of a person is no part of a folder: it has no name that ends so.
        files = sorted((path.name, path.read_bytes()) for path in home.glob("*.ics")) if home.exists() else []
        objects = self.server.objects() if self.server else ()
        return State(shown.stdout, tuple(sorted(exported.stdout.split(b"\r\n"))), tuple(files), objects)

    def derived(self) -> tuple:
        """The version of the tables, and with what the index was made: nobody sees them."""
        copy = self.around / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for path in self.folder.glob("agenda.sqlite*"):
            if not path.name.endswith("-shm"):
                shutil.copy(path, copy)
        store = sqlite3.connect(copy / "agenda.sqlite")
        try:
            return (*store.execute("PRAGMA user_version").fetchone(),
                    *store.execute("SELECT interpretation FROM store").fetchone())
        finally:
            store.close()

    def calls(self, command: list[str], **fault: str) -> int:
        """How many calls of a kind the command makes."""
        self.reset()
        count = self.around / "count"
        count.unlink(missing_ok=True)
        self.run(*command, count=str(count), **fault)
        return int(count.read_text()) if count.exists() else 0


class Server(caldav_server.Server):
    """Radicale with a calendar whose state can be kept and restored while it runs."""

    def __init__(self, folder: pathlib.Path):
        super().__init__(str(folder))
        self.kept = folder / "kept"
        self.data = folder / "data" / "collection-root"

    def command(self) -> list[str]:
        return [str(python()), *super().command()[1:]]

    def empty(self) -> None:
        self.quiet()
        shutil.rmtree(self.data, ignore_errors=True)
        self.make_calendar("work", "Work", "#3366ff")

    def put(self, uid: str, title: str, day: int = 23) -> None:
        self.request("PUT", f"{self.home}work/{uid}.ics", calendar(event(uid, title, day)).replace("\n", "\r\n"))

    def delete(self, uid: str) -> None:
        self.request("DELETE", f"{self.home}work/{uid}.ics")

    def objects(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted(self.items("work").items()))

    def quiet(self) -> None:
        """Waits until the server has done what it was asked, also by a program that was killed."""
        time.sleep(0.05)
        if self.data.exists():
            self.request("PROPFIND", self.home, Depth="0")

    def keep(self) -> None:
        shutil.rmtree(self.kept, ignore_errors=True)
        shutil.copytree(self.data, self.kept)

    def restore(self) -> None:
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.kept, self.data)

    def write_objects(self, objects: dict[str, str]) -> None:
        """Makes the calendar have these objects, as if clients had written them."""
        folder = pathlib.Path(self.calendar_folder("work"))
        for name in self.items("work").keys() - objects.keys():
            (folder / name).unlink()
        for name, text in objects.items():
            (folder / name).write_text(text, newline="")
