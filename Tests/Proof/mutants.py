"""Small changes of the sources, made at random, which the tests must notice.

`mutant_tree.py` makes the changes, `mutant_runs.py` runs the tests. `mutants.json` is the record of the last run.
`mutants.tsv` judges the changes that no test noticed, one per line: the file, the line of the source, the code before
and after, and the judgement:

    equal: …        the changed code does the same, with the reason
    tested: …       a test that was added after the run; the next run has to show that it fails
    open: …         a test is missing, or not worth its time, with the reason
"""

from __future__ import annotations

import collections
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutant_tree
from bench import ROOT, Bench, Failure, Skipped, run as call, version
from mutant_runs import Runner
from mutant_tree import FOLDER, MODULES, PROGRAMS, TREE, Tree, module_of

NAME = "mutants"
TITLE = "Mutants"
ABOUT = (
    "A program on the compiler's parser changes the sources of the modules that calculate, read, store and write: "
    "operators, numbers, conditions, removed statements and swapped arguments. For each of these mutants, chosen at "
    "random, the tests that come to the changed line run until one fails. `Tests/Proof/mutants.tsv` judges each mutant "
    "that no test notices. Tests are added for them, and tried too; a new sample has none of these. This part fails if "
    "a mutant has no judgement, or if a judgement is about code that the sources do not have. With `--size hour` or "
    "`night` it makes new mutants; the figures are those of the last such run.")

TABLE = ROOT / "Tests/Proof/mutants.tsv"
RECORD = ROOT / "Tests/Proof/mutants.json"
SEED = 1
# The goal.
LEAST = 85


def words(code: str, most: int = 120) -> str:
    """Code in one line, short enough for a table."""
    flat = " ".join(code.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def key(mutant: dict) -> tuple[str, str, str, str]:
    return mutant["file"], mutant["source"], words(mutant["before"]), words(mutant["after"]) or "(removed)"


# The judgements

def judge(table: str, survivors: list[dict], read) -> tuple[dict[tuple, str], list[str]]:
    """The judgements, and what is wrong with them."""
    judged: dict[tuple, str] = {}
    problems = []
    for number, line in enumerate(table.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 5:
            problems.append(f"mutants.tsv:{number}: expected five cells")
            continue
        kind, _, reason = cells[4].partition(": ")
        if kind not in ("equal", "tested", "open") or len(reason) < 8:
            problems.append(f"mutants.tsv:{number}: expected equal, tested or open with a reason, got {cells[4]}")
        if kind == "tested" and not has_test(reason):
            problems.append(f"mutants.tsv:{number}: there is no test {reason}")
        lines = read(cells[0])
        if lines is None or cells[1] not in lines:
            problems.append(f"mutants.tsv:{number}: {cells[0]} has no line {cells[1]}")
        judged[tuple(cells[:4])] = cells[4]
    for survivor in survivors:
        lines = read(survivor["file"])
        # A mutant of code that has changed since is gone.
        if key(survivor) not in judged and lines is not None and survivor["source"] in lines:
            problems.append(
                f"no judgement: {survivor['file']}: {words(survivor['before'])} → "
                f"{words(survivor['after']) or '(removed)'}")
    return judged, problems


def lines_of(name: str) -> set[str] | None:
    path = ROOT / name
    return {words(line) for line in path.read_text().splitlines()} if path.exists() else None


def has_test(name: str) -> bool:
    suite, _, function = name.partition("/")
    return any(
        re.search(rf"func {re.escape(function)}\(", path.read_text())
        for path in (ROOT / "Tests").rglob(f"{suite}.swift"))


# A run

def digest(*folders: str) -> str:
    listed = call(["git", "ls-files", "-coz", "--exclude-standard", *folders]).stdout.decode().split("\0")
    all = hashlib.sha256()
    for name in sorted(name for name in listed if name and (ROOT / name).is_file()):
        all.update(name.encode() + b"\0" + hashlib.sha256((ROOT / name).read_bytes()).digest())
    return all.hexdigest()


def load(name: str, default):
    path = FOLDER / name
    return json.loads(path.read_text()) if path.exists() else default


def save(name: str, value) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text(json.dumps(value, ensure_ascii=False))


def make(count: int) -> list[dict]:
    """Mutants that compile, in random order, in a build of all of them: those of the last run, if it was about the
    same sources."""
    sources = digest(*mutant_tree.FOLDERS)
    state = load("chosen.json", {})
    tree = Tree()
    is_known = state.get("sources") == sources and len(state["mutants"]) >= count
    if not is_known:
        for name in ("reached.json", "outcomes.jsonl"):
            (FOLDER / name).unlink(missing_ok=True)
        found = mutant_tree.candidates(mutant_tree.sources())
        # Some of them do not compile.
        state = {"sources": sources, "candidates": len(found),
                 "mutants": mutant_tree.choose(found, count * 5 // 4, SEED)}
    print(f"       building {len(state['mutants'])} mutants", flush=True)
    state["mutants"] = tree.compile(state["mutants"], is_known)
    for mutant in state["mutants"]:
        lines = (ROOT / mutant["file"]).read_text().splitlines()
        mutant["source"] = words(lines[mutant["line"] - 1])
    save("chosen.json", state)
    return state["mutants"][:count]


def contents(names: list[str]) -> dict[str, str]:
    """A digest of what each test is made of: its file, and the files of its target and of `TestSupport` that have no
    tests. A fixture that changes does not count: the tests that read it may then come to more mutants than is known."""
    support = digest("Tests/TestSupport")
    found: dict[str, str] = {}
    for folder in sorted((ROOT / "Tests").glob("*Tests")):
        texts = {path: path.read_text() for path in sorted(folder.rglob("*.swift"))}
        shared = support + "".join(path.name + text for path, text in texts.items() if "@Test" not in text)
        own: dict[str, str] = {}
        for path, text in texts.items():
            for suite in set(re.findall(r"\b(?:struct|class|enum|extension) (\w+)", text)) if "@Test" in text else ():
                own[suite] = own.get(suite, "") + text
        for name in names:
            target, _, rest = name.partition(".")
            if target == folder.name:
                text = shared + own.get(rest.split("/")[0], "".join(texts.values()))
                found[name] = hashlib.sha256(text.encode()).hexdigest()
    return found


def record(runner: Runner) -> dict[str, dict]:
    """What each test comes to. Tests that have not changed are known from the last run."""
    state = load("reached.json", {})
    now = contents(runner.names())
    before = state.get("contents", {})
    new = [name for name, value in now.items() if before.get(name) != value]
    print(f"       recording what {len(new)} of {len(now)} tests come to", flush=True)
    known = {name: test for name, test in state.get("tests", {}).items() if name in now and name not in new}
    tests = known | runner.record(new)
    # What they did not notice before says nothing now.
    with open(FOLDER / "outcomes.jsonl", "a") as lines:
        lines.write(json.dumps({"changed": new}) + "\n")
    save("reached.json", {"contents": now, "tests": tests})
    return tests


def attempt_all(
    runner: Runner, mutants: list[dict], tests: dict[str, dict], most: float
) -> tuple[list[dict], dict[str, int]]:
    """The outcome of each mutant, and the tests that did not run against all mutants that are left, because the
    `most` seconds for these were over. A run that was stopped goes on where it was."""
    path = FOLDER / "outcomes.jsonl"
    numbers = {mutant["number"] for mutant in mutants}
    outcomes: dict[int, dict] = {}
    # The tests that do not notice a mutant. Tests that are added later run against it too.
    passed: dict[int, set[str]] = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        found = json.loads(line)
        for tests_of_one in passed.values():
            tests_of_one.difference_update(found.get("changed", []))
        for number in found.get("passed", []):
            passed.setdefault(number, set()).update(found["tests"])
        if found.get("number") in numbers:
            outcomes[found["number"]] = found
    seconds = {name: test["seconds"] for name, test in tests.items()}
    reach: dict[int, list[str]] = {}
    for name, test in tests.items():
        for number in test["reached"]:
            reach.setdefault(number, []).append(name)
    own = {mutant["number"]: MODULES[module_of(mutant)] + "." for mutant in mutants}
    lock = threading.Lock()
    rest: dict[int, list[str]] = {}
    file = {mutant["number"]: mutant["file"] for mutant in mutants}
    # How many mutants a test has noticed, of all and of one file: it will probably notice more of them.
    hits: collections.Counter = collections.Counter()
    for outcome in outcomes.values():
        if is_caught(outcome):
            hits.update([outcome["test"], (outcome["test"], file[outcome["number"]])])

    def cost(number: int, test: str) -> float:
        expected = 1 + hits[test] / 2 + 5 * hits[test, file[number]] + 3 * test.startswith(own[number])
        return (seconds[test] + 0.05) / expected

    def write(line: dict) -> None:
        with open(path, "a") as lines:
            lines.write(json.dumps(line) + "\n")

    def note(outcome: dict) -> None:
        with lock:
            outcomes[outcome["number"]] = outcome
            if is_caught(outcome):
                hits.update([outcome["test"], (outcome["test"], file[outcome["number"]])])
            write(outcome)
            if len(outcomes) % 50 == 0:
                noticed = sum(is_caught(outcome) for outcome in outcomes.values())
                print(f"       {len(outcomes)} mutants tried, {noticed} caught", flush=True)

    def note_passed(some: list[int], names: list[str]) -> None:
        with lock:
            write({"passed": some, "tests": names})

    def one(mutant: dict) -> None:
        number = mutant["number"]
        here = reach.get(number, [])
        before = outcomes.get(number)
        if before and is_caught(before):
            return
        if before and before["outcome"] == "survived":
            rest[number] = [test for test in here if test not in passed.get(number, ())]
            return
        outcome, left = runner.alone(number, sorted(here, key=lambda test: cost(number, test)), seconds)
        if outcome["outcome"] == "survived":
            rest[number] = left
            note_passed([number], [test for test in here if test not in left])
        note(outcome)

    with concurrent.futures.ThreadPoolExecutor(runner.workers) as pool:
        list(pool.map(one, mutants))
    print(f"       {len(rest)} mutants that survived their first tests, together with all others", flush=True)
    unfinished = runner.together(
        rest, seconds, lambda number, test: note({"number": number, "outcome": "caught", "test": test}), note_passed,
        most)
    return list(outcomes.values()), unfinished


def is_caught(outcome: dict) -> bool:
    return outcome["outcome"] in ("caught", "timed out")


def summary(
    mutants: list[dict], outcomes: list[dict], unfinished: dict[str, int], candidates: int, command: str, seconds: float
) -> dict:
    by_number = {mutant["number"]: mutant for mutant in mutants}
    tried = [(by_number[outcome["number"]], outcome) for outcome in outcomes if outcome["number"] in by_number]

    def rows(name) -> list[list]:
        counts: dict[str, collections.Counter] = {}
        for mutant, outcome in tried:
            counts.setdefault(name(mutant), collections.Counter())[outcome["outcome"]] += 1
        return [
            [group, sum(c.values()), c["caught"], c["timed out"], c["survived"], c["not reached"]]
            for group, c in sorted(counts.items())]

    survivors = [
        {name: mutant[name] for name in ("file", "line", "source", "kind", "before", "after")}
        | {"outcome": outcome["outcome"]}
        for mutant, outcome in tried if not is_caught(outcome)]
    return {
        "command": command, "seconds": round(seconds, 1), "version": version(),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"), "candidates": candidates,
        "tried": len(tried), "caught": sum(is_caught(outcome) for _, outcome in tried), "seed": SEED,
        "modules": rows(module_of), "kinds": rows(lambda mutant: mutant["kind"]),
        "unfinished": sorted(map(list, unfinished.items())),
        "survivors": sorted(survivors, key=lambda mutant: (mutant["file"], mutant["line"], mutant["after"]))}


def attempt_new(bench: Bench) -> None:
    """Makes mutants, tries them and writes the record. Its time is that of all calls, if some were stopped."""
    count = int(os.environ.get("MUTANTS", bench.choose(0, 600, 5000)))
    most = float(os.environ.get("LONG_TESTS", bench.choose(0, 1800, 6 * 3600)))
    start = time.monotonic()
    # A run that is stopped removes its files too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    mutants = make(count)
    runner = Runner(TREE / ".build/debug/agendaPackageTests.xctest")
    try:
        tests = record(runner)
        outcomes, unfinished = attempt_all(runner, mutants, tests, most)
        state = load("chosen.json", {})
        # Later calls try tests that were added for the mutants of this sample.
        state.setdefault(f"first of {count}", sum(map(is_caught, outcomes)))
        save("chosen.json", state)
    finally:
        runner.close()
        state = load("chosen.json", {})
        state["seconds"] = state.get("seconds", 0) + time.monotonic() - start
        save("chosen.json", state)
    command = f"MUTANTS={count} .ci/prove --size {bench.size} mutants"
    result = summary(mutants, outcomes, unfinished, state["candidates"], command, state["seconds"])
    result["first"] = state[f"first of {count}"]
    RECORD.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n")


def run(bench: Bench) -> None:
    if bench.size != "minutes":
        attempt_new(bench)
    if not RECORD.exists():
        raise Skipped("no run is recorded: .ci/prove --size hour mutants")
    last = json.loads(RECORD.read_text())
    judged, problems = judge(TABLE.read_text(), last["survivors"], lines_of)
    with bench.measure(last["command"], kept=last) as measured:
        share = 100 * last["caught"] / max(1, last["tried"])
        kinds = collections.Counter(judged.get(key(m), "none").split(":")[0] for m in last["survivors"])
        measured.figure("changes that the program can make", last["candidates"], "changes")
        measured.figure("mutants tried, chosen at random", last["tried"], "mutants")
        measured.figure("mutants that a test noticed", f"{last['caught']:,} of {last['tried']:,}, {share:.1f} %",
                        right=share >= LEAST)
        measured.figure("of these, before tests were added for this sample",
                        f"{last['first']:,}, {100 * last['first'] / max(1, last['tried']):.1f} %")
        measured.figure("share that must be reached", LEAST, "%")
        measured.figure("long tests that did not run against every mutant that survived the others, for lack of time",
                        len(last["unfinished"]), "tests")
        measured.figure("mutants that no test noticed, and whose code has changed since", kinds["none"], "mutants")
        measured.figure("mutants that no test notices, and that do the same", kinds["equal"], "mutants")
        measured.figure("mutants that no test noticed, and that a new test shall notice", kinds["tested"], "mutants")
        measured.figure("mutants that no test notices, and that a test could notice", kinds["open"], "mutants")
        measured.table(
            "mutants that no test notices", ["file", "code", "changed code", "judgement"],
            [[m["file"].removeprefix("Sources/"), *map(code, key(m)[2:]),
              judged.get(key(m), "the code has changed since")]
             for m in last["survivors"]])
        if last["unfinished"]:
            measured.table("long tests that did not run", ["test", "mutants"], last["unfinished"])
        head = ["mutants", "tried", "a test fails", "a test needs too long", "all tests pass", "no test comes there"]
        measured.table("mutants by module", head, last["modules"])
        measured.table("mutants by kind", head, last["kinds"])
    with bench.measure(".ci/prove mutants") as measured:
        measured.figure("problems of the judgements", len(problems), "problems", right=not problems)
    for problem in problems:
        bench.check(False, problem)


# The deliberate faults

SAMPLE = """\
func isLess(_ left: Int, _ right: Int) -> Bool { left < right }
func difference(_ left: Int, _ right: Int) -> Int {
  guard left > right else { return 0 }
  var result = left
  result -= right
  return result
}
"""


def sabotage(bench: Bench):
    yield "a mutant without a judgement", "no judgement" in " ".join(judge("", [{
        "file": "Some.swift", "source": "a < b", "before": "a < b", "after": "a <= b"}], lambda _: {"a < b"})[1])
    yield "a judgement about code that is gone", "has no line" in " ".join(
        judge("Some.swift\ta < b\ta < b\ta <= b\tequal: never equal\n", [], lambda _: {"a > b"})[1])
    yield "a judgement that names a test that is missing", "there is no test" in " ".join(
        judge("Some.swift\ta < b\ta < b\ta <= b\ttested: ISOWeekTests/missing\n", [], lambda _: {"a < b"})[1])
    yield "a judgement without a reason", "with a reason" in " ".join(
        judge("Some.swift\ta < b\ta < b\ta <= b\tequal\n", [], lambda _: {"a < b"})[1])
    compiler = shutil.which("swiftc")
    if not compiler:
        raise Skipped("needs swiftc")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="proof-", dir=FOLDER) as name:
        folder = pathlib.Path(name)
        (folder / "sample.swift").write_text(SAMPLE)
        found = mutant_tree.choose(mutant_tree.candidates([folder / "sample.swift"], folder), 9, SEED)
        wanted = mutant_tree.candidates([folder / "sample.swift"], folder)
        yield "all kinds of changes of a sample are found", {
            "comparison", "condition", "arithmetic", "number", "statement"} <= {mutant["kind"] for mutant in wanted}
        text, _ = mutant_tree.changed(SAMPLE.encode(), found)
        (folder / "sample.swift").write_bytes(text)
        (folder / "module.modulemap").write_text(
            f'module AgendaMutants {{ header "{PROGRAMS}/Switch/include/AgendaMutants.h" }}\n')
        # Stands in for the tests: the careful one notices every change of `isLess`, the careless one none.
        (folder / "main.swift").write_text("""\
            import Foundation
            let arguments = CommandLine.arguments.joined(separator: " ")
            var isRight = true
            if arguments.contains("careful") { isRight = !isLess(1, 1) && isLess(1, 2) && !isLess(2, 1) }
            if arguments.contains("careless") { isRight = isLess(1, 2) || true }
            if !isRight { print("✘ Test careful() failed") }
            print("Test run with 1 test in 1 suite passed")
            exit(isRight ? 0 : 1)
            """)
        done = subprocess.run(
            ["sh", "-c", f"cc -c -I'{PROGRAMS}/Switch/include' '{PROGRAMS}/Switch/switch.c' -o switch.o && "
             f"'{compiler}' -I . sample.swift main.swift switch.o -o tests"], cwd=folder, capture_output=True)
        if done.returncode != 0:
            raise Failure(done.stderr.decode(errors="replace")[-1000:])
        runner = Runner(folder / "tests", workers=1)
        try:
            first = next(m for m in found if m["line"] == 1 and m["kind"] in ("comparison", "condition"))["number"]
            tests = runner.record(["Sample.careful()", "Sample.careless()"])
            yield "the tests that come to a mutant are known", all(
                test["reached"] == [first] for test in tests.values()) and len(tests) == 2
            seconds = {name: test["seconds"] for name, test in tests.items()}
            outcome, _ = runner.alone(first, ["Sample.careful()"], seconds)
            yield "a mutant that a test notices", outcome["outcome"] == "caught"
            outcome, _ = runner.alone(first, ["Sample.careless()"], seconds)
            yield "a mutant that a careless test does not notice", outcome["outcome"] == "survived"
            found = []
            left = {first: ["Sample.careless()", "Sample.careful()"]}
            runner.together(left, seconds, lambda number, test: found.append((number, test)), lambda *_: None)
            yield "a mutant that another one of its tests notices", found == [(first, "Sample.careful()")]
            late = runner.together(left, seconds, lambda *_: None, lambda *_: None, most=-1)
            yield "tests that did not run for lack of time", late == {test: 1 for test in left[first]}
        finally:
            runner.close()
