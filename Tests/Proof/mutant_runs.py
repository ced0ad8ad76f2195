"""Runs tests against mutants of a build that has all of them: see `mutant_tree.py`.

First each test runs once by itself, to learn which mutants it comes to. Each mutant is then switched on while only
the tests that come to it run until one fails: first those that are fast and have noticed other mutants of the file.
Mutants that survive a few seconds of this are switched on together for each of the remaining tests; if it fails,
halves of them are.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

MOST = 1 << 16
# Seconds of tests, as they take without a mutant, before mutants are tried together.
ALONE = 8.0
MOST_TESTS = 150
# A mutant that allocates or writes without end fails: in KiB, and in blocks of 512 bytes.
LIMITS = 'ulimit -v 12000000; ulimit -f 8000000; ulimit -c 0; exec "$0" "$@"'


class Attempt:
    """What became of some tests while some mutants were on."""

    def __init__(self, outcome: str, test: str | None, seconds: float):
        # passed, failed, timed out or not run
        self.outcome, self.test, self.seconds = outcome, test, seconds


class Runner:
    def __init__(self, bundle: pathlib.Path, workers: int | None = None):
        self.bundle = bundle
        memory = pathlib.Path("/dev/shm")
        parent = memory if memory.is_dir() and shutil.disk_usage(memory).free > 4 << 30 else None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="agenda-mutants-", dir=parent))
        # Fewer than all cores where others work on the same machine.
        self.workers = workers or int(os.environ.get("WORKERS", os.cpu_count() or 1))
        self.places: queue.Queue[pathlib.Path] = queue.Queue()
        for number in range(self.workers):
            self.places.put(self.folder / str(number))

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def names(self) -> list[str]:
        done = subprocess.run(
            [self.bundle, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True)
        return [line for line in done.stdout.splitlines() if "/" in line or "." in line]

    def attempt(
        self, tests: list[str], numbers: list[int], limit: float, reached: pathlib.Path | None = None
    ) -> Attempt:
        """Runs tests one after the other until one fails or the time is over."""
        place = self.places.get()
        try:
            return self._attempt(place, tests, numbers, limit, reached)
        finally:
            shutil.rmtree(place, ignore_errors=True)
            self.places.put(place)

    def _attempt(self, place, tests, numbers, limit, reached) -> Attempt:
        place.mkdir(parents=True, exist_ok=True)
        events = place / "events"
        environment = {
            **os.environ, "AGENDA_MUTANTS": ",".join(map(str, numbers)), "AGENDA_SCRATCH": str(place),
            "TMPDIR": str(place), "HOME": str(place), "SWIFT_BACKTRACE": "enable=no"}
        if reached:
            environment["AGENDA_MUTANTS_REACHED"] = str(reached)
        pattern = "^(" + "|".join(re.escape(test) for test in tests) + ")(/|$)"
        process = subprocess.Popen(
            ["sh", "-c", LIMITS, self.bundle, "--testing-library", "swift-testing", "--no-parallel", "--filter",
             pattern, "--event-stream-output-path", events, "--event-stream-version", "0"],
            env=environment, cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            self._kill(process, place)

        timer = threading.Timer(limit, stop)
        timer.start()
        has_failed, output = False, ""
        assert process.stdout
        for bytes in process.stdout:
            # Some terminals get colors, also through a pipe.
            line = re.sub(r"\x1b\[[0-9;]*m", "", bytes.decode(errors="replace"))
            if "Test run with" in line:
                output = line
            if re.match(r"✘ Test ", line):
                has_failed = True
                break
        timer.cancel()
        if has_failed:
            # The event is written just before the line.
            self._kill(process, place)
        status = process.wait()
        process.stdout.close()
        last, own = self._read(events)
        if has_failed:
            return Attempt("failed", last, own)
        if is_late.is_set():
            return Attempt("timed out", last, own)
        if status != 0:
            self._kill(process, place)
            return Attempt("failed", last, own)
        ran = re.search(r"Test run with (\d+) tests?", output)
        return Attempt("passed" if ran and int(ran[1]) > 0 else "not run", None, own)

    @staticmethod
    def _read(events: pathlib.Path) -> tuple[str | None, float]:
        """The test that failed, or else that ran last, and the seconds without the start of the process."""
        last, failed, times = None, None, [0.0]
        with contextlib.suppress(OSError):
            for line in events.read_text(errors="replace").splitlines():
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    payload = json.loads(line)["payload"]
                    if payload["kind"] in ("testStarted", "testCaseStarted", "issueRecorded"):
                        identifier = payload.get("testID") or ""
                        if "(" in identifier:
                            last = re.sub(r"/[^/]*:\d+:\d+$", "", identifier)
                            if payload["kind"] == "issueRecorded":
                                failed = failed or last
                    times.append(payload["instant"]["absolute"])
        return failed or last, times[-1] - times[1] if len(times) > 1 else 0.0

    @staticmethod
    def _kill(process: subprocess.Popen, place: pathlib.Path) -> None:
        """Stops the tests and the programs that they started, some of which have sessions of their own."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                is_ours = os.readlink(folder / "cwd").startswith(str(place))
                if is_ours or os.fsencode(f"AGENDA_SCRATCH={place}") in (folder / "environ").read_bytes().split(b"\0"):
                    os.kill(int(folder.name), signal.SIGKILL)

    # Which tests come to which mutants

    def record(self, tests: list[str], say=print) -> dict[str, dict]:
        """For each test that passes without a mutant, its seconds and the numbers of the mutants that it comes to."""
        found: dict[str, dict] = {}

        def one(test: str):
            descriptor, name = tempfile.mkstemp(prefix="reached-", dir=self.folder)
            os.ftruncate(descriptor, MOST)
            os.close(descriptor)
            path = pathlib.Path(name)
            attempt = self.attempt([test], [], 180, path)
            bytes = path.read_bytes()
            path.unlink()
            return test, attempt, [number for number in range(1, MOST) if bytes[number]]

        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            for count, (test, attempt, numbers) in enumerate(pool.map(one, tests), 1):
                if attempt.outcome == "passed":
                    found[test] = {"seconds": round(attempt.seconds, 2) + 0.01, "reached": numbers}
                elif attempt.outcome != "not run":
                    say(f"       {test} {attempt.outcome} without a mutant: left out", flush=True)
                if count % 200 == 0:
                    say(f"       {count} of {len(tests)} tests recorded", flush=True)
        return found

    # Mutants

    def confirmed(self, attempt: Attempt, tests: list[str], numbers: list[int], limit: float) -> str | None:
        """The test that fails again, or that needs too long while it does not without the mutants."""
        again = [attempt.test] if attempt.test in tests else tests
        if attempt.outcome == "timed out":
            # A busy machine must not look like a mutant.
            return again[0] if self.attempt(again, [], limit).outcome == "passed" else None
        repeated = self.attempt(again, numbers, limit)
        return again[0] if repeated.outcome in ("failed", "timed out") else None

    def alone(self, number: int, tests: list[str], seconds: dict[str, float]) -> tuple[dict, list[str]]:
        """The outcome of a mutant after the first seconds of tests, and the tests that did not run."""
        if not tests:
            return {"number": number, "outcome": "not reached"}, []
        used, size, at = 0.0, 1.5, 0
        start = time.monotonic()
        while at < len(tests) and used < ALONE:
            batch, sum = [], 0.0
            while at < len(tests) and len(batch) < MOST_TESTS and (not batch or sum + seconds[tests[at]] <= size):
                batch.append(tests[at])
                sum += seconds[tests[at]]
                at += 1
            limit = 5 * sum + 10
            attempt = self.attempt(batch, [number], limit)
            if attempt.outcome in ("failed", "timed out"):
                test = self.confirmed(attempt, batch, [number], limit)
                if test:
                    return {
                        "number": number, "outcome": "caught" if attempt.outcome == "failed" else "timed out",
                        "test": test, "seconds": round(time.monotonic() - start, 1)}, []
            used += sum
            size *= 2
        return {"number": number, "outcome": "survived", "seconds": round(time.monotonic() - start, 1)}, tests[at:]

    def together(
        self, left: dict[int, list[str]], seconds: dict[str, float], caught, passed, most: float = float("inf")
    ) -> dict[str, int]:
        """Tries mutants together with each of the tests that are left for them; calls `caught` and `passed`. After
        `most` seconds it starts no test. Returns the tests that did not run, with the number of mutants of each."""
        alive = set(left)
        unfinished: dict[str, list[int]] = {}
        end = time.monotonic() + most
        lock = threading.Lock()
        by_test: dict[str, list[int]] = {}
        for number, tests in left.items():
            for test in tests:
                by_test.setdefault(test, []).append(number)

        def search(test: str, numbers: list[int]) -> None:
            with lock:
                numbers = [number for number in numbers if number in alive]
            if not numbers:
                return
            if time.monotonic() > end:
                with lock:
                    unfinished.setdefault(test, []).extend(numbers)
                return
            limit = 5 * seconds[test] + 10
            attempt = self.attempt([test], numbers, limit)
            if attempt.outcome not in ("failed", "timed out"):
                passed(numbers, [test])
                return
            if len(numbers) > 1:
                middle = len(numbers) // 2
                search(test, numbers[:middle])
                search(test, numbers[middle:])
            elif self.confirmed(attempt, [test], numbers, limit):
                with lock:
                    alive.discard(numbers[0])
                caught(numbers[0], test)
            else:
                passed(numbers, [test])

        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(lambda item: search(*item), sorted(by_test.items(), key=lambda item: seconds[item[0]])))
        return {test: count for test, numbers in unfinished.items() if (count := len(alive.intersection(numbers)))}
