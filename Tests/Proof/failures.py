"""Commands that write fail or are killed at each of their system calls."""

from __future__ import annotations

import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

from bench import ROOT, Bench, Skipped, program

NAME = "failures"
TITLE = "Failures at every point"
ABOUT = (
    "A command runs with a layer between it and the system that makes one call fail, or kills the program there. "
    "Afterwards the calendars, the export and the files of the folder must be those from before or those from after, "
    "`doctor` must find nothing, and the next run must succeed. A file of a folder that "
    "cannot be read is reported and skipped, as it is without a fault. A short or interrupted call is no failure: the command "
    "must succeed nevertheless. With `--size minutes` only some points are tried, evenly spread.")

NOW = ["--now", "2026-11-21T09:00:00+01:00"]
KINDS = {
    "kill": "killed before a call that changes a file",
    "full": "the disk is full from a write on",
    "error": "a call that changes a file fails (EIO)",
    "short": "a write writes half of its bytes",
    "interrupted": "a write is interrupted (EINTR)",
    "descriptors": "a file cannot be opened (EMFILE)",
    "unreadable": "a reading of a file fails (EIO)",
    "pieces": "a reading of a file gives half of the bytes",
}
# A command must cope with these.
HARMLESS = {"short", "interrupted", "pieces"}


def event(uid: str, title: str, day: int, *lines: str) -> str:
    return "\n".join([
        "BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z", f"DTSTART:202611{day:02}T093000Z",
        "DTEND:202611%02dT103000Z" % day, f"SUMMARY:{title}", *lines, "END:VEVENT", ""])


def calendar(*events: str) -> str:
    return "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//example//EN\n" + "".join(events) + "END:VCALENDAR\n"


LONG = "DESCRIPTION:" + "word " * 3000
OLD = {
    "series.ics": calendar(event("series", "Series", 23, "RRULE:FREQ=DAILY;COUNT=6")),
    "single.ics": calendar(event("single", "Single", 24, LONG)),
}
NEW = {
    "series.ics": calendar(event("series", "Series", 23, "RRULE:FREQ=DAILY;COUNT=4")),
    "other.ics": calendar(event("other", "Other", 25, LONG)),
}


class Place:
    """A folder with a store. A source is known by its path, so each attempt happens at the same place."""

    def __init__(self, agenda: pathlib.Path, preload: pathlib.Path, folder: pathlib.Path):
        self.agenda, self.preload, self.template = agenda, preload, folder / "template"
        self.folder = folder / "place"

    def run(self, *arguments: str, **fault: str) -> subprocess.CompletedProcess:
        environment = {
            "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "Europe/Berlin", "HOME": str(self.folder),
            "AGENDA_STORE": str(self.folder / "agenda.sqlite"), "SWIFT_BACKTRACE": "enable=no"}
        if fault:
            environment |= {"LD_PRELOAD": str(self.preload)} | {f"FAULT_{k.upper()}": v for k, v in fault.items()}
        return subprocess.run(
            [self.agenda, *arguments], cwd=self.folder, env=environment, capture_output=True, timeout=120)

    def write(self, files: dict[str, str]) -> None:
        home = self.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for name, text in files.items():
            (home / name).write_text(text)

    def reset(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)

    def prepare(self, steps) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for step in steps:
            if isinstance(step, dict):
                self.write(step)
            else:
                done = self.run(*step)
                if done.returncode != 0:
                    raise AssertionError(f"{step}: {done.stderr.decode()}")
        shutil.rmtree(self.template, ignore_errors=True)
        shutil.copytree(self.folder, self.template)

    def state(self) -> tuple:
        """All that a person can see: the agenda, the export and the files."""
        shown = self.run("show", "--format", "jsonl", "--days", "60", *NOW)
        exported = self.run("export", *NOW)
        home = self.folder / "home"
        # What waits for the next command of a person is no part of a folder: it has no name that ends so.
        files = sorted((path.name, path.read_bytes()) for path in home.glob("*.ics")) if home.exists() else []
        return shown.stdout, sorted(exported.stdout.split(b"\r\n")), files


IMPORT = ["import", "home", "--quiet", *NOW]
EDIT = ["edit", "series", "--all", "--title", "Edited", *NOW]
# What happens before, and the command that fails.
SCENARIOS = {
    "import": ([OLD], IMPORT),
    "refresh": ([OLD, IMPORT, NEW], ["refresh", "--quiet", *NOW]),
    "edit": ([OLD, IMPORT], EDIT),
    "undo": ([OLD, IMPORT, EDIT], ["undo", *NOW]),
    "doctor --rebuild": ([OLD, IMPORT], ["doctor", "--rebuild", *NOW]),
}


def calls(place: Place, command: list[str], kind: str) -> int:
    place.reset()
    count = place.folder / "count"
    place.run(*command, kind=kind, count=str(count))
    number = int(count.read_text()) if count.exists() else 0
    return number


def attempt(place: Place, command: list[str], kind: str, at: int, old, new) -> tuple[str, list[str]]:
    """The state after the fault (old, new, skipped or neither), and what is wrong."""
    place.reset()
    done = place.run(*command, kind=kind, at=str(at))
    problems = []
    # A command that was killed is finished or taken back by the next one that looks.
    found = place.state()
    state = "new" if found == new else "old" if found == old else "neither"
    if state == "neither" and kind in ("descriptors", "unreadable") and b"file skipped" in done.stderr:
        # A file of a folder that cannot be read is reported, and the others come in.
        state = "skipped"
    if state == "neither":
        problems.append("the state is neither the old nor the new one")
    if kind in HARMLESS and done.returncode != 0:
        problems.append(f"the command failed: {done.stderr.decode(errors='replace').strip()[:200]}")
    if done.returncode == 0 and state == "old" and old != new:
        problems.append("the command succeeded and changed nothing")
    if done.returncode < 0 and kind != "kill":
        problems.append(f"the command ended by signal {-done.returncode}")
    doctor = place.run("doctor", *NOW)
    if doctor.returncode != 0:
        problems.append(f"doctor: {doctor.stdout.decode(errors='replace')[-200:]}")
    again = place.run(*(command if state in ("old", "skipped") else ["refresh", "--quiet", *NOW]))
    # A first import that succeeded has a source; without one there is nothing to refresh.
    if again.returncode != 0:
        problems.append(f"the next run fails: {again.stderr.decode(errors='replace').strip()[:200]}")
    elif place.state() != new:
        problems.append("the next run does not lead to the new state")
    return state, problems


def build_preload() -> pathlib.Path:
    library = ROOT / ".build/proof/kill-at-call.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["cc", "-shared", "-fPIC", "-w", "-o", library, ROOT / "Tests/Oracles/kill-at-call.c", "-ldl"],
        capture_output=True)
    if done.returncode != 0:
        raise Skipped("needs a C compiler")
    return library


def try_all(bench: Bench, places: list[Place], scenario: str, points_per_kind: int | None):
    """Counts of states, and the problems, of one scenario."""
    steps, command = SCENARIOS[scenario]
    states: collections.Counter = collections.Counter()
    problems: list[str] = []
    expected = {}
    for place in places:
        place.prepare(steps)
        old = place.state()
        place.reset()
        done = place.run(*command)
        if done.returncode != 0:
            return states, [f"{scenario} fails without a fault: {done.stderr.decode()}"], 0
        expected[place] = old, place.state()
    work = []
    total = 0
    for kind in KINDS:
        number = calls(places[0], command, kind)
        total += number
        step = max(1, number // points_per_kind) if points_per_kind else 1
        work += [(kind, at) for at in range(1, number + 1, step)]
    free = list(places)
    lock = threading.Lock()

    def one(item):
        with lock:
            place = free.pop()
        try:
            return item, attempt(place, command, *item, *expected[place])
        finally:
            with lock:
                free.append(place)

    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        for (kind, at), (state, wrong) in pool.map(one, work):
            states[state] += 1
            problems += [f"{scenario}, {KINDS[kind]} ({kind} {at}): {text}" for text in wrong]
    return states, problems, total


def run(bench: Bench) -> None:
    preload = build_preload()
    points = bench.choose(3, None, None)
    rows = []
    problems = []
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        # A copy, so that a build in the meantime does no harm.
        agenda = pathlib.Path(shutil.copy2(program(), folder))
        places = [Place(agenda, preload, pathlib.Path(folder) / str(n)) for n in range(os.cpu_count() or 1)]
        with bench.measure(f".ci/prove --size {bench.size} failures") as measured:
            for scenario in SCENARIOS:
                states, wrong, total = try_all(bench, places, scenario, points)
                tried = sum(states.values())
                rows.append([
                    f"`agenda {scenario}`", total, tried, states["old"], states["new"], states["skipped"],
                    states["neither"], len(wrong)])
                problems += wrong
                measured.figure(f"`{scenario}`: points tried", tried, f"of {total} calls")
            measured.figure("points in neither the old nor the new state", sum(row[6] for row in rows), "points",
                            right=not sum(row[6] for row in rows))
            measured.figure("other problems after a fault", len(problems), "problems", right=not problems)
            measured.table(
                "states after a fault",
                ["command", "calls", "tried", "old", "new", "new without a file that is reported", "neither",
                 "problems"], rows)
            measured.table("kinds of faults", ["kind", "what happens"], [[kind, KINDS[kind]] for kind in KINDS])
    for problem in problems[:20]:
        print(f"       {problem}")


def sabotage(bench: Bench):
    preload = build_preload()
    # A program that writes the file of an event in place, and never repairs it.
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        path = pathlib.Path(folder)
        place = Place(program(), preload, path / "0")
        steps, command = SCENARIOS["edit"]
        place.prepare(steps)
        old = place.state()
        place.reset()
        place.run(*command)
        new = place.state()
        number = calls(place, command, "kill")
        careless = path / "agenda"
        careless.write_text(
            "#!/bin/sh\nif [ \"$1\" = edit ]; then printf 'BEGIN:VCALENDAR' > home/series.ics; exit 1; fi\n"
            f"exec {program()} \"$@\"\n")
        careless.chmod(0o755)
        place.agenda = careless
        state, problems = attempt(place, command, "kill", number // 2, old, new)
        yield "a program that leaves half of a file behind", state == "neither" and bool(problems)
