"""Random steps with two agendas, another client and a CalDAV server, compared with a model after each step.

  caldav_model.py AGENDA SERVER STEPS SEED

SERVER is radicale, radicale-tls, xandikos, davical, cyrus or sabre. The model knows for each agenda what it shows, what the server had when
they last agreed, and which events are conflicts. The agendas edit, remove, move, undo and settle; the other client
writes by plain HTTP. The server is away at times, its tokens expire, and a refresh is killed at a random moment.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import caldav_server

CALENDARS = {"Work": "work", "Home": "home"}
DAYS = 4  # of a series; on its last day nothing changes


class Differs(SystemExit):
    pass


def model_lines() -> int:
    """How many of the last steps a failure shows."""
    return int(os.environ.get("MODEL_LINES", "12"))


def day(number: int) -> str:
    return f"202612{7 + number:02d}"


def new_state(title: str, series: bool) -> dict:
    return {"title": title, "place": "p0", "days": tuple([""] * DAYS) if series else None}


def merge(base: dict | None, mine: dict | None, theirs: dict | None):
    """The result of both changes; `None` if it is a conflict."""
    if mine is None or theirs is None:
        return None
    if base is None:
        # Both created it. What has all of the own lines counts as what was sent, stored with more lines.
        same = all(mine[name] == theirs[name] for name in ("title", "place"))
        days = mine["days"] == theirs["days"] or mine["days"] is not None and theirs["days"] is not None and all(
            own in ("", other) for own, other in zip(mine["days"], theirs["days"]))
        return theirs if same and days else None
    result = dict(theirs)

    def one(old, own, other):
        if own == other or own == old:
            return other
        if other == old:
            return own
        raise ValueError

    try:
        for name in ("title", "place"):
            result[name] = one(base[name], mine[name], theirs[name])
        if theirs["days"] is not None:
            result["days"] = tuple(one(*values) for values in zip(base["days"], mine["days"], theirs["days"]))
    except ValueError:
        return None
    return result


def object_text(uid: str, state: dict) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//third//EN", "BEGIN:VEVENT", f"UID:{uid}",
             "DTSTAMP:20261101T000000Z", f"DTSTART:{day(0)}T100000Z", f"DTEND:{day(0)}T110000Z",
             f"SUMMARY:{state['title']}", f"LOCATION:{state['place']}"]
    if state["days"] is not None:
        lines.append(f"RRULE:FREQ=DAILY;COUNT={DAYS + 1}")
    lines += ["END:VEVENT", "END:VCALENDAR", ""]
    return "\r\n".join(lines)


class Agenda:
    def __init__(self, name: str, program: str, folder: str):
        self.name = name
        self.program = program
        self.environment = dict(
            os.environ, AGENDA_STORE=f"{folder}/{name}.sqlite", TZ="UTC", LC_ALL="C.UTF-8", HOME=folder)
        self.shown: dict = {}
        self.base: dict = {}
        self.conflicts: dict = {}
        self.steps: list = []

    def run(self, *arguments: str, status: int | None = 0) -> str:
        done = subprocess.run(
            [self.program, *arguments], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if status is not None and done.returncode != status:
            raise Differs(f"{self.name}: agenda {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def read(self) -> dict:
        found: dict = {}
        listing = json.loads(self.run("show", "-f", "json", "--from", "2026-12-01", "--days", "60"))
        for section in listing["sections"]:
            for entry in section["entries"]:
                key = (entry["calendar"], entry["uid"])
                found.setdefault(key, []).append(entry)
        states = {}
        for key, entries in found.items():
            if entries[0]["recurrenceId"] is None:
                states[key] = {"title": entries[0]["title"], "place": entries[0]["location"], "days": None}
                continue
            by_day = {int(entry["recurrenceId"][8:10]) - 7: entry for entry in entries}
            last = by_day[DAYS]
            days = []
            for number in range(DAYS):
                entry = by_day.get(number)
                days.append(None if entry is None else "" if entry["title"] == last["title"] else entry["title"])
            states[key] = {"title": last["title"], "place": last["location"], "days": tuple(days)}
        return states

    def conflict_keys(self) -> list:
        return sorted(
            (conflict["calendar"], conflict["uid"])
            for conflict in json.loads(self.run("resolve", "-f", "json"))["conflicts"])

    def held(self) -> list:
        """What arrives in a calendar while the event that left the other one is in conflict: it is not sent."""
        conflicts = self.open_conflicts()
        return sorted(
            key for key in self.shown if key not in self.base
            and None in conflicts.get((other_calendar(key[0]), key[1]), []))

    def open_conflicts(self) -> dict:
        """A conflict is settled by itself if both versions are equal again."""
        found = {}
        for key, versions in self.conflicts.items():
            different = [version for version in versions if version != self.shown.get(key)]
            if different:
                found[key] = different
        return found

    def write(self, key, state) -> None:
        self.steps.append((key, self.shown.get(key)))
        put(self.shown, key, state)

    def refresh(self, server: dict) -> None:
        """What a refresh does, in the model."""
        received = False
        # What arrives is sent when the state of the calendar that it leaves is known.
        for key in sorted(set(self.shown) | set(self.base) | set(server), key=lambda key: (
                key in self.shown and key not in self.base and key not in server, key)):
            if key not in server and key in self.held():
                continue
            mine, base, theirs = self.shown.get(key), self.base.get(key), server.get(key)
            result, conflict = theirs, False
            if mine != base and mine != theirs:
                if theirs == base:
                    result = mine
                else:
                    result = merge(base, mine, theirs)
                    if result is None:
                        result, conflict = theirs, True
                        self.conflicts.setdefault(key, []).append(mine)
            if result != mine or conflict:
                received = True
            if result != mine and key in self.conflicts:
                # The server has the own version now.
                self.conflicts[key] = [version for version in self.conflicts[key] if version != result]
                if not self.conflicts[key]:
                    del self.conflicts[key]
            put(self.shown, key, result)
            put(self.base, key, result)
            put(server, key, result)
        if received:
            self.steps = []


def other_calendar(name: str) -> str:
    return "Home" if name == "Work" else "Work"


def put(states: dict, key, state) -> None:
    if state is None:
        states.pop(key, None)
    else:
        states[key] = state


class Model:
    def __init__(self, program: str, server: caldav_server.Server, folder: str, seed: int):
        self.random = random.Random(seed)
        self.server = server
        self.objects: dict = {}
        self.agendas = [Agenda("first", program, folder), Agenda("second", program, folder)]
        self.count = 0
        self.log: list[str] = []

    def token(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    # The server.

    def server_objects(self) -> dict:
        states = {}
        for title, name in CALENDARS.items():
            for text in self.server.items(name).values():
                uid = re.search(r"^UID:(\S+)", text, re.M).group(1)
                states[(title, uid)] = parsed(text)
        return states

    def path_of(self, key) -> str:
        folder = CALENDARS[key[0]]
        for name, text in self.server.items(folder).items():
            if re.search(rf"^UID:{re.escape(key[1])}\s*$", text, re.M):
                return f"{self.server.home}{folder}/{name}", text
        raise Differs(f"no object for {key}")

    def third(self) -> str:
        keys = sorted(self.objects)
        if not keys or self.random.random() < 0.2:
            uid = self.token("third")
            key = (self.random.choice(list(CALENDARS)), uid)
            state = new_state(self.token("t"), self.random.random() < 0.4)
            self.server.request("PUT", f"{self.server.home}{CALENDARS[key[0]]}/{uid}.ics", object_text(uid, state))
            self.objects[key] = state
            return f"third adds {key}"
        key = self.random.choice(keys)
        path, text = self.path_of(key)
        state = dict(self.objects[key])
        action = self.random.choice(["title", "place", "delete", "day"])
        if action == "delete":
            self.server.request("DELETE", path)
            del self.objects[key]
            return f"third deletes {key}"
        if action == "day" and state["days"] is not None and "" in state["days"]:
            number = state["days"].index("")
            days = list(state["days"])
            days[number] = None
            state["days"] = tuple(days)
            text = changed_master(
                text, lambda master: master.replace("END:VEVENT", f"EXDATE:{day(number)}T100000Z\nEND:VEVENT"))
        elif action == "title":
            state["title"] = self.token("t")
            text = changed_master(text, lambda master: re.sub(r"(?m)^SUMMARY:.*$", "SUMMARY:" + state["title"], master))
        else:
            action = "place"
            state["place"] = self.token("p")
            text = changed_master(text, lambda master: re.sub(r"(?m)^LOCATION:.*$", "LOCATION:" + state["place"], master))
        self.server.request("PUT", path, text)
        self.objects[key] = state
        return f"third changes {action} of {key}"

    # The agendas.

    def local(self, agenda: Agenda) -> str:
        # Until a conflict is settled, the event cannot be changed otherwise.
        conflicts = agenda.open_conflicts()
        keys = sorted(key for key in agenda.shown if key not in conflicts)
        action = self.random.choice(["add", "title", "place", "remove", "move", "undo", "day", "day", "resolve"])
        if action == "resolve":
            if not conflicts:
                action = "title"
            else:
                key = self.random.choice(sorted(conflicts))
                self.refused(agenda, key)
                return self.resolve(agenda, key)
        if action == "undo":
            if agenda.steps:
                key, state = agenda.steps.pop()
                for part_key, part_state in (key if isinstance(key, list) else [(key, state)]):
                    put(agenda.shown, part_key, part_state)
                agenda.run("undo", "--yes")
                return f"{agenda.name} undoes {key}"
            action = "add"
        if action == "add" or not keys:
            title = self.token("a")
            calendar = self.random.choice(list(CALENDARS))
            agenda.run("add", title, "--at", "2026-12-07T10:00", "--for", "1h", "--location", "p0", "--calendar", calendar)
            key = next(key for key, state in agenda.read().items() if state["title"] == title)
            agenda.write(key, new_state(title, False))
            return f"{agenda.name} adds {key}"
        key = self.random.choice(keys)
        state = dict(agenda.shown[key])
        reference = f"{key[0]}/{key[1]}"
        # Of a series, the last occurrence is named: with --all, the named one gets the new value, too.
        first = "2026-12-01" if state["days"] is None else f"2026-12-{7 + DAYS:02d}"
        window = ["--from", first, "--days", "30"]
        scope = ["--all"] if state["days"] is not None else []
        if action == "day":
            free = [n for n in range(DAYS) if state["days"] and state["days"][n] is not None]
            if free:
                number = self.random.choice(free)
                days = list(state["days"])
                only = ["--from", f"2026-12-{7 + number:02d}", "--days", "1"]
                if self.random.random() < 0.5:
                    days[number] = None
                    agenda.run("remove", "--event", reference, "--only", *only)
                else:
                    days[number] = self.token("d")
                    agenda.run("edit", reference, "--only", "--title", days[number], *only)
                state["days"] = tuple(days)
                agenda.write(key, state)
                return f"{agenda.name} changes day {number} of {key} to {days[number]}"
            action = "title"
        if action == "title":
            state["title"] = self.token("t")
            agenda.run("edit", reference, "--title", state["title"], *scope, *window)
            agenda.write(key, state)
            return f"{agenda.name} changes title of {key} to {state['title']}"
        if action == "place":
            state["place"] = self.token("p")
            agenda.run("edit", reference, "--location", state["place"], *scope, *window)
            agenda.write(key, state)
            return f"{agenda.name} changes place of {key} to {state['place']}"
        if action == "move":
            other = (other_calendar(key[0]), key[1])
            if other not in agenda.shown and other not in conflicts:
                agenda.run("edit", reference, "--calendar", other[0], *scope, *window)
                agenda.steps.append(([(key, agenda.shown[key]), (other, None)], None))
                put(agenda.shown, other, agenda.shown[key])
                put(agenda.shown, key, None)
                return f"{agenda.name} moves {key}"
        agenda.run("remove", "--event", reference, *scope, *window)
        agenda.write(key, None)
        return f"{agenda.name} removes {key}"

    def refused(self, agenda: Agenda, key) -> None:
        state = agenda.shown.get(key)
        if state is None:
            return
        first = "2026-12-01" if state["days"] is None else f"2026-12-{7 + DAYS:02d}"
        agenda.run(
            "edit", f"{key[0]}/{key[1]}", "--title", "refused", *(["--all"] if state["days"] is not None else []),
            "--from", first, "--days", "30", status=1)

    def resolve(self, agenda: Agenda, key) -> str:
        # Only the single conflict of a UID has a name of its own.
        conflicts = agenda.open_conflicts()
        if len(agenda.conflicts[key]) > 1 or sum(other[1] == key[1] for other in conflicts) > 1:
            return f"{agenda.name} leaves {key}"
        held = agenda.held()
        mine = agenda.conflicts.pop(key)[0]
        agenda.steps = []
        if self.random.random() < 0.5:
            agenda.run("resolve", key[1], "--mine")
            put(agenda.shown, key, mine)
            return f"{agenda.name} keeps its {key}"
        agenda.run("resolve", key[1], "--theirs")
        if mine is None and (other_calendar(key[0]), key[1]) in held:
            put(agenda.shown, (other_calendar(key[0]), key[1]), None)
        return f"{agenda.name} takes the server's {key}"

    def refresh(self, agenda: Agenda) -> str:
        kind = self.random.random()
        if kind < 0.08:
            self.server.stop()
            agenda.run("refresh", status=1)
            self.server.start()
            return f"{agenda.name} cannot reach the server"
        if kind < 0.14:
            self.server.expire_tokens()
        if kind < 0.24:
            process = subprocess.Popen(
                [agenda.program, "refresh"], env=agenda.environment, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
            time.sleep(self.random.random() * 0.15)
            process.send_signal(signal.SIGKILL)
            process.wait()
        agenda.run("refresh", "--allow-shrink")
        agenda.refresh(self.objects)
        return f"{agenda.name} refreshes"

    def step(self) -> None:
        agenda = self.random.choice(self.agendas)
        kind = self.random.random()
        if kind < 0.25:
            self.log.append(self.third())
        elif kind < 0.7:
            self.log.append(self.local(agenda))
        else:
            self.log.append(self.refresh(agenda))
            self.compare("the server", self.objects, self.server_objects())
        self.compare(agenda.name, agenda.shown, agenda.read())

    def compare(self, name: str, expected: dict, found: dict) -> None:
        if expected == found:
            return
        lines = [f"{name} differs from the model:"]
        for key in sorted(set(expected) | set(found)):
            if expected.get(key) != found.get(key):
                lines.append(f"  {key}: expected {expected.get(key)}, found {found.get(key)}")
        raise Differs("\n".join(self.log[-model_lines():] + lines))

    def finish(self) -> None:
        for agenda in self.agendas * 3:
            agenda.run("refresh", "--allow-shrink")
            agenda.refresh(self.objects)
        for agenda in self.agendas:
            held = agenda.held()
            shown = self.objects | {key: agenda.shown[key] for key in held}
            self.compare(agenda.name, shown, agenda.read())
            expected = sorted(key for key, versions in agenda.open_conflicts().items() for _ in versions)
            if expected != agenda.conflict_keys():
                raise Differs(f"{agenda.name}: conflicts {agenda.conflict_keys()}, expected {expected}")
            waiting = json.loads(agenda.run("calendars", "-f", "json"))["calendars"]
            if sum(calendar["waiting"] for calendar in waiting) != len(held):
                raise Differs(f"{agenda.name} has changes that wait; expected {held}")
            if "no problems found" not in agenda.run("doctor"):
                raise Differs(f"{agenda.name}: the store has problems")
        self.compare("the server", self.objects, self.server_objects())


def changed_master(text: str, change) -> str:
    """The text of an object after a change of its series."""
    parts = re.split(r"(?ms)(^BEGIN:VEVENT.*?^END:VEVENT\s*?$)", text.replace("\r\n", "\n"))
    parts = [change(part) if part.startswith("BEGIN:VEVENT") and "RECURRENCE-ID" not in part else part for part in parts]
    return "".join(parts).replace("\n", "\r\n")


def parsed(text: str) -> dict:
    events = re.findall(r"(?ms)^BEGIN:VEVENT.*?^END:VEVENT", text.replace("\r\n", "\n").replace("\n ", ""))
    value = lambda event, name: next(iter(re.findall(rf"(?m)^{name}[^:\n]*:(.*)$", event)), None)
    master = next(event for event in events if "RECURRENCE-ID" not in event)
    state = {"title": value(master, "SUMMARY"), "place": value(master, "LOCATION"), "days": None}
    if "RRULE" in master:
        days: list = [""] * DAYS
        for event in events:
            if event is not master:
                days[int(value(event, "RECURRENCE-ID")[6:8]) - 7] = value(event, "SUMMARY")
        for line in re.findall(r"(?m)^EXDATE[^:\n]*:(.*)$", master):
            for date in line.split(","):
                days[int(date[6:8]) - 7] = None
        state["days"] = tuple(days)
    return state


def main() -> None:
    program, kind, steps, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with tempfile.TemporaryDirectory(dir=caldav_server.memory()) as folder:
        with caldav_server.named(kind, folder + "/server") as server:
            for title, name in CALENDARS.items():
                server.make_calendar(name, title, "#3366ff")
            model = Model(program, server, folder, seed)
            for agenda in model.agendas:
                agenda.run(
                    "import", server.url, "--user", "ana", "--password-command", "echo secret",
                    *(["--cacert", server.certificate] if server.tls else []))
            for _ in range(steps):
                try:
                    model.step()
                except (OSError, StopIteration) as error:
                    raise Differs("\n".join(model.log[-model_lines():] + [f"{type(error).__name__}: {error}"]))
            model.finish()
            conflicts = sum(len(versions) for agenda in model.agendas for versions in agenda.open_conflicts().values())
    print(f"{steps} steps, the same everywhere")
    print(f"{len(model.objects)} events, {conflicts} conflicts left", file=sys.stderr)


main()
