"""Makes mutants: small changes of the sources, all of one build, each switched on by its number at run time.

A copy of the project is built once with all changes in it: `a < b` becomes `(mutant(17) ? a <= b : a < b)`.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import re
import shutil
import subprocess

from bench import BUILD, ROOT, Failure, Skipped, run

FOLDER = BUILD / "mutants"
TREE = FOLDER / "tree"
PROGRAMS = ROOT / "Tests/Proof/Mutants"
# In the order in which they are built, with the tests that are tried first.
MODULES = {
    "CivilTime": "CivilTimeTests", "Recurrence": "RecurrenceTests", "AgendaCore": "AgendaCoreTests",
    "ICalendar": "AgendaReaderTests", "AgendaReader": "AgendaReaderTests", "AgendaStore": "AgendaStoreTests",
    "AgendaSources": "AgendaSourcesTests"}
FOLDERS = [f"Sources/{module}" for module in MODULES if module != "AgendaSources"] + ["Sources/AgendaSources/Writing"]
IMPORT = "public import AgendaMutants; "


def module_of(mutant: dict) -> str:
    return mutant["file"].split("/")[1]


def candidates(files: list[pathlib.Path], root: pathlib.Path = ROOT) -> list[dict]:
    """All changes that can be made to these files."""
    source, program = PROGRAMS / "Candidates.swift", FOLDER / "candidates"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        compiler = shutil.which("swiftc")
        if not compiler:
            raise Skipped("needs swiftc")
        # The compiler's own parser, which comes with the toolchain.
        host = pathlib.Path(compiler).resolve().parents[1] / "lib/swift/host"
        FOLDER.mkdir(parents=True, exist_ok=True)
        done = run([
            compiler, "-O", "-parse-as-library", "-swift-version", "6", "-I", host, "-L", host, "-lSwiftSyntax",
            "-lSwiftParser", "-lSwiftOperators", "-Xlinker", "-rpath", "-Xlinker", host, source, "-o", program])
        if done.returncode != 0:
            raise Failure(done.stderr.decode(errors="replace")[-2000:])
    done = run([program, *[path.relative_to(root) for path in files]], cwd=root)
    if done.returncode != 0:
        raise Failure(done.stderr.decode(errors="replace")[-2000:])
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def sources() -> list[pathlib.Path]:
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.swift"))]


def choose(found: list[dict], count: int, seed: int) -> list[dict]:
    """Some of them at random: at most one of each statement, and none within another."""
    shuffled = list(found)
    random.Random(seed).shuffle(shuffled)
    statements: set[tuple] = set()
    taken: dict[str, list[tuple[int, int]]] = {}
    chosen = []
    for candidate in shuffled:
        if len(chosen) == count:
            break
        statement = candidate["file"], candidate["statement"]
        ranges = taken.setdefault(candidate["file"], [])
        start, end = candidate["start"], candidate["end"]
        if statement in statements or any(start < other[1] and other[0] < end for other in ranges):
            continue
        statements.add(statement)
        ranges.append((start, end))
        # 0 is no mutant.
        chosen.append({**candidate, "number": len(chosen) + 1})
    return chosen


def switched(mutant: dict) -> str:
    """The code with both ways."""
    number, before, after = mutant["number"], mutant["before"], mutant["after"]
    return {
        "choice": f"(mutant({number}) ? {after} : {before})",
        "negation": f"(mutant({number}) != ({before}))",
        "removal": f"if !mutant({number}) {{ {before} }}",
        "branch": f"if mutant({number}) {{ {after} }} else {{ {before} }}",
    }[mutant["form"]]


def changed(text: bytes, mutants: list[dict]) -> tuple[bytes, dict[int, tuple[int, int]]]:
    """The text with these mutants, and the lines of each."""
    mutants = sorted(mutants, key=lambda mutant: mutant["start"])
    parts, lines, at, line = [], {}, 0, 1
    for mutant in mutants:
        between = text[at:mutant["start"]]
        code = switched(mutant).encode()
        line += between.count(b"\n")
        lines[mutant["number"]] = line, line + code.count(b"\n")
        line += code.count(b"\n")
        parts += [between, code]
        at = mutant["end"]
    # Code that other modules could copy cannot use what they do not import.
    whole = (b"".join(parts) + text[at:]).replace(b"@inlinable", b"")
    return (IMPORT.encode() + whole if mutants else whole), lines


class Tree:
    """A copy of the project with mutants."""

    def __init__(self) -> None:
        self.lines: dict[str, dict[int, tuple[int, int]]] = {}

    def copy(self) -> None:
        """Brings the copy up to date, without the sources that get mutants."""
        listed = run(["git", "ls-files", "-coz", "--exclude-standard"]).stdout.decode().split("\0")
        names = {name for name in listed if name and (ROOT / name).is_file()}
        for folder, folders, files in os.walk(TREE):
            if folder == str(TREE):
                folders[:] = [name for name in folders if name != ".build"]
            for file in files:
                path = pathlib.Path(folder, file)
                if str(path.relative_to(TREE)) not in names:
                    path.unlink()
        mutated = {str(path.relative_to(ROOT)) for path in sources()} | {"Package.swift"}
        for name in names - mutated:
            self._write(name, (ROOT / name).read_bytes())
            shutil.copymode(ROOT / name, TREE / name)
        package = (ROOT / "Package.swift").read_text()
        below = '.target(name: "Platform", dependencies: ["SystemLibrary"'
        if below not in package:
            raise Failure("Package.swift: the target Platform is not where the mutants expect it")
        package = package.replace(
            below, '.target(name: "AgendaMutants", path: "Tests/Proof/Mutants/Switch"),\n    '
            + below + ', "AgendaMutants"')
        self._write("Package.swift", package.encode())
        # The packages of Python, which take long to install.
        (TREE / ".build").mkdir(parents=True, exist_ok=True)
        link = TREE / ".build/python"
        if (BUILD / "python").exists() and not link.exists():
            link.symlink_to(BUILD / "python")

    def write(self, mutants: list[dict]) -> None:
        by_file: dict[str, list[dict]] = {}
        for mutant in mutants:
            by_file.setdefault(mutant["file"], []).append(mutant)
        for path in sources():
            name = str(path.relative_to(ROOT))
            text, self.lines[name] = changed(path.read_bytes(), by_file.get(name, []))
            self._write(name, text)

    def _write(self, name: str, text: bytes) -> None:
        path = TREE / name
        if path.exists() and path.read_bytes() == text:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)

    def build(self, *arguments: str) -> list[tuple[str, int, str]]:
        """The errors of a build: file, line and message."""
        done = run(["swift", "build", *arguments], cwd=TREE)
        if done.returncode == 0:
            return []
        output = (done.stdout + done.stderr).decode(errors="replace")
        (FOLDER / "build.log").write_text(output)
        found = re.findall(r"^(?:.*?/)?(Sources/\S+?\.swift):(\d+):\d+: error: (.*)$", output, re.M)
        if not found:
            raise Failure(f"the build with mutants fails: {output[-1500:]}")
        return sorted({(file, int(line), message) for file, line, message in found})

    def blamed(self, mutants: list[dict], errors: list[tuple[str, int, str]]) -> dict[int, str]:
        """The mutants that do not compile, with a message."""
        found: dict[int, str] = {}
        by_file: dict[str, list[dict]] = {}
        for mutant in mutants:
            by_file.setdefault(mutant["file"], []).append(mutant)
        for file, line, message in errors:
            lines, here = self.lines.get(file, {}), by_file.get(file, [])
            on_line = [m for m in here if lines[m["number"]][0] <= line <= lines[m["number"]][1]]
            if not on_line:
                # The compiler reports a type that no longer fits elsewhere in the same declaration.
                shift = {m["number"]: lines[m["number"]][0] - m["line"] for m in here}
                on_line = [
                    m for m in here
                    if m["function"][0] + shift[m["number"]] - 1 <= line
                    <= m["function"][1] + shift[m["number"]] + 8]
            for mutant in on_line or here:
                found.setdefault(mutant["number"], message)
        return found

    def compile(self, mutants: list[dict], is_known: bool = False, say=print) -> list[dict]:
        """Builds the copy, without the mutants that do not compile. All of `is_known` ones do."""
        self.copy()
        left = list(mutants)
        self.write(left)
        for module in [] if is_known else MODULES:
            while True:
                self.write(left)
                errors = self.build("--target", module)
                if not errors:
                    break
                wrong = self.blamed(left, errors)
                if not wrong:
                    raise Failure(f"the build with mutants fails: {errors[:3]}")
                left = [mutant for mutant in left if mutant["number"] not in wrong]
                say(f"       {module}: {len(wrong)} mutants do not compile", flush=True)
        errors = self.build("--build-tests")
        if errors:
            raise Failure(f"the build with mutants fails: {errors[:3]}")
        return left


def digest() -> str:
    """What a run depends on: sources, tests and fixtures as they are."""
    listed = run(["git", "ls-files", "-sco", "--exclude-standard", "Sources", "Tests", "Fixtures", "Package.swift"])
    return subprocess.run(["git", "hash-object", "--stdin"], input=listed.stdout, capture_output=True, cwd=ROOT,
                          check=True).stdout.decode().strip()
