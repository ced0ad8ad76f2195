"""The time to follow addresses and servers, next to curl and vdirsyncer. The part `times` measures it."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import sys
import tempfile

from bench import BUILD, ROOT, Bench, Failure, optimised, program, run as run_program

ABOUT = (
    "agenda also follows 200 addresses, in turns with `curl --parallel`, which stores the same files and sends the "
    "same conditions. The server waits 0.2 s before each answer; curl may send 16 requests at "
    "once, and agenda four to each host. The times of both are the medians of three rounds. agenda and vdirsyncer "
    "synchronise the same calendar of Radicale in turns: they receive its events, then nothing, and then each sends "
    "changes. agenda must need less time by the clock than curl, and less time of the processor than vdirsyncer.")


def table_of(script: str, *options: str, agenda: pathlib.Path) -> list[list]:
    """The rows of a script of Tests/Benchmarks."""
    done = run_program(
        [sys.executable, ROOT / "Tests/Benchmarks" / script, *options, "--json"],
        env={**os.environ, "AGENDA": str(agenda)})
    if done.returncode != 0:
        raise Failure(f"{script}: {done.stderr.decode(errors='replace')[-300:]}")
    return json.loads(done.stdout)


def slower(rows: list[list], other: str, column: int) -> list[str]:
    """What agenda needs at least as much time for as the other program. Columns 2 and 3 have the times."""
    times = {(row[0], row[1]): row[column] for row in rows}
    return [what for what, program in times if program == other and times[what, "agenda"] >= times[what, other]]


def follow(bench: Bench, agenda: pathlib.Path) -> None:
    """Addresses next to curl, and servers next to vdirsyncer."""
    optimised("agenda-fetch")
    if shutil.which("curl"):
        with bench.measure("Tests/Benchmarks/subscriptions --delay 0.2 --rounds 3") as measured:
            rows = table_of("subscriptions", "--delay", "0.2", "--rounds", "3", agenda=agenda)
            late = slower(rows, "curl", 2)
            measured.figure("200 addresses: steps for which agenda needs longer than curl", len(late), "steps",
                            right=not late)
            measured.table(
                "200 addresses, 0.2 s for each answer", ["what", "program", "time", "processor time", "peak memory"],
                [[*row[:2], *(f"{seconds:.3f} s" for seconds in row[2:4]), f"{row[4]:.0f} MiB"] for row in rows])
    else:
        print("       without curl, which is not installed")
    if (BUILD / "python/bin/vdirsyncer").exists():
        with bench.measure("Tests/Benchmarks/caldav --vdirsyncer --events 2000 --changes 100") as measured:
            rows = table_of("caldav", "--vdirsyncer", "--events", "2000", "--changes", "100", agenda=agenda)
            late = slower(rows, "vdirsyncer", 3)
            measured.figure(
                "a server: steps for which agenda needs more processor time than vdirsyncer", len(late), "steps",
                right=not late)
            measured.table(
                "a calendar of Radicale", ["what", "program", "time", "processor time"],
                [[*row[:2], *(f"{seconds:.3f} s" for seconds in row[2:])] for row in rows])
    else:
        print("       without vdirsyncer, which is not installed (Tests/Oracles/install-others)")


def sabotage():
    if not shutil.which("curl"):
        print("times: without curl, which is not installed")
        return
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        late = pathlib.Path(folder) / "agenda"
        late.write_text(f'#!/bin/sh\nsleep 1\nexec {program()} "$@"\n')
        late.chmod(0o755)
        rows = table_of("subscriptions", "--count", "4", "--rounds", "1", agenda=late)
        yield "an agenda that waits before it asks for addresses", len(slower(rows, "curl", 2)) == 3
