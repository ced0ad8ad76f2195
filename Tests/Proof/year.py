"""A simulated year: sources that change, two servers, edits, and what goes wrong on a computer in that time."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import hashlib
import http.server
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import threading
import time

import place as places
import speed
from bench import Bench, program, python
from place import Server, build_preload, copied_programs, temporary_folder, wrapper

NAME = "year"
TITLE = "A year in an hour"
ABOUT = (
    "`agenda refresh` runs again and again at simulated times, with web calendars that change at random, two "
    "Radicale servers that others change too, and a folder. Between the runs events are added, changed and removed "
    "in the folder, on the servers and in the local calendar, with `undo` and `redo`, and entries of others are "
    "hidden. The clock goes back an hour, or ahead for a day and back; the zone files become those of another "
    "release; the disk is full at a random write; and the store is replaced by a backup, after which the local "
    "calendar is that of the backup. No command may fail without a fault. Every 30 days and at the end, the store "
    "must show what the simulation knows, and nothing that is hidden. At the end it must show what a new store "
    "shows that imports the same sources, except for hidden events. A refresh must not need more memory at the end, "
    "and the store must not grow beyond a few times the size of the new one.")

ZONE = "Europe/Berlin"
START = datetime.datetime(2026, 1, 5, tzinfo=datetime.timezone.utc)
YEAR = ["--from", "2026-01-01", "--days", "430"]
WORDS = "review lunch planning call training concert dentist workshop visit deadline".split()
# The memory of the last month compared with the second one, and the store with one that was made anew.
MOST_MEMORY = 1.1
MOST_STORE = 4


@dataclasses.dataclass(frozen=True)
class Size:
    days: int
    sources: int
    # Hours from one refresh to the next.
    hours: int
    edits: int
    # When this much time has passed, the simulation ends early.
    seconds: int


class Feed:
    """A calendar on the web."""

    def __init__(self, number: int, chance: random.Random):
        self.number, self.chance = number, chance
        self.events: dict[str, str] = {}
        self.count = 0
        for _ in range(20):
            self.add(START)
        self.update()

    def add(self, now: datetime.datetime) -> None:
        self.count += 1
        uid = f"feed{self.number}-{self.count}"
        self.events[uid] = self.event(uid, now)

    def event(self, uid: str, now: datetime.datetime) -> str:
        hour = self.chance.randrange(8, 20)
        start = now + datetime.timedelta(days=self.chance.randrange(60), hours=hour - now.hour)
        text = (
            f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID={ZONE}:{start:%Y%m%dT%H}0000\r\n"
            f"DURATION:PT{self.chance.choice([30, 60, 90])}M\r\n"
            f"SUMMARY:{self.chance.choice(WORDS)} {self.chance.randrange(1000)}\r\n")
        if self.chance.random() < 0.15:
            text += f"RRULE:FREQ=WEEKLY;COUNT={self.chance.randrange(2, 20)}\r\n"
        if self.chance.random() < 0.1:
            text += "DESCRIPTION:" + "word " * 200 + "\r\n"
        return text + "END:VEVENT\r\n"

    def change(self, now: datetime.datetime) -> None:
        what = self.chance.random()
        if what < 0.3 and len(self.events) < 30 or len(self.events) < 12:
            self.add(now)
        elif what < 0.6:
            del self.events[self.chance.choice(sorted(self.events))]
        else:
            uid = self.chance.choice(sorted(self.events))
            self.events[uid] = self.event(uid, now)
        self.update()

    def update(self) -> None:
        text = (
            f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//feed//EN\r\nX-WR-CALNAME:Feed {self.number}\r\n"
            + "".join(self.events.values()) + "END:VCALENDAR\r\n")
        self.content = text.encode()
        self.tag = f'"{hashlib.blake2b(self.content, digest_size=8).hexdigest()}"'


class Web(http.server.ThreadingHTTPServer):
    """The calendars on the loopback address."""

    daemon_threads = True

    def __init__(self, feeds: list[Feed]):
        super().__init__(("127.0.0.1", 0), Request)
        self.feeds = feeds
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def address(self, number: int) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{number}.ics"


class Request(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        feed = self.server.feeds[int(self.path.strip("/").removesuffix(".ics"))]
        is_known = self.headers.get("If-None-Match") == feed.tag
        self.send_response(304 if is_known else 200)
        self.send_header("ETag", feed.tag)
        self.send_header("Content-Length", "0" if is_known else str(len(feed.content)))
        self.end_headers()
        if not is_known:
            self.wfile.write(feed.content)

    def log_message(self, *_) -> None:
        pass


class Simulation:
    def __init__(self, size: Size, folder: pathlib.Path, agenda: pathlib.Path, seed: int = 1):
        self.size, self.folder, self.agenda = size, folder, agenda
        self.chance = random.Random(seed)
        self.preload = build_preload()
        self.feeds = [Feed(number, random.Random(f"{seed}/{number}")) for number in range(size.sources)]
        self.web = Web(self.feeds)
        self.servers = [Server(folder / name) for name in ("one", "two")]
        self.zones = {name: self.zone_folder(name) for name in ("1999a", "1999b")}
        self.zone = "1999a"
        self.store = folder / "agenda.sqlite"
        self.home = folder / "home"
        self.now = START
        self.problems: list[str] = []
        self.counts: collections.Counter = collections.Counter()
        # Memory in KiB of each refresh, by simulated day, and the size of the store at the end of each day.
        self.memory: dict[int, list[int]] = collections.defaultdict(list)
        self.store_sizes: list[int] = []
        # The title and the day of each own event by its token, in each calendar.
        self.own: dict[str, dict[str, tuple[str, str]]] = {name: {} for name in ("local", "home", "one", "two")}
        self.hidden: set[str] = set()
        self.others: dict[str, int] = {}
        self.numbers = 0

    def zone_folder(self, version: str) -> pathlib.Path:
        """The zone files of a release; in the second one Berlin has no summer time."""
        zones = self.folder / f"zones-{version}"
        shutil.copytree("/usr/share/zoneinfo/Europe", zones / "Europe")
        (zones / "Etc").mkdir()
        shutil.copy("/usr/share/zoneinfo/Etc/UTC", zones / "Etc")
        if version == "1999b":
            (zones / ZONE).unlink()
            shutil.copy("/usr/share/zoneinfo/Africa/Lagos", zones / ZONE)
        (zones / "tzdata.zi").write_text(f"# version {version}\n")
        return zones

    # Commands

    def run(
            self, *arguments: str, store: pathlib.Path | None = None, may_fail: bool = False,
            **fault: str) -> str | None:
        """The output of a command; `None` if it failed, which is a problem unless a fault made it fail."""
        environment = {
            "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": ZONE, "HOME": str(self.folder),
            "AGENDA_STORE": str(store or self.store), "TZDIR": str(self.zones[self.zone])}
        if fault:
            environment |= {"LD_PRELOAD": str(self.preload)} | {f"FAULT_{k.upper()}": v for k, v in fault.items()}
        with open(self.folder / "output", "w+b") as output, open(self.folder / "errors", "w+b") as errors:
            process = subprocess.Popen(
                [self.agenda, *arguments], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            errors.seek(0)
            text, wrong = output.read().decode(), errors.read().decode()
        self.counts["commands"] += 1
        self.peak = usage.ru_maxrss
        if process.returncode == 0:
            return text
        if process.returncode < 0 or not may_fail:
            self.problem(f"agenda {' '.join(arguments)}: {process.returncode}: {wrong[:300] or text[:300]}")
        return None

    def problem(self, text: str) -> None:
        self.problems.append(f"{self.now:%Y-%m-%d %H:%M} {text}")

    def moment(self) -> list[str]:
        return ["--now", f"{self.now:%Y-%m-%dT%H:%M:%SZ}"]

    def refresh(self, may_fail: bool = False, **fault: str) -> int:
        """The number of changes that it received."""
        report = self.run("refresh", "--format", "json", *self.moment(), may_fail=may_fail, **fault)
        self.counts["refreshes"] += 1
        if report is None:
            return 0
        if not fault:
            self.memory[(self.now - START).days].append(self.peak)
        return sum(
            source["added"] + source["updated"] + source["removed"] for source in json.loads(report)["sources"])

    # What happens

    def begin(self) -> None:
        self.home.mkdir()
        (self.home / "first.ics").write_text(places.calendar(places.event("first", "First", 23)))
        for server, name in zip(self.servers, ("one", "two")):
            server.make_calendar("work", name, "#3366ff")
        self.import_all(self.store)

    def import_all(self, store: pathlib.Path) -> None:
        moment = self.moment()
        self.run("import", *map(self.web.address, range(len(self.feeds))), "--quiet", *moment, store=store)
        self.run("import", str(self.home), "--quiet", *moment, store=store)
        for server in self.servers:
            self.run("import", server.url, "--user", "ana", "--password-command", "echo secret", "--quiet", *moment,
                     store=store)

    def change_sources(self) -> None:
        for feed in self.feeds:
            # Two of fifty in an hour.
            if self.chance.random() < 0.04 * self.size.hours:
                feed.change(self.now)
                self.counts["changes of sources"] += 1
        for server in self.servers:
            if self.chance.random() < 0.05 * self.size.hours:
                self.change_server(server)

    def change_server(self, server: Server) -> None:
        """Another client adds, changes or removes an event."""
        known = [name for name in self.others if name.startswith(server.url)]
        self.counts["changes of servers by others"] += 1
        if known and self.chance.random() < 0.3:
            key = self.chance.choice(known)
            server.delete(key.removeprefix(server.url))
            del self.others[key]
            return
        if known and self.chance.random() < 0.5:
            key = self.chance.choice(known)
        else:
            self.numbers += 1
            key = f"{server.url}theirs{self.numbers}"
        self.numbers += 1
        self.others[key] = self.numbers
        server.put(key.removeprefix(server.url), f"theirs {self.numbers}", self.chance.randrange(1, 28))

    def edit(self) -> None:
        """Changes something of one's own, and perhaps takes it back."""
        self.counts["edits"] += 1
        calendar = self.chance.choice(list(self.own))
        events = self.own[calendar]
        what = self.chance.random()
        if what < 0.1:
            self.hide()
            return
        if what < 0.5 or not events:
            self.numbers += 1
            token = f"mine{self.numbers}"
            day = f"{self.now + datetime.timedelta(days=self.chance.randrange(1, 50)):%Y-%m-%d}"
            new = (f"{token} {self.chance.choice(WORDS)}", day)
            at = f"{day}T{self.chance.randrange(8, 20):02}:00"
            command = ["add", new[0], "--at", at, "--for", "1h", "--calendar", calendar]
        else:
            token = self.chance.choice(sorted(events))
            title, day = events[token]
            where = ["--from", day, "--days", "1"]
            if what < 0.8:
                # Another title each time: an edit that changes nothing is no step of undo.
                self.numbers += 1
                new = (f"{token} {self.chance.choice(WORDS)} {self.numbers}", day)
                command = ["edit", token, "--title", new[0], *where]
            else:
                new = None
                command = ["remove", "--event", token, *where]
        if self.run(*command, "--quiet", *self.moment()) is None:
            return
        is_done = True
        while self.chance.random() < 0.3:
            if self.run("undo" if is_done else "redo", "--quiet", *self.moment()) is None:
                return
            self.counts["undo and redo"] += 1
            is_done = not is_done
        if is_done and new:
            events[token] = new
        elif is_done:
            del events[token]

    def hide(self) -> None:
        """Removes an event of somebody else's calendar from one's own view."""
        feed = self.chance.choice(self.feeds)
        uid = self.chance.choice(sorted(feed.events))
        # The last refresh may not have brought it.
        if uid in self.hidden or uid not in self.received:
            return
        if self.run("remove", "--event", uid, "--all", "--quiet", *self.moment()) is not None:
            self.hidden.add(uid)
            self.counts["hidden"] += 1

    def fail(self) -> None:
        """The disk is full at some write of a refresh."""
        self.counts["refreshes with a full disk"] += 1
        self.refresh(may_fail=True, kind="full", at=str(self.chance.randrange(1, 60)), program="agenda")

    def keep(self) -> None:
        """Makes a backup as the documents say: a copy while no command runs."""
        self.backup = self.folder / "backup.sqlite"
        # The last command that ends removes its log, so that the copy has everything.
        if self.store.with_name(self.store.name + "-wal").exists():
            self.problem("the store has a log, although no command runs")
        shutil.copy2(self.store, self.backup)
        self.kept = dict(self.own["local"]), set(self.hidden)

    def restore(self) -> None:
        for name in ("", "-wal", "-shm", "-journal"):
            self.store.with_name(self.store.name + name).unlink(missing_ok=True)
        shutil.copy2(self.backup, self.store)
        # What only the store had is as it was then.
        self.own["local"], self.hidden = dict(self.kept[0]), set(self.kept[1])
        self.counts["restored backups"] += 1

    def hour(self, number: int) -> None:
        """From one refresh to the next."""
        hours = self.size.days * 24 // self.size.hours
        self.now = START + datetime.timedelta(hours=number * self.size.hours)
        self.change_sources()
        middle = hours // 2
        if number % (hours // 9) == hours // 18:
            self.counts["clock changes"] += 1
            self.now -= datetime.timedelta(hours=1)
        elif number % (hours // 9) == hours // 12:
            # A clock that was wrong for a moment.
            self.counts["clock changes"] += 1
            self.now += datetime.timedelta(days=1)
        if number in (middle, middle + hours // 7):
            self.zone = "1999b" if self.zone == "1999a" else "1999a"
            self.counts["releases of tzdata"] += 1
        if number % max(9, hours // 50) == 7:
            self.fail()
        if self.refresh() and self.chance.random() < 0.02:
            # The next refresh brings it back.
            self.run("undo", "--yes", "--quiet", *self.moment())
            self.counts["undo and redo"] += 1
        else:
            self.received = {uid for feed in self.feeds for uid in feed.events}
        if number % (hours // 5) == hours // 20:
            self.keep()
        if number % (hours // 5) == hours // 20 + hours // 25:
            self.restore()
            self.refresh()
        if (number + 1) % (30 * 24 // self.size.hours) == 0:
            # What `undo` took back comes again.
            self.refresh()
            self.compare_with_known(self.listing(self.store))
        while self.counts["edits"] < self.size.edits * (number + 1) / hours:
            self.edit()
        if (number + 1) * self.size.hours % 24 == 0:
            self.store_sizes.append(self.store.stat().st_size)

    def simulate(self) -> None:
        deadline = time.monotonic() + self.size.seconds
        self.received = {uid for feed in self.feeds for uid in feed.events}
        for number in range(self.size.days * 24 // self.size.hours):
            self.hour(number)
            self.days = (number + 1) * self.size.hours / 24
            if time.monotonic() > deadline or len(self.problems) > 20:
                break
        self.now += datetime.timedelta(hours=1)

    # What must hold

    def listing(self, store: pathlib.Path) -> list[dict]:
        """What is shown of the year, without what depends on the store."""
        shown = self.run("show", "--format", "jsonl", *YEAR, *self.moment(), store=store) or ""
        entries = [json.loads(line) for line in shown.splitlines()]
        for entry in entries:
            del entry["indexPath"], entry["id"]
        return entries

    def compare_with_known(self, entries: list[dict]) -> None:
        """The store with what the simulation knows."""
        self.counts["comparisons with what is known"] += 1
        for calendar, events in self.own.items():
            shown = {(entry["title"], entry["start"][:10]) for entry in entries
                     if entry["calendar"] == calendar and entry["title"].startswith("mine")}
            self.compare(f"own events of {calendar}", shown, set(events.values()))
        shown = {entry["uid"] for entry in entries if entry["uid"].startswith("feed")}
        known = {uid for feed in self.feeds for uid in feed.events}
        self.compare("hidden events", shown & self.hidden, set())
        self.compare("events of web calendars", shown - self.hidden, known - self.hidden)
        shown = {entry["title"] for entry in entries if entry["title"].startswith("theirs")}
        self.compare("events of others on servers", shown, {f"theirs {number}" for number in self.others.values()})

    def compare(self, what: str, shown: set, known: set) -> None:
        if shown != known:
            self.problem(
                f"{what}: shown by mistake {sorted(shown - known)[:4]}, missing {sorted(known - shown)[:4]}")

    def finish(self) -> None:
        """The store with what the simulation knows, and with a store that imports the sources now."""
        self.refresh()
        mine = self.listing(self.store)
        self.compare_with_known(mine)
        exported = self.run("export", "local", *self.moment()) or ""
        (self.folder / "local.ics").write_text(exported, newline="")
        fresh = self.folder / "fresh.sqlite"
        self.import_all(fresh)
        self.run(
            "import", str(self.folder / "local.ics"), "--into", "local", "--quiet", *self.moment(), store=fresh)
        # The new store hides nothing.
        new = [entry for entry in self.listing(fresh) if entry["uid"] not in self.hidden]
        old_lines, new_lines = ({json.dumps(entry, sort_keys=True) for entry in entries} for entries in (mine, new))
        difference = sorted(old_lines ^ new_lines)
        if difference:
            self.problem(f"{len(difference)} entries differ from a new store: {difference[0][:300]}")
        if len(mine) != len(new):
            self.problem(f"the store shows {len(mine)} entries, and a new one {len(new)}")
        self.compared = len(mine)
        self.fresh_size = fresh.stat().st_size
        if self.run("doctor", *self.moment()) is None:
            self.problem("doctor finds something")

    def size_factor(self) -> float:
        """The largest size of the store compared with that of a new one."""
        return max(self.store_sizes) / self.fresh_size

    def growth(self) -> float:
        """The memory of a refresh at the end compared with that after a seventh of the time."""
        days = sorted(self.memory)
        part = max(1, len(days) // 12)
        begin = len(days) // 7
        first = [peak for day in days[begin:begin + part] for peak in self.memory[day]]
        last = [peak for day in days[-part:] for peak in self.memory[day]]
        return statistics.median(last) / statistics.median(first)


def simulated(size: Size, folder: pathlib.Path, agenda: pathlib.Path, before_end=None) -> Simulation:
    simulation = Simulation(size, folder, agenda)
    with simulation.servers[0], simulation.servers[1]:
        simulation.begin()
        simulation.simulate()
        if before_end:
            before_end(simulation)
        simulation.finish()
    simulation.web.shutdown()
    simulation.web.server_close()
    return simulation


def run(bench: Bench) -> None:
    python()
    size = bench.choose(
        Size(days=3, sources=10, hours=1, edits=30, seconds=300),
        Size(days=365, sources=50, hours=1, edits=1000, seconds=7200),
        Size(days=365, sources=50, hours=1, edits=1000, seconds=20_000))
    # A whole year needs the optimised program.
    agenda = program() if bench.size == "minutes" else speed.program(bench)
    with temporary_folder() as folder:
        path = pathlib.Path(folder)
        with bench.measure(f".ci/prove --size {bench.size} year") as measured:
            simulation = simulated(size, path, copied_programs(path, agenda))
            counts = simulation.counts
            measured.figure("simulated days", round(simulation.days), f"days of {size.days}",
                            right=round(simulation.days) == size.days)
            measured.figure("web calendars and servers", size.sources + 2, "sources")
            for name in sorted(counts):
                measured.figure(name, counts[name])
            measured.figure("problems", len(simulation.problems), "problems", right=not simulation.problems)
            measured.figure("entries of the year compared with a new store", simulation.compared, "entries",
                            right=simulation.compared > 100)
            growth = round(simulation.growth(), 3)
            measured.figure("memory of a refresh at the end compared with the beginning", growth, "times",
                            right=growth <= MOST_MEMORY)
            factor = round(simulation.size_factor(), 2)
            measured.figure("largest size of the store compared with a new one", factor, "times",
                            right=factor <= MOST_STORE)
            last = simulation.store_sizes[-1] / max(simulation.store_sizes[:max(1, len(simulation.store_sizes) // 2)])
            measured.figure(
                "size of the store at the end compared with the most in the first half", round(last, 2), "times")
    for problem in simulation.problems[:20]:
        print(f"       {problem}")


def sabotage(bench: Bench):
    python()
    size = Size(days=2, sources=3, hours=1, edits=20, seconds=300)

    def with_fault(*lines: str, before_end=None) -> Simulation:
        with temporary_folder() as folder:
            path = pathlib.Path(folder)
            (path / "programs").mkdir()
            (path / "careless").mkdir()
            agenda = copied_programs(path / "programs")
            return simulated(size, path, wrapper(path / "careless/agenda", agenda, *lines), before_end)

    def change_last(simulation: Simulation) -> None:
        (simulation.folder / "is-last").touch()
        simulation.feeds[0].change(simulation.now)
        simulation.change_server(simulation.servers[0])

    def finds(simulation: Simulation, words: str) -> bool:
        return any(words in problem for problem in simulation.problems)

    # Faults that different checks find share a simulation.
    forgetful = with_fault(
        'if [ "$1" = refresh ] && [ -e is-last ]; then echo \'{"sources":[]}\'; exit 0; fi', before_end=change_last)
    yield "a refresh that forgets the last change of a web calendar", finds(forgetful, "events of web calendars")
    yield "a refresh that forgets the last change on a server", finds(forgetful, "events of others on servers")
    yield "a refresh after which a new store shows other entries", finds(forgetful, "differ from a new store")
    lazy = with_fault(
        'if [ "$1" = refresh ]; then "$agenda" "$@"; status=$?; touch agenda.sqlite-wal; exit $status; fi',
        'if [ "$1" = undo ]; then exit 0; fi',
        # What is hidden is an event of a web calendar.
        'case "$1 $3" in "remove feed"*) exit 0;; esac', before_end=Simulation.hide)
    yield "a refresh that leaves its log", finds(lazy, "the store has a log")
    yield "an undo that does nothing", finds(lazy, "own events of")
    yield "a hidden event that is shown again", finds(lazy, "hidden events")
    greedy = with_fault(
        'if [ "$1" = add ]; then "$agenda" "$@"; exit 3; fi',
        'if [ "$1" = refresh ]; then echo >> count; python3 -c "bytearray(2000000 * $(wc -l < count))"; fi',
        'if [ "$1" = refresh ] && [ $(wc -l < count) = 40 ]; then truncate -s +20M agenda.sqlite; fi')
    yield "a command that fails", finds(greedy, "agenda add")
    yield "a refresh that needs more memory each time", greedy.growth() > MOST_MEMORY
    yield "a store that grows", greedy.size_factor() > MOST_STORE
