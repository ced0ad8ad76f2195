"""Every limit in the sources, its reason, and whether tests check it below and above; and hostile files.

A limit is a constant whose name begins with `most`, `longest` and the like. `limits.tsv` has a row for each: the name,
what people see at the limit, and what becomes of it, as in `specification.tsv`. A test names a limit in a comment:

    // Checks limit: RuleText.mostValues
"""

from __future__ import annotations

import pathlib
import re
import tempfile

import bounds
import hostile
import speed
from bench import ROOT, Bench, program, python
from specification import _test_below

NAME = "limits"
TITLE = "Limits"
ABOUT = (
    "The sources bound what hostile or enormous input can cost. The table has each constant that is such a limit, with "
    "the comment next to it, and the tests that go below and above it. This part fails if a limit of the sources is "
    "not in `Tests/Proof/limits.tsv`, or if one is there without a test and without a reason.\n\n"
    f"{len(hostile.FILES) - 1} files that are made to hurt go through every command, and an ordinary one to compare. "
    "Each command must end with the exit code that `Tests/Proof/hostile.py` has for the file: 1 if something is "
    "rejected, left out or fails, otherwise 0. "
    f"{len(bounds.FILES)} files of 100 kB, made to print as much as they can, go through every command and format. "
    f"None may need more than {bounds.SECONDS} s, {bounds.MEMORY} MB of memory or {bounds.OUTPUT} MB of output. "
    "Times are those of the processor. Less memory than 20 MiB is that of "
    "the program that measures. libical parses the whole file and does nothing else; it is stopped after 10 seconds.")

MODIFIERS = r"(?:(?:public|package|private|fileprivate|static|nonisolated)\s+)+"
LIMIT = r"(?P<name>(?:most|longest|largest|deepest|maximum)[A-Z]\w*|most|longest|deepest)"
# An extension of a generic type has computed properties only.
CONSTANT = re.compile(
    rf"^(?P<indent>\s*){MODIFIERS}(?:let\s+{LIMIT}\s*(?::\s*\w+\s*)?=\s*(?P<value>.+?)"
    rf"|var\s+{LIMIT.replace('name', 'computed')}\s*:\s*\w+\s*\{{\s*(?P<result>[\d_<]+)\s*\}})\s*$")
TYPE = re.compile(
    r"^(?P<indent>\s*)(?:(?:public|package|private|fileprivate|final|indirect|@\w+)\s+)*"
    r"(?:struct|enum|class|actor|extension)\s+(?P<name>[\w.]+)")
TAG = re.compile(r"^\s*// Checks limit: (.+)$")
TABLE = ROOT / "Tests/Proof/limits.tsv"
COMMAND = ".ci/prove limits"
# What goes through a few commands each time.
SAMPLE = [
    hostile.ORDINARY, "quotes that never close", "10,000 components within components", "every second on a 30 February",
    "an alarm centuries before", "a zone that changes each second", "one accent on another"]
SAMPLE_COMMANDS = ["check", "show", "alarms", "import"]


def in_sources() -> dict[str, tuple[str, str, str]]:
    """Value, comment and file of each limit by its name."""
    found = {}
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        comment: list[str] = []
        is_used = False
        types: list[tuple[int, str]] = []
        for line in path.read_text().splitlines():
            text = line.strip()
            if text.startswith("//"):
                if is_used:
                    comment, is_used = [], False
                comment.append(text.lstrip("/").strip())
                continue
            if match := TYPE.match(line):
                types = [known for known in types if known[0] < len(match["indent"])]
                types.append((len(match["indent"]), match["name"].split(".")[-1]))
            if match := CONSTANT.match(line):
                inside = [name for indent, name in types if indent < len(match["indent"])]
                own = match["name"] or match["computed"]
                name = f"{inside[-1]}.{own}" if inside else own
                # Extensions of a type in two modules.
                name += f" ({path.stem})" if name in found else ""
                found[name] = match["value"] or match["result"], " ".join(comment), str(path.relative_to(ROOT))
                # Limits below one comment share it.
                is_used = True
                continue
            comment, is_used = [], False
    return found


def tags() -> tuple[dict[str, list[str]], list[str]]:
    found: dict[str, list[str]] = {}
    problems = []
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if match := TAG.match(line):
                test = _test_below(lines, number)
                if test is None:
                    problems.append(f"{path.name}:{number + 1}: no test follows the comment")
                for name in match[1].split(", "):
                    found.setdefault(name.strip(), []).append(f"{path.stem}/{test}")
    return found, problems


def judge(constants, table: str, tests: dict[str, list[str]]) -> tuple[list[list[str]], list[str]]:
    rows, problems, seen = [], [], set()
    for number, line in enumerate(table.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 3:
            problems.append(f"limits.tsv:{number}: expected three cells")
            continue
        name, shown, outcome = cells
        seen.add(name)
        if name not in constants:
            problems.append(f"limits.tsv:{number}: the sources have no limit {name}")
            continue
        value, comment, _ = constants[name]
        kind, _, reason = outcome.partition(": ")
        if kind == "-" and name not in tests:
            problems.append(f"{name} has no test and no reason")
        if kind in ("apart", "open") and (name in tests or len(reason) < 8):
            problems.append(f"{name}: {kind} needs a reason and no test")
        if kind not in ("-", "apart", "open"):
            problems.append(f"{name}: unknown outcome {outcome}")
        tested = ", ".join(f"`{test}`" for test in tests.get(name, []))
        rows.append([f"`{name}`", value, comment, "" if shown == "-" else shown, tested or f"{kind}: {reason}"])
    problems += [f"{name} ({constants[name][2]}) is not in limits.tsv" for name in constants if name not in seen]
    problems += [f"a test names {name}, which is not in limits.tsv" for name in tests if name not in seen]
    return rows, problems


def run(bench: Bench) -> None:
    with bench.measure(COMMAND) as measured:
        constants = in_sources()
        tests, problems = tags()
        rows, more = judge(constants, TABLE.read_text(), tests)
        problems += more
        measured.figure("limits in the sources", len(constants), "limits")
        measured.figure("limits with a test below and above", sum(row[4].startswith("`") for row in rows), "limits")
        measured.figure("limits of work or layout, apart with a reason",
                        sum(row[4].startswith("apart") for row in rows), "limits")
        measured.figure("limits that nothing checks yet", sum(row[4].startswith("open") for row in rows), "limits")
        measured.figure("problems of the table and the comments", len(problems), "problems", right=not problems)
        measured.table(
            "each limit",
            ["limit", "value", "reason in the source", "what people see", "tests, or why there is none"], rows)
    for problem in problems:
        bench.check(False, problem)
    hostile_files(bench)
    small_files(bench)


# A file for each place that can print too much, with a command that would.
SMALL_SAMPLE = [
    ("url: one event every second", "show markdown"), ("organizer: one event every second", "show json"),
    ("zone: one event every second", "show zones"), ("alarm: ten events every second", "alarms tsv"),
    ("title: an event every day for a century", "conflicts json")]
# A build for tests is so many times slower.
TEST_BUILD = 25


def small_files(bench: Bench) -> None:
    if bench.size == "minutes":
        runs = [
            found for file, command in SMALL_SAMPLE
            for found in bounds.costs(str(program()), [file], [command], TEST_BUILD)]
    else:
        runs = list(bounds.costs(str(speed.program(bench)), list(bounds.FILES), list(bounds.COMMANDS)))
    wrong = [f"{name}: {command}: {found.problem}" for name, command, found in runs if found.problem]
    with bench.measure(f".ci/prove --size {bench.size} limits") as measured:
        measured.figure("runs of commands with files of 100 kB", len(runs), "runs")
        measured.figure(
            f"runs that needed more than {bounds.SECONDS} s, {bounds.MEMORY} MB of memory or {bounds.OUTPUT} MB of "
            "output",
            len(wrong), "runs", right=not wrong)
        measured.figure("the longest run", round(max(found.seconds for _, _, found in runs), 1), "s")
        measured.figure("the most memory of a run", round(max(found.memory for _, _, found in runs)), "MB")
        measured.figure("the longest output", round(max(found.output for _, _, found in runs)), "MB")
    for problem in wrong:
        print(f"       {problem}")


def hostile_files(bench: Bench) -> None:
    if bench.size == "minutes":
        agenda, names, commands = program(), SAMPLE, SAMPLE_COMMANDS
    else:
        agenda, names, commands = speed.program(bench), list(hostile.FILES), list(hostile.COMMANDS)
    rows, wrong, runs, slowest, largest = [], [], 0, 0.0, 0.0
    with bench.measure(f".ci/prove --size {bench.size} limits") as measured:
        with tempfile.TemporaryDirectory(prefix="proof-") as folder:
            for name, size, found, libical in hostile.costs(agenda, names, commands, pathlib.Path(folder)):
                runs += len(found)
                wrong += bad(name, found)
                slowest = max([slowest, *(cost.seconds for cost in found.values())])
                largest = max([largest, *(cost.memory for cost in found.values())])
                rows.append([name, f"{size:,}", *map(str, found.values()), str(libical)])
        measured.figure("runs of commands with hostile files", runs, "runs")
        measured.figure("runs that crashed, hung, needed too much memory or ended with another exit code than they "
                        "must", len(wrong), "runs", right=not wrong)
        measured.figure("the longest run", round(slowest, 1), "s")
        measured.figure("the most memory of a run", round(largest), "MiB")
        if bench.size != "minutes":
            measured.table(
                "each hostile file, with the time and memory of each command and of libical",
                ["file", "bytes", *commands, "libical"], rows)
    for problem in wrong:
        print(f"       {problem}")
    for problem in hostile.wrong_classes(hostile.FAILING):
        bench.check(False, problem)


def bad(name: str, found: dict[str, hostile.Cost]) -> list[str]:
    problems = []
    for command, cost in found.items():
        if not cost.is_right:
            problems.append(f"{name}: {command}: {cost}")
        elif cost.code != hostile.exit_code(name, command):
            # A command that refuses its options costs nothing.
            problems.append(f"{name}: {command}: exit code {cost.code}, not {hostile.exit_code(name, command)}")
    return problems


def sabotage(bench: Bench):
    constants, table = in_sources(), TABLE.read_text()
    tests, _ = tags()

    def finds(constants, table, words: str) -> bool:
        return any(words in problem for problem in judge(constants, table, tests)[1])

    yield "a limit of the sources that is not in the table", finds(
        {**constants, "Some.mostThings": ("1", "", "Some.swift")}, table, "Some.mostThings")
    yield "a limit without a test and a reason", finds(
        {**constants, "Some.mostThings": ("1", "", "Some.swift")}, table + "Some.mostThings\tan error\t-\n",
        "no test and no reason")
    yield "a limit that the sources lack", finds(constants, table + "Some.mostThings\tan error\t-\n", "have no limit")
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        # The problem that must be found, the file, and what the program does.
        faults = [
            ("a command that refuses its options", "exit code 2, not 0", hostile.ORDINARY, "exit 2"),
            ("a command that fails although nothing is rejected", "exit code 1, not 0", "UTF-16", "exit 1"),
            ("a command that says nothing of what it rejects", "exit code 0, not 1", "dates that do not exist",
             "exit 0"),
            ("a command that waits for ever", "> 1 s", hostile.ORDINARY, "exec sleep 60"),
            ("a command that works for ever", "> 1 s", hostile.ORDINARY, "while :; do :; done"),
            ("a command that crashes", "SIGSEGV", hostile.ORDINARY, "kill -SEGV $$"),
            ("a command that fills the memory", " MiB", hostile.ORDINARY,
             f"exec {python()} -c 'bytearray({hostile.MEMORY} << 20)'")]
        for number, (fault, problem, file, script) in enumerate(faults):
            wrong = pathlib.Path(folder) / "agenda"
            wrong.write_text(f"#!/bin/sh\n{script}\n")
            wrong.chmod(0o755)
            place = pathlib.Path(folder) / str(number)
            place.mkdir()
            for name, _, found, _ in hostile.costs(wrong, [file], ["check"], place, patience=1):
                yield fault, any(problem in text for text in bad(name, found))
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        wrong = pathlib.Path(folder) / "agenda"
        for fault, script in [
            ("MB of output", f"exec head -c {bounds.OUTPUT + 1}000000 /dev/zero"),
            ("MB of memory", f"exec {python()} -c 'bytearray({bounds.MEMORY + 100} << 20)'"),
            ("ended with 2", "exit 2")]:
            wrong.write_text(f"#!/bin/sh\n{script}\n")
            wrong.chmod(0o755)
            found = bounds.costs(str(wrong), ["title: one event every second"], ["show text"])
            yield f"a command with a small file: {fault}", all(fault in (cost.problem or "") for _, _, cost in found)
    yield "a file of which the bench does not know how it is read", bool(
        hostile.wrong_classes([("", set(), ["nothing", "nothing", "nothing else"])]))
