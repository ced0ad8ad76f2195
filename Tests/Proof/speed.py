"""Instructions of commands on generated calendars, compared with recorded numbers.

Instructions hardly depend on what else the machine does, so a change of a few percent is seen. They depend on the
compiler and on the libraries: `instructions.tsv` has the numbers of each system on which they were recorded.

    .ci/prove speed --record "why they changed"
"""

from __future__ import annotations

import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

from bench import BUILD, ROOT, Bench, Failure, Skipped, make_calendar, optimised, run as run_program

NAME = "speed"
TITLE = "Speed"
ABOUT = (
    "valgrind counts the instructions of the optimised program on calendars that `Tests/Benchmarks/make-calendar` "
    "makes. This part fails if a command needs 3 % more than recorded in `Tests/Proof/instructions.tsv`, which has a "
    "reason for each number.")

TABLE = ROOT / "Tests/Proof/instructions.tsv"
HEAD = "system\tcommand\tevents\tinstructions\treason\n"
TOLERANCE = 0.03
NOW = ["--now", "2026-11-21T09:00:00Z", "--timezone", "Europe/Berlin"]
# Each begins with a store that has the calendar, or without one.
COMMANDS = {
    "show FILE": ["show", "calendar.ics", *NOW],
    "show FILE -f json": ["show", "calendar.ics", "--format", "json", *NOW],
    "check FILE": ["check", "calendar.ics"],
    "import FILE": ["import", "calendar.ics", "--quiet"],
    "show (store)": ["show", *NOW],
    "search (store)": ["search", "meeting", *NOW],
}


def program(bench: Bench) -> pathlib.Path:
    path = BUILD / "release" / "agenda"
    newest = max(file.stat().st_mtime for file in (ROOT / "Sources").rglob("*") if file.is_file())
    if path.exists() and path.stat().st_mtime >= newest:
        return path
    if bench.size == "minutes":
        raise Skipped("needs an optimised build of these sources: swift build -c release --product agenda")
    optimised("agenda")
    # The build leaves a program that would be the same as it is.
    os.utime(path)
    return path


def system() -> str:
    """What the numbers depend on."""
    def release(key: str) -> str:
        return platform.freedesktop_os_release().get(key, "")
    packages = run_program(["dpkg-query", "-W", "-f", "${Package} ${Version} ", "libc6", "libical3", "libsqlite3-0"])
    swift = re.search(r"Swift version (\S+)", run_program(["swift", "--version"]).stdout.decode())
    return " ".join([
        release("ID"), release("VERSION_ID"), platform.machine(), "swift", swift[1] if swift else "?",
        packages.stdout.decode().strip()])


def count(agenda: pathlib.Path, arguments: list[str], folder: pathlib.Path) -> int:
    environment = {
        "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder), "TZ": "Europe/Berlin",
        "AGENDA_STORE": str(folder / "agenda.sqlite"), "SWIFT_DETERMINISTIC_HASHING": "1",
        "SWIFT_BACKTRACE": "enable=no"}
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", agenda, *arguments],
        cwd=folder, env=environment, capture_output=True)
    match = re.search(rb"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not match:
        raise Failure(f"{' '.join(arguments)}: {done.stderr.decode(errors='replace')[-300:]}")
    return int(match[1].replace(b",", b""))


def measure(agenda: pathlib.Path, events: int) -> dict[str, int]:
    found = {}
    with tempfile.TemporaryDirectory(prefix="proof-") as name:
        folder = pathlib.Path(name)
        make_calendar(folder / "calendar.ics", events)
        for command, arguments in COMMANDS.items():
            found[command] = count(agenda, arguments, folder)
    return found


def read_table() -> dict[tuple[str, str, int], tuple[int, str]]:
    lines = TABLE.read_text().splitlines()[1:] if TABLE.exists() else []
    rows = (line.split("\t") for line in lines)
    return {(row[0], row[1], int(row[2])): (int(row[3]), row[4]) for row in rows}


def slower(recorded: int, found: int) -> bool:
    return found > recorded * (1 + TOLERANCE)


def run(bench: Bench) -> None:
    if not shutil.which("valgrind"):
        raise Skipped("valgrind is not installed (.ci/install test installs it)")
    agenda = program(bench)
    table, here = read_table(), system()
    sizes = bench.choose([1000], [1000, 10_000], [1000, 10_000, 100_000])
    rows, slow = [], []
    with bench.measure(f".ci/prove --size {bench.size} speed") as measured:
        for events in sizes:
            for command, found in measure(agenda, events).items():
                recorded, reason = table.get((here, command, events), (0, ""))
                if bench.record:
                    if not recorded or abs(found - recorded) > recorded * 0.005:
                        table[here, command, events] = found, bench.record
                elif recorded and slower(recorded, found):
                    slow.append(f"{command}, {events} events: {found:,} instructions, {recorded:,} recorded")
                change = f"{(found / recorded - 1) * 100:+.1f} %" if recorded else "not recorded on this system"
                rows.append([f"`agenda {command}`", events, round(found / 1e6, 1), change])
        measured.figure("commands that need 3 % more instructions than recorded", len(slow), "commands", right=not slow)
        measured.figure("compiler and libraries of the next table", here)
        measured.table(
            "instructions", ["command", "events", "million instructions", "change since the recorded number"],
            rows)
    for text in slow:
        print(f"       {text}")
    if not any(key[0] == here for key in table):
        print(f"       no numbers are recorded for {here}: nothing was compared")
    if bench.record:
        TABLE.write_text(HEAD + "".join(
            f"{system}\t{command}\t{events}\t{number}\t{reason}\n"
            for (system, command, events), (number, reason) in table.items()))


def sabotage(bench: Bench):
    if not shutil.which("valgrind"):
        raise Skipped("valgrind is not installed (.ci/install test installs it)")
    agenda = program(bench)
    with tempfile.TemporaryDirectory(prefix="proof-") as name:
        folder = pathlib.Path(name)
        for events in (1000, 1040):
            make_calendar(folder / f"{events}.ics", events)
        first, again, more = (count(agenda, ["check", f"{events}.ics"], folder) for events in (1000, 1000, 1040))
        yield f"4 % more work ({first:,} and {more:,} instructions)", slower(first, more) and not slower(first, again)
