"""Counts wrong answers of agenda, libical and python-dateutil on the same random rules.

rules_compare.py EXPORT LIBICAL_ANSWERS prints a Markdown table; the judge is the brute force that
the export carries. Occurrences after DTSTART are compared, up to where the brute force looked. No
answer within two seconds counts as a wrong one, and is counted below the table too.
"""

import collections
import datetime
import itertools
import signal
import sys

from dateutil.rrule import rrulestr


def too_long(signum, frame):
    raise TimeoutError


def by_dateutil(start, rule):
    begin = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S")
    signal.alarm(2)
    try:
        found = itertools.islice((t for t in rrulestr(rule, dtstart=begin) if t > begin), 20)
        return [t.strftime("%Y%m%dT%H%M%S") for t in found]
    except TimeoutError:
        return ["hang"]
    except Exception:
        return ["error"]
    finally:
        signal.alarm(0)


def kinds(rule):
    parts = dict(part.split("=", 1) for part in rule.split(";"))
    found = []
    if "BYSETPOS" in parts:
        found.append("BYSETPOS")
    if "-" in parts.get("BYMONTHDAY", "") + parts.get("BYYEARDAY", ""):
        found.append("negative BYMONTHDAY or BYYEARDAY")
    if "BYWEEKNO" in parts:
        found.append("BYWEEKNO")
    if parts["FREQ"] == "YEARLY" and "BYMONTHDAY" in parts and "BYMONTH" not in parts:
        found.append("YEARLY, BYMONTHDAY without BYMONTH (open in the RFC)")
    if any(c.isdigit() for c in parts.get("BYDAY", "")):
        found.append("BYDAY with ordinals")
    return found or ["none of these"]


def main():
    signal.signal(signal.SIGALRM, too_long)
    programs = ["agenda", "libical", "dateutil"]
    rows = collections.defaultdict(collections.Counter)
    hangs = collections.Counter()
    with open(sys.argv[1]) as export, open(sys.argv[2]) as libical:
        for line, answer in zip(export, libical):
            start, rule, through, truth, engine = line.rstrip("\n").split("\t")
            truth = truth.split(",") if truth else []
            answers = {
                "agenda": engine.split(",") if engine else [],
                "libical": answer.strip().split(",") if answer.strip() else [],
                "dateutil": by_dateutil(start, rule),
            }
            frequency = rule.split(";")[0]
            for row in ["all", frequency] + kinds(rule):
                rows[row]["rules"] += 1
            for program in programs:
                found = answers[program]
                if found == ["hang"]:
                    hangs[program] += 1
                # A program that refuses a rule which gives nothing is right.
                if found == ["error"] and not truth:
                    found = []
                found = [t for t in found if not t[0].isdigit() or t <= through][: len(truth) or None]
                if found != truth:
                    for row in ["all", frequency] + kinds(rule):
                        rows[row][program] += 1
    print("| rules | tried | agenda wrong | libical wrong | python-dateutil wrong |")
    print("| --- | ---: | ---: | ---: | ---: |")
    order = sorted(rows, key=lambda row: (row != "all", not row.startswith("FREQ"), row))
    for row in order:
        counts = rows[row]
        print(f"| {row} | {counts['rules']} | " + " | ".join(str(counts[p]) for p in programs) + " |")
    print()
    print("No answer within two seconds: " + ", ".join(f"{p} {hangs[p]}" for p in programs) + ".")


main()
