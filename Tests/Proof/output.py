"""Hostile texts in every field, through every format, judged by independent parsers."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tempfile

from bench import ROOT, Bench, Failure, program, python, run as run_program

NAME = "output"
TITLE = "Output"
ABOUT = (
    "Texts that try to be markup, control sequences, rows or header fields are put into each text field of events. "
    "Parsers that have nothing to do with agenda then read every format: html5lib, Python's email, csv and json, "
    "markdown-it-py, and the terminal emulator pyte. Texts must stay texts, and the parsed structure must be that of "
    "the entries.")

FORMATS = ["json", "jsonl", "tsv", "markdown", "html", "mail", "text", "terminal"]


def judge(agenda, events: int, seed: int) -> dict:
    """What the parsers counted and found wrong. `output_judge.py` runs with the packages of the tests."""
    done = run_program([
        python(), "-B", ROOT / "Tests/Proof/output_judge.py", agenda, "--events", events, "--seed", seed])
    if done.returncode != 0:
        raise Failure(f"output_judge.py: {done.stderr.decode()[-500:]}")
    return json.loads(done.stdout)


def run(bench: Bench) -> None:
    rounds, events = bench.choose((2, 100), (100, 200), (2500, 200))
    with bench.measure(f".ci/prove --size {bench.size} output") as measured:
        texts, wrong = 0, {name: [] for name in FORMATS}
        for seed in range(1, rounds + 1):
            found = judge(program(), events, seed)
            texts += found["texts"]
            for name, problems in found["wrong"].items():
                wrong[name] += problems
        measured.figure("hostile texts, each through eight formats", texts, "texts")
        for name in FORMATS:
            measured.figure(f"{name}: texts that were more than text", len(wrong[name]), "problems",
                            right=not wrong[name])
    for name, problems in wrong.items():
        for problem in problems[:5]:
            print(f"       {name}: {problem[:300]}")


def sabotage(bench: Bench):
    faults = {
        "html": ("a page that does not escape <", "s/&lt;/</g"),
        "tsv": ("a table with line breaks in its cells", r"s/\\\\n/\\n/g"),
        "terminal": ("a text with a control sequence", r"s/$/\\x1b]0;x\\x07/"),
        "json": ("a document whose texts lack a backslash", r's/\\\\\\\\/\\\\/g'),
        "mail": ("a mail with another header field", "s/^MIME-Version/Bcc: x@example.com\\\\nMIME-Version/"),
    }
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        for name, (fault, script) in faults.items():
            wrong = pathlib.Path(folder) / "agenda"
            wrong.write_text(f"#!/bin/sh\n{program()} \"$@\" | sed \"{script}\"\n")
            wrong.chmod(0o755)
            found = judge(wrong, 60, 1)["wrong"]
            yield fault, bool(found[name])
