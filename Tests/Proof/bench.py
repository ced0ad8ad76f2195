"""What the parts of the proof share: the size of a run, programs, and the record of results."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build"
RESULTS = BUILD / "proof" / "results.jsonl"
SIZES = ["minutes", "hour", "night"]


class Skipped(Exception):
    """A part cannot run here; the text says why and what to install."""


class Failure(Exception):
    """A program that a part needs has failed."""


def version() -> str:
    """The commit that is measured; a plus sign says that files differ from it."""
    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    # The page itself is no part of what is measured.
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!Docs/Proof.md")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


class Measurement:
    """One command and the figures that it gave."""

    def __init__(self, command: str):
        self.command = command
        self.figures: list[dict] = []

    def figure(self, name: str, value, unit: str = "", right: bool | None = None, **more) -> None:
        """`right` is whether the value is as promised; without it the figure is only information."""
        self.figures.append({"figure": name, "value": value, "unit": unit, "right": right, **more})

    def table(self, name: str, head: list[str], rows: list[list], right: bool | None = None) -> None:
        self.figure(name, len(rows), "rows", right, head=head, rows=rows)


class Bench:
    def __init__(self, size: str, part: str, records: bool = True):
        self.size, self.part, self.records = size, part, records
        # The reason for numbers that are recorded anew.
        self.record: str | None = None
        self.version = version()
        self.failures: list[str] = []

    def choose(self, minutes, hour, night):
        return {"minutes": minutes, "hour": hour, "night": night}[self.size]

    @contextlib.contextmanager
    def measure(self, command: str, kept: dict | None = None):
        """`kept` is the record of a run whose results are in the repository: its time, version and date."""
        measurement = Measurement(command)
        start = time.monotonic()
        yield measurement
        seconds = round(time.monotonic() - start, 1)
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        for figure in measurement.figures:
            if figure["right"] is False:
                self.failures.append(f"{figure['figure']}: {figure['value']} {figure['unit']}")
            self._print(figure)
            if self.records:
                RESULTS.parent.mkdir(parents=True, exist_ok=True)
                record = {
                    "part": self.part, **figure, "command": command, "seconds": seconds, "version": self.version,
                    "date": date, "size": self.size}
                if kept:
                    record |= {name: kept[name] for name in ("seconds", "version", "date")} | {"kept": True}
                with open(RESULTS, "a") as file:
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")

    def _print(self, figure: dict) -> None:
        mark = {True: "ok  ", False: "FAIL", None: "    "}[figure["right"]]
        print(f"  {mark} {figure['figure']}: {figure['value']} {figure['unit']}".rstrip(), flush=True)

    def check(self, is_right: bool, message: str) -> None:
        """Reports something that must hold and is not a figure."""
        if not is_right:
            self.failures.append(message)
            print(f"  FAIL {message}", flush=True)


# Programs

def program() -> pathlib.Path:
    """The program of the debug build, which the tests use too."""
    path = BUILD / "debug" / "agenda"
    if not path.exists():
        raise Skipped("run `swift build --build-tests --disable-index-store` first")
    return path


def optimised(product: str) -> pathlib.Path:
    """A program of the optimised build, built again if sources have changed."""
    done = run(["swift", "build", "-c", "release", "--product", product])
    if done.returncode != 0:
        raise Failure(f"the optimised build of {product} fails: {done.stdout.decode(errors='replace')[-300:]}")
    return BUILD / "release" / product


def libical_programs() -> pathlib.Path:
    """The folder of the plain C programs on libical."""
    if not shutil.which("cc"):
        raise Skipped("needs a C compiler")
    if run(["Tests/Benchmarks/baseline/build"]).returncode != 0:
        raise Failure("Tests/Benchmarks/baseline/build fails")
    return BUILD / "baseline"


def make_calendar(path: pathlib.Path, events: int, seed: int = 2) -> None:
    with open(path, "wb") as file:
        done = subprocess.run(
            [sys.executable, ROOT / "Tests/Benchmarks/make-calendar", "--events", str(events), "--seed", str(seed)],
            stdout=file, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise Failure(f"make-calendar: {done.stderr.decode(errors='replace')[-300:]}")


def python() -> pathlib.Path:
    """Python with the packages of the tests."""
    folder = BUILD / "python"
    done = subprocess.run(["sh", ROOT / "Tests/Oracles/install-packages", folder], capture_output=True)
    if done.returncode != 0:
        raise Skipped("the packages of Tests/Oracles/requirements.txt cannot be installed")
    return folder / "bin" / "python3"


def run(arguments: list, **options) -> subprocess.CompletedProcess:
    options.setdefault("cwd", ROOT)
    return subprocess.run([str(word) for word in arguments], capture_output=True, **options)


def swift_tests(pattern: str, environment: dict[str, str] | None = None) -> tuple[bool, list[dict], str]:
    """Runs tests that are built: whether they passed, what they counted, and their output."""
    counts = BUILD / "proof" / "tally.jsonl"
    counts.parent.mkdir(parents=True, exist_ok=True)
    counts.unlink(missing_ok=True)
    # What `swift test --skip-build` runs, without the lock of the package manager.
    bundle = BUILD / "debug" / "agendaPackageTests.xctest"
    if not bundle.exists():
        raise Skipped("run `swift build --build-tests --disable-index-store` first")
    done = run(
        [bundle, "--testing-library", "swift-testing", "--filter", pattern],
        env={
            **os.environ, "AGENDA_TALLY": str(counts),
            "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": str(os.cpu_count() or 1), **(environment or {})})
    output = (done.stdout + done.stderr).decode(errors="replace")
    found = [json.loads(line) for line in counts.read_text().splitlines()] if counts.exists() else []
    return done.returncode == 0 and "with 0 tests" not in output, found, output
