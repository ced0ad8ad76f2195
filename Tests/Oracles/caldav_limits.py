"""Answers of a server just within a limit of agenda-fetch, and just beyond it.

  caldav_limits.py AGENDA
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile

import caldav_server
from caldav_proxy import Changed, Proxy

PROGRAM = sys.argv[1]
CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//third//EN\r\nBEGIN:VEVENT\r\nUID:plain\r\nDTSTAMP:20261101T000000Z\r\n"
    "DTSTART:20261207T100000Z\r\nSUMMARY:Plain\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")


def check(condition: bool, message: str) -> None:
    if not condition:
        raise SystemExit(message)


def run(store: str, *arguments: str) -> subprocess.CompletedProcess:
    environment = dict(os.environ, AGENDA_STORE=store, TZ="Europe/Berlin", LC_ALL="C.UTF-8", HOME=os.path.dirname(store))
    return subprocess.run(
        [PROGRAM, *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def nested(count: int):
    """The elements of an answer are as deep as this."""
    def answer(request, status, fields, body):
        if status == 207:
            # The first is multistatus itself.
            new = b'<x xmlns="urn:example">' * (count - 1) + b"</x>" * (count - 1)
            body = re.sub(rb"(<(?:\w+:)?multistatus[^>]*>)", rb"\1" + new, body, count=1)
        return status, fields, body
    return Changed("PROPFIND REPORT", answer=answer)


def hops(request):
    """/hop3/ leads to /hop2/, and /hop1/ to the root."""
    if match := re.match(r"/hop(\d+)/", request.path):
        number = int(match[1])
        return 301, {"Location": f"/hop{number - 1}/" if number > 1 else "/"}, b""
    return None


def tagged(length: int, asked: list[str]):
    """A file with an ETag of this length."""
    def answer(request):
        if request.method != "GET":
            return 405, {}, b""
        asked.append(request.fields.get("If-None-Match", ""))
        return 200, {"ETag": '"' + "t" * (length - 2) + '"', "Content-Type": "text/calendar"}, CALENDAR.encode()
    return Changed(request=answer)


def main() -> None:
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, \
            caldav_server.Server(folder + "/server") as server:
        server.make_calendar("work", "Work", "#3366ff")
        server.request("PUT", "ana/work/plain.ics", CALENDAR)
        proxy = Proxy(server.port)
        account = ("--user", "ana", "--password-command", "echo secret")
        for depth in (64, 65):
            proxy.faults = [nested(depth)]
            done = run(f"{folder}/depth{depth}", "import", proxy.url, *account)
            check((done.returncode == 0) == (depth == 64), f"depth {depth}: {done.stdout}{done.stderr}")
        proxy.faults = [Changed(request=hops)]
        for count in (5, 6):
            done = run(f"{folder}/hops{count}", "import", f"{proxy.url}hop{count}/", *account)
            check((done.returncode == 0) == (count == 5), f"{count} redirects: {done.stdout}{done.stderr}")
        for length in (1024, 1025):
            asked: list[str] = []
            proxy.faults = [tagged(length, asked)]
            store = f"{folder}/tag{length}"
            for words in (("import", proxy.url + "file.ics"), ("refresh",)):
                done = run(store, *words)
                check(done.returncode == 0, f"{words}: {done.stdout}{done.stderr}")
            check(asked[0] == "" and len(asked[-1]) == (1024 if length == 1024 else 0), f"{length}: {asked}")
    print("the limits are where they are said to be")


main()
