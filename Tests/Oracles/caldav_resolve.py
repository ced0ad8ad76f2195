"""A conflict is listed, and settled in each of three ways; `--send` sends at once.

  caldav_resolve.py AGENDA
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

import caldav_server

PROGRAM = sys.argv[1]
NAME = "party.ics"


def event(title: str) -> str:
    return (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//third//EN\r\nBEGIN:VEVENT\r\nUID:party\r\n"
        f"DTSTAMP:20261101T000000Z\r\nDTSTART:20261207T100000Z\r\nSUMMARY:{title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")


def main() -> None:
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, \
            caldav_server.Server(folder + "/server") as server:
        editor = folder + "/editor"
        with open(editor, "w") as stream:
            stream.write(f"#!/bin/sh\ntouch {folder}/opened\nsed -i 's/^SUMMARY:.*/SUMMARY:From the editor/' \"$1\"\n")
        os.chmod(editor, 0o700)
        environment = dict(
            os.environ, AGENDA_STORE=folder + "/store.sqlite", TZ="UTC", LC_ALL="C.UTF-8", HOME=folder, EDITOR=editor)

        def run(*arguments: str, status: int = 0) -> str:
            done = subprocess.run(
                [PROGRAM, *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            output = done.stdout + done.stderr
            assert done.returncode == status, f"agenda {' '.join(arguments)}: {done.returncode} {output}"
            return output

        def on_server() -> str:
            return server.items("work")[NAME]

        def conflict(number: int) -> str:
            """Both sides give the event another title. Returns the listing of conflicts."""
            server.request("PUT", f"{server.home}work/{NAME}", event(f"Theirs {number}"))
            run("edit", "party", "--title", f"Mine {number}", "--from", "2026-12-07", "--days", "1")
            run("refresh")
            assert f"Theirs {number}" in run("show", "--from", "2026-12-07", "--days", "1")
            return run("resolve")

        server.make_calendar("work", "Work", "#ff8800")
        server.request("PUT", f"{server.home}work/{NAME}", event("Party"))
        run("import", server.url, "--user", "ana", "--password-command", "echo secret")
        assert json.loads(run("resolve", "-f", "json"))["conflicts"] == []

        text = conflict(1)
        assert "Mine 1" in text and "Theirs 1" in text, text
        listed = json.loads(run("resolve", "-f", "json"))["conflicts"]
        assert [(one["uid"], one["calendar"], one["title"]) for one in listed] == [("party", "Work", "Theirs 1")], listed
        titles = [one for one in listed[0]["properties"] if one["name"] == "SUMMARY"]
        assert titles == [{"name": "SUMMARY", "mine": "Mine 1", "theirs": "Theirs 1"}], listed
        window = ("--from", "2026-12-07", "--days", "1")
        assert "agenda resolve" in run("edit", "theirs", "--location", "Hall", *window, status=1)
        assert "agenda resolve" in run("remove", "theirs", *window, status=1)
        assert "agenda resolve" in run("edit", "theirs", "--editor", *window, status=1)
        assert not os.path.exists(folder + "/opened"), "the editor opened before the refusal"
        # The title is the one that the event has afterwards.
        output = run("resolve", "party", "--mine")
        assert "settled Mine 1: your version is kept" in output, output
        run("undo", "--yes")
        assert len(json.loads(run("resolve", "-f", "json"))["conflicts"]) == 1
        assert run("resolve", "party", "--mine", "--send", "--quiet") == "", "quiet"
        assert "SUMMARY:Mine 1" in on_server(), on_server()

        conflict(2)
        assert "settled Theirs 2: the server's version stays" in run("resolve", "party", "--theirs")
        run("refresh")
        assert "SUMMARY:Theirs 2" in on_server()
        assert json.loads(run("resolve", "-f", "json"))["conflicts"] == []

        conflict(3)
        output = run("resolve", "party", "--editor", "--send")
        assert "settled From the editor: your version is kept" in output, output
        assert "SUMMARY:From the editor" in on_server(), on_server()

        run("edit", "party", "--title", "Sent", "--send", *window)
        assert "SUMMARY:Sent" in on_server()
        run("add", "Tea", "--at", "2026-12-07T12:00", "--calendar", "Work", "--send")
        assert len(server.items("work")) == 2
        run("remove", "tea", "--send", *window)
        assert len(server.items("work")) == 1
        run("add", "--task", "Call the plumber", "--due", "2026-12-07", "--calendar", "Work", "--send")
        run("done", "plumber", "--send")
        assert any("STATUS:COMPLETED" in text for text in server.items("work").values())
        run("resolve", "party", "--mine", status=1)
        print("settled in three ways, and sent at once")


main()
