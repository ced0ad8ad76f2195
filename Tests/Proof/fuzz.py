"""The fuzzers run for a while, and replay the corpus that they have made."""

from __future__ import annotations

import base64
import os
import pathlib
import re
import subprocess
import tempfile
import time

from bench import BUILD, ROOT, Bench, Failure, run as run_program

NAME = "fuzz"
TITLE = "Fuzzing"
ABOUT = (
    "libFuzzer makes inputs for each parser, under the address sanitizer, and keeps those that reach new code. "
    "Swift itself traps at overflows and at indices out of range. `Fixtures/corpus` has a small selection of the "
    "inputs, which is replayed. A finding is an input that traps, hangs or needs too much memory.")

CORPUS = ROOT / "Fixtures/corpus"
# These build in less than a minute.
QUICK = ["ZoneFooter", "Rule", "Messages"]
ALL = [
    *QUICK, "ZoneFile", "LibicalValues", "CalendarReader", "Phrases", "ServerAnswers", "PictureData", "ShowOptions",
    "BrowserKeys", "Imports"]
PLANTED = """\
@_cdecl("LLVMFuzzerTestOneInput")
public func planted(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = Array(UnsafeBufferPointer(start: bytes, count: count))
  if text.starts(with: Array("BUG".utf8)) { _ = text[count] }
  return 0
}
"""


def environment() -> dict[str, str]:
    return {**os.environ, "SWIFT_BACKTRACE": "enable=no"}


def inputs(name: str) -> list[bytes]:
    """The corpus, which `Tests/Fuzz/pack` writes."""
    path = CORPUS / f"{name}.txt"
    return [base64.b64decode(line) for line in path.read_text().splitlines()] if path.exists() else []


def replay(binary: pathlib.Path, found: list[bytes]) -> bool:
    """Gives a fuzzer each input once; whether all of them ended well."""
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        files = []
        for number, data in enumerate(found):
            files.append(pathlib.Path(folder) / str(number))
            files[-1].write_bytes(data)
        done = run_program(
            [binary, *files, "-timeout=20", "-rss_limit_mb=2048", f"-artifact_prefix={folder}/finding-"],
            env=environment())
    return done.returncode == 0


def make_libraries(bench: Bench) -> str:
    """Builds libical and SQLite with the sanitizers for a long run, and says how the fuzzers have them."""
    if bench.size != "minutes":
        done = run_program(["Tests/Fuzz/build-libraries"])
        if done.returncode != 0:
            print(f"       {done.stderr.decode(errors='replace').strip()[-300:]}", flush=True)
    built = (BUILD / "fuzz/libraries/libsqlite3.a").exists()
    return "with the address and undefined-behaviour sanitizers" if built else "as installed, without sanitizers"


def fuzz(name: str, seconds: int) -> tuple[int, float, bool]:
    """Inputs that were tried, the seconds that this took, and whether there was no finding."""
    built = run_program(["Tests/Fuzz/run", name])
    if built.returncode != 0:
        raise Failure(f"{name} does not build: {built.stderr.decode(errors='replace')[-300:]}")
    start = time.monotonic()
    done = run_program(["Tests/Fuzz/run", name, seconds], env=environment())
    tried = re.search(rb"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    if not tried and done.returncode == 0:
        raise Failure(f"{name}: {done.stderr.decode(errors='replace')[-300:]}")
    return int(tried[1]) if tried else 0, time.monotonic() - start, done.returncode == 0


def run(bench: Bench) -> None:
    names = bench.choose(QUICK, ALL, ALL)
    seconds = int(os.environ.get("FUZZ_SECONDS", bench.choose(3, 300, 3000)))
    libraries = make_libraries(bench)
    rows, total, findings, replayed, crashed = [], 0, [], 0, []
    with bench.measure(f"FUZZ_SECONDS={seconds} .ci/prove --size {bench.size} fuzz") as measured:
        for name in names:
            tried, took, is_clean = fuzz(name, seconds)
            corpus = inputs(name)
            if not replay(BUILD / "fuzz" / name / "fuzz", corpus):
                crashed.append(name)
            if not is_clean:
                findings.append(name)
            total += tried
            replayed += len(corpus)
            rows.append([
                f"`Tests/Fuzz/run {name} {seconds}`", tried, round(tried / took), 0 if is_clean else 1, len(corpus)])
            if bench.size != "minutes":
                print(f"       {name}: {tried} inputs", flush=True)
        measured.figure("inputs tried", total, "inputs")
        measured.figure("findings", len(findings), " ".join(["findings", *findings]), right=not findings)
        measured.figure("inputs of the corpus, replayed", replayed, "inputs")
        measured.figure(
            "fuzzers with a finding in their corpus", len(crashed), " ".join(["fuzzers", *crashed]), right=not crashed)
        measured.figure("libical and SQLite", libraries)
        measured.table("fuzzers", ["fuzzer", "inputs", "in a second", "findings", "inputs of the corpus"], rows)


def sabotage(bench: Bench):
    with tempfile.TemporaryDirectory(prefix="proof-") as name:
        folder = pathlib.Path(name)
        (folder / "planted.swift").write_text(PLANTED)
        binary = folder / "fuzz"
        done = subprocess.run(
            ["swiftc", "-O", "-sanitize=fuzzer,address", "-parse-as-library", folder / "planted.swift", "-o", binary],
            capture_output=True)
        if done.returncode != 0:
            raise Failure(f"the planted fuzzer does not build: {done.stderr.decode()[-300:]}")
        yield "an input of a corpus that crashes a parser with a planted bug", (
            replay(binary, [b"BU", b"GUB"]) and not replay(binary, [b"BU", b"BUG"]))
