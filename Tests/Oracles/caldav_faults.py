"""Servers that break: each fault has its message and its exit status, and nothing is lost.

  caldav_faults.py AGENDA ROUNDS

After each fault the server works again, and one refresh brings both sides together.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import caldav_server
from caldav_proxy import Bearer, Changed, Cut, Digest, Late, Proxy, Status, Truncated
from caldav_scene import PROGRAM, Scene, Store, check, event

ROUNDS = int(sys.argv[2])


def statuses(server, folder) -> None:
    reasons = {
        401: "refused (401)", 403: "(403)", 404: "(404)", 409: "(409)", 423: "locked", 429: "too many", 500: "server error",
        503: "temporarily unavailable", 507: "no space left on the server"}
    for method in ("PUT", "DELETE", "PROPFIND", "REPORT"):
        scene = Scene(server, folder, method).imported()
        titles = scene.change_both()
        for status, reason in reasons.items():
            if status == 404 and method in ("DELETE", "PROPFIND") or status in (403, 409) and method == "REPORT":
                continue
            Scene.place = f"{status} for {method}"
            scene.proxy.faults = [Status(status, method)]
            output = scene.store.run("refresh", "--force", status=1)
            check(reason in output, f"the message lacks \"{reason}\": {output}")
            check(scene.store.counts()["waiting"] > 0 or method in ("PROPFIND", "REPORT"), "nothing waits")
        scene.settle(titles)


def lost_answers(server, folder) -> None:
    for method in ("PUT", "DELETE"):
        scene = Scene(server, folder, f"500 after {method}").imported()
        titles = scene.change_both()
        scene.proxy.faults = [Status(500, method, done=True)]
        # The list of changes shows what was done, so that the same refresh recognises it.
        scene.store.run("refresh")
        check(scene.store.titles() == sorted(titles), f"{scene.store.titles()}")
        scene.settle(titles)


    # What was recognised as sent can be undone, and that is sent, too.
    for method, faults in (("500", [Status(500, "PUT", done=True)]), ("the same change", [])):
        scene = Scene(server, folder, f"undo after {method}").imported()
        scene.store.run("edit", "e0", "--title", "Mine", "--from", "2026-12-07", "--days", "1")
        if not faults:
            server.request("PUT", f"{server.home}work/e0.ics", event("e0", "Mine"))
        scene.proxy.faults = faults
        scene.store.run("refresh")
        check("Mine" in scene.server_titles(), f"{scene.server_titles()}")
        scene.store.run("undo", "--yes")
        scene.settle(["Event 0", "Event 1", "Event 2", "Event 3"])


def cuts(server, folder) -> None:
    generator = random.Random(7)
    for method in ("PUT", "DELETE", "PROPFIND", "REPORT"):
        for _ in range(ROUNDS):
            byte = generator.randrange(900)
            scene = Scene(server, folder, f"{method} cut at byte {byte}").imported()
            titles = scene.change_both()
            scene.proxy.faults = [Cut(byte, method, times=generator.choice([1, 2, 99]))]
            subprocess.run(
                [PROGRAM, "refresh"], env=scene.store.environment, capture_output=True, stdin=subprocess.DEVNULL)
            scene.settle(titles)


def late(server, folder) -> None:
    scene = Scene(server, folder, "late answers").imported(
        "--user", "ana", "--password-command", "echo secret", "--timeout", "1")
    titles = scene.change_both()
    scene.proxy.faults = [Late(1.2, "PUT")]
    output = scene.store.run("refresh", status=1)
    check("no complete answer within 1 s" in output, output)
    scene.settle(titles)


def wrong_xml(server, folder) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb">]><multistatus xmlns="DAV:">&b;</multistatus>'
    deep = b"<a xmlns='DAV:'>" * 100_000
    scene = Scene(server, folder, "wrong XML").imported()
    titles = scene.change_both()
    for name, body in {
        "HTML": b"<html><body>Log in</body></html>", "nothing": b"", "half": b'<multistatus xmlns="DAV:"><resp',
        "entities": bomb, "depth": deep, "JSON": b"{}", "bytes": bytes(range(256)),
    }.items():
        for method, status in (("PROPFIND", 207), ("REPORT", 207), ("PROPFIND", 200)):
            Scene.place = f"{name} with {status} for {method}"
            scene.proxy.faults = [Status(status, method, answer=body)]
            scene.store.run("refresh", status=1)
    check(set(scene.store.titles()) >= {"Added", "Mine", "Event 2", "Event 3"}, "events are lost")
    scene.settle(titles)


def other_data(server, folder) -> None:
    def elsewhere(request, status, fields, body):
        return status, fields, body.replace(b"/ana/work/", b"/ana/other/")

    scene = Scene(server, folder, "the data of another calendar").imported()
    titles = scene.change_both()
    scene.proxy.faults = [Changed("REPORT", answer=elsewhere)]
    scene.store.run("refresh")
    check(set(scene.store.titles()) >= {"Added", "Mine", "Event 2", "Event 3"}, "events are lost")
    scene.proxy.faults = []
    # The server has told the new token with the wrong data, so the objects are compared again.
    server.request("PUT", f"{server.home}work/e8.ics", event("e8", "Later"))
    scene.server.expire_tokens()
    scene.settle(titles + ["Later"])

    def swapped(request, status, fields, body):
        return status, fields, body.replace(b"UID:e2", b"UID:x2").replace(b"Theirs", b"Swapped")

    scene = Scene(server, folder, "another event at the address of one").imported()
    scene.change_both()
    scene.proxy.faults = [Changed("REPORT", body="multiget", answer=swapped)]
    scene.store.run("refresh")
    check("Swapped" in scene.store.titles(), f"the server's version is not shown: {scene.store.titles()}")


# Checks RFC 6578: 3.2/17, 3.6/4
def tokens(server, folder) -> None:
    error = b'<?xml version="1.0"?><error xmlns="DAV:"><valid-sync-token/></error>'
    for status in (403, 404, 409, 410, 412, 500, 507):
        scene = Scene(server, folder, f"expired token, {status}").imported()
        titles = scene.change_both()
        scene.proxy.faults = [Status(status, "REPORT", body="sync-token>http", answer=error)]
        scene.store.run("refresh")
        check(scene.store.titles() == sorted(titles), f"{scene.store.titles()}")
        scene.settle(titles)
    scene = Scene(server, folder, "507", (Truncated(),)).imported()
    titles = scene.change_both()
    scene.store.run("refresh")
    check(scene.store.titles() == sorted(titles), f"{scene.store.titles()}")
    scene.settle(titles)


def without_tokens(server, folder) -> None:
    def stripped(keeps_tag):
        def change(request, status, fields, body):
            body = re.sub(rb"<(\w+:)?sync-token ?/>|<(\w+:)?sync-token>[^<]*</(\w+:)?sync-token>", b"", body)
            body = body.replace(b"sync-collection", b"no-collection")
            if not keeps_tag:
                body = re.sub(rb"<(\w+:)?getctag>[^<]*</(\w+:)?getctag>", b"", body)
            return status, fields, body
        return Changed("PROPFIND", answer=change)

    for keeps_tag in (True, False):
        for refusal in (403, 501):
            faults = (stripped(keeps_tag), Status(refusal, "REPORT", body="sync-collection"))
            scene = Scene(server, folder, f"no tokens, {'ctag' if keeps_tag else 'no ctag'}", faults).imported()
            titles = scene.change_both()
            scene.store.run("refresh")
            scene.store.run("refresh")
            check(scene.store.titles() == sorted(titles), f"{scene.store.titles()}")
            before = len(scene.proxy.requests)
            scene.store.run("refresh")
            expected = 1 if keeps_tag else 2
            count = len(scene.proxy.requests) - before
            check(count == expected, f"{count} requests without a change: {scene.proxy.requests[before:]}")
            scene.settle(titles)


# Checks RFC 4791: 5.3.4/5
def tags(server, folder) -> None:
    def no_tag(request, status, fields, body):
        return status, {name: value for name, value in fields.items() if name.lower() != "etag"}, body

    def weak(request, status, fields, body):
        fields = {name: "W/" + value if name.lower() == "etag" else value for name, value in fields.items()}
        return status, fields, re.sub(rb"getetag>(&quot;|\")", rb"getetag>W/\1", body)

    for name, fault in {"no tags after PUT": Changed("PUT", answer=no_tag), "weak tags": Changed(answer=weak)}.items():
        scene = Scene(server, folder, name, (fault,)).imported()
        titles = scene.change_both()
        scene.store.run("refresh")
        check(scene.store.titles() == sorted(titles), f"{scene.store.titles()}")
        check(scene.server_titles() == sorted(titles), f"{scene.server_titles()}")
        check(scene.store.counts() == {"waiting": 0, "conflicts": 0}, f"left: {scene.store.counts()}")
        scene.settle(titles)

    def stored(request):
        request.body = request.body.replace(b"END:VEVENT", b"X-ADDED:1\r\nEND:VEVENT").replace(b"SUMMARY:Mi", b"SUMMARY:My mi")

    scene = Scene(server, folder, "a server that changes what it stores",
                  (Changed("PUT", request=stored, answer=no_tag),)).imported()
    scene.change_both()
    scene.store.run("refresh")
    check("My mine" in scene.store.titles(), f"{scene.store.titles()}")
    scene.settle(["Added", "My mine", "Theirs", "New"])

    def renamed(request):
        if "If-None-Match" in request.fields:
            request.path = re.sub(r"[^/]+\.ics$", "chosen-by-server.ics", request.path)

    def located(request, status, fields, body):
        return status, dict(fields, Location=request.path), body

    scene = Scene(server, folder, "a server that chooses the address",
                  (Changed("PUT", request=renamed, answer=located),)).imported()
    titles = scene.change_both()
    scene.store.run("refresh")
    check("chosen-by-server.ics" in scene.server.items("work"), "the proxy did not choose")
    scene.settle(titles)
    scene.store.run("edit", "Added", "--title", "Again", "--from", "2026-12-07", "--days", "1")
    scene.settle(["Again", "Mine", "Theirs", "New"])
    check(len(scene.server.items("work")) == 4, "an event is there twice")


# Checks RFC 4791: 11/1
def credentials(server, folder) -> None:
    Scene(server, folder, "Digest", (Digest(),)).imported().settle()
    scene = Scene(server, folder, "Bearer", (Bearer(),))
    scene.imported("--user", "ana", "--token-command", "echo token-1")
    check(all(value == "Bearer token-1" for value in scene.proxy.authorizations), "other credentials were sent")
    scene = Scene(server, folder, "wrong password")
    output = scene.store.run(
        "import", scene.proxy.url, "--user", "ana", "--password-command", "echo wrong", status=1)
    check("the user name or password was refused (401)" in output, output)
    output = scene.store.run("import", scene.proxy.url, "--user", "ana", status=1)
    check("(401)" in output and "--password-command" in output, output)
    output = scene.store.run(
        "import", "http://calendars.invalid/", "--user", "ana", "--password-command", "echo secret", status=1)
    check("without encryption" in output, output)
    # Another origin gets the password only if the user names it.
    other = Proxy(server.port)
    target = other.url.replace("127.0.0.1", "localhost")
    moved = Changed(request=lambda request: (301, {"Location": target + request.path.lstrip("/")}, b""))
    scene = Scene(server, folder, "redirect to another origin", (moved,))
    output = scene.store.run(
        "import", scene.proxy.url, "--user", "ana", "--password-command", "echo secret", status=1)
    check("--trust " + target.rstrip("/") in output, output)
    check(other.requests == [], "the other origin was asked")
    scene.imported("--user", "ana", "--password-command", "echo secret", "--trust", target.rstrip("/"))
    scene.store.run("refresh")
    with open(scene.store.environment["AGENDA_STORE"], "rb") as stream:
        bytes_of_store = stream.read().replace(b"echo secret", b"")
    check(b"secret" not in bytes_of_store, "the password is in the store")


def kinds_of_addresses(server, folder) -> None:
    page = Status(200, "GET", answer=b"<html><body>Welcome</body></html>")
    nothing = Status(405, "PROPFIND REPORT OPTIONS")
    scene = Scene(server, folder, "a page", (page, nothing))
    output = scene.store.run("import", scene.proxy.url + "page", status=1)
    check("instead of a calendar" in output and "CalDAV" in output, output)
    scene = Scene(server, folder, "a calendar file", (nothing,))
    scene.proxy.faults.append(Status(200, "GET", answer=event("file", "From a file").encode()))
    scene.store.run("import", scene.proxy.url + "file.ics")
    check(scene.store.titles() == ["From a file"], f"{scene.store.titles()}")
    for path in ("", "ana/", "ana/work/", ".well-known/caldav"):
        scene = Scene(server, folder, f"the address /{path}")
        if path.startswith("."):
            scene.proxy.faults = [
                Changed(path="/.well-known/caldav", request=lambda request: (301, {"Location": "/"}, b""))]
        scene.store.run("import", scene.proxy.url + path, "--user", "ana", "--password-command", "echo secret")
        check(len(scene.store.titles()) == 4, f"{scene.store.titles()}")
    scene = Scene(server, folder, "a host whose root is a page",
                  (Changed("PROPFIND", request=lambda request: (405, {}, b"") if request.path == "/" else None),
                   Changed(path="/.well-known/caldav", request=lambda request: (308, {"Location": "/ana/"}, b""))))
    scene.imported()


def wrong_paths(server, folder) -> None:
    """A path stands for what is there; what is not there is an error that names the address of the account."""
    who = ("--user", "ana", "--password-command", "echo secret")
    server.make_calendar("second", "Second", "#00aa00")
    server.request("PUT", f"{server.home}second/s.ics", event("s", "Second"))
    scene = Scene(server, folder, "a path where nothing is")
    missing = Changed("PROPFIND", path="/nonsense", request=lambda request: (404, {}, b""))
    scene.proxy.faults = [missing]
    for path in ("nonsense/", "ana/nonsense/", "ana/work/e0.ics"):
        output = scene.store.run("import", scene.proxy.url + path, *who, status=1)
        check(f"{scene.proxy.url} has the calendars" in output and "Work" in output and "Second" in output, output)
        check("nonsense" not in output.split("error:")[-1], output)
    check("not that of a calendar" in output, output)
    output = scene.store.run("import", scene.proxy.url + "nonsense/", status=1)
    check(f"{scene.proxy.url} is a CalDAV server" in output and "--user NAME" in output, output)
    check(json.loads(scene.store.run("calendars", "-f", "json"))["calendars"] == [], "something was imported")
    scene.store.run("import", scene.proxy.url + "ana/second/", *who)
    check(scene.store.titles() == ["Second"], f"{scene.store.titles()}")

    # A home is only itself, a folder above it stands for all homes.
    def two_homes(request, status, fields, body):
        return status, fields, re.sub(rb"(<(?:\w+:)?calendar-home-set>)", rb"\1<href xmlns='DAV:'>/other/</href>", body)

    def other_home(request):
        if request.path == "/other/":
            return 207, {"Content-Type": "application/xml"}, (
                b"<multistatus xmlns='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'><response><href>/other/</href><propstat>"
                b"<prop><resourcetype><collection/></resourcetype><current-user-principal><href>/ana/</href>"
                b"</current-user-principal></prop><status>HTTP/1.1 200 OK</status></propstat></response><response>"
                b"<href>/other/c/</href><propstat><prop><resourcetype><collection/><C:calendar/></resourcetype>"
                b"<displayname>Elsewhere</displayname></prop><status>HTTP/1.1 200 OK</status></propstat></response>"
                b"</multistatus>")
        if request.path == "/other/c/":
            return 207, {"Content-Type": "application/xml"}, b"<multistatus xmlns='DAV:'/>"

    for path, names in (("other/", ["Elsewhere"]), ("", ["Elsewhere", "Second", "Work"])):
        scene = Scene(server, folder, f"two homes, /{path}",
                      (Changed(answer=two_homes), Changed(path="/other/", request=other_home)))
        scene.store.run("import", scene.proxy.url + path, *who)
        calendars = json.loads(scene.store.run("calendars", "-f", "json"))["calendars"]
        check(sorted(calendar["name"] for calendar in calendars) == names, f"{calendars}")
    server.request("DELETE", f"{server.home}second/")


def other_names(server, folder) -> None:
    """One server has several addresses; its calendars are imported once."""
    who = ("--user", "ana", "--password-command", "echo secret")
    moved = Changed("PROPFIND", path="/moved", request=lambda request: (301, {"Location": "/ana/"}, b""))
    scene = Scene(server, folder, "other names of a server", (moved,)).imported()

    def accounts() -> int:
        database = sqlite3.connect(scene.store.environment["AGENDA_STORE"])
        count = database.execute("SELECT count(*) FROM account").fetchone()[0]
        database.close()
        return count

    for path in ("ana/", "ana", "moved", "ana/work", "ana/work/", ""):
        scene.store.run("import", scene.proxy.url + path, *who)
        check(len(scene.store.titles()) == 4, f"/{path}: {scene.store.titles()}")
        check(accounts() == 1, f"/{path}: {accounts()} accounts")
    alias = scene.proxy.url.replace("127.0.0.1", "localhost")
    for path in ("", "ana/work/"):
        output = scene.store.run("import", alias + path, *who)
        check(f"the same calendar as Work of {scene.proxy.url.rstrip('/')}" in output, output)
        check(len(scene.store.titles()) == 4 and accounts() == 1, f"{scene.store.titles()}, {accounts()} accounts")
    scene.store.run("remove", "--calendar", "Work")
    scene.store.run("import", alias, *who)
    check(len(scene.store.titles()) == 4, f"{scene.store.titles()}")
    # Another server with the same paths has other calendars.
    with caldav_server.Server(folder + "/second") as second:
        second.make_calendar("work", "Work", "#3366ff")
        second.request("PUT", f"{second.home}work/e0.ics", event("e0", "Of the second server"))
        scene.store.run("import", second.url, *who)
        check(len(scene.store.titles()) == 5 and accounts() == 3, f"{scene.store.titles()}, {accounts()} accounts")


def rights(server, folder) -> None:
    def read_only(request, status, fields, body):
        return status, fields, re.sub(rb"<(\w+:)?privilege><(\w+:)?(write|all|bind)[\w-]*\s*/></(\w+:)?privilege>", b"", body)

    scene = Scene(server, folder, "a calendar to read", (Changed("PROPFIND", answer=read_only),)).imported()
    for command in (("add", "X", "--at", "2026-12-07T10:00", "--calendar", "Work"),
                    ("edit", "e0", "--title", "X", "--from", "2026-12-07")):
        output = scene.store.run(*command, status=1)
        check("you may only read calendar Work" in output, output)
    # What the user decides about its events is kept here.
    output = scene.store.run("remove", "--event", "e0", "--from", "2026-12-07")
    check("still has it" in output and "Event 0" not in scene.store.titles(), f"{output} {scene.store.titles()}")
    scene.store.run("refresh", "--force")
    check("Event 0" not in scene.store.titles(), f"{scene.store.titles()}")
    scene.store.run("undo", "--yes")
    check("Event 0" in scene.store.titles(), f"{scene.store.titles()}")
    check(not json.loads(scene.store.run("calendars", "-f", "json"))["calendars"][0]["writable"], "writable")

    # A calendar that was writable: what the server has cannot be taken back, and what it lacks can.
    scene = Scene(server, folder, "a calendar that one may only read now").imported()
    window = ("--from", "2026-12-07", "--days", "1")
    scene.store.add("Sent")
    scene.store.run("refresh")
    scene.store.run("edit", "sent", "--title", "Waits", *window)
    scene.proxy.faults = [Changed("PROPFIND", answer=read_only), Status(403, "PUT DELETE")]
    output = scene.store.run("refresh", "--force", status=1)
    check("agenda undo takes it back" in output, output)
    scene.store.run("undo", "--yes")
    check("Sent" in scene.store.titles(), f"{scene.store.titles()}")
    for command in (("undo", "--yes"), ("redo",), ("add", "X", "--at", "2026-12-07T10:00", "--calendar", "Work"),
                    ("edit", "sent", "--title", "X", *window)):
        output = scene.store.run(*command, status=1)
        check("you may only read calendar Work" in output, f"{command}: {output}")
    check("Sent" in scene.store.titles(), f"{scene.store.titles()}")
    scene.settle(["Event 0", "Event 1", "Event 2", "Event 3", "Sent"])

    scene = Scene(server, folder, "a change that is refused for good").imported()
    scene.store.add("Refused")
    scene.proxy.faults = [Status(403, "PUT")]
    for _ in range(2):
        output = scene.store.run("refresh", status=1)
        check("Refused: access denied (403)" in output, output)
    scene.store.run("undo")
    scene.store.run("refresh")
    scene.settle()


def lists(server, folder) -> None:
    scene = Scene(server, folder, "chosen calendars")
    output = scene.store.run(
        "import", scene.proxy.url, "--user", "ana", "--password-command", "echo secret", "--only", "Nothing", status=1)
    check("the calendars are" in output and "Work" in output, output)
    scene.imported("--user", "ana", "--password-command", "echo secret", "--only", "Work")
    server.make_calendar("later", "Later", "#00aa00")
    output = scene.store.run("refresh")
    check("new on the server: Later" in output, output)
    check("Later" not in scene.store.run("refresh"), "a new calendar is offered twice")
    scene.store.run("import", scene.proxy.url, "--only", "Later")
    server.request("DELETE", f"{server.home}later/")
    output = scene.store.run("refresh", status=1)
    check("gone from the server" in output, output)
    scene.store.run("remove", "--calendar", "Later")
    scene.store.run("refresh")


def several_accounts(server, folder) -> None:
    """Two servers that take their time take the time of one."""
    scene = Scene(server, folder, "several accounts").imported()
    with caldav_server.Server(folder + "/other") as other:
        other.make_calendar("other", "Other", "#00aa00")
        other.request("PUT", f"{other.home}other/o.ics", event("o", "Other"))
        proxy = Proxy(other.port)
        who = ("--user", "ana", "--password-command", "echo secret")
        single = Store(folder, "single")
        single.run("import", scene.proxy.url, *who)
        scene.store.run("import", proxy.url, *who)
        scene.store.add("Mine")
        scene.store.run("add", "Mine too", "--at", "2026-12-07T10:00", "--for", "1h", "--calendar", "Other")
        server.request("PUT", f"{server.home}work/e9.ics", event("e9", "New"))
        other.request("PUT", f"{other.home}other/o9.ics", event("o9", "New too"))
        for one in (scene.proxy, proxy):
            one.faults = [Late(0.5)]
        start = time.monotonic()
        scene.store.run("refresh")
        both = time.monotonic() - start
        check({"Mine", "Mine too", "New", "New too"} <= set(scene.store.titles()), f"{scene.store.titles()}")
        single.add("Mine alone")
        server.request("PUT", f"{server.home}work/e8.ics", event("e8", "New"))
        start = time.monotonic()
        single.run("refresh")
        one = time.monotonic() - start
        check(both < 1.5 * one, f"{both:.1f} s for two accounts, {one:.1f} s for one")
        print(f"two accounts {both:.2f} s, one {one:.2f} s", file=sys.stderr)


def invitations(server, folder) -> None:
    def scheduling(request, status, fields, body):
        return status, dict(fields, DAV="1, 3, calendar-access, calendar-auto-schedule"), body

    invited = event("i", "Invited", "ORGANIZER:mailto:bo@example.com\r\nATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com\r\n")
    for faults, is_sent in (((Changed(answer=scheduling),), True), ((), False)):
        scene = Scene(server, folder, f"invitations, the server sends: {is_sent}", faults)
        server.request("PUT", f"{server.home}work/i.ics", invited)
        scene.store.run("import", scene.proxy.url, "--user", "ana", "--password-command", "echo secret")
        output = scene.store.run("reply", "i", "--accept", "--from", "2026-12-07", "--days", "1", "--send")
        check(("METHOD:REPLY" in output) != is_sent, output)
        check("PARTSTAT=ACCEPTED" in server.items("work")["i.ics"], "the answer did not reach the server")


def killed(server, folder) -> None:
    """A refresh is killed, or the disk is full, at a call that writes to the store."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        return
    library = f"{folder}/kill-at-call.so"
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kill-at-call.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    generator = random.Random(5)
    for kind in ("kill", "full"):
        scene = Scene(server, folder, f"number of calls, {kind}").imported()
        scene.change_both()
        count = f"{folder}/count"
        subprocess.run(
            [PROGRAM, "refresh"], env=dict(scene.store.environment, LD_PRELOAD=library, FAULT_COUNT=count),
            capture_output=True, stdin=subprocess.DEVNULL)
        # The program that ends last has written its number: agenda.
        calls = int(open(count).read())
        check(calls > 10, f"only {calls} calls")
        points = range(1, calls + 1)
        for point in points if ROUNDS >= 100 else generator.sample(points, min(2 * ROUNDS, calls)):
            scene = Scene(server, folder, f"{kind} at call {point} of {calls}").imported()
            titles = scene.change_both()
            subprocess.run(
                [PROGRAM, "refresh"], capture_output=True, stdin=subprocess.DEVNULL,
                env=dict(scene.store.environment, LD_PRELOAD=library, FAULT_AT=str(point), FAULT_KIND=kind))
            scene.settle(titles)


def pauses(server, folder) -> None:
    scene = Scene(server, folder, "Retry-After").imported()
    titles = scene.change_both()
    scene.proxy.faults = [Changed("PUT", request=lambda request: (503, {"Retry-After": "3600"}, b""))]
    scene.store.run("refresh", status=1)
    before = len(scene.proxy.requests)
    output = scene.store.run("refresh")
    check("the server asked to wait" in output and len(scene.proxy.requests) == before, output)
    scene.settle(titles)


def settling(server, folder) -> None:
    scene = Scene(server, folder, "resolve").imported()
    for number in range(3):
        scene.store.run("edit", f"e{number}", "--title", f"Mine {number}", "--from", "2026-12-07", "--days", "1")
        server.request("PUT", f"{server.home}work/e{number}.ics", event(f"e{number}", f"Theirs {number}"))
    output = scene.store.run("refresh")
    check("3 conflicts" in output, output)
    listed = json.loads(scene.store.run("resolve", "-f", "json"))["conflicts"]
    check([conflict["uid"] for conflict in listed] == ["e0", "e1", "e2"], f"{listed}")
    check(listed[0]["properties"] == [{"name": "SUMMARY", "mine": "Mine 0", "theirs": "Theirs 0"}], f"{listed}")
    check("mine   Mine 0" in scene.store.run("resolve"), "the list lacks a version")
    scene.store.run("resolve", listed[0]["id"], "--mine", "--quiet")
    scene.store.run("undo")
    check(len(json.loads(scene.store.run("resolve", "-f", "json"))["conflicts"]) == 3, "undo did not open the conflict")
    scene.store.run("resolve", "e0", "--mine", "--send")
    check("Mine 0" in scene.server_titles(), "--send did not send")
    scene.store.run("resolve", "theirs 1", "--theirs")
    scene.store.environment["EDITOR"] = "sed -i 's/SUMMARY:Mine.*/SUMMARY:Both/'"
    scene.store.run("resolve", "e2", "--editor")
    scene.settle(["Mine 0", "Theirs 1", "Both", "Event 3"])


def request_counts(server, folder) -> None:
    scene = Scene(server, folder, "requests of an unchanged account").imported()
    before = len(scene.proxy.requests)
    scene.store.run("refresh")
    check(len(scene.proxy.requests) - before == 1, f"{scene.proxy.requests[before:]}")


with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, caldav_server.Server(folder + "/server") as server:
    server.make_calendar("work", "Work", "#3366ff")
    tests = [statuses, lost_answers, cuts, killed, late, wrong_xml, other_data, tokens, without_tokens, tags, credentials,
             kinds_of_addresses, wrong_paths,
             other_names, rights, lists, several_accounts, invitations, pauses, settling,
             request_counts]
    wanted = sys.argv[3:]
    for test in tests:
        if not wanted or test.__name__ in wanted:
            test(server, folder)
print("nothing was lost")
