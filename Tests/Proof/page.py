"""Writes Docs/Proof.md and the picture in the README from the recorded results, and from nothing else."""

from __future__ import annotations

import json
import textwrap

import growth
from bench import RESULTS, ROOT, SIZES

PAGE = ROOT / "Docs/Proof.md"
PICTURE = ROOT / "Docs/growth.svg"

INTRODUCTION = """\
# Proof

Each figure on this page was measured by the command next to it, with the version and on the day that are given.
`.ci/prove --page` writes the page from the record of these runs; what was not measured is not here. The other
documents explain how the checks work: [Correctness](Correctness.md), [Security](Security.md),
[Store](Store.md) and [Performance](Performance.md).

Run it again:

```sh
.ci/install test
swift build --build-tests --disable-index-store
.ci/prove                     # some minutes; with names of parts only these
.ci/prove --size hour         # at most about an hour for each part; --size night several
.ci/prove --sabotage          # each check is given something wrong, which it must find
.ci/prove --page              # writes this page
```

A version that ends with a plus sign differs from this commit in some files.

## At a glance

The parts below have all figures, and what each of them means.

"""

# The figures of each part that say most.
GLANCE = {
    "specification": ["sentences", "sentences with a check"],
    "oracles": [
        "random rules, judged by the brute force", "of these, agenda wrong",
        "years of these zones from 1900 to 2200, the same file once", "zones: unexplained differences",
        "random calendars against a second implementation in Python", "of these, different",
        "files and exports with a difference"],
    "coverage": ["regions that tests run; the goal is 95 %"],
    "mutants": ["mutants that a test noticed", "of these, before tests were added for this sample"],
    "failures": ["points tried", "points in neither the old nor the new state"],
    "year": ["simulated days", "problems"],
    "limits": [
        "limits with a test below and above",
        "runs that crashed, hung, needed too much memory or ended with another exit code than they must"],
    "output": ["values compared with those of the calendar"],
    "growth": ["`agenda show` against libical's parse, 100,000 events"],
    "fuzz": ["inputs tried", "findings"],
    "threads": ["memory that two threads use without order"],
}


def write(parts) -> None:
    records = latest()
    text = INTRODUCTION + glance(parts, records)
    for part in parts:
        found = [record for record in records if record["part"] == part.NAME]
        if found:
            text += f"\n## {part.TITLE}\n\n" + about(part) + section(found)
    PAGE.write_text(text)
    for record in records:
        # A line needs several sizes.
        if record["part"] == growth.NAME and "rows" in record and record["size"] != "minutes":
            PICTURE.write_text(growth.draw(record["rows"], record["version"], record["date"]))
    print(f"{PAGE.relative_to(ROOT)}: {len(records)} figures")


def about(part) -> str:
    return "".join("\n".join(textwrap.wrap(text, 118)) + "\n\n" for text in part.ABOUT.split("\n\n"))


def glance(parts, records: list[dict]) -> str:
    rows = []
    for part in parts:
        figures = {record["figure"]: record for record in records if record["part"] == part.NAME}
        for name in GLANCE.get(part.NAME, []) if figures else []:
            record = figures.get(name)
            if not record:
                continue
            anchor = part.TITLE.lower().replace(" ", "-")
            rows.append([f"[{part.TITLE}](#{anchor})", name, result(record), record["date"]])
    return table(["part", "what", "result", "date"], rows)


def latest() -> list[dict]:
    """The last result of each figure, from the largest size. Of each size, only the version that ran last counts."""
    if not RESULTS.exists():
        return []
    records = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    versions = {(record["part"], record["size"]): record["version"] for record in records if not record.get("kept")}
    kept = {record["part"]: record["version"] for record in records if record.get("kept")}
    chosen: dict[tuple, dict] = {}
    for record in records:
        # A result that is kept in the repository has the version that it was measured with.
        is_kept = record.get("kept", False)
        last = kept[record["part"]] if is_kept else versions[record["part"], record["size"]]
        if record["version"] != last:
            continue
        key = record["part"], record["figure"]
        before = chosen.pop(key, None)
        if before and not is_kept and SIZES.index(before["size"]) > SIZES.index(record["size"]):
            record = before
        chosen[key] = record
    return list(chosen.values())


def section(records: list[dict]) -> str:
    plain = [record for record in records if "rows" not in record]
    text = ""
    if plain:
        rows = [
            [record["figure"], result(record), f"`{record['command']}`", f"{record['seconds']:g} s", record["version"],
             record["date"]]
            for record in plain]
        text += table(["what", "result", "command", "time", "version", "date"], rows)
    for record in records:
        if record.get("rows"):
            title = f"{record['figure'][:1].upper()}{record['figure'][1:]}"
            text += f"\n### {title}\n\n`{record['command']}` ({record['version']}, {record['date']})\n\n"
            text += table(record["head"], record["rows"])
    return text


def result(record: dict) -> str:
    return f"{value(record['value'])} {record['unit']}".rstrip()


def value(number) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)


def table(head: list[str], rows: list[list]) -> str:
    def line(cells) -> str:
        return "| " + " | ".join(value(cell).replace("|", "\\|") for cell in cells) + " |\n"
    return line(head) + line(["---"] * len(head)) + "".join(line(row) for row in rows)
