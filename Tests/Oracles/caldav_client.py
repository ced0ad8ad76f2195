"""python-caldav reads what agenda has sent to a server, and agenda receives what python-caldav writes.

  caldav_client.py AGENDA SERVER

SERVER is one of those of caldav_model.py.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import tempfile

import caldav

import caldav_server

PROGRAM = sys.argv[1]
UTC = datetime.timezone.utc


def main() -> None:
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, \
            caldav_server.named(sys.argv[2], folder + "/server") as server:
        environment = dict(os.environ, AGENDA_STORE=folder + "/store.sqlite", TZ="UTC", LC_ALL="C.UTF-8", HOME=folder)

        def run(*arguments: str) -> str:
            done = subprocess.run(
                [PROGRAM, *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            assert done.returncode == 0, f"agenda {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}"
            return done.stdout

        def shown() -> list[tuple[str, str]]:
            listing = json.loads(run("show", "-f", "json", "--from", "2026-12-07", "--days", "14"))
            return sorted(
                (entry["start"][:16], entry["title"]) for section in listing["sections"] for entry in section["entries"])

        server.make_calendar("work", "Work", "#3366ff")
        server.make_calendar("home", "Home", "#33ff66")
        who = ("--user", "ana", "--password-command", "echo secret")
        run("import", server.url, *who, *(["--cacert", server.certificate] if server.tls else []))
        run("add", "Lunch, with Ana; and Bo", "--at", "2026-12-07T12:30", "--for", "1h", "--location", "Café",
            "--calendar", "Work")
        run("add", "Stand-up", "--at", "2026-12-08T09:00", "--for", "15m", "--repeat", "daily for 4 times", "--calendar",
            "Work")
        day = ("--from", "2026-12-09", "--days", "1")
        run("edit", "stand-up", "--only", "--title", "Long stand-up", *day)
        run("remove", "stand-up", "--only", "--from", "2026-12-10", "--days", "1")
        run("add", "--task", "Call the plumber", "--due", "2026-12-09", "--calendar", "Work")
        run("refresh")

        client = caldav.DAVClient(
            server.url + server.principal, username="ana", password="secret",
            ssl_verify_cert=server.certificate if server.tls else True)
        calendar = next(one for one in client.principal().calendars() if one.get_display_name() == "Work")

        def found() -> list[tuple[str, str]]:
            result = []
            for item in calendar.search(
                    start=datetime.datetime(2026, 12, 7, tzinfo=UTC), end=datetime.datetime(2026, 12, 21, tzinfo=UTC),
                    event=True, expand=True):
                for event in item.icalendar_instance.walk("VEVENT"):
                    start = event["DTSTART"].dt.astimezone(UTC)
                    result.append((start.strftime("%Y-%m-%dT%H:%M"), str(event["SUMMARY"])))
            return sorted(set(result))

        expected = [
            ("2026-12-07T12:30", "Lunch, with Ana; and Bo"), ("2026-12-08T09:00", "Stand-up"),
            ("2026-12-09T09:00", "Long stand-up"), ("2026-12-11T09:00", "Stand-up")]
        assert found() == expected, found()
        assert shown() == expected, shown()
        assert [str(todo.icalendar_component["SUMMARY"]) for todo in calendar.todos()] == ["Call the plumber"]
        lunch = next(event for event in calendar.events() if "Lunch" in event.data)
        assert str(lunch.icalendar_component["LOCATION"]) == "Café", lunch.data

        # An event moves to another calendar and back.
        for name, count in (("Home", 1), ("Work", 0)):
            run("edit", "lunch", "--calendar", name, "--from", "2026-12-07", "--days", "1")
            run("refresh")
            other = next(one for one in client.principal().calendars() if one.get_display_name() == "Home")
            assert len(other.events()) == count, [event.data for event in other.events()]
        lunch = next(event for event in calendar.events() if "Lunch" in event.data)

        lunch.icalendar_component["SUMMARY"] = "Dinner"
        lunch.save()
        calendar.save_event(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//client//EN\r\nBEGIN:VEVENT\r\nUID:by-client\r\n"
            "DTSTAMP:20261101T000000Z\r\nDTSTART:20261214T100000Z\r\nDURATION:PT1H\r\nSUMMARY:By the client\r\n"
            "END:VEVENT\r\nEND:VCALENDAR\r\n")
        next(event for event in calendar.events() if "Stand-up" in event.data).delete()
        calendar.todos()[0].complete()
        run("refresh")
        expected = [("2026-12-07T12:30", "Dinner"), ("2026-12-14T10:00", "By the client")]
        assert shown() == expected, shown()
        assert found() == expected, found()
        tasks = json.loads(run("show", "--tasks", "-f", "json", "--from", "2026-12-07", "--days", "14"))
        assert any(
            entry["title"] == "Call the plumber" and entry["status"] == "completed"
            for section in tasks["sections"] for entry in section["entries"]), tasks
    print("python-caldav and agenda have the same")


main()
