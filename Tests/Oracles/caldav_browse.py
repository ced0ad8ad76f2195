"""What waits for a server and what is in conflict is marked in the full screen, which settles it.

  caldav_browse.py AGENDA
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import browse_screen
import caldav_server

PROGRAM = sys.argv[1]
NOW = ("--now", "2026-12-07T08:00:00Z")


def event(uid: str, title: str, hour: int) -> str:
    return (
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//third//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20261101T000000Z"
        f"\r\nDTSTART:20261207T{hour}0000Z\r\nSUMMARY:{title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")


def main() -> None:
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, \
            caldav_server.Server(folder + "/server") as server:
        os.environ.update(
            AGENDA_STORE=folder + "/store.sqlite", TZ="UTC", LC_ALL="C.UTF-8", HOME=folder, TERM="xterm-256color")

        def run(*arguments: str, status: int = 0) -> tuple[str, str]:
            done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
            assert done.returncode == status, f"agenda {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}"
            return done.stdout, done.stderr

        server.make_calendar("work", "Work", "#ff8800")
        for uid, title, hour in [("party", "Party", 10), ("talk", "Talk", 12)]:
            server.request("PUT", f"{server.home}work/{uid}.ics", event(uid, title, hour))
        run("import", server.url, "--user", "ana", "--password-command", "echo secret")

        # cron learns of a new conflict, once, although nothing failed.
        server.request("PUT", f"{server.home}work/party.ics", event("party", "Theirs", 10))
        run("edit", "party", "--title", "Mine", "--from", "2026-12-07", "--days", "1")
        output, errors = run("refresh", "--quiet")
        assert output == "" and "1 event was changed here and on the server" in errors, output + errors
        assert run("refresh", "--quiet") == ("", ""), "a conflict is reported again"

        terminal = browse_screen.Terminal([PROGRAM, "browse", *NOW], 100, 24)

        def line(text: str) -> str:
            assert terminal.wait_for(text), f"{text!r} is not on the screen: {terminal.screen.display}"
            return next(line for line in terminal.screen.display if text in line).rstrip()

        def expect(text: str, end: str) -> None:
            """A line with the text gets this end."""
            last = time.time() + 10
            while not line(text).endswith(end):
                assert time.time() < last, f"{line(text)!r} does not end with {end!r}"
                terminal.read(0.05, 0.2)

        expect("Theirs", "Theirs  conflict")
        # An own change waits.
        terminal.send("j+")
        expect("12:15", "Talk  not sent yet")
        terminal.send("c")
        expect("[x]", "Work · conflict: 1 · not sent yet: 1")
        terminal.send("\x1b")
        terminal.read(0.2)
        terminal.send("R")
        line("open conflicts: 1; C shows both versions")
        expect("12:15", "Talk")
        # The selected event has no conflict, so the one that has is shown.
        terminal.send("C")
        line("m keep mine, t take the server’s")
        text = "\n".join(terminal.screen.display)
        for expected in ("SUMMARY", "mine: Mine", "server: Theirs"):
            assert expected in text, text
        terminal.send("m")
        line("settled Mine: your version is kept")
        expect("10:00", "Mine  not sent yet")
        terminal.send("u")
        line("undid: resolve")
        terminal.send("C")
        line("t take the server’s")
        terminal.send("t")
        line("the server's version stays")
        terminal.send("C")
        line("no open conflict")
        terminal.send("q")
        assert terminal.close() == 0
        terminal.check_restored("conflicts")
        terminal.free()
        assert not browse_screen.problems
        print("marked and settled")


main()
