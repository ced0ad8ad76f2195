"""CalDAV servers on the loopback address for tests: Radicale and Xandikos."""

from __future__ import annotations

import base64
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def memory() -> str | None:
    """A folder in memory, where nobody waits for the disk; `None` for the usual one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Server:
    """Radicale with a user `ana` and the password `secret`, as long as the `with` block runs.

    With `tls` it has a certificate that it signed itself, in the file `certificate`."""

    home = "ana/"
    password = "secret"

    def __init__(self, folder: str, tls: bool = False):
        self.folder = folder
        self.port = free_port()
        self.tls = tls
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/"
        self.certificate = os.path.join(folder, "certificate.pem")

    def __enter__(self) -> "Server":
        os.makedirs(self.folder, exist_ok=True)
        if self.tls and not os.path.exists(self.certificate):
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                 "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.certificate + ".key", "-out",
                 self.certificate], check=True, capture_output=True)
        self.start()
        return self

    def command(self) -> list[str]:
        users = os.path.join(self.folder, "users")
        with open(users, "w") as stream:
            stream.write("ana:secret\n")
        config = os.path.join(self.folder, "config")
        secure = (f"ssl = True\ncertificate = {self.certificate}\nkey = {self.certificate}.key\n" if self.tls else "")
        with open(config, "w") as stream:
            stream.write(
                f"[server]\nhosts = 127.0.0.1:{self.port}\n{secure}[auth]\ntype = htpasswd\n"
                f"htpasswd_filename = {users}\nhtpasswd_encryption = plain\ndelay = 0\n"
                f"[storage]\nfilesystem_folder = {self.folder}/data\n"
                "[web]\ntype = none\n[logging]\nlevel = warning\n")
        return [sys.executable, "-m", "radicale", "--config", config]

    def start(self) -> None:
        self.log = open(os.path.join(self.folder, "log"), "a")
        self.process = subprocess.Popen(self.command(), stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise SystemExit("the server does not start: " + open(self.log.name).read())
                time.sleep(0.05)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()

    def __exit__(self, *_) -> None:
        self.stop()

    def request(self, method: str, path: str, body: str = "", **fields: str) -> str:
        request = urllib.request.Request(self.url + path, body.encode() or None, method=method)
        request.add_header("Authorization", "Basic " + base64.b64encode(b"ana:secret").decode())
        for name, value in fields.items():
            request.add_header(name, value)
        if method == "PUT":
            request.add_header("Content-Type", "text/calendar; charset=utf-8")
        elif body:
            request.add_header("Content-Type", "application/xml; charset=utf-8")
        context = ssl.create_default_context(cafile=self.certificate) if self.tls else None
        with urllib.request.urlopen(request, timeout=60, context=context) as answer:
            return answer.read().decode()

    def make_calendar(self, name: str, title: str, color: str) -> None:
        self.request(
            "MKCALENDAR", f"{self.home}{name}/",
            '<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:I="http://apple.com/ns/ical/">'
            f"<D:set><D:prop><D:displayname>{title}</D:displayname><I:calendar-color>{color}</I:calendar-color>"
            "</D:prop></D:set></C:mkcalendar>")

    def items(self, name: str) -> dict[str, str]:
        """The files of a calendar, as the server stores them."""
        return files(self.calendar_folder(name))

    def calendar_folder(self, name: str) -> str:
        return os.path.join(self.folder, "data", "collection-root", "ana", name)

    def expire_tokens(self) -> None:
        """Makes the server forget the synchronisation tokens that it gave."""
        for root, folders, _ in os.walk(self.folder):
            for folder in folders:
                if folder == "sync-token":
                    shutil.rmtree(os.path.join(root, folder))


class Xandikos(Server):
    """Xandikos, which keeps its calendars in git. It asks for no password."""

    home = "user/calendars/"

    def command(self) -> list[str]:
        return [
            sys.executable, "-m", "xandikos", "serve", "--no-detect-systemd", "-d", self.folder + "/data", "-l",
            "127.0.0.1", "-p", str(self.port), "--autocreate", "--state-dir", self.folder + "/state"]

    def calendar_folder(self, name: str) -> str:
        return os.path.join(self.folder, "data", "user", "calendars", name)

    def expire_tokens(self) -> None:
        pass


def files(folder: str) -> dict[str, str]:
    result = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".ics") and not name.startswith("."):
            with open(os.path.join(folder, name), newline="", encoding="utf-8") as stream:
                result[name] = stream.read()
    return result
