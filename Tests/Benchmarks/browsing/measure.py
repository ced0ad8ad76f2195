#!/usr/bin/env python3
"""Measures `agenda browse` on a pseudo-terminal: the first frame, keys, bytes, idle time and memory.

    measure.py AGENDA STORE [VIEW…]

A key is measured from the moment it is sent to the last byte before nothing comes for 40 ms, as a
person sees it: `first` is the first byte of its picture, and `complete` the last one, when all days are
read.
"""

import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import termios
import time

NOW = "2026-11-21T10:00:00+01:00"
QUIET = 0.04


def start(agenda: str, store: str, view: str) -> tuple[int, int, float]:
    began = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.environ.update({"AGENDA_STORE": store, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})
        os.execv(agenda, [agenda, "browse", "--now", NOW, "--timezone", "Europe/Berlin", "--view", view])
    return child, terminal, began


def watch(terminal: int, began: float, quiet: float = QUIET) -> tuple[float, float, int]:
    """The milliseconds until the first and the last byte, and the number of bytes."""
    first = last = 0.0
    count = 0
    while select.select([terminal], [], [], quiet if count else 2)[0]:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:
            break
        last = (time.perf_counter() - began) * 1000
        first = first or last
        count += len(data)
    return first, last, count


def ticks(child: int) -> int:
    fields = open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def first_frame(agenda: str, store: str, view: str) -> tuple[float, float]:
    """From the start of the process to a picture with entries, and to the last byte."""
    child, terminal, began = start(agenda, store, view)
    seen, data, last = 0.0, b"", 0.0
    while select.select([terminal], [], [], 0.3 if data else 2)[0]:
        data += os.read(terminal, 1 << 16)
        last = (time.perf_counter() - began) * 1000
        # The taking of the screen alone is no picture.
        if not seen and b"\x1b[2J" in data and len(data) > 400:
            seen = last
    os.write(terminal, b"q")
    os.waitpid(child, 0)
    os.close(terminal)
    return seen, last


def main() -> None:
    agenda, store, *views = sys.argv[1:]
    for view in views or ["list", "day", "week", "month", "year"]:
        frames = [first_frame(agenda, store, view) for _ in range(5)]
        seen, complete = (statistics.median(column) for column in zip(*frames))
        print(f"{view}: first frame {seen:.0f} ms, complete {complete:.0f} ms")
        child, terminal, began = start(agenda, store, view)
        watch(terminal, began, 0.5)
        for name, key in [("j", b"j"), ("k", b"k"), ("l", b"l"), ("PageDown", b"\x1b[6~"), ("PageUp", b"\x1b[5~"), ("t", b"t")]:
            figures = []
            for _ in range(7):
                began = time.perf_counter()
                os.write(terminal, key)
                figures.append(watch(terminal, began, 0.15))
            firsts, lasts, counts = zip(*figures)
            print(
                f"  {name:9} first {statistics.median(firsts):6.1f} ms (most {max(firsts):6.1f}), "
                f"complete {statistics.median(lasts):7.1f} ms (most {max(lasts):7.1f}), {statistics.median(counts):.0f} bytes"
            )
        before = ticks(child)
        time.sleep(3)
        idle = ticks(child) - before
        memory = next(line for line in open(f"/proc/{child}/status") if line.startswith("VmHWM"))
        print(f"  idle for 3 s: {idle} ticks; peak memory {int(memory.split()[1]) / 1024:.0f} MiB")
        os.write(terminal, b"q")
        os.waitpid(child, 0)
        os.close(terminal)


if __name__ == "__main__":
    main()
