"""What agenda sends to a CalDAV server, compared with the sentences of RFC 4791 and RFC 6578 that bind a client.

  caldav_requests.py AGENDA

A proxy in front of Radicale keeps all requests, and puts elements into the answers that no specification knows.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
from xml.etree import ElementTree

import icalendar

import caldav_server
from caldav_proxy import Changed, Fault, Proxy

PROGRAM = sys.argv[1]
DAV, CALDAV = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}"
# Of RFC 4791, and the last two of RFC 6638.
KNOWN = {
    "calendar-multiget", "calendar-data", "calendar-home-set", "supported-calendar-component-set",
    "calendar-user-address-set", "schedule-tag"}

ALARMS = (
    "BEGIN:VALARM\r\nACTION:AUDIO\r\nTRIGGER:-PT10M\r\nATTACH;FMTTYPE=audio/basic:https://example.com/bell.au\r\n"
    "END:VALARM\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER;RELATED=START:-PT5M\r\nDESCRIPTION:Now\\, please\r\n"
    "X-COLOUR:red\r\nEND:VALARM\r\nBEGIN:VALARM\r\nACTION:EMAIL\r\nTRIGGER:-P1D\r\nDESCRIPTION:Tomorrow\r\n"
    "SUMMARY:Reminder\r\nATTENDEE:mailto:ana@example.com\r\nEND:VALARM\r\n")


def check(condition: bool, message: str) -> None:
    if not condition:
        raise SystemExit(message)


def event(uid: str, *lines: str) -> str:
    return "\r\n".join([
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//third//EN", "BEGIN:VEVENT", f"UID:{uid}",
        "DTSTAMP:20261101T000000Z", "DTSTART:20261207T100000Z", *lines, "END:VEVENT", "END:VCALENDAR", ""])


class Recorder(Fault):
    """Keeps all requests, and the tokens that the server gave before each of them."""

    def __init__(self):
        super().__init__()
        self.requests: list = []
        self.tokens = {""}

    def before(self, request):
        request.known_tokens = set(self.tokens)
        self.requests.append(request)

    def after(self, request, status, fields, body):
        if status == 207:
            self.tokens |= {token.text or "" for token in ElementTree.fromstring(body).iter(DAV + "sync-token")}
        return status, fields, body


def strange(request, status, fields, body):
    """The answer with elements and attributes that a client has to ignore (RFC 4918, section 17)."""
    if status == 207:
        new = b'<x:new xmlns:x="urn:example" x:a="1"><x:deep>text</x:deep></x:new>'
        body = re.sub(rb"(<(?:\w+:)?multistatus[^>]*>)", rb"\1<!-- note -->" + new, body, count=1)
        body = re.sub(rb"(<(?:\w+:)?(?:prop|response)>)", rb"\1" + new, body)
    return status, fields, body


libical = ctypes.CDLL("libical.so.3")
libical.icalparser_parse_string.restype = ctypes.c_void_p
libical.icalrestriction_check.argtypes = [ctypes.c_void_p]
libical.icalcomponent_count_errors.argtypes = [ctypes.c_void_p]


def is_valid(text: bytes) -> bool:
    component = libical.icalparser_parse_string(text)
    return libical.icalrestriction_check(component) == 1 and libical.icalcomponent_count_errors(component) == 0


def uids(text: str) -> set[str]:
    return {str(part["UID"]) for part in icalendar.Calendar.from_ical(text).subcomponents if part.name != "VTIMEZONE"}


def alarms(text: str) -> list[str]:
    """Byte for byte, as the server stored them."""
    return re.findall(r"BEGIN:VALARM\r\n.*?END:VALARM\r\n", text, re.S)


def check_put(request, collection: str, tags: dict[str, str], server_objects: dict[str, str]) -> None:
    name = urllib.parse.unquote(request.path.removeprefix(collection))
    check(request.path.startswith(collection) and name and "/" not in name, f"the address {request.path}")
    check(request.fields["Content-Type"].split(";")[0] == "text/calendar", f"{request.fields}")
    text = request.body.decode()
    check(is_valid(request.body), f"libical refuses {text}")
    calendar = icalendar.Calendar.from_ical(text)
    check("METHOD" not in calendar, f"a method in {text}")
    kinds = {part.name for part in calendar.subcomponents} - {"VTIMEZONE"}
    check(len(kinds) == 1, f"{kinds} in {text}")
    check(len(uids(text)) == 1, f"several UIDs in {text}")
    named = set(re.findall(r"TZID=([^:;]+)", text.replace("\r\n ", "")))
    defined = {str(part["TZID"]) for part in calendar.subcomponents if part.name == "VTIMEZONE"}
    check(named == defined, f"the zones {named} and the definitions {defined}")
    if name in server_objects:
        check(request.fields.get("If-Match") == tags[name], f"{request.fields}, not {tags[name]}")
        check("If-None-Match" not in request.fields, f"{request.fields}")
        check(uids(server_objects[name]) == uids(text), f"another UID in {name}")
        check(alarms(server_objects[name]) == alarms(text), f"other alarms: {alarms(text)}")
        return
    check(request.fields.get("If-None-Match") == "*" and "If-Match" not in request.fields, f"{request.fields}")
    others = {uid for other in server_objects.values() for uid in uids(other)}
    check(not others & uids(text), f"a UID twice: {uids(text)}")
    # A name that tells nothing.
    for part in [str(part.get("SUMMARY", "")) for part in calendar.subcomponents] + [next(iter(uids(text)))]:
        for word in re.findall(r"\w{4,}", part):
            check(word.lower() not in name.lower(), f"the name {name} has {word}")


def check_report(request, collection: str, names: set[str]) -> None:
    check(request.path == collection, f"a report of {request.path}")
    root = ElementTree.fromstring(request.body)
    if root.tag == CALDAV + "calendar-multiget":
        check("Depth" not in request.fields, "Depth in a multiget")
        for href in root.findall(DAV + "href"):
            check((href.text or "").startswith(collection), f"{href.text} is not in the calendar")
            check((href.text or "").removeprefix(collection) in names, f"{href.text} is not there")
        return
    check(root.tag == DAV + "sync-collection", f"the report {root.tag}")
    check([child.tag for child in root] == [DAV + name for name in ("sync-token", "sync-level", "prop")], f"{root}")
    check(request.fields.get("Depth", "0") == "0" and root.findtext(DAV + "sync-level") == "1", f"{request.fields}")
    token = root.findtext(DAV + "sync-token") or ""
    check(token in request.known_tokens, f"the token {token}, which the server has not given")


def main() -> None:
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder, \
            caldav_server.Server(folder + "/server") as server:
        server.make_calendar("work", "Büro &amp; Co", "#3366ff")
        collection = "/ana/work/"
        server.request("PUT", "ana/work/alarms.ics", event("alarms", "SUMMARY:Alarms", ALARMS.removesuffix("\r\n")))
        server.request("PUT", "ana/work/plain.ics", event("plain", "SUMMARY:Plain"))
        proxy = Proxy(server.port)
        recorder = Recorder()
        proxy.faults = [recorder, Changed("PROPFIND REPORT", answer=strange)]
        environment = dict(
            os.environ, AGENDA_STORE=folder + "/store.sqlite", TZ="Europe/Berlin", LC_ALL="C.UTF-8", HOME=folder)

        def run(*arguments: str) -> str:
            done = subprocess.run(
                [PROGRAM, *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            check(done.returncode == 0, f"agenda {' '.join(arguments)}: {done.returncode} {done.stdout}{done.stderr}")
            return done.stdout

        run("import", proxy.url, "--user", "ana", "--password-command", "echo secret")
        calendars = json.loads(run("calendars", "-f", "json"))["calendars"]
        check([calendar["name"] for calendar in calendars] == ["Büro & Co"], f"{calendars}")
        here = ("--calendar", "Büro & Co")
        window = ("--from", "2026-12-07", "--days", "1")
        run("add", "Confidential talk", "--at", "2026-12-07T12:30", "--for", "1h", *here)
        run("add", "Stand-up", "--at", "2026-12-08T09:00", "--for", "15m", "--repeat", "daily for 4 times", *here)
        run("edit", "stand-up", "--only", "--title", "Long stand-up", "--from", "2026-12-09", "--days", "1")
        run("add", "--task", "Call the plumber", "--due", "2026-12-09", *here)
        # An invitation from a mail moves to the server.
        os.makedirs(folder + "/mails")
        with open(folder + "/mails/merger.ics", "w", newline="") as stream:
            stream.write(event(
                "merger-with-example", "SUMMARY:Merger", "ORGANIZER:mailto:bo@example.com",
                "ATTENDEE:mailto:ana@example.com").replace("VERSION:2.0", "VERSION:2.0\r\nMETHOD:REQUEST"))
        run("import", folder + "/mails")
        run("edit", "merger", *here, *window)
        run("edit", "alarms", "--title", "Alarms are kept", *window)
        server.request("PUT", "ana/work/plain.ics", event("plain", "SUMMARY:Changed by somebody else"))
        server.request("PUT", "ana/work/other.ics", event("other", "SUMMARY:New"))

        objects = server.items("work")
        answer = ElementTree.fromstring(server.request(
            "PROPFIND", "ana/work/", '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>', Depth="1"))
        tags = {
            urllib.parse.unquote(response.findtext(DAV + "href").removeprefix(collection)):
                response.findtext(f".//{DAV}getetag") for response in answer.iter(DAV + "response")}
        run("refresh")

        puts = [request for request in recorder.requests if request.method == "PUT"]
        check(len(puts) == 5, f"{len(puts)} objects were sent")
        for request in puts:
            check_put(request, collection, tags, objects)
        reports = [request for request in recorder.requests if request.method == "REPORT"]
        for request in reports:
            check_report(request, collection, set(server.items("work")))
        kinds = {ElementTree.fromstring(request.body).tag for request in reports}
        check(kinds == {CALDAV + "calendar-multiget", DAV + "sync-collection"}, f"{kinds}")
        for request in recorder.requests:
            if request.body and request.method != "PUT":
                for element in ElementTree.fromstring(request.body).iter():
                    known = not element.tag.startswith(CALDAV) or element.tag.removeprefix(CALDAV) in KNOWN
                    check(known, f"{element.tag} is not of RFC 4791")

        stored = server.items("work")
        check(len(stored) == 7, f"{sorted(stored)}")
        all_uids = [uid for text in stored.values() for uid in uids(text)]
        check(len(all_uids) == len(set(all_uids)) == 7, f"{all_uids}")
        series = [text for text in stored.values() if "SUMMARY:Long stand-up" in text]
        check(len(series) == 1 and "SUMMARY:Stand-up" in series[0], "a series and its override are not in one object")
        check(len(alarms(stored["alarms.ics"])) == 3, stored["alarms.ics"])
        listing = json.loads(run("show", "-f", "json", *window))
        titles = sorted(entry["title"] for section in listing["sections"] for entry in section["entries"])
        expected = ["Alarms are kept", "Changed by somebody else", "Confidential talk", "Merger", "New"]
        check(titles == expected, f"{titles}")
    print("the requests are as RFC 4791 and RFC 6578 ask")


main()
