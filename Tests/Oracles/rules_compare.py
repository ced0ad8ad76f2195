"""Counts wrong answers of agenda, libical and python-dateutil on the same random rules.

rules_compare.py EXPORT LIBICAL_ANSWERS prints a Markdown table; the judge is the brute force that
the export carries. Occurrences after DTSTART are compared, up to where the brute force looked. No
answer within a tenth of a second of processor time is counted by itself. A rule is agreed if agenda,
the brute force and one of the others say the same.
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
    signal.setitimer(signal.ITIMER_PROF, 0.1)
    try:
        found = itertools.islice((t for t in rrulestr(rule, dtstart=begin) if t > begin), 20)
        return [t.strftime("%Y%m%dT%H%M%S") for t in found]
    except TimeoutError:
        return ["hang"]
    except Exception:
        return ["error"]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


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
    signal.signal(signal.SIGPROF, too_long)
    rows = collections.defaultdict(collections.Counter)
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
            wrong, slow = set(), set()
            for program in ("agenda", "libical", "dateutil"):
                found = answers[program]
                # A program that refuses a rule which gives nothing is right.
                if found == ["error"] and not truth:
                    found = []
                found = [t for t in found if not t[0].isdigit() or t <= through][: len(truth) or None]
                if found != truth:
                    wrong.add(program)
                    slow |= {f"{program} slow"} if found == ["hang"] else set()
            for row in ["all", frequency] + kinds(rule):
                rows[row].update({name for name in wrong if f"{name} slow" not in slow} | slow)
                rows[row]["agreed"] += "agenda" not in wrong and not {"libical", "dateutil"} <= wrong
    print("| rules | tried | agenda wrong | libical wrong | no answer "
          "| python-dateutil wrong | no answer | agreed by three |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    columns = ["rules", "agenda", "libical", "libical slow", "dateutil", "dateutil slow", "agreed"]
    order = sorted(rows, key=lambda row: (row != "all", not row.startswith("FREQ"), row))
    for row in order:
        counts = rows[row]
        print(f"| {row} | " + " | ".join(str(counts[column]) for column in columns) + " |")


main()
