"""Commands that write fail, are killed or lose the power at each of their system calls and allocations."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import time
import typing

import powercut
from bench import ROOT, Bench, Skipped, python
from place import NOW, Place, Server, State, build_preload, calendar, copied_programs, event, temporary_folder, wrapper

NAME = "failures"
TITLE = "Failures at every point"
ABOUT = (
    "A command runs with a layer between it and the system that makes one call or one allocation fail, or kills the "
    "program there. Afterwards the calendars, the export and the files of the folder must be those from before or "
    "those from after, `doctor` must find nothing, and the next run must succeed and lead to the state that the "
    "command leads to without a fault. If a file of a folder cannot be read, the command must name it and exit with "
    "1, and the state must be the one in which this file alone has its old events, or none. Before `doctor "
    "--rebuild`, the times of all events in the index are wrong, so that a half-built index shows some of them. A "
    "short or interrupted call is no failure: the command must succeed nevertheless. For power cuts, all that the "
    "command does to files is recorded, and the files are made as they can be after each operation: what was not "
    "yet written to the disk is there, is missing, is there in part, or is torn between two sectors. Of a "
    "synchronisation, Radicale has the objects from before or from after, one by one, and the next run makes both "
    "sides equal with nothing doubled: such a state is counted as between both. So is a store whose tables are "
    "those of the new version and whose index is not yet made again, or lacks a zone that could not be read. With "
    "`--size minutes` only some points are tried, evenly spread; with `--size hour` as many as fit into 20 minutes, "
    "of SQLite's allocations at most 200 of each command.")


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of fault. The names of `fault` are those of kill-at-call.c."""

    name: str
    what: str
    fault: dict[str, str]
    # A command must cope with it.
    is_harmless: bool = False
    is_about_network: bool = False


def network(program: str) -> list[Kind]:
    return [
        Kind(f"net-{name}, {program}", f"{program}: {what}", {"kind": f"net-{name}", "program": program},
             is_harmless, is_about_network=True)
        for name, what, is_harmless in [
            ("kill", "killed before a call that opens, connects, writes to or reads from a socket", False),
            ("error", "such a call fails (ECONNRESET and others)", False),
            ("short", "half of the bytes are written to or read from a socket", True),
            ("interrupted", "writing to or reading from a socket is interrupted (EINTR)", True)]]


KINDS = [
    *[Kind(name, what, {"kind": name, "program": "agenda"}, is_harmless) for name, what, is_harmless in [
        ("kill", "killed before a call that changes a file", False),
        ("full", "the disk is full from a write on", False),
        ("error", "a call that changes a file fails (EIO)", False),
        ("short", "a write writes half of its bytes", True),
        ("interrupted", "a write is interrupted (EINTR)", True),
        ("descriptors", "a file cannot be opened (EMFILE)", False),
        ("unreadable", "a reading of a file fails (EIO)", False),
        ("pieces", "a reading of a file gives half of the bytes", True)]],
    *[Kind(f"memory of {name}", f"an allocation of {name} fails",
           {"kind": "memory", "library": library, "program": "agenda"})
      for name, library in [("libical", "libical.so"), ("SQLite", "libsqlite3.so")]],
    *network("agenda"),
    *network("agenda-fetch"),
]
# With these, a file of a folder or of a zone cannot be read.
CANNOT_READ = ("descriptors", "unreadable")
POWER = Kind("power", "the power is cut after an operation on a file", {})

LONG = "DESCRIPTION:" + "word " * 3000
OLD = {
    "series.ics": calendar(event("series", "Series", 23, "RRULE:FREQ=DAILY;COUNT=6")),
    "single.ics": calendar(event("single", "Single", 24, LONG)),
    "zoned.ics": calendar(event("zoned", "Zoned", 24, "RRULE:FREQ=WEEKLY;COUNT=9", zone="America/New_York")),
}
NEW = {
    "series.ics": calendar(event("series", "Series", 23, "RRULE:FREQ=DAILY;COUNT=4")),
    "zoned.ics": calendar(event("zoned", "Zoned", 25, "RRULE:FREQ=WEEKLY;COUNT=9", zone="America/New_York")),
    "other.ics": calendar(
        event("other", "Other", 25, LONG, "GEO:54.1;13.7", "ATTACH;VALUE=BINARY;ENCODING=BASE64:AAAA")),
}
IMPORT = ["import", "home", "--quiet", *NOW]
EDIT = ["edit", "series", "--all", "--title", "Edited", *NOW]
REFRESH = ["refresh", "--quiet", *NOW]
# Seconds.
YEARS = 10 * 366 * 86400
# The name of a file that agenda skips.
SKIPPED = re.compile(rb"([^/\n]+): error: [^\n]*; file skipped")


def old_tables(place: Place) -> None:
    """The store of an older version."""
    path = place.folder / "agenda.sqlite"
    store = sqlite3.connect(path)
    store.executescript((ROOT / "Fixtures/stores/version1.sql").read_text())
    store.close()
    path.chmod(0o600)


def wrong_index(place: Place) -> None:
    """The index has other times for all events, so that nobody finds them."""
    store = sqlite3.connect(place.folder / "agenda.sqlite")
    store.execute(f"UPDATE component SET span_begin = span_begin + {YEARS}, span_end = span_end + {YEARS}")
    store.commit()
    store.close()


def old_zones(place: Place) -> None:
    """From here on, the time zones are those of an earlier release."""
    folder = place.around / "zoneinfo"
    if not folder.exists():
        folder.mkdir()
        for path in pathlib.Path("/usr/share/zoneinfo").iterdir():
            if path.name not in ("tzdata.zi", "+VERSION"):
                (folder / path.name).symlink_to(path)
        (folder / "tzdata.zi").write_text("# version 1999z\n")
    place.environment = {"TZDIR": str(folder)}


def new_zones(place: Place) -> None:
    place.environment = {}


def fill_server(place: Place) -> None:
    place.server.empty()
    for number in range(4):
        place.server.put(f"e{number}", f"Event {number}")


def import_account(place: Place) -> None:
    done = place.run(
        "import", place.server.url, "--user", "ana", "--password-command", "echo secret", "--quiet", *NOW)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())


def change_server(place: Place) -> None:
    place.server.put("e2", "Theirs")
    place.server.delete("e3")
    place.server.put("e9", "New", 25)


@dataclasses.dataclass(frozen=True)
class Scenario:
    """What happens before, and the command that fails."""

    steps: list
    command: list[str]
    # Only what is derived changes, so that nobody sees a difference.
    is_derived: bool = False
    needs_server: bool = False
    # The command reads the files of the folder, and leaves out those that it cannot read.
    imports_folder: bool = False
    # `doctor` finds problems before the command.
    is_damaged: bool = False

    def files(self) -> tuple[dict[str, str], dict[str, str]]:
        """The files of the folder at the last import, if there was one, and now."""
        files = [step for step in self.steps if isinstance(step, dict)]
        return files[-2] if len(files) > 1 else {}, files[-1]


SCENARIOS = {
    "import": Scenario([OLD], IMPORT, imports_folder=True),
    "refresh": Scenario([OLD, IMPORT, NEW], REFRESH, imports_folder=True),
    "edit": Scenario([OLD, IMPORT], EDIT),
    "undo": Scenario([OLD, IMPORT, EDIT], ["undo", *NOW]),
    "doctor --rebuild": Scenario(
        [OLD, IMPORT, wrong_index], ["doctor", "--rebuild", *NOW], is_damaged=True),
    "show, older tables": Scenario([old_tables], ["show", *NOW], is_derived=True),
    "show, other time zones": Scenario([OLD, old_zones, IMPORT, new_zones], ["show", *NOW], is_derived=True),
    "refresh, CalDAV": Scenario(
        [fill_server, import_account,
         ["add", "Added", "--at", "2026-11-24T10:00", "--for", "1h", "--calendar", "Work", *NOW],
         ["edit", "e0", "--title", "Mine", *NOW], ["remove", "--event", "e1", *NOW], change_server],
        REFRESH, needs_server=True),
}


class Expected(typing.NamedTuple):
    old: State
    new: State
    old_derived: tuple | None = None
    new_derived: tuple | None = None
    # What there is if this file alone cannot be read.
    skipped: dict[str, State] = {}


class Outcome(typing.NamedTuple):
    # old, new, skipped, between or neither
    state: str
    problems: list[str]
    signal: int = 0


def state_of(found: State, expected: Expected) -> str:
    if found == expected.new:
        return "new"
    if found == expected.old:
        return "old"
    old, new = dict(expected.old.objects), dict(expected.new.objects)
    are_objects_whole = all(
        dict(found.objects).get(name) in (old.get(name), new.get(name))
        for name in {name for name, _ in found.objects} | old.keys() | new.keys())
    if found.objects and are_objects_whole and found.here() in (expected.old.here(), expected.new.here()):
        return "between"
    return "neither"


def state_of_derived(found: tuple, expected: Expected, kind: Kind) -> str:
    # Tables and index are brought up to date one after the other, and the next command goes on.
    between = expected.new_derived[0], expected.old_derived[1]
    states = {between: "between", expected.old_derived: "old", expected.new_derived: "new"}
    # An index that lacks a zone, because its file could not be read, says so. The next command makes it again.
    lacks_zone = kind.name in CANNOT_READ and found[0] == expected.new_derived[0]
    return states.get(found, "between" if lacks_zone else "neither")


def judge(place: Place, scenario: Scenario, expected: Expected, kind: Kind,
          done: subprocess.CompletedProcess | None, must_be_new: bool = False) -> Outcome:
    """Looks at what a fault has left behind. `done` is the command with the fault, if it ran here."""
    problems = []
    derived = place.derived() if scenario.is_derived else None
    if place.server:
        place.server.quiet()
    # A command that was killed is finished or taken back by the next one that looks.
    found = place.state()
    state = state_of(found, expected)
    if scenario.is_derived and state == "new":
        state = state_of_derived(derived, expected, kind)
    status = done.returncode if done else None
    skipped = {name.decode() for name in SKIPPED.findall(done.stderr)} if done else set()
    if skipped and kind.name in CANNOT_READ:
        # One call fails, so one file cannot be read, and the others come in.
        state = "skipped" if [found] == [expected.skipped.get(name) for name in skipped] else "neither"
        if state == "neither":
            problems.append(f"the state is not the one without {', '.join(sorted(skipped))} alone")
        if status != 1:
            problems.append(f"a file was skipped with the exit code {status}")
    elif state == "neither":
        problems.append("the state is neither the old nor the new one")
    if kind.is_harmless and status != 0:
        problems.append(f"the command failed: {done.stderr.decode(errors='replace').strip()[:200]}")
    if (status == 0 or must_be_new) and state in ("old", "between") and expected.old != expected.new:
        problems.append("the command succeeded and changed nothing" if state == "old" else
                        "the command succeeded with a part of the changes")
    signal = -status if status is not None and status < 0 and not kind.name.startswith(("kill", "net-kill")) else 0
    doctor = place.run("doctor", *NOW)
    is_damaged = scenario.is_damaged and state == "old"
    if doctor.returncode != (1 if is_damaged else 0):
        problems.append(f"doctor: exit code {doctor.returncode}: {doctor.stdout.decode(errors='replace')[-200:]}")
    # A first import that succeeded has a source; without one there is nothing to refresh.
    again = place.run(*(scenario.command if state in ("old", "skipped") or scenario.is_derived else REFRESH))
    # First, because the commands that look at the state would make it again.
    derived = place.derived() if scenario.is_derived else None
    if again.returncode != 0:
        problems.append(f"the next run fails: {again.stderr.decode(errors='replace').strip()[:200]}")
    elif place.state() != expected.new or derived != expected.new_derived:
        problems.append("the next run does not lead to the new state")
    elif place.server:
        calendars = json.loads(place.run("calendars", "-f", "json").stdout)["calendars"]
        if any(calendar["waiting"] or calendar["conflicts"] for calendar in calendars):
            problems.append("something still waits after the next run")
    return Outcome(state, problems, signal)


def attempt(place: Place, scenario: Scenario, expected: Expected, kind: Kind, at: int) -> Outcome:
    place.reset()
    done = place.run(*scenario.command, at=str(at), **kind.fault)
    return judge(place, scenario, expected, kind, done)


class Recording:
    """What a command does to the files of a place."""

    def __init__(self, place: Place, scenario: Scenario, most: int | None, ignores_sync: bool = False):
        place.reset()
        self.place, self.scenario = place, scenario
        # A copy for each cut has other numbers of files, so the first state is kept.
        self.start = powercut.Disk(place.folder)
        log = place.around / "log"
        log.unlink(missing_ok=True)
        done = place.run(
            *scenario.command, kind="record", log=str(log), root=str(place.folder), program="agenda")
        if done.returncode != 0:
            raise AssertionError(f"{scenario.command}: {done.stderr.decode()}")
        self.operations = [
            operation for operation in powercut.read_log(log) if not (ignores_sync and operation.kind == "S")]
        # To find all different images takes some seconds, so a few are looked for at a few moments only.
        moments = {number - 1 for number in spread(len(self.operations) + 1, most)}
        self.cuts = powercut.cuts(self.start.copy(), self.operations, moments)

    def attempt(self, expected: Expected, cut: powercut.Cut) -> Outcome:
        place = self.place
        place.reset()
        powercut.write(place.folder, powercut.image(self.start.copy(), self.operations, cut))
        if place.server:
            # The server has done what it was asked until then.
            sent = b"".join(one.data for one in self.operations[:cut.at] if one.kind == "N")
            old, new = dict(expected.old.objects), dict(expected.new.objects)
            place.server.write_objects({
                name: text for name in old.keys() | new.keys()
                if (text := (new if name.encode() in sent else old).get(name)) is not None})
        return judge(place, self.scenario, expected, POWER, None, cut.is_after_end)


def expectation(place: Place, scenario: Scenario) -> Expected:
    place.prepare(scenario.steps)
    old_derived = place.derived() if scenario.is_derived else None
    old = place.state()
    place.reset()
    run_without_fault(place, scenario)
    new_derived = place.derived() if scenario.is_derived else None
    new = place.state()
    skipped = {}
    before, after = scenario.files() if scenario.imports_folder else ({}, {})
    for name in after:
        # A file that cannot be read is as it was at the last import.
        place.reset()
        path = place.folder / "home" / name
        if name in before:
            path.write_text(before[name])
        else:
            path.unlink()
        run_without_fault(place, scenario)
        skipped[name] = dataclasses.replace(place.state(), files=new.files)
    if scenario.is_derived:
        is_changed = old_derived != new_derived
    else:
        # A state is recognised by what is different.
        is_changed = bool(new.shown) and len({old, new, *skipped.values()}) == 2 + len(skipped)
    if not is_changed:
        raise AssertionError(f"{scenario.command} changes nothing")
    return Expected(old, new, old_derived, new_derived, skipped)


def run_without_fault(place: Place, scenario: Scenario) -> None:
    done = place.run(*scenario.command)
    if done.returncode != 0:
        raise AssertionError(f"{scenario.command} fails without a fault: {done.stderr.decode()}")


def spread(number: int, most: int | None) -> list[int]:
    """Numbers from 1 on, evenly spread."""
    if most is None or number <= most:
        return list(range(1, number + 1))
    return sorted({1 + index * (number - 1) // max(1, most - 1) for index in range(most)})


class Tally:
    """What happened in a scenario."""

    def __init__(self):
        self.states: collections.Counter = collections.Counter()
        # Points that exist and that were tried, by kind.
        self.points: collections.Counter = collections.Counter()
        self.tried: collections.Counter = collections.Counter()
        self.signals: collections.Counter = collections.Counter()
        self.problems: list[str] = []

    def add(self, kind: Kind, at, outcome: Outcome) -> None:
        self.states[outcome.state] += 1
        self.tried[kind.name] += 1
        if outcome.signal:
            self.signals[kind.name] += 1
            if not kind.name.startswith("memory of libical"):
                self.problems.append(f"{kind.name} {at}: the command ended by signal {outcome.signal}")
        self.problems += [f"{kind.name} {at}: {text}" for text in outcome.problems]


def kinds_of(scenario: Scenario) -> list[Kind]:
    return [kind for kind in KINDS if scenario.needs_server or not kind.is_about_network]


def try_all(
        places: list[Place], scenario: Scenario, most: dict[str, int | None], seconds: float = 1e9,
        only: list[str] = []) -> Tally:
    """Tries points in an order by chance, so that those of `seconds` are of all kinds."""
    deadline = time.monotonic() + seconds
    tally = Tally()
    expected = [expectation(place, scenario) for place in places]
    work = []
    for kind in kinds_of(scenario):
        if only and kind.name not in only:
            continue
        number = places[0].calls(scenario.command, **kind.fault)
        tally.points[kind.name] += number
        work += [(kind, at) for at in spread(number, most.get(kind.name, most["usual"]))]

    def share(index: int) -> list[tuple]:
        """What one place tries; a store has its path, so each place has cuts of its own."""
        place = places[index]
        points = work[index::len(places)]
        if not only or POWER.name in only:
            number = most.get(POWER.name, most["usual"])
            recording = Recording(place, scenario, number)
            if index == 0:
                tally.points[POWER.name] += len(recording.cuts)
            chosen = spread(len(recording.cuts), number)[index::len(places)]
            points = points + [(POWER, recording.cuts[number - 1]) for number in chosen]
        random.Random(index).shuffle(points)
        done = []
        for kind, at in points:
            if time.monotonic() > deadline:
                break
            if kind is POWER:
                outcome = recording.attempt(expected[index], at)
            else:
                outcome = attempt(place, scenario, expected[index], kind, at)
            done.append((kind, at, outcome))
        return done

    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        for done in pool.map(share, range(len(places))):
            for kind, at, outcome in done:
                tally.add(kind, at, outcome)
    return tally


@contextlib.contextmanager
def servers(places: list[Place], scenario: Scenario):
    """Each place has a server while a scenario that needs one runs."""
    if not scenario.needs_server:
        yield
        return
    with contextlib.ExitStack() as stack:
        for place in places:
            place.server = stack.enter_context(Server(place.around / "server"))
        try:
            yield
        finally:
            for place in places:
                place.server = None


def run(bench: Bench) -> None:
    preload = build_preload()
    most = bench.choose(
        {"usual": 3}, {"usual": None, "memory of SQLite": 200, POWER.name: 400}, {"usual": None})
    end = time.monotonic() + bench.choose(300, 1200, 1e9)
    rows = []
    by_kind: dict[str, list[int]] = {kind.name: [0, 0] for kind in [*KINDS, POWER]}
    problems = []
    scenarios = dict(SCENARIOS)
    try:
        python()
    except Skipped as reason:
        print(f"       without CalDAV: {reason}")
        scenarios = {name: scenario for name, scenario in scenarios.items() if not scenario.needs_server}
    with temporary_folder() as folder:
        agenda = copied_programs(pathlib.Path(folder))
        places = [Place(agenda, preload, pathlib.Path(folder) / str(n)) for n in range(os.cpu_count() or 1)]
        with bench.measure(f".ci/prove --size {bench.size} failures") as measured:
            for number, (name, scenario) in enumerate(scenarios.items()):
                seconds = (end - time.monotonic()) / (len(scenarios) - number)
                with servers(places, scenario):
                    tally = try_all(places, scenario, most, seconds)
                tried, total = sum(tally.tried.values()), sum(tally.points.values())
                states = tally.states
                rows.append([
                    f"`agenda {name}`" if "," not in name else f"`agenda {name.split(',')[0]}`,{name.split(',')[1]}",
                    total, tried, states["old"], states["new"], states["skipped"], states["between"], states["neither"],
                    sum(tally.signals.values()), len(tally.problems)])
                for kind, counts in by_kind.items():
                    counts[0] += tally.points[kind]
                    counts[1] += tally.tried[kind]
                problems += tally.problems
                for problem in tally.problems[:20]:
                    print(f"       {name}, {problem}", flush=True)
                print(f"       {name}: {tried} of {total}, {dict(states)}, {dict(tally.signals)}", flush=True)
                measured.figure(f"`{name}`: points tried", tried, f"of {total}")
            measured.figure("points tried", sum(row[2] for row in rows), f"of {sum(row[1] for row in rows)}")
            measured.figure("points in neither the old nor the new state", sum(row[7] for row in rows), "points",
                            right=not sum(row[7] for row in rows))
            measured.figure("other problems after a fault", len(problems), "problems", right=not problems)
            measured.table(
                "states after a fault",
                ["command", "points", "tried", "old", "new", "new without a file that is reported",
                 "between", "neither", "ended by a signal", "problems"], rows)
            measured.table("kinds of faults", ["kind", "what happens", "points", "tried"],
                           [[kind.name, kind.what, *by_kind[kind.name]] for kind in [*KINDS, POWER]])


def sabotage(bench: Bench):
    preload = build_preload()
    kinds = {kind.name: kind for kind in KINDS}
    with temporary_folder() as folder:
        path = pathlib.Path(folder)
        agenda = copied_programs(path)
        (path / "careless").mkdir()
        place = Place(agenda, preload, path / "0")

        def problems(name: str, kind: str, line: str, at: int | None = None) -> list[str]:
            """What is found if the program has this fault of its own."""
            scenario = SCENARIOS[name]
            place.agenda = agenda
            expected = expectation(place, scenario)
            number = place.calls(scenario.command, **kinds[kind].fault)
            place.agenda = wrapper(path / "careless/agenda", agenda, line)
            tally = Tally()
            tally.add(kinds[kind], "", attempt(place, scenario, expected, kinds[kind], at or number // 2))
            place.agenda = agenda
            return tally.problems

        for fault, wanted, name, kind, script in FAULTS:
            yield fault, any(wanted in problem for problem in problems(name, kind, script))
        expected = expectation(place, SCENARIOS["edit"])
        recording = Recording(place, SCENARIOS["edit"], 2, ignores_sync=True)
        outcomes = [recording.attempt(expected, cut) for cut in recording.cuts if cut.is_after_end]
        yield "a program that does not write to the disk", any(
            "the command succeeded" in problem or "neither" in problem
            for outcome in outcomes for problem in outcome.problems)
        for name, scenario in SCENARIOS.items():
            if not scenario.needs_server:
                found = problems(name, "kill", FORGETFUL if scenario.is_derived else LAZY.format(name.split()[0]))
                yield f"{name}: a next run that does nothing", any(SAME_END in problem for problem in found)
        try:
            python()
        except Skipped as reason:
            print(f"{NAME}: without CalDAV: {reason}")
            return
        with servers([place], SCENARIOS["refresh, CalDAV"]):
            found = problems("refresh, CalDAV", "kill", LAZY.format("refresh"))
            yield "refresh, CalDAV: a next run that does nothing", any(SAME_END in problem for problem in found)
            found = problems(
                "refresh, CalDAV", "net-error, agenda-fetch",
                'if [ "$1" = refresh ]; then "$agenda" "$@" && exit; "$agenda" undo --quiet; exit 1; fi', at=6)
            yield "a synchronisation that forgets a change when the connection breaks", any(
                SAME_END in problem for problem in found)


SAME_END = "the next run does not lead to the new state"
# It is killed the first time, and the second time it succeeds at once.
LAZY = 'if [ "$1" = {} ]; then [ -e killed ] && exit 0; touch killed; kill -9 $$; fi'
# It puts the store back as it was.
FORGETFUL = (
    'if [ "$1" = show ]; then "$agenda" "$@"; rm -f agenda.sqlite*; cp -p ../template/agenda.sqlite* .; exit 0; fi')
# The fault of a program, a problem that must be found, the scenario, the kind of failure, and the fault in sh.
FAULTS = [
    ("a program that leaves half of a file behind", "neither", "edit", "kill",
     'if [ "$1" = edit ]; then printf BEGIN:VCALENDAR > home/series.ics; exit 1; fi'),
    ("a program that takes missing memory for success", "the command succeeded and changed nothing",
     "refresh", "memory of SQLite", 'if [ "$1" = refresh ]; then "$agenda" "$@"; exit 0; fi'),
    ("a program that ends with a signal if it lacks memory", "ended by signal 11",
     "refresh", "memory of SQLite", 'if [ "$1" = refresh ]; then kill -SEGV $$; fi'),
    ("a program that gives up if a write is short", "the command failed",
     "edit", "short", 'if [ "$FAULT_KIND" = short ]; then exit 1; fi'),
    ("a store in which doctor finds something", "doctor: exit code 1",
     "edit", "kill", 'if [ "$1" = doctor ]; then exit 1; fi'),
    ("a next run that fails", "the next run fails",
     "refresh", "kill", 'if [ "$1" = refresh ]; then [ -e killed ] && exit 1; touch killed; kill -9 $$; fi'),
    ("an import that names another file than the one that it skipped", "not the one without series.ics",
     "import", "unreadable",
     'if [ "$1" = import ]; then rm home/single.ics; "$agenda" "$@"; cp ../template/home/single.ics home; '
     'echo "home/series.ics: error: Too many open files; file skipped" >&2; exit 1; fi'),
    ("a refresh that loses the events of a file that it skipped", "not the one without series.ics",
     "refresh", "descriptors",
     'if [ "$1" = refresh ]; then rm home/series.ics; "$agenda" "$@"; cp ../template/home/series.ics home; '
     'echo "home/series.ics: error: Too many open files; file skipped" >&2; exit 1; fi'),
    ("a refresh that skips a file with the exit code 0", "a file was skipped with the exit code 0",
     "refresh", "descriptors",
     'if [ "$1" = refresh ]; then echo "home/series.ics: error: Too many open files; file skipped" >&2; exit 0; fi'),
    ("an import that does not name the file that it skipped", "neither", "import", "unreadable",
     'if [ "$1" = import ]; then rm home/single.ics; "$agenda" "$@"; cp ../template/home/single.ics home; exit 1; fi'),
    ("a rebuild that stops in the middle", "neither", "doctor --rebuild", "kill",
     f'if [ "$2" = --rebuild ]; then python3 -c "import sqlite3; store = sqlite3.connect(\'agenda.sqlite\'); '
     f"store.execute('UPDATE component SET span_begin = span_begin - {YEARS}, span_end = span_end - {YEARS} "
     "WHERE id = 1'); store.commit()\"; exit 1; fi"),
    ("a migration that forgets its tables", "doctor: exit code 1", "show, older tables", "kill",
     "if [ \"$1\" = show ]; then printf '\\0\\0\\0\\2' | dd of=agenda.sqlite bs=1 seek=60 conv=notrunc; fi"),
]
