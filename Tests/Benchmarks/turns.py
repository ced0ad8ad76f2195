"""Commands measured turn by turn in one run, so that what else the machine does falls on all of them alike."""

import os
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def run(arguments):
    """Wall time, processor time (user and system) and peak memory in MiB of one whole process."""
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.execv(arguments[0], arguments)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{arguments} failed")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(ways, rounds, before={}):
    """Prints the medians of each way, and their ratio to those of the first one. Preparations are not measured."""
    results = {name: [] for name in ways}
    for _ in range(rounds):
        for name, arguments in ways.items():
            before.get(name, lambda: None)()
            results[name].append(run(arguments))
    base = [statistics.median(values) for values in zip(*next(iter(results.values())))]
    for name, values in results.items():
        wall, processor, memory = [statistics.median(column) for column in zip(*values)]
        print(
            f"{name:16} {wall * 1000:8.1f} ms ({wall / base[0]:.3f}) {processor * 1000:8.1f} ms of processor ({processor / base[1]:.3f})"
            f" {memory:6.0f} MiB"
        )
