"""A program uses the library from several tasks at once, under the thread sanitizer."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from bench import BUILD, ROOT, Bench, Failure, Skipped, program

NAME = "threads"
TITLE = "Threads"
ABOUT = (
    "Tasks import files and addresses, answer invitations, read agendas in all formats and follow the changes of one "
    "store at the same time (`Tests/Threads`). The thread sanitizer reports memory that two threads use without order. "
    "With `--size night` the tests of the reader, the store, the sources and the library also run under it.")

SUPPRESSIONS = ROOT / "Tests/Threads/suppressions.txt"
TARGETS = "AgendaReaderTests|AgendaStoreTests|AgendaSourcesTests|AgendaKitTests"
RACE = """\
final class Counter: @unchecked Sendable { var value = 0 }
let counter = Counter()
await withTaskGroup(of: Void.self) { group in
  for _ in 0..<4 { group.addTask { for _ in 0..<2_000_000 { counter.value += 1 } } }
}
print(counter.value > 0)
"""


def reports(output: str) -> list[str]:
    """The places that the sanitizer names, each once."""
    return sorted(set(re.findall(r"SUMMARY: ThreadSanitizer: (.+)", output)))


def environment(**more: str) -> dict[str, str]:
    return {
        **os.environ, "TSAN_OPTIONS": f"suppressions={SUPPRESSIONS} exitcode=66", "SWIFT_BACKTRACE": "enable=no",
        "PATH": f"{program().parent}:{os.environ['PATH']}", **more}


def call(command: list, **more: str) -> tuple[int, str]:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, env=environment(**more))
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def run(bench: Bench) -> None:
    if bench.size == "minutes":
        raise Skipped("builds everything with the thread sanitizer: --size hour")
    options = ["--scratch-path", BUILD / "threads", "--sanitize=thread"]
    code, output = call(["swift", "build", "--package-path", "Tests/Threads", *options])
    if code:
        raise Failure(output[-500:])
    rounds = bench.choose(0, 20, 500)
    with bench.measure(f".ci/prove --size {bench.size} threads") as measured:
        places: set[str] = set()
        failed = 0
        for _ in range(rounds):
            code, output = call([BUILD / "threads/debug/Threads"])
            failed += code != 0
            places |= set(reports(output))
        measured.figure("runs of the program with several tasks", rounds, "runs")
        measured.figure("runs that failed", failed, "runs", right=failed == 0)
        measured.figure("memory that two threads use without order", len(places), " ".join(["places", *sorted(places)]),
                        right=not places)
    if bench.size == "night":
        test(bench)


def test(bench: Bench) -> None:
    scratch = ["--scratch-path", BUILD / "sanitized", "--sanitize=thread"]
    code, output = call(["swift", "build", "--build-tests", *scratch])
    if code:
        raise Failure(output[-500:])
    with bench.measure(f"swift test {' '.join(map(str, scratch[2:]))} --filter '{TARGETS}'") as measured:
        code, output = call(["swift", "test", "--skip-build", *scratch, "--filter", TARGETS])
        passed = re.search(r"Test run with (\d+) tests", output)
        if not passed:
            raise Failure(output[-500:])
        places = set(reports(output))
        measured.figure("tests of the reader, the store, the sources and the library", int(passed[1]), "tests",
                        right=code == 0)
        measured.figure("memory that two threads use without order in tests", len(places),
                        " ".join(["places", *sorted(places)]), right=not places)


def sabotage(bench: Bench):
    compiler = shutil.which("swiftc")
    if not compiler:
        raise Skipped("needs swiftc")
    with tempfile.TemporaryDirectory(prefix="proof-") as name:
        folder = pathlib.Path(name)
        (folder / "main.swift").write_text(RACE)
        done = subprocess.run(
            [compiler, "-sanitize=thread", folder / "main.swift", "-o", folder / "race"], capture_output=True)
        if done.returncode != 0:
            raise Failure(done.stderr.decode(errors="replace")[-500:])
        code, output = call([folder / "race"])
        yield "two tasks that count in one variable", code == 66 and len(reports(output)) > 0
