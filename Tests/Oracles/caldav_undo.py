"""Refreshes that merged a change and sent the result, and settled conflicts, can be undone and redone. Afterwards the
store and the server agree.

  caldav_undo.py AGENDA
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import caldav_server

PROGRAM = sys.argv[1]
NAME = "party.ics"
WINDOW = ("--from", "2026-12-07", "--days", "1")


def event(location: str, *lines: str) -> str:
    return "\r\n".join([
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//third//EN", "BEGIN:VEVENT", "UID:party", "DTSTAMP:20261101T000000Z",
        "DTSTART:20261207T100000Z", "SUMMARY:Party", f"LOCATION:{location}", *lines, "END:VEVENT", "END:VCALENDAR", ""])


def main() -> None:
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, \
            caldav_server.Server(folder + "/server") as server:
        environment = dict(
            os.environ, AGENDA_STORE=folder + "/store.sqlite", TZ="UTC", LC_ALL="C.UTF-8", HOME=folder)

        def run(*arguments: str) -> str:
            done = subprocess.run(
                [PROGRAM, *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            output = done.stdout + done.stderr
            assert done.returncode == 0, f"agenda {' '.join(arguments)}: {done.returncode} {output}"
            return output

        def put(location: str, *lines: str) -> None:
            server.request("PUT", f"{server.home}work/{NAME}", event(location, *lines))

        def meaning(text: str) -> list[str]:
            return sorted(line for line in text.splitlines() if line.startswith(("SUMMARY", "LOCATION", "DESCRIPTION")))

        def here() -> list[str]:
            return meaning(run("export", "Work"))

        def there() -> list[str]:
            return meaning(server.items("work")[NAME])

        def agree() -> list[str]:
            """Both have the same after a refresh, and another one changes nothing."""
            run("refresh")
            assert here() == there(), f"{here()}, on the server {there()}"
            run("refresh")
            assert here() == there(), f"{here()}, then on the server {there()}"
            run("doctor")
            return here()

        server.make_calendar("work", "Work", "#ff8800")
        put("A")
        run("import", server.url, "--user", "ana", "--password-command", "echo secret")

        # Different properties are merged, and the result is sent.
        run("edit", "party", "--location", "C", *WINDOW)
        put("A", "DESCRIPTION:x")
        run("refresh")
        merged = ["DESCRIPTION:x", "LOCATION:C", "SUMMARY:Party"]
        assert here() == there() == merged, f"{here()} {there()}"
        run("undo", "--yes")
        assert here() == ["LOCATION:C", "SUMMARY:Party"], here()
        run("redo")
        assert here() == merged, here()
        run("undo", "--yes")
        run("undo", "--yes")
        assert here() == ["LOCATION:A", "SUMMARY:Party"], here()
        agree()

        # A conflict that was settled and sent.
        put("A")
        agree()
        run("edit", "party", "--location", "mine", *WINDOW)
        put("theirs")
        run("refresh")
        run("resolve", "party", "--mine")
        run("refresh")
        assert there() == ["LOCATION:mine", "SUMMARY:Party"], there()
        for _ in range(3):
            run("undo", "--yes")
        agree()
        print("undone, redone, and in agreement")


if __name__ == "__main__":
    main()
