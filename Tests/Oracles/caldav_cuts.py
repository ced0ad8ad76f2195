"""A connection that breaks at each byte of a synchronisation: afterwards nothing is lost and nothing is there twice.

  caldav_cuts.py AGENDA STEP

agenda refreshes a small calendar that was changed on both sides. The server, in this process, sends only the first n
bytes of all its answers together, for each STEP-th n; then it closes that connection, or refuses all others, too. What
it was asked to write is done. One refresh with the whole server brings both sides together.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading

import caldav_server

PROGRAM, STEP = sys.argv[1], int(sys.argv[2])
EXPECTED = sorted(["Added", "Mine", "Theirs", "New"])


def event(uid: str, title: str) -> str:
    return (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//third//EN\r\nBEGIN:VEVENT\r\n"
        f"UID:{uid}\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261207T100000Z\r\nSUMMARY:{title}\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n")


class Objects:
    """The calendar of the server, with what changed at which revision."""

    def __init__(self):
        self.texts: dict[str, str] = {}
        self.changes: dict[str, int] = {}
        self.revision = 0

    def write(self, name: str, text: str | None) -> None:
        self.revision += 1
        self.changes[name] = self.revision
        if text is None:
            self.texts.pop(name, None)
        else:
            self.texts[name] = text

    def copy(self) -> "Objects":
        other = Objects()
        other.texts, other.changes, other.revision = dict(self.texts), dict(self.changes), self.revision
        return other

    def tag(self, name: str) -> str:
        return f'"{self.changes[name]}"'

    def titles(self) -> list[str]:
        return sorted(re.search(r"SUMMARY:(.*?)\r", text).group(1) for text in self.texts.values())


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"
        self.objects = Objects()
        # How many bytes may still be sent, and whether nothing is sent afterwards; None for all.
        self.left: int | None = None
        self.is_broken = False
        self.stays_broken = False
        self.sent = 0
        self.guard = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def permitted(self, answer: bytes) -> tuple[bytes, bool]:
        """What is sent of an answer, and whether the connection ends then."""
        with self.guard:
            if self.is_broken and self.stays_broken:
                return b"", True
            if self.left is None or self.is_broken or len(answer) <= self.left:
                self.sent += len(answer)
                if self.left is not None and not self.is_broken:
                    self.left -= len(answer)
                return answer, False
            self.is_broken = True
            return answer[:self.left], True

    def answer(self, method: str, path: str, fields: dict, body: str):
        objects = self.objects
        name = path.rsplit("/", 1)[1]
        if method == "PROPFIND" and path == "/":
            return 207, self.response(
                "/", "<D:resourcetype><D:collection/></D:resourcetype><C:calendar-home-set><D:href>/home/</D:href>"
                "</C:calendar-home-set>")
        if method == "PROPFIND":
            return 207, self.response(
                "/home/work/", "<D:resourcetype><D:collection/><C:calendar/></D:resourcetype><D:displayname>Work"
                f"</D:displayname><D:sync-token>urn:t{objects.revision}</D:sync-token><D:supported-report-set>"
                "<D:supported-report><D:report><D:sync-collection/></D:report></D:supported-report>"
                "</D:supported-report-set>")
        if method == "REPORT" and "sync-collection" in body:
            known = int(re.search(r"sync-token>(?:urn:t)?(\d*)<", body).group(1) or 0)
            changed = [one for one, revision in objects.changes.items() if revision > known]
            return 207, "".join(
                self.response(f"/home/work/{one}", f"<D:getetag>{objects.tag(one)}</D:getetag>")
                if one in objects.texts else
                f"<D:response><D:href>/home/work/{one}</D:href><D:status>HTTP/1.1 404 Gone</D:status></D:response>"
                for one in changed) + f"<D:sync-token>urn:t{objects.revision}</D:sync-token>"
        if method == "REPORT":
            names = re.findall(r"href>/home/work/([^<]*)<", body)
            return 207, "".join(
                self.response(
                    f"/home/work/{one}", f"<D:getetag>{objects.tag(one)}</D:getetag><C:calendar-data>"
                    + objects.texts[one].replace("\r", "&#13;") + "</C:calendar-data>")
                for one in names if one in objects.texts)
        known = objects.texts.get(name)
        if fields.get("if-none-match") == "*" and known is not None:
            return 412, ""
        if "if-match" in fields and (known is None or fields["if-match"] != objects.tag(name)):
            return 412, ""
        if method == "DELETE" and known is None:
            return 404, ""
        objects.write(name, body if method == "PUT" else None)
        return (201, objects.tag(name)) if method == "PUT" else (204, "")

    @staticmethod
    def response(path: str, properties: str) -> str:
        return (f"<D:response><D:href>{path}</D:href><D:propstat><D:prop>{properties}</D:prop>"
                "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>")


class Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        while line := self.rfile.readline():
            method, path, _ = line.decode().split(" ", 2)
            fields = {}
            while (field := self.rfile.readline().strip()):
                name, value = field.decode().split(":", 1)
                fields[name.lower()] = value.strip()
            body = self.rfile.read(int(fields.get("content-length", 0))).decode()
            with self.server.guard:
                status, content = self.server.answer(method, path, fields, body)
            head = f"HTTP/1.1 {status} Answer\r\n"
            if status == 207:
                content = (
                    '<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">'
                    + content + "</D:multistatus>")
            elif status == 201:
                head, content = head + f"ETag: {content}\r\n", ""
            answer = f"{head}Content-Length: {len(content.encode())}\r\n\r\n{content}".encode()
            part, ends = self.server.permitted(answer)
            try:
                self.wfile.write(part)
            except OSError:
                return
            if ends:
                return


def main() -> None:
    folder = tempfile.mkdtemp(dir=caldav_server.memory())
    server = Server()
    path = f"{folder}/store.sqlite"
    environment = dict(os.environ, AGENDA_STORE=path, TZ="UTC", LC_ALL="C.UTF-8", HOME=folder)

    def run(*arguments: str, status: int | None = 0) -> str:
        done = subprocess.run(
            [PROGRAM, *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if status is not None and done.returncode != status:
            raise SystemExit(f"{place}: agenda {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}")
        return done.stdout

    def restore() -> None:
        server.objects = before.copy()
        for name in os.listdir(folder):
            if name.startswith("store.sqlite"):
                os.remove(f"{folder}/{name}")
        for name in os.listdir(folder + "/before"):
            shutil.copy(f"{folder}/before/{name}", folder)

    def check() -> None:
        listing = json.loads(run("show", "-f", "json", "--from", "2026-12-07", "--days", "1"))
        titles = sorted(entry["title"] for section in listing["sections"] for entry in section["entries"])
        there = server.objects.titles()
        if titles != EXPECTED or there != EXPECTED:
            raise SystemExit(f"{place}: agenda has {titles}, the server {there}")
        calendars = json.loads(run("calendars", "-f", "json"))["calendars"]
        if any(calendar["waiting"] or calendar["conflicts"] for calendar in calendars):
            raise SystemExit(f"{place}: something is left: {calendars}")

    place = "start"
    try:
        for number in range(4):
            server.objects.write(f"e{number}.ics", event(f"e{number}", f"Event {number}"))
        run("import", server.url, "--user", "ana", "--password-command", "echo secret")
        window = ("--from", "2026-12-07", "--days", "1")
        run("add", "Added", "--at", "2026-12-07T10:00", "--for", "1h", "--calendar", "Work")
        run("edit", "e0", "--title", "Mine", *window)
        run("remove", "--event", "e1", *window)
        server.objects.write("e2.ics", event("e2", "Theirs"))
        server.objects.write("e3.ics", None)
        server.objects.write("e9.ics", event("e9", "New"))
        before = server.objects.copy()
        os.mkdir(folder + "/before")
        for name in os.listdir(folder):
            if name.startswith("store.sqlite"):
                shutil.copy(f"{folder}/{name}", folder + "/before")
        server.sent = 0
        run("refresh")
        check()
        length = server.sent
        if length < 1000:
            raise SystemExit(f"only {length} bytes were sent")
        points = range(0, length, STEP)
        for index, point in enumerate(points):
            place = f"cut after byte {point} of {length}"
            restore()
            server.left, server.is_broken, server.stays_broken = point, False, index % 2 == 1
            run("refresh", status=None)
            if not server.is_broken:
                raise SystemExit(f"{place}: no connection was cut")
            server.left, server.is_broken = None, False
            run("refresh", "--force")
            check()
    finally:
        shutil.rmtree(folder)
    print(f"nothing was lost at {len(points)} of {length} bytes")


main()
