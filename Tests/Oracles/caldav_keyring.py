"""agenda takes the password of a server from the keyring of the desktop, as Docs/CalDAV.md describes.

  caldav_keyring.py AGENDA

This needs dbus-run-session, gnome-keyring-daemon and secret-tool. The keyring is a new one in a folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile

import caldav_server

PROGRAM = sys.argv[1]
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Docs/CalDAV.md")


def main() -> None:
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, \
            caldav_server.Server(folder + "/server") as server:
        server.make_calendar("work", "Work", "#3366ff")
        environment = dict(
            os.environ, AGENDA_STORE=folder + "/store.sqlite", TZ="UTC", LC_ALL="C.UTF-8", HOME=folder,
            XDG_DATA_HOME=folder + "/data", XDG_RUNTIME_DIR=folder, PROGRAM=PROGRAM, URL=server.url)
        with open(DOCUMENT) as stream:
            store = re.search(r"`(secret-tool store [^`]*)`", stream.read().replace("\n", " ")).group(1)
        store = re.sub(" +", " ", store).replace("cloud.example.com", "127.0.0.1")

        def session(*commands: str) -> tuple[int, str]:
            # A file, because a daemon that does not end would keep a pipe open.
            with open(folder + "/output", "w+") as output:
                done = subprocess.run(
                    ["dbus-run-session", "--", "sh", "-c", "; ".join(commands)], env=environment, stdout=output,
                    stderr=output, stdin=subprocess.DEVNULL, timeout=300)
                output.seek(0)
                return done.returncode, output.read()

        unlock = "printf keyring | gnome-keyring-daemon --unlock --components=secrets >/dev/null"
        status, output = session(unlock, '"$PROGRAM" import "$URL" --user ana')
        assert status == 1 and "(401)" in output, output
        status, output = session(unlock, f"printf secret | {store}", '"$PROGRAM" import "$URL" --user ana && "$PROGRAM" refresh')
        assert status == 0, output
        with open(folder + "/store.sqlite", "rb") as stream:
            assert b"secret" not in stream.read(), "the password is in the store"
    print("the keyring has the password\n", end="")


main()
