"""Which code of the core modules no test runs.

Swift's coverage has no branches of its own. It counts regions instead: each body of `if`, `else`, `guard` and `switch`,
each side of `?:`, and the right side of `&&`, `||` and `??` is one. `coverage.json` is the record of the last run.
"""

from __future__ import annotations

import collections
import contextlib
import datetime
import json
import os
import pathlib
import re
import shutil
import tempfile
import threading
import time

from bench import BUILD, ROOT, Bench, Failure, Skipped, run as call, version

NAME = "coverage"
TITLE = "Coverage"
ABOUT = (
    "All tests run in a build that counts what they run. Swift counts regions: each body of `if`, `else`, `guard` and "
    "`switch`, each side of `?:`, and the right side of `&&`, `||` and `??` is one; branches that Swift does not "
    "count, such as an `if` without `else` whose condition never fails, are not in the figures. The operator `...` in "
    "a subscript is a function that nothing ever calls, and does not count. `.ci/prove --size hour coverage` "
    "measures; the figures are those of the last such run. This part fails if a module has less than its least share.")

RECORD = ROOT / "Tests/Proof/coverage.json"
SCRATCH = BUILD / "coverage"
FOLDERS = ["CivilTime", "Recurrence", "ICalendar", "AgendaReader", "AgendaCore", "AgendaStore", "AgendaSources/Writing"]
# In percent. The goal is 95 % of all regions.
GOAL = 95
LEAST = {
    "CivilTime": 95.5, "Recurrence": 96, "ICalendar": 96, "AgendaReader": 96, "AgendaCore": 95, "AgendaStore": 94.5,
    "AgendaSources/Writing": 94}


def regions(exported: dict, root: pathlib.Path) -> dict[str, dict[tuple, int]]:
    """How often each region of each file ran. A generic function counts once, with all that it is used for."""
    found: dict[str, dict[tuple, int]] = {}
    lines: dict[str, list[bytes]] = {}

    def text(name: str, place: list[int]) -> bytes:
        """The code of a region that is within a line."""
        if name not in lines:
            path = root / name
            lines[name] = path.read_bytes().split(b"\n") if path.exists() else []
        line, first, last_line, end = place
        return lines[name][line - 1][first - 1:end - 1] if line == last_line <= len(lines[name]) else b""

    for function in exported["data"][0]["functions"]:
        for region in function["regions"]:
            *place, count, file, _, kind = region
            # 0 is code; the others are gaps and expansions.
            if kind == 0:
                name = os.path.relpath(function["filenames"][file], root)
                # The operator in `text[...]`: subscripts take it as a function, and never call it.
                if text(name, place) == b"...":
                    continue
                here = found.setdefault(name, {})
                here[tuple(place)] = max(here.get(tuple(place), 0), count)
    return found


def summary(found: dict[str, dict[tuple, int]]) -> tuple[list[list], list[list]]:
    """Regions by module, and the lines at which those begin that never ran, by file."""
    modules, missing = [], []
    for folder in FOLDERS:
        files = {name: counts for name, counts in found.items() if name.startswith(f"Sources/{folder}/")}
        total = sum(len(counts) for counts in files.values())
        covered = sum(count > 0 for counts in files.values() for count in counts.values())
        modules.append([folder, total, covered, f"{100 * covered / max(1, total):.2f} %"])
        for name, counts in sorted(files.items()):
            lines = collections.Counter(place[0] for place, count in counts.items() if not count)
            if lines:
                missing.append([
                    name.removeprefix("Sources/"), sum(lines.values()), ", ".join(str(line) for line in sorted(lines))])
    return modules, missing


@contextlib.contextmanager
def open_for_all(folder: pathlib.Path):
    """Meanwhile, everybody can write the files of a folder: some tests run the program as another user, whose counts
    go to the files of the other runs."""
    folder.chmod(0o777)
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(0.1):
            for path in folder.iterdir():
                with contextlib.suppress(OSError):
                    path.chmod(0o666)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        watcher.join()


def count_all() -> dict:
    """Builds, runs all tests and counts."""
    tools = pathlib.Path(shutil.which("swift") or "").resolve().parent
    if not (tools / "llvm-cov").exists():
        raise Skipped("needs llvm-cov, which comes with Swift")
    start = time.monotonic()
    built = call(["swift", "build", "--build-tests", "--enable-code-coverage", "--scratch-path", SCRATCH])
    if built.returncode != 0:
        raise Failure(built.stdout.decode(errors="replace")[-1000:])
    profiles = SCRATCH / "profiles"
    shutil.rmtree(profiles, ignore_errors=True)
    profiles.mkdir(parents=True)
    bundle = SCRATCH / "debug/agendaPackageTests.xctest"
    with open_for_all(profiles):
        done = call(
            [bundle, "--testing-library", "swift-testing"],
            env={
                **os.environ, "LLVM_PROFILE_FILE": str(profiles / "%8m.profraw"),
                "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": str(os.cpu_count() or 1)})
    # Programs that start without the variable write next to where they are.
    for path in [ROOT, *(ROOT / "Fixtures").rglob("*/")]:
        (path / "default.profraw").unlink(missing_ok=True)
    output = re.sub(r"\x1b\[[0-9;]*m", "", (done.stdout + done.stderr).decode(errors="replace"))
    (SCRATCH / "tests.log").write_text(output)
    failed = [line for line in output.splitlines() if re.match(r"✘ Test (?!run with).* failed after", line)]
    for line in failed:
        print(f"       {line[:150]}")
    merged = SCRATCH / "merged.profdata"
    call([tools / "llvm-profdata", "merge", "-sparse", *sorted(profiles.glob("*.profraw")), "-o", merged])
    exported = call([
        tools / "llvm-cov", "export", "-instr-profile", merged, bundle, "-object", SCRATCH / "debug/agenda",
        *[ROOT / "Sources" / folder for folder in FOLDERS]])
    if exported.returncode != 0:
        raise Failure(exported.stderr.decode(errors="replace")[-1000:])
    modules, missing = summary(regions(json.loads(exported.stdout), ROOT))
    return {
        "command": ".ci/prove --size hour coverage", "seconds": round(time.monotonic() - start, 1),
        "version": version(), "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "failed tests": len(failed), "modules": modules, "missing": missing}


def below(modules: list[list]) -> list[str]:
    """The modules that have less than their least share."""
    return [name for name, total, covered, _ in modules if 100 * covered < LEAST[name] * total]


def run(bench: Bench) -> None:
    if bench.size != "minutes":
        RECORD.write_text(json.dumps(count_all(), ensure_ascii=False, indent=1) + "\n")
    if not RECORD.exists():
        raise Skipped("no run is recorded: .ci/prove --size hour coverage")
    last = json.loads(RECORD.read_text())
    total = sum(row[1] for row in last["modules"])
    covered = sum(row[2] for row in last["modules"])
    with bench.measure(last["command"], kept=last) as measured:
        measured.figure(
            "regions that tests run; the goal is 95 %",
            f"{covered:,} of {total:,}, {100 * covered / total:.2f} %", right=100 * covered >= GOAL * total)
        measured.figure("tests that failed in the build that counts", last["failed tests"], "tests")
        rows = [[*row, f"{LEAST[row[0]]} %"] for row in last["modules"]]
        measured.table("regions by module", ["module", "regions", "run by tests", "share", "must be reached"], rows,
                       right=not below(last["modules"]))
        measured.table("regions that no test runs", ["file", "regions", "lines"], last["missing"])


def sabotage(bench: Bench):
    exported = {"data": [{"functions": [
        {"filenames": [str(ROOT / "Sources/CivilTime/Some.swift")],
         "regions": [[3, 1, 9, 2, 5, 0, 0, 0], [4, 9, 6, 4, count, 0, 0, 0], [6, 4, 9, 2, 0, 0, 0, 3]]}
        for count in (0, 0)]}]}
    modules, missing = summary(regions(exported, ROOT))
    yield "a branch that no test runs", modules[0][1:3] == [2, 1] and missing == [["CivilTime/Some.swift", 1, "4"]]
    exported["data"][0]["functions"][1]["regions"][1][4] = 7
    yield "a branch that runs with another type only", summary(regions(exported, ROOT))[1] == []
    yield "a module that has less than its least share", below(
        [["CivilTime", 100, 100, ""], ["AgendaStore", 100, 50, ""]]) == ["AgendaStore"]
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "Some.swift").write_text("let a = b[...]\n")
        exported = {"data": [{"functions": [{
            "filenames": [str(root / "Some.swift")],
            "regions": [[1, 1, 1, 15, 1, 0, 0, 0], [1, 11, 1, 14, 0, 0, 0, 0]]}]}]}
        yield "an operator that nothing calls is no region", list(regions(exported, root)["Some.swift"].values()) == [1]
