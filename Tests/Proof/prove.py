#!/usr/bin/env python3
"""Runs the parts of the proof, records their figures in .build/proof/results.jsonl, and writes the page.

    .ci/prove [--size minutes|hour|night] [--sabotage] [PART…]
    .ci/prove --page

The exit code is 1 if a check fails, or if a part does not find the fault that --sabotage gives it.
"""

from __future__ import annotations

import argparse
import sys
import time

import bench
import coverage
import failures
import fuzz
import growth
import limits
import mutants
import oracles
import output
import page
import specification
import speed
import threads
import times
import year

PARTS = [specification, oracles, coverage, mutants, failures, year, limits, output, speed, times, growth, fuzz, threads]


def prove(part, size: str, record: str | None) -> bool:
    print(f"{part.NAME}", flush=True)
    run = bench.Bench(size, part.NAME)
    run.record = record
    start = time.monotonic()
    try:
        part.run(run)
    except bench.Skipped as reason:
        print(f"  skipped: {reason}")
    except bench.Failure as failure:
        run.check(False, str(failure))
    print(f"  {time.monotonic() - start:.0f} s", flush=True)
    return not run.failures


def sabotage(part, size: str) -> bool:
    """Gives a part something wrong. A check that cannot fail is worth nothing."""
    run = bench.Bench(size, part.NAME, records=False)
    is_found = True
    try:
        for fault, found in part.sabotage(run):
            print(f"{part.NAME}: {'found' if found else 'NOT FOUND'}: {fault}", flush=True)
            is_found = is_found and found
    except bench.Skipped as reason:
        print(f"{part.NAME}: skipped: {reason}")
    except bench.Failure as failure:
        print(f"{part.NAME}: {failure}")
        return False
    return is_found


def main() -> int:
    names = {part.NAME: part for part in PARTS}
    parser = argparse.ArgumentParser(
        prog=".ci/prove", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=bench.SIZES, default="minutes")
    parser.add_argument("--sabotage", action="store_true", help="check that each part finds a deliberate fault")
    parser.add_argument("--page", action="store_true", help="write Docs/Proof.md from the recorded results")
    parser.add_argument("--record", metavar="REASON", help="record the instructions of the part speed, with the reason")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(names))
    options = parser.parse_args()
    unknown = [name for name in options.parts if name not in names]
    if unknown:
        parser.error(f"unknown part {unknown[0]}: expected one of {', '.join(names)}")
    if options.page:
        page.write(PARTS)
        return 0
    if options.record and options.parts != [speed.NAME]:
        parser.error("--record goes with the part speed alone")
    chosen = [part for part in PARTS if not options.parts or part.NAME in options.parts]
    done = [
        sabotage(part, options.size) if options.sabotage else prove(part, options.size, options.record)
        for part in chosen]
    failed = [part.NAME for part, is_right in zip(chosen, done) if not is_right]
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


sys.exit(main())
