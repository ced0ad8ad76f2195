"""Answers of a server just within a limit of agenda-fetch, and just beyond it.

  caldav_limits.py AGENDA [--long]

With --long, the limits that take half a minute to reach.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

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
    environment = dict(
        os.environ, AGENDA_STORE=store, TZ="Europe/Berlin", LC_ALL="C.UTF-8", HOME=os.path.dirname(store))
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


def changing(server: caldav_server.Server, count: int):
    """Before each of the first uploads, another client writes a new version."""
    uploads = []

    def answer(request):
        uploads.append(request.path)
        if len(uploads) <= count:
            place = f"LOCATION:Room {len(uploads)}\r\nEND:VEVENT"
            server.request("PUT", "ana/work/plain.ics", CALENDAR.replace("END:VEVENT", place))
    return Changed("PUT", request=answer)


def crowded(count: int):
    """The first answer has this many elements."""
    changed = []

    def answer(request, status, fields, body):
        if status == 207 and not changed:
            changed.append(request.path)
            # agenda-fetch keeps an attribute `name` as an element.
            present = len(re.findall(rb"<[A-Za-z]", body)) + body.count(b" name=")
            new = b"<x/>" * (count - present)
            head = re.match(rb".*?<(?:\w+:)?multistatus[^>]*>", body, re.S)[0]
            body = head + new + body[len(head):]
        return status, fields, body
    return Changed("REPORT", answer=answer)


class BusyHost:
    """A host that accepts no connection before some seconds are over, and then answers with a calendar."""

    def __init__(self, seconds: float):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(0)
        self.port = self.listener.getsockname()[1]
        # One connection waits to be accepted; the system ignores more.
        self.first = socket.create_connection(("127.0.0.1", self.port))
        threading.Thread(target=self.serve, args=(seconds,), daemon=True).start()

    def serve(self, seconds: float) -> None:
        time.sleep(seconds)
        body = CALENDAR.encode()
        while True:
            connection, _ = self.listener.accept()
            connection.settimeout(1)
            try:
                connection.recv(65_536)
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/calendar\r\nConnection: close\r\n"
                    + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            except OSError:
                pass
            connection.close()


def main() -> None:
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, \
            caldav_server.Server(folder + "/server") as server:
        server.make_calendar("work", "Work", "#3366ff")
        server.request("PUT", "ana/work/plain.ics", CALENDAR)
        proxy = Proxy(server.port)
        account = ("--user", "ana", "--password-command", "echo secret")
        if "--long" in sys.argv:
            check_long(folder, proxy, account)
            print("the limits are where they are said to be")
            return
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
        # The first upload, and one in each of five rounds.
        for count in (5, 6):
            proxy.faults = []
            server.request("PUT", "ana/work/plain.ics", CALENDAR)
            store = f"{folder}/rounds{count}"
            edit = ("edit", "Plain", "--title", "Mine", "--from", "2026-12-07")
            for words in (("import", proxy.url, *account), edit):
                done = run(store, *words)
                check(done.returncode == 0, f"{words}: {done.stdout}{done.stderr}")
            proxy.faults = [changing(server, count)]
            for is_last in (False, True):
                done = run(store, "refresh", "-f", "json")
                report = json.loads(done.stdout)["sources"][0]
                is_sent = count == 5 or is_last
                check(report["waiting"] == (0 if is_sent else 1) and done.returncode == (0 if is_sent else 1),
                      f"{count} changes during uploads: {done.stdout}{done.stderr}")
            check("SUMMARY:Mine" in server.items("work")["plain.ics"], f"{count} changes during uploads: not sent")
    print("the limits are where they are said to be")


def check_long(folder: str, proxy: Proxy, account: tuple) -> None:
    for count in (5_000_000, 5_000_001):
        proxy.faults = [crowded(count)]
        done = run(f"{folder}/crowded{count}", "import", proxy.url, *account)
        check((done.returncode == 0) == (count == 5_000_000), f"{count} elements: {done.stdout}{done.stderr}")
    # The system asks for a connection again after 1, 3, 7 and 15 seconds.
    words = {"file": ("/a.ics",), "account": ("/", *account)}
    cases = [(seconds, kind) for seconds in (10, 60) for kind in words]

    def attempt(case: tuple) -> str:
        (seconds, kind), (path, *rest) = case, words[case[1]]
        begin = time.monotonic()
        address = f"http://127.0.0.1:{BusyHost(seconds).port}{path}"
        done = run(f"{folder}/busy-{seconds}-{kind}", "import", address, *rest)
        passed = time.monotonic() - begin
        is_late = "no connection within 20 s" in done.stderr
        is_right = is_late == (seconds == 60) and (not is_late or 20 <= passed < 40)
        return "" if is_right else f"{case} after {passed:.1f} s: {done.stdout}{done.stderr}"

    with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
        for problem in pool.map(attempt, cases):
            check(not problem, problem)


main()
