"""Hostile texts in every field, through every format, judged by independent parsers."""

from __future__ import annotations

import json
import pathlib
import tempfile

from bench import ROOT, Bench, Failure, program, python, run as run_program

NAME = "output"
TITLE = "Output"
ABOUT = (
    "Texts that try to be markup, control sequences, rows or header fields are put into every text field of events: "
    "title, place, description, category, comment, contact, names of attendees and organizers, address, name and "
    "address of an attachment, text of an alarm, status, and the name of the calendar. Parsers that have nothing to "
    "do with agenda then read every format: html5lib, Python's email, csv and json, markdown-it-py, icalendar, and "
    "the terminal emulator pyte. Texts must stay texts, the parsed structure must be that of the entries, and each "
    "value must be the one of the calendar: exactly in JSON and exported calendars, and without controls and marks "
    "elsewhere. Of descriptions in HTML only the structure is checked.")

FORMATS = ["json", "jsonl", "tsv", "markdown", "html", "mail", "text", "terminal", "template", "event", "ics"]


def judge(agenda, events: int, seed: int) -> dict:
    """What the parsers counted and found wrong. `output_judge.py` runs with the packages of the tests."""
    done = run_program([
        python(), "-B", ROOT / "Tests/Proof/output_judge.py", agenda, "--events", events, "--seed", seed])
    if done.returncode != 0:
        raise Failure(f"output_judge.py: {done.stderr.decode()[-500:]}")
    return json.loads(done.stdout)


def run(bench: Bench) -> None:
    # Each event has 13 texts.
    rounds, events = bench.choose((2, 100), (40, 100), (800, 100))
    with bench.measure(f".ci/prove --size {bench.size} output") as measured:
        texts, compared, wrong = 0, dict.fromkeys(FORMATS, 0), {name: [] for name in FORMATS}
        for seed in range(1, rounds + 1):
            found = judge(program(), events, seed)
            texts += found["texts"]
            for name in FORMATS:
                compared[name] += found["compared"][name]
                wrong[name] += found["wrong"][name]
        measured.figure(f"hostile texts, each through {len(FORMATS)} formats", texts, "texts")
        measured.figure("values compared with those of the calendar", sum(compared.values()), "values")
        for name in FORMATS:
            measured.figure(
                f"{name}: texts that were more than text, or not the same", len(wrong[name]), "problems",
                right=not wrong[name])
        measured.table(
            "values of each format that were compared", ["format", "values"],
            [[name, compared[name]] for name in FORMATS])
    for name, problems in wrong.items():
        for problem in problems[:5]:
            print(f"       {name}: {problem[:300]}")


def sabotage(bench: Bench):
    faults = [
        ("html", "a page that does not escape <", "s/&lt;/</g"),
        ("tsv", "a table with line breaks in its cells", r"s/\\\\n/\\n/g"),
        ("terminal", "a text with a control sequence", r"s/$/\\x1b]0;x\\x07/"),
        ("json", "a document whose texts lack a backslash", r"s/\\\\\\\\/\\\\/g"),
        ("mail", "a mail with another header field", "s/^MIME-Version/Bcc: x@example.com\\\\nMIME-Version/"),
        # What the values must be.
        ("json", "another place", r's/\"location\":\"/&x/'),
        ("jsonl", "another name of an organizer", r's/\"organizer\":{\"name\":\"/&x/'),
        ("tsv", "another category", r"s/word/wort/g"),
        ("text", "titles without a letter", "s/word/wor/g"),
        ("markdown", "titles without a letter", "s/word/wor/g"),
        ("html", "addresses that lead elsewhere", "s/example.com/example.org/g"),
        ("template", "titles without a letter", "s/word/wor/g"),
        ("event", "comments without a letter", "s/word/wor/g"),
        ("ics", "an export whose places are missing", "/^LOCATION/d"),
        ("ics", "an export with other names", "s/CN=/CN=x/"),
    ]
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        for name, fault, script in faults:
            wrong = pathlib.Path(folder) / "agenda"
            wrong.write_text(f"#!/bin/sh\n{program()} \"$@\" | sed \"{script}\"\n")
            wrong.chmod(0o755)
            found = judge(wrong, 60, 1)["wrong"]
            yield f"{name}: {fault}", bool(found[name])
