"""A CalDAV server (Radicale) on the loopback address, and vdirsyncer, for tests."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import sys
import time
import urllib.request


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Radicale with a user `ana` and the password `secret`, as long as the `with` block runs."""

    def __init__(self, folder: str):
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> "Server":
        os.makedirs(self.folder, exist_ok=True)
        users = os.path.join(self.folder, "users")
        with open(users, "w") as stream:
            stream.write("ana:secret\n")
        config = os.path.join(self.folder, "config")
        with open(config, "w") as stream:
            stream.write(
                f"[server]\nhosts = 127.0.0.1:{self.port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = {users}\n"
                f"htpasswd_encryption = plain\ndelay = 0\n[storage]\nfilesystem_folder = {self.folder}/data\n"
                "[web]\ntype = none\n[logging]\nlevel = warning\n")
        self.log = open(os.path.join(self.folder, "log"), "w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "radicale", "--config", config], stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.__exit__()
                    raise SystemExit("Radicale does not start: " + open(self.log.name).read())
                time.sleep(0.1)

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()

    def request(self, method: str, path: str, body: str = "") -> str:
        request = urllib.request.Request(self.url + path, body.encode() or None, method=method)
        request.add_header("Authorization", "Basic " + base64.b64encode(b"ana:secret").decode())
        if method == "PUT":
            request.add_header("Content-Type", "text/calendar; charset=utf-8")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def make_calendar(self, name: str, title: str, color: str) -> None:
        self.request(
            "MKCALENDAR", f"ana/{name}/",
            '<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:I="http://apple.com/ns/ical/">'
            f"<D:set><D:prop><D:displayname>{title}</D:displayname><I:calendar-color>{color}</I:calendar-color>"
            "</D:prop></D:set></C:mkcalendar>")

    def items(self, name: str) -> dict[str, str]:
        """The files of a calendar, as the server stores them."""
        folder = os.path.join(self.folder, "data", "collection-root", "ana", name)
        return files(folder)


def files(folder: str) -> dict[str, str]:
    result = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".ics") and not name.startswith("."):
            with open(os.path.join(folder, name), newline="", encoding="utf-8") as stream:
                result[name] = stream.read()
    return result
