"""Ways in which an event could get lost between agenda and a server: none of them loses it, and each is said.

  caldav_losses.py AGENDA [TEST…]
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
import tempfile
from urllib.error import HTTPError
from urllib.parse import quote

import caldav_server
from caldav_proxy import Changed, Fault, Proxy, Status
from caldav_scene import Scene, Store, check, event

WHO = ("--user", "ana", "--password-command", "echo secret")
WINDOW = ("--from", "2026-12-07", "--days", "1")
PAGE = b"<!DOCTYPE html><html><body>Log in</body></html>"
HTML = {"Content-Type": "text/html; charset=utf-8"}
TITLES = ["Event 0", "Event 1", "Event 2", "Event 3"]


class TwoCalendars(Scene):
    """A scene with a second calendar, Home, on the same server."""

    def __init__(self, server, folder, name, faults=()):
        super().__init__(server, folder, name, faults)
        if "home" not in listed(server):
            server.make_calendar("home", "Home", "#00aa00")
        for existing in list(server.items("home")):
            server.request("DELETE", f"{server.home}home/{existing}")
        self.imported(*WHO)

    def there(self, name: str) -> list[str]:
        return titles(self.server.items(name)) if name in listed(self.server) else []

    def move(self, uid: str = "e0", calendar: str = "Home") -> None:
        self.store.run("edit", uid, "--calendar", calendar, *WINDOW)

    def settle_both(self, work: list[str], home: list[str]) -> None:
        self.proxy.faults = []
        self.store.run("refresh", "--force")
        check(self.there("work") == sorted(work), f"Work on the server: {self.there('work')}")
        check(self.there("home") == sorted(home), f"Home on the server: {self.there('home')}")
        check(self.store.titles() == sorted(work + home), f"{self.store.titles()}")
        check(self.store.counts() == {"waiting": 0, "conflicts": 0}, f"left: {self.store.counts()}")
        check("no problems found" in self.store.run("doctor"), "the store has problems")


def listed(server) -> list[str]:
    return [name for name in ("work", "home") if os.path.isdir(server.calendar_folder(name))]


def titles(items: dict[str, str]) -> list[str]:
    return sorted(re.search(r"(?m)^SUMMARY:(.*?)\s*$", text).group(1) for text in items.values())


# Versions.


def versions(server, folder) -> None:
    """What another program wrote meanwhile stays, on a server whose schedule tags do not change with it."""
    with caldav_server.Xandikos(folder + "/xandikos") as xandikos:
        xandikos.make_calendar("work", "Work", "#3366ff")
        alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n"
        xandikos.request("PUT", f"{xandikos.home}work/a.ics", event("a", "Lunch"))
        store = Store(folder, "versions")
        store.run("import", xandikos.url, *WHO)
        Scene.place = "another program's lines on Xandikos"
        store.run("edit", "a", "--title", "Mine", *WINDOW)
        store.run("refresh")
        for number, lines in enumerate((alarm, "GEO:54.1;13.7\r\n", "COLOR:red\r\n", "X-OTHER:1\r\n")):
            text = xandikos.items("work")["a.ics"]
            xandikos.request("PUT", f"{xandikos.home}work/a.ics", text.replace("END:VEVENT", lines + "END:VEVENT"))
            store.run("edit", "a", "--title", f"Mine {number}", *WINDOW)
            store.run("refresh")
            found = xandikos.items("work")["a.ics"]
            check(f"Mine {number}" in found, found)
            check(all(line in found for line in lines.split("\r\n")), f"{lines} was overwritten: {found}")
        text = xandikos.items("work")["a.ics"]
        xandikos.request("PUT", f"{xandikos.home}work/a.ics", text.replace("END:VEVENT", "X-LAST:1\r\nEND:VEVENT"))
        store.run("remove", "--event", "a", *WINDOW)
        check("1 conflict" in store.run("refresh"), "a changed object was removed")
        check("X-LAST:1" in xandikos.items("work")["a.ics"], "a changed object was removed")


NAMES = ["a%3Bb.ics", "c%40d.ics", "e%20f.ics", "g%2Bh.ics", "i%2Cj.ics", "k%25l.ics", "m%C3%A9n.ics", "o;p.ics", "q'r.ics"]


def paths(server, folder) -> None:
    """An object is asked for as the server writes its path."""
    def other(request, status, fields, body):
        # Radicale itself does not understand a path with a semicolon.
        return status, fields, body.replace(b"%2B", b"+").replace(b"%40", b"@")

    with caldav_server.Xandikos(folder + "/paths") as xandikos:
        xandikos.make_calendar("work", "Work", "#3366ff")
        for there, faults in (
                (xandikos, ()), (server, ()), (server, (Changed("REPORT", body="multiget", answer=other),)),
                (server, (Changed("REPORT", body="sync-collection", answer=other),))):
            scene = Scene(server, folder, f"paths, {type(there).__name__}, {len(faults)} faults")
            proxy = Proxy(there.port)
            proxy.faults = list(faults)
            for existing in list(there.items("work")):
                there.request("DELETE", f"{there.home}work/{quote(existing)}")
            numbers = []
            for number, name in enumerate(NAMES):
                try:
                    there.request("PUT", f"{there.home}work/{name}", event(f"p{number}", f"Path {number}"))
                    numbers.append(number)
                except HTTPError:
                    pass  # Not every server accepts every name.
            check(len(numbers) > 6, f"only {numbers} of the names")
            scene.store.run("import", proxy.url, *WHO)
            expected = [f"Path {number}" for number in numbers]
            check(scene.store.titles() == expected, f"{scene.store.titles()}")
            for number in numbers:
                scene.store.run("edit", f"p{number}", "--title", f"New {number}", *WINDOW)
            scene.store.run("refresh")
            scene.store.run("refresh", "--force")
            expected = [f"New {number}" for number in numbers]
            check(scene.store.titles() == expected, f"{scene.store.titles()}")
            check(titles(there.items("work")) == expected, f"{titles(there.items('work'))}")
            check(scene.store.counts() == {"waiting": 0, "conflicts": 0}, f"left: {scene.store.counts()}")


# Answers.


def pages(server, folder) -> None:
    """A page with 200 is no answer to PUT or DELETE; an empty 200 is one."""
    page = lambda request: (200, HTML, PAGE)
    scene = Scene(server, folder, "a page as the answer").imported()
    titles = scene.change_both()
    scene.proxy.faults = [Changed("PUT DELETE", request=page)]
    output = scene.store.run("refresh", status=1)
    check("did not answer as a CalDAV server does (200)" in output, output)
    check(scene.store.counts()["waiting"] == 3, f"{scene.store.counts()}")
    scene.settle(titles)
    for name, answer in (("empty", b""), ("a calendar", event("x", "X").encode())):
        scene = Scene(server, folder, f"200, {name}").imported()
        titles = scene.change_both()
        scene.proxy.faults = [Changed("PUT DELETE", answer=lambda request, status, fields, body: (
            200, dict(fields, **{"Content-Type": "text/calendar"}), answer))]
        scene.store.run("refresh")
        check(scene.store.counts()["waiting"] == 0, f"{scene.store.counts()}")
        scene.settle(titles)
    partly = (b"<multistatus xmlns='DAV:'><response><href>/ana/work/e1.ics</href><status>HTTP/1.1 423 Locked</status>"
              b"</response></multistatus>")
    scene = Scene(server, folder, "207 to DELETE").imported()
    titles = scene.change_both()
    scene.proxy.faults = [Changed("DELETE", request=lambda request: (207, {"Content-Type": "text/xml"}, partly))]
    output = scene.store.run("refresh", status=1)
    check("locked" in output or "423" in output, output)
    scene.settle(titles)


class Undelivered(Fault):
    """The server lists an object, and delivers the others only."""

    def __init__(self, name: str, kind: str):
        super().__init__("REPORT GET")
        self.name, self.kind = name, kind

    def before(self, request):
        status = re.fullmatch(r"whole (\d+)", self.kind)
        asked = self.name.encode() in request.body or request.path.endswith(self.name)
        if status and asked:
            return int(status.group(1)), {}, b""
        if request.method == "GET" and asked:
            return 500, {}, b""

    def after(self, request, status, fields, body):
        if b"multiget" not in request.body:
            return status, fields, body

        def change(match):
            response = match.group(0)
            href = re.search(rb"<(?:\w+:)?href>[^<]*</(?:\w+:)?href>", response).group(0)
            if self.name.encode() not in href:
                return response
            if self.kind == "left out":
                return b""
            if self.kind == "empty":
                return re.sub(rb"(?s)(<(?:\w+:)?calendar-data[^>]*>).*?(</(?:\w+:)?calendar-data>)", rb"\1\2", response)
            number = self.kind.split()[-1].encode()
            status = b"<status xmlns='DAV:'>HTTP/1.1 " + number + b" No</status>"
            if self.kind.startswith("property"):
                status = (b"<propstat xmlns='DAV:'><prop><calendar-data xmlns='urn:ietf:params:xml:ns:caldav'/></prop>"
                          + status + b"</propstat>")
            return b"<response xmlns='DAV:'>" + re.sub(rb"<(/?)\w+:href>", rb"<\1href>", href) + status + b"</response>"

        return status, fields, re.sub(rb"(?s)<(?:\w+:)?response>.*?</(?:\w+:)?response>", change, body)


KINDS = ["left out", "empty"] + [f"{way} {status}" for way in ("object", "property") for status in (403, 404, 423, 500)] + [
    f"whole {status}" for status in (404, 423, 500)]


def undelivered(server, folder) -> None:
    """What the server lists and does not deliver stays as it was, and is asked for again."""
    for kind in KINDS:
        scene = Scene(server, folder, f"first import, {kind}", (Undelivered("e2.ics", kind),))
        output = scene.store.run("import", scene.proxy.url, *WHO)
        check("the server did not send e2.ics" in output, output)
        check(scene.store.titles() == ["Event 0", "Event 1", "Event 3"], f"{scene.store.titles()}")
        output = scene.store.run("refresh")
        check("the server did not send e2.ics" in output, output)
        scene.settle(TITLES)

        scene = Scene(server, folder, f"refresh, {kind}").imported()
        titles = scene.change_both()
        scene.proxy.faults = [Undelivered("e2.ics", kind)]
        for _ in range(2):
            output = scene.store.run("refresh")
            check("the server did not send Event 2" in output, output)
            check(set(scene.store.titles()) == set(titles) - {"Theirs"} | {"Event 2"}, f"{scene.store.titles()}")
        scene.settle(titles)
        scene.proxy.faults = []
        check("did not send" not in scene.store.run("refresh"), "it is still said")

    # The own change of such an object waits.
    scene = Scene(server, folder, "changed on both sides").imported()
    scene.store.run("edit", "e2", "--location", "Mine", *WINDOW)
    server.request("PUT", f"{server.home}work/e2.ics", event("e2", "Theirs"))
    scene.proxy.faults = [Undelivered("e2.ics", "object 500")]
    scene.store.run("refresh")
    check("Event 2" in scene.store.titles() and scene.store.counts()["waiting"] == 1, f"{scene.store.counts()}")
    scene.settle(["Event 0", "Event 1", "Theirs", "Event 3"])
    check("LOCATION:Mine" in server.items("work")["e2.ics"], server.items("work")["e2.ics"])


def members(server, folder) -> None:
    """A member with a status of its own is asked for, and is not gone."""
    def refused(status):
        def change(request, code, fields, body):
            def one(match):
                if b"e2.ics" not in match.group(0):
                    return match.group(0)
                return (b"<response xmlns='DAV:'><href>/ana/work/e2.ics</href><status>HTTP/1.1 " + str(status).encode()
                        + b" No</status></response>")
            return code, fields, re.sub(rb"(?s)<(?:\w+:)?response>.*?</(?:\w+:)?response>", one, body)
        return change

    for status in (403, 500):
        for kind, faults in (
                ("sync-collection", [Changed("REPORT", body="sync-collection", answer=refused(status))]),
                ("PROPFIND", [Status(501, "REPORT", body="sync-collection"),
                              Changed("PROPFIND", path="/work/", answer=refused(status))])):
            scene = Scene(server, folder, f"a member with {status}, {kind}").imported()
            scene.proxy.faults = faults
            titles = scene.change_both()
            scene.store.run("refresh", "--force")
            check(set(scene.store.titles()) == set(titles), f"{scene.store.titles()}")
            scene.proxy.faults = faults + [Undelivered("e2.ics", "object 403")]
            server.request("PUT", f"{server.home}work/e2.ics", event("e2", "Later"))
            output = scene.store.run("refresh", "--force")
            check("did not send Theirs" in output and "Theirs" in scene.store.titles(), output)
            scene.settle([title if title != "Theirs" else "Later" for title in titles])


def origins(server, folder) -> None:
    """A server behind another one can write addresses that only it knows."""
    def internal(request, status, fields, body):
        return status, fields, re.sub(rb"(<(?:\w+:)?href>)(/ana/work/)", rb"\1http://internal:8080\2", body)

    scene = Scene(server, folder, "other origins", (Changed(answer=internal),)).imported()
    titles = scene.change_both()
    scene.store.run("refresh")
    check(scene.store.titles() == sorted(titles), f"{scene.store.titles()}")
    scene.settle(titles)

    def elsewhere(request, status, fields, body):
        return status, fields, body.replace(b"/ana/work/e", b"/other/work/e")

    scene = Scene(server, folder, "objects elsewhere", (Changed("REPORT", answer=elsewhere),))
    output = scene.store.run("import", scene.proxy.url, *WHO)
    check("its path is not in this calendar" in output, output)
    scene.settle(TITLES)


def shrinking(server, folder) -> None:
    """Without tokens, a calendar of at most ten objects may lose them all."""
    faults = (Changed("PROPFIND", answer=lambda request, status, fields, body: (
        status, fields, re.sub(rb"<(\w+:)?(sync-token|getctag)>[^<]*</(\w+:)?(sync-token|getctag)>", b"", body).replace(
            b"sync-collection", b"no-collection"))), Status(501, "REPORT", body="sync-collection"))
    scene = Scene(server, folder, "all of a few", faults).imported()
    for name in list(server.items("work")):
        server.request("DELETE", f"{server.home}work/{name}")
    scene.store.run("refresh")
    check(scene.store.titles() == [], f"{scene.store.titles()}")
    scene = Scene(server, folder, "most of many", faults)
    for number in range(4, 12):
        server.request("PUT", f"{server.home}work/e{number}.ics", event(f"e{number}", f"Event {number}"))
    scene.store.run("import", scene.proxy.url, *WHO)
    for number in range(5, 12):
        server.request("DELETE", f"{server.home}work/e{number}.ics")
    check("5 of 12" in scene.store.run("refresh", status=1), "most of the events were removed")
    check(len(scene.store.titles()) == 12, f"{scene.store.titles()}")
    scene.settle(TITLES + ["Event 4"])


# Accounts.


def accounts(server, folder) -> None:
    """An account is an address and a user."""
    as_bo = {"Authorization": "Basic " + base64.b64encode(b"bo:secret").decode()}
    bo = ("--user", "bo", "--password-command", "echo secret")
    server.request(
        "MKCALENDAR", "bo/play/", '<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>'
        "<D:displayname>Play</D:displayname></D:prop></D:set></C:mkcalendar>", **as_bo)
    server.request("PUT", "bo/play/b.ics", event("b", "Of Bo"), **as_bo)
    scene = Scene(server, folder, "two users of a server").imported(*WHO)
    check("ana, /ana/" not in scene.store.run("calendars"), "the user is shown without a need")
    scene.store.run("import", scene.proxy.url, *bo)
    check(scene.store.titles() == TITLES + ["Of Bo"], f"{scene.store.titles()}")
    scene.store.run("edit", "e0", "--title", "Mine", *WINDOW)
    scene.store.run("edit", "b", "--title", "Of Bo too", *WINDOW)
    scene.store.run("refresh")
    check("Mine" in scene.server_titles(), f"{scene.server_titles()}")
    check("Of Bo too" in server.request("GET", "bo/play/b.ics", **as_bo), "the change of the second account")
    calendars = json.loads(scene.store.run("calendars", "-f", "json"))["calendars"]
    found = {calendar["name"]: (calendar["user"], calendar["path"]) for calendar in calendars}
    check(found["Work"] == ("ana", "/ana/work/") and found["Play"] == ("bo", "/bo/play/"), f"{found}")
    output = scene.store.run("calendars")
    check("ana, /ana/work/" in output and "bo, /bo/play/" in output, output)
    output = scene.store.run("import", scene.proxy.url, "--password-command", "echo secret", status=1)
    check("accounts of ana and bo" in output and "--user NAME chooses one" in output, output)
    output = scene.store.run("remove", "--source", scene.proxy.url, status=2)
    check("accounts of ana and bo" in output and "--user NAME chooses one" in output, output)
    scene.store.run("remove", "--source", scene.proxy.url, "--user", "nobody", status=1)
    scene.store.run("remove", "--source", scene.proxy.url, "--user", "bo")
    check("Of Bo too" not in scene.store.titles() and "Mine" in scene.store.titles(), f"{scene.store.titles()}")
    scene.store.run("import", scene.proxy.url, "--password-command", "echo secret", "--user", "bo")
    check("Of Bo too" in scene.store.titles(), f"{scene.store.titles()}")
    scene.store.run("remove", "--source", scene.proxy.url, "--user", "ana")
    check(scene.store.titles() == ["Of Bo too"], f"{scene.store.titles()}")

    with caldav_server.Xandikos(folder + "/shared") as xandikos:
        xandikos.make_calendar("work", "Work", "#3366ff")
        xandikos.request("PUT", f"{xandikos.home}work/a.ics", event("a", "Shared"))
        store = Store(folder, "shared")
        Scene.place = "a calendar that two users share"
        store.run("import", xandikos.url, *WHO)
        output = store.run("import", xandikos.url, *bo)
        check("the same calendar as Work" in output, output)
        found = json.loads(store.run("calendars", "-f", "json"))["calendars"]
        check([calendar["user"] for calendar in found if calendar["kind"] == "caldav"] == ["ana"], f"{found}")
        store.run("refresh")


# Changes of two objects.


def moves(server, folder) -> None:
    """An event leaves its old calendar when the new one has it."""
    rest = TITLES[1:]
    for status in (403, 409, 415, 423, 500, 507):
        scene = TwoCalendars(server, folder, f"a move, {status} for PUT")
        scene.move()
        scene.proxy.faults = [Status(status, "PUT", path="/home/")]
        for _ in range(2):
            output = scene.store.run("refresh", status=1)
            check("not yet moved from Work to Home" in output, output)
            check(scene.there("work") == TITLES and scene.there("home") == [], f"{scene.there('work')}")
        scene.settle_both(rest, ["Event 0"])

    scene = TwoCalendars(server, folder, "a move, a page for PUT")
    scene.move()
    scene.proxy.faults = [Changed("PUT", path="/home/", request=lambda request: (200, HTML, PAGE))]
    scene.store.run("refresh", status=1)
    check(scene.there("work") == TITLES, f"{scene.there('work')}")
    scene.settle_both(rest, ["Event 0"])

    for name in ("Work", "Home"):
        scene = TwoCalendars(server, folder, f"a move, refresh {name}")
        scene.move()
        output = scene.store.run("refresh", name, status=1)
        check("not yet moved from Work to Home" in output, output)
        check(scene.there("work") == TITLES and scene.there("home") == [], f"{scene.there('work')}")
        scene.settle_both(rest, ["Event 0"])

    scene = TwoCalendars(server, folder, "a move, 403 for DELETE")
    scene.move()
    scene.proxy.faults = [Status(403, "DELETE")]
    scene.store.run("refresh", status=1)
    check(scene.there("work") == TITLES and scene.there("home") == ["Event 0"], f"{scene.there('work')}")
    scene.settle_both(rest, ["Event 0"])

    scene = TwoCalendars(server, folder, "a move, lost answer")
    scene.move()
    scene.proxy.faults = [Status(500, "PUT", path="/home/", done=True)]
    scene.store.run("refresh", status=1)
    check(scene.there("work") == TITLES, f"{scene.there('work')}")
    scene.settle_both(rest, ["Event 0"])

    scene = TwoCalendars(server, folder, "a move into a calendar that is gone")
    scene.move()
    server.request("DELETE", f"{server.home}home/")
    output = scene.store.run("refresh", status=1)
    check("gone from the server" in output and "not yet moved" in output, output)
    check(scene.there("work") == TITLES, f"{scene.there('work')}")
    scene.store.run("remove", "--calendar", "Home")
    check(scene.store.titles() == TITLES, f"{scene.store.titles()}")
    check(scene.store.counts()["waiting"] == 0, f"{scene.store.counts()}")
    scene.store.run("undo", "--yes")
    check(scene.store.titles() == TITLES and scene.store.counts()["waiting"] == 2, f"{scene.store.counts()}")
    scene.store.run("redo")
    scene.settle(TITLES)

    scene = TwoCalendars(server, folder, "an event of a calendar that is gone")
    scene.store.run("add", "Only here", "--at", "2026-12-07T10:00", "--calendar", "Home")
    server.request("DELETE", f"{server.home}home/")
    output = scene.store.run("refresh", status=1)
    check("remove" not in output and "agenda edit REF --calendar NAME" in output, output)
    scene.store.run("edit", "Only here", "--calendar", "Work", *WINDOW)
    output = scene.store.run("refresh", status=1)
    check("Only here" in scene.there("work") and "agenda remove --calendar 'Home'" in output, output)

    scene = TwoCalendars(server, folder, "a move and an edit there")
    scene.move()
    server.request("PUT", f"{server.home}work/e0.ics", event("e0", "Theirs"))
    output = scene.store.run("refresh")
    check("1 conflict" in output, output)
    check(scene.there("work") == sorted(rest + ["Theirs"]) and scene.there("home") == [], f"{scene.there('home')}")
    scene.store.run("resolve", "e0", "--mine")
    scene.settle_both(rest, ["Event 0"])

    scene = TwoCalendars(server, folder, "a move is dropped")
    scene.move()
    server.request("PUT", f"{server.home}work/e0.ics", event("e0", "Theirs"))
    scene.store.run("refresh")
    scene.store.run("resolve", "e0", "--theirs")
    check(scene.store.titles() == sorted(rest + ["Theirs"]), f"{scene.store.titles()}")
    scene.settle_both(rest + ["Theirs"], [])


def unique(server, folder) -> None:
    """A server that accepts a UID only once in all calendars of a user moves the object itself."""
    error = b"<error xmlns='DAV:'><C:no-uid-conflict xmlns:C='urn:ietf:params:xml:ns:caldav'/></error>"

    class OnlyOnce(Fault):
        def before(self, request):
            uid = re.search(rb"UID:(\S+)", request.body).group(1)
            if "If-None-Match" in request.fields and any(uid in text.encode() for text in server.items("work").values()):
                return 403, {"Content-Type": "application/xml"}, error

    for edit in ((), ("--title", "Renamed")):
        scene = TwoCalendars(server, folder, f"a UID only once {edit}")
        scene.proxy.faults = [OnlyOnce("PUT", path="/home/")]
        scene.store.run("edit", "e0", "--calendar", "Home", *edit, *WINDOW)
        scene.store.run("refresh")
        check(scene.there("work") == TITLES[1:], f"{scene.there('work')}")
        check(any(request.startswith("MOVE") for request in scene.proxy.requests), "the object was not moved")
        scene.settle_both(TITLES[1:], ["Renamed" if edit else "Event 0"])

    scene = TwoCalendars(server, folder, "a UID only once, no MOVE")
    scene.proxy.faults = [OnlyOnce("PUT", path="/home/"), Status(405, "MOVE")]
    scene.move()
    scene.store.run("refresh", status=1)
    check(scene.there("work") == TITLES, f"{scene.there('work')}")
    scene.settle_both(TITLES[1:], ["Event 0"])


def other_accounts(server, folder) -> None:
    """An event moves to another account."""
    with caldav_server.Server(folder + "/far") as far:
        far.make_calendar("far", "Far", "#00aa00")
        for away in (True, False):
            for origin, target in (("work", "far"), ("far", "work")):
                scene = Scene(server, folder, f"from {origin} to {target}, away: {away}").imported()
                for existing in list(far.items("far")):
                    far.request("DELETE", f"{far.home}far/{existing}")
                far.request("PUT", f"{far.home}far/f.ics", event("f", "Far away"))
                proxy = Proxy(far.port)
                scene.store.run("import", proxy.url, *WHO)
                uid, calendar = ("e0", "Far") if origin == "work" else ("f", "Work")
                scene.store.run("edit", uid, "--calendar", calendar, *WINDOW)
                before = titles(server.items("work")), titles(far.items("far"))
                if away:
                    proxy.faults = [Status(502)]
                    scene.store.run("refresh", status=1)
                    check((titles(server.items("work")), titles(far.items("far"))) == before, "something was sent")
                    proxy.faults = []
                scene.store.run("refresh", "--force")
                moved = (TITLES[1:], ["Event 0", "Far away"]) if origin == "work" else (TITLES + ["Far away"], [])
                found = titles(server.items("work")), titles(far.items("far"))
                check(found == moved, f"{found}")
                check(scene.store.counts() == {"waiting": 0, "conflicts": 0}, f"{scene.store.counts()}")


def following(server, folder) -> None:
    """Of a series that is split, the new one is sent first, and no day is ever missing on the server."""
    series = event("s", "Daily", "RRULE:FREQ=DAILY;COUNT=8\r\nDURATION:PT1H\r\n")
    split = ("edit", "Daily", "--following", "--title", "New", "--from", "2026-12-10", "--days", "1")

    def scene_of(name: str) -> Scene:
        scene = Scene(server, folder, name)
        server.request("PUT", f"{server.home}work/s.ics", series)
        scene.store.run("import", scene.proxy.url, *WHO)
        return scene

    def shown(scene) -> int:
        listing = json.loads(scene.store.run("show", "-f", "json", "--from", "2026-12-01", "--days", "30"))
        entries = [entry for section in listing["sections"] for entry in section["entries"]]
        return sum(entry["title"] in ("Daily", "New", "Their daily") for entry in entries)

    class NewOnly(Status):
        def matches(self, method, path, body):
            return super().matches(method, path, body) and b"SUMMARY:New" in body

    def settle(scene, old: str, *new: str) -> None:
        # The new series begins on a later day than the one that the scene looks at.
        scene.store.run("refresh", "--force")
        check(scene.server_titles() == sorted([*TITLES, old, *new]), f"{scene.server_titles()}")
        check(scene.store.titles() == sorted([*TITLES, old]), f"{scene.store.titles()}")
        check(scene.store.counts() == {"waiting": 0, "conflicts": 0}, f"left: {scene.store.counts()}")

    for status in (403, 415, 500, 507):
        scene = scene_of(f"a new series, {status}")
        scene.store.run(*split)
        scene.proxy.faults = [NewOnly(status, "PUT")]
        for _ in range(2):
            scene.store.run("refresh", status=1)
            check("COUNT=8" in server.items("work")["s.ics"], server.items("work")["s.ics"])
        check(shown(scene) == 8, f"{shown(scene)} days are shown")
        scene.store.run("undo", "--yes")
        scene.settle(TITLES + ["Daily"])

    scene = scene_of("both halves")
    scene.store.run(*split)
    scene.store.run("refresh")
    puts = [request for request in scene.proxy.requests if request.startswith("PUT")]
    check(len(puts) == 2 and puts[1].endswith("/s.ics"), f"{puts}")
    check("New" in scene.server_titles() and "COUNT=8" not in server.items("work")["s.ics"], f"{scene.server_titles()}")
    settle(scene, "Daily", "New")

    scene = scene_of("split twice")
    scene.store.run(*split)
    scene.store.run("edit", "New", "--following", "--title", "Newest", "--from", "2026-12-12", "--days", "1")
    scene.store.run("refresh")
    settle(scene, "Daily", "New", "Newest")

    for choice in ("--mine", "--theirs"):
        scene = scene_of(f"the old half in conflict, {choice}")
        scene.store.run(*split)
        server.request("PUT", f"{server.home}work/s.ics", series.replace("COUNT=8", "COUNT=9").replace("Daily", "Their daily"))
        output = scene.store.run("refresh")
        check("1 conflict" in output, output)
        check("New" not in scene.server_titles(), "one half was sent")
        scene.store.run("resolve", "s", choice)
        if choice == "--theirs":
            check(shown(scene) == 9, f"{shown(scene)} days are shown")
            scene.settle(TITLES + ["Their daily"])
        else:
            check(shown(scene) == 8, f"{shown(scene)} days are shown")
            settle(scene, "Daily", "New")


with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, caldav_server.Server(folder + "/server") as server:
    server.make_calendar("work", "Work", "#3366ff")
    tests = [versions, paths, pages, undelivered, members, origins, shrinking, accounts, moves, unique, other_accounts, following]
    wanted = sys.argv[2:]
    for test in tests:
        if not wanted or test.__name__ in wanted:
            test(server, folder)
print("nothing was lost")
