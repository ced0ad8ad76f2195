"""The fuzzers run for a while, and replay the corpus that they have made."""

from __future__ import annotations

import base64
import os
import pathlib
import re
import subprocess
import tempfile

from bench import BUILD, ROOT, Bench, Failure, run as run_program

NAME = "fuzz"
TITLE = "Fuzzing"
ABOUT = (
    "libFuzzer makes inputs for each parser, under the address sanitizer, and keeps those that reach new code. "
    "`Fixtures/corpus` has a small selection of these, which is replayed. A finding is an input that traps, hangs "
    "or needs too much memory.")

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


def fuzz(name: str, seconds: int) -> tuple[int, bool]:
    """Inputs that were tried, and whether there was no finding."""
    done = run_program(["Tests/Fuzz/run", name, seconds], env=environment())
    tried = re.search(rb"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    if not tried and done.returncode == 0:
        raise Failure(f"{name}: {done.stderr.decode(errors='replace')[-300:]}")
    return int(tried[1]) if tried else 0, done.returncode == 0


def run(bench: Bench) -> None:
    names = bench.choose(QUICK, ALL, ALL)
    seconds = bench.choose(3, 300, 7000)
    for name in names:
        with bench.measure(f"Tests/Fuzz/run {name} {seconds}") as measured:
            tried, is_clean = fuzz(name, seconds)
            measured.figure(f"{name}: inputs tried", tried, "inputs")
            measured.figure(f"{name}: findings", 0 if is_clean else 1, "findings", right=is_clean)
        with bench.measure(".ci/prove fuzz") as measured:
            corpus = inputs(name)
            is_clean = replay(BUILD / "fuzz" / name / "fuzz", corpus)
            measured.figure(f"{name}: inputs of the corpus, replayed", len(corpus), "inputs", right=is_clean)


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
