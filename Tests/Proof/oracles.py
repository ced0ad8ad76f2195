"""agenda against independent implementations."""

from __future__ import annotations

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from bench import BUILD, ROOT, Bench, Failure, program, python, run as run_program, swift_tests

NAME = "oracles"
TITLE = "Independent implementations"
ABOUT = (
    "Each row compares results of agenda with those of something that was written independently: another library, the "
    "same rules as brute force, Python's time zones, or the files themselves. [Correctness](Correctness.md) describes "
    "the oracles. Differences are counted unless a table below explains them.")

ORACLES = ROOT / "Tests/Oracles"
FOLDERS = ["quirks", "calendars", "comparison", "recurrence"]


def run(bench: Bench) -> None:
    brute_force(bench)
    rules(bench)
    zones(bench)
    calendars(bench)
    libraries(bench)
    writing(bench)
    store(bench)
    words(bench)


def totals(counted: list[dict]) -> dict[str, collections.Counter]:
    sums: dict[str, collections.Counter] = {}
    for line in counted:
        sums.setdefault(line["what"], collections.Counter()).update(line["counted"])
    return sums


def tested(bench: Bench, tests: str, rounds: int, rows: list[tuple[str, str, str]], name: str) -> None:
    """Runs tests that count what they compare. A row is what the test calls it, what is counted, and the figure."""
    command = f"{f'AGENDA_ROUNDS={rounds} ' if rounds > 1 else ''}swift test --filter '{tests}'"
    with bench.measure(command) as measured:
        passed, counted, output = swift_tests(tests, {"AGENDA_ROUNDS": str(rounds)})
        sums = totals(counted)
        for what, unit, figure in rows:
            measured.figure(figure, sums.get(what, {}).get(unit, 0), unit, right=bool(sums.get(what, {}).get(unit)))
        measured.figure(f"{name}: unexplained differences", 0 if passed else "some", "", right=passed)
    if not passed:
        print("\n".join(line for line in output.splitlines() if "✘" in line)[:2000])


def brute_force(bench: Bench) -> None:
    rounds = bench.choose(1, 10, 240)
    tested(bench, "RandomRuleTests|RandomSetTests", rounds, [
        ("rules against a brute force", "rules", "random rules against a brute force"),
        ("sets against a naive one", "sets",
         "random sets of rules, dates, exceptions and overrides against a naive one"),
    ], "rules")


def zones(bench: Bench) -> None:
    tested(bench, "ZoneinfoTests", bench.choose(1, 10, 10), [
        ("zones against zoneinfo", "zones", "zones of the system and of PyPI's tzdata against Python's zoneinfo"),
        ("zones against zoneinfo", "years", "years of these zones from 1900 to 2200, the same file once"),
        ("zones against zoneinfo", "instants", "moments in these zones"),
        ("zones against zoneinfo", "local times", "local times around changes of the clocks"),
    ], "zones")


def store(bench: Bench) -> None:
    tested(bench, "StoreEqualityTests", 1, [
        ("the store against files", "files", "calendars that the store and the files show alike, byte for byte"),
    ], "the store against files")


def words(bench: Bench) -> None:
    tested(bench, "WordsTests", 1, [
        ("words against a second translation", "equal", "words in 18 languages, equal in a second translation"),
        ("words against a second translation", "with a reason", "words that differ from it, each with a reason"),
    ], "words")


# Rules by libical and python-dateutil

def export_rules(per_frequency: int) -> str:
    """Random rules with the answers of agenda and of the brute force; the path of the file."""
    path = BUILD / "oracles" / "rules.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    passed, _, output = swift_tests(
        "OracleExportTests", {"RULES_EXPORT": str(path), "RULES_PER_FREQUENCY": str(per_frequency)})
    if not passed:
        raise Failure(f"OracleExportTests failed: {output[-500:]}")
    return str(path)


def compare_rules(export: str) -> list[list[str]]:
    """The table that rules_compare.py prints."""
    binary = BUILD / "oracles" / "rules_libical"
    done = run_program(["cc", "-O2", "-w", "-o", binary, ORACLES / "rules_libical.c", "-lical"])
    if done.returncode != 0:
        raise Failure(f"rules_libical.c: {done.stderr.decode()[:500]}")
    answers = BUILD / "oracles" / "libical.txt"
    with open(export) as file, open(answers, "w") as found:
        lines = "".join("\t".join(line.split("\t")[:2]) + "\n" for line in file)
        subprocess.run([binary], input=lines, stdout=found, stderr=subprocess.DEVNULL, text=True, check=True)
    done = run_program([python(), "-B", ORACLES / "rules_compare.py", export, answers])
    if done.returncode != 0:
        raise Failure(f"rules_compare.py: {done.stderr.decode()[-500:]}")
    lines = [line for line in done.stdout.decode().splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def rules(bench: Bench) -> None:
    number = bench.choose(6, 1000, 14_300)
    with bench.measure(f"RULES_PER_FREQUENCY={number} Tests/Oracles/rules") as measured:
        rows = compare_rules(export_rules(number))
        everything = rows[0]
        measured.figure("random rules, judged by the brute force", int(everything[1]), "rules")
        measured.figure("of these, agenda wrong", int(everything[2]), "rules", right=everything[2] == "0")
        measured.figure("agenda, the brute force and libical or python-dateutil agree", int(everything[7]), "rules")
        measured.figure("libical wrong", int(everything[3]), "rules")
        measured.figure("libical without an answer in a tenth of a second", int(everything[4]), "rules")
        measured.figure("python-dateutil wrong", int(everything[5]), "rules")
        measured.figure("python-dateutil without an answer in a tenth of a second", int(everything[6]), "rules")
        measured.table(
            "rules by kind", [
                "rules", "tried", "agenda wrong", "libical wrong", "no answer", "python-dateutil wrong", "no answer",
                "agreed by three"],
            [[row[0], *map(int, row[1:])] for row in rows])


# Calendars

def compare_calendars(agenda, count: int) -> tuple[int, str]:
    done = run_program([
        sys.executable, "-B", ORACLES / "show_compare.py", "--program", agenda, "--count", count, "--seed", "1"])
    text = done.stdout.decode()
    match = re.search(r"(\d+) differ$", text.strip())
    if not match:
        raise Failure(f"show_compare.py: {done.stderr.decode()[-500:]}")
    return int(match[1]), text


def calendars(bench: Bench) -> None:
    count = bench.choose(60, 8000, 100_000)
    agenda = program()
    command = "Tests/Oracles/show_compare.py --program .build/debug/agenda"
    with bench.measure(f"{command} --count {count} --seed 1") as measured:
        different, text = compare_calendars(agenda, count)
        measured.figure("random calendars against a second implementation in Python", count, "calendars")
        measured.figure("of these, different", different, "calendars", right=different == 0)
    if different:
        print(text[:2000])
    # The test does the same.
    with bench.measure("swift test --filter OracleTests/fixtures") as measured:
        files = [path for folder in FOLDERS for path in sorted((ROOT / "Fixtures" / folder).glob("*.ics"))]
        done = run_program([sys.executable, "-B", ORACLES / "show_compare.py", "--program", agenda, "--files", *files])
        counts = dict((name, int(number)) for number, name in re.findall(
            r"(\d+) (equal|explained|different|skipped)", done.stdout.decode()))
        measured.figure("fixtures that the second implementation reads alike", counts.get("equal", 0), "files")
        measured.figure("fixtures with an explained difference", counts.get("explained", 0), "files")
        measured.figure("fixtures with another difference", counts.get("different", "all"), "files",
                        right=counts.get("different") == 0)
        known = json.loads((ORACLES / "explained.json").read_text())
        measured.table(
            "explained differences from the second implementation", ["file", "reason"],
            [[name, reason] for group in known.values() for name, reason in group.items()])


def compare_libraries(agenda, rounds: int) -> tuple[list[dict], list[str]]:
    done = run_program([
        python(), "-B", ORACLES / "library_compare.py", agenda, "--rounds", rounds, "--seed", "1", "--summary"])
    lines = done.stdout.decode().splitlines()
    if done.returncode != 0 or not lines:
        raise Failure(f"library_compare.py: {done.stderr.decode()[-500:]}")
    return [json.loads(line) for line in lines if line.startswith("{")], [
        line for line in lines if not line.startswith("{")]


def libraries(bench: Bench) -> None:
    rounds = bench.choose(60, 20_000, 100_000)
    command = f"Tests/Oracles/library_compare.py .build/debug/agenda --rounds {rounds} --seed 1 --summary"
    with bench.measure(command) as measured:
        found, different = compare_libraries(program(), rounds)
        for library in found:
            measured.figure(
                f"random calendars that {library['library']} and agenda read alike", library["equal"],
                f"of {rounds}, {library['explained']} others have a form that the library reads otherwise")
        measured.figure("calendars with another difference", len(different), "calendars", right=not different)
        sys.path.insert(0, str(ORACLES))
        try:
            from library_compare import EXPLAINED
        finally:
            sys.path.pop(0)
        measured.table(
            "forms that a library reads otherwise", ["library", "form", "what the library does"],
            [[library, form, words] for library, forms in EXPLAINED.items() for form, words in forms.items()])
    for line in different[:5]:
        print(line[:500])


def compare_writing(agenda, rounds: int) -> tuple[dict, list[str]]:
    """Counts, and a line for each difference."""
    done = run_program([
        python(), "-B", ORACLES / "write_compare.py", agenda, "--rounds", rounds, "--seed", "1", "--summary"])
    lines = done.stdout.decode().splitlines()
    if done.returncode != 0 or not any(line.startswith("{") for line in lines):
        raise Failure(f"write_compare.py: {done.stderr.decode()[-500:]}")
    counts = next(json.loads(line) for line in lines if line.startswith("{"))
    return counts, [line for line in lines if not line.startswith("{")]


def writing(bench: Bench) -> None:
    rounds = bench.choose(15, 400, 5000)
    command = f"Tests/Oracles/write_compare.py .build/debug/agenda --rounds {rounds} --seed 1 --summary"
    with bench.measure(command) as measured:
        counts, different = compare_writing(program(), rounds)
        measured.figure("edits, moves and removals in random calendars", counts["changes"], "changes")
        for library, number in counts["compared"].items():
            measured.figure(f"files and exports that {library} read like agenda's store", number, "readings")
        measured.figure("files and exports with a difference", len(different), "readings", right=not different)
    for line in different[:5]:
        print(line[:500])


def sabotage(bench: Bench):
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        # A program that shows one title wrongly, in each of its formats.
        wrong = os.path.join(folder, "agenda")
        with open(wrong, "w") as file:
            file.write(f"#!/bin/sh\n{program()} \"$@\" | sed '0,/\"start\":\"2/s//\"start\":\"3/'\n")
        os.chmod(wrong, 0o755)
        different, _ = compare_calendars(wrong, 3)
        yield "a program that shows the first entry in another millennium, by the second implementation", different > 0
        _, found = compare_libraries(wrong, 10)
        yield "the same program, by two libraries", bool(found)
        # A program that writes another title than it was given.
        with open(wrong, "w") as file:
            file.write(f"#!/bin/sh\n{program()} \"$@\" || exit\n"
                       "[ \"$1\" = edit ] && sed -i s/SUMMARY:e/SUMMARY:E/ home/*.ics\nexit 0\n")
        _, found = compare_writing(wrong, 2)
        yield "a program that writes another title than it shows", bool(found)
        # Rules: the answer of agenda to one rule lacks its first date.
        export = export_rules(1)
        lines = open(export).read().splitlines()
        for number, line in enumerate(lines):
            cells = line.split("\t")
            if "," in cells[4]:
                lines[number] = "\t".join([*cells[:4], cells[4].split(",", 1)[1]])
                break
        changed = os.path.join(folder, "rules.tsv")
        with open(changed, "w") as file:
            file.write("\n".join(lines) + "\n")
        yield "a rule whose first date is missing", compare_rules(changed)[0][2] == "1"
        # Zones: zoneinfo's answer about one moment is changed on its way to the test.
        fake = os.path.join(folder, "python3")
        with open(fake, "w") as file:
            file.write(f"#!/bin/sh\nexec_it() {{ {sys.executable} \"$@\"; }}\n"
                       "case \"$*\" in *zoneinfo_runs*) exec_it \"$@\" | sed '0,/^R .* 3600 CET/s// &x/' ;;\n"
                       "*) exec_it \"$@\" ;; esac\n")
        os.chmod(fake, 0o755)
        passed, _, _ = swift_tests("ZoneinfoTests/systemZones", {"PATH": f"{folder}:{os.environ['PATH']}"})
        yield "a wrong answer of zoneinfo", not passed
