#!/usr/bin/env python3
"""Runs `agenda browse` on a pseudo-terminal and looks at it through the terminal emulator pyte.

    browse_screen.py CHECK AGENDA [ARGUMENTS…] < settings.json

CHECK is the name of a function below. Prints one line for each thing that is wrong. The settings are
{"rounds": 1, "seed": 1, "folder": "…", "is_changing": false}; the environment of the program is that of this one.
"""

import fcntl
import json
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pyte

problems: list[str] = []


def wrong(text: str) -> None:
    problems.append(text)
    print(text, flush=True)


class Terminal:
    """The program, and what a person sees of it."""

    # What gives the screen back.
    START = b"\x1b[?1049h"
    END = b"\x1b[?25h\x1b[?1049l"

    def __init__(self, command: list[str], columns: int = 80, rows: int = 24) -> None:
        self.size = (columns, rows)
        self.make_screen()
        self.raw = b""
        # A terminal of our own, whose settings can be compared when the program has ended.
        self.master, self.slave = pty.openpty()
        self.set_size(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.child = os.fork()
        if self.child == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for number in range(3):
                os.dup2(self.slave, number)
            os.closerange(3, 64)
            os.execvp(command[0], command)
        self.status: int | None = None
        end = time.time() + 20
        while self.START not in self.raw and time.time() < end and not self.has_ended():
            self.read(0.02, 0.1)
        self.wait_until_idle()

    def make_screen(self) -> None:
        self.screen = pyte.Screen(*self.size)
        self.stream = pyte.ByteStream(self.screen)

    def set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        # What was on its way is drawn before.
        self.read(0.02)
        self.size = (columns, rows)
        self.make_screen()
        self.set_size(columns, rows)

    def feed(self, data: bytes) -> None:
        self.raw += data
        # pyte shows the marks of kitty's protocol and private modes as text if they are cut.
        self.stream.feed(data)

    def read(self, quiet: float = 0.08, limit: float = 8) -> bytes:
        """Reads until nothing comes for a while."""
        got, end = b"", time.time() + limit
        while time.time() < end:
            if not select.select([self.master], [], [], quiet)[0]:
                break
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:
                break
            if not data:
                break
            got += data
            self.feed(data)
        return got

    def wait_for(self, text: str, limit: float = 10) -> bool:
        end = time.time() + limit
        while time.time() < end:
            self.read(0.03, 0.3)
            if any(text in line for line in self.screen.display):
                return True
        return False

    def send(self, text: str | bytes) -> None:
        data = text.encode() if isinstance(text, str) else text
        while data:
            ready = select.select([self.master], [self.master], [], 5)
            if ready[0]:
                try:
                    self.feed(os.read(self.master, 1 << 16))
                except OSError:
                    return
            if ready[1]:
                try:
                    data = data[os.write(self.master, data[:512]) :]
                except OSError:
                    return
            if not ready[0] and not ready[1]:
                return

    def settle(self) -> None:
        """Waits until everything that was sent is drawn: a redraw begins with a cleared screen."""
        start = len(self.raw)
        self.send("\x0c")
        end = time.time() + 20
        while time.time() < end and b"\x1b[2J" not in self.raw[start:]:
            if not self.read(0.02, 1) and self.has_ended():
                return
        self.read(0.06)

    def ticks(self) -> int:
        """The processor time that the program has used."""
        try:
            fields = open(f"/proc/{self.child}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            return 0
        return int(fields[11]) + int(fields[12])

    def wait_until_stopped(self, limit: float = 5) -> bool:
        end = time.time() + limit
        while time.time() < end:
            self.read(0.02, 0.1)
            child, status = os.waitpid(self.child, os.WUNTRACED | os.WNOHANG)
            if child and os.WIFSTOPPED(status):
                return True
            if child:
                self.status = os.waitstatus_to_exitcode(status)
                return False
        return False

    def wait_until_idle(self, limit: float = 10) -> None:
        end = time.time() + limit
        while time.time() < end:
            before = self.ticks()
            if not self.read(0.15, 2) and self.ticks() == before:
                return

    def has_ended(self) -> bool:
        if self.status is None:
            child, status = os.waitpid(self.child, os.WNOHANG)
            if child:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def close(self, limit: float = 60) -> int | None:
        end = time.time() + limit
        while not self.has_ended() and time.time() < end:
            self.read(0.02, 0.1)
        if not self.has_ended():
            wrong("the program did not end")
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        self.read(0.02, 0.2)
        return self.status

    def check_restored(self, what: str) -> None:
        after = termios.tcgetattr(self.slave)
        if after != self.before:
            wrong(f"{what}: the terminal has other settings than before")
        # What failed at the end is said below the screen.
        if self.raw.rfind(self.END) < self.raw.rfind(self.START):
            wrong(f"{what}: the screen was not given back: {self.raw[-80:]!r}")

    def free(self) -> None:
        os.close(self.master)
        os.close(self.slave)

    def picture(self) -> list[list[tuple]]:
        buffer = self.screen.buffer
        return [
            [
                (cell.data, cell.fg, cell.bg, cell.bold, cell.reverse, cell.underscore)
                for cell in (buffer[row][column] for column in range(self.size[0]))
            ]
            for row in range(self.size[1])
        ]

    def check_picture(self, what: str) -> None:
        """What was drawn bit by bit is what is drawn at once."""
        # Days that are read now, and changes that wait for the disk, would change it.
        self.wait_until_idle()
        before = self.picture()
        for _ in range(10):
            self.read(0.5, 2)
            if self.picture() == before:
                break
            before = self.picture()
        lines = list(self.screen.display)
        self.settle()
        if self.has_ended():
            return
        after = self.picture()
        if before != after:
            for row, (one, two) in enumerate(zip(lines, self.screen.display)):
                if before[row] != after[row]:
                    wrong(f"{what}: row {row} at {self.size}: {one.rstrip()!r} instead of {two.rstrip()!r}")
                    break


# ESC [ … final, ESC 7-bit, and nothing else below a space.
SEQUENCE = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|[78=>])")


def check_bytes(raw: bytes, what: str) -> None:
    """Only control sequences of our own kind reach the terminal."""
    allowed = set(b"mHKJGhlurLM")
    for match in SEQUENCE.finditer(raw):
        if match[0][-1] not in allowed:
            wrong(f"{what}: an unexpected control sequence {match[0]!r}")
            return
    rest = SEQUENCE.sub(b"", raw).replace(b"\r\n", b"")
    text = rest.decode(errors="replace")
    for character in text:
        if ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0:
            wrong(f"{what}: the control character {character!r} reached the terminal")
            return
        if character in "\u202e\u202d\u2066\u2067\u2068\u200f\u200e\ufeff":
            wrong(f"{what}: the direction mark {ord(character):x} reached the terminal")
            return
    marks = re.search("[\u0300-\u036f]{16}", text)
    if marks:
        wrong(f"{what}: a letter with more than 15 marks reached the terminal")


VIEWS = "123456"
SIZES = [
    (1, 1), (1, 5), (2, 2), (5, 1), (3, 7), (8, 4), (13, 6), (20, 5), (20, 40), (39, 12), (40, 24), (60, 10),
    (80, 24), (100, 30), (132, 43), (200, 60), (400, 200),
]


def sizes(command: list[str], settings: dict) -> None:
    """Every view, at every size, and after each change of the size."""
    terminal = Terminal(command)
    for view in VIEWS:
        terminal.send(view)
        for columns, rows in SIZES:
            terminal.resize(columns, rows)
            terminal.send("j")
            terminal.read(0.03, 2)
            if (columns, rows) in ((20, 5), (80, 24)):
                terminal.check_picture(f"view {view}")
            if terminal.has_ended():
                wrong(f"view {view} at {columns} × {rows}: the program ended with {terminal.status}")
                return
    terminal.send("q")
    if terminal.close() != 0:
        wrong(f"sizes: exit status {terminal.status}")
    terminal.check_restored("sizes")
    check_bytes(terminal.raw, "sizes")
    terminal.free()


# Without E and o, which give the terminal to other programs.
KEYS = list("kjhlkjhl123456tgnNcaexxriRuU?+-<> y fadt") + [
    "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\r", "\x1b", "\t", "\x7f",
    "\x1bOA", "\x1b[1;5C", "\x1b[13u", "\x1b[[A", "/", "tomorrow", "9:00", "\x15", "é", "東", "👩‍👩‍👧", "\x13",
    "\x1b[999~", "\x1b[", "\x00", "\xff",
]


def random_input(dice: random.Random, size: tuple[int, int]) -> str | bytes:
    choice = dice.random()
    if choice < 0.78:
        return dice.choice(KEYS)
    if choice < 0.93:
        button = dice.choice([0, 0, 0, 32, 64, 65, 2, 35])
        final = dice.choice("MMm")
        column, row = dice.randrange(1, size[0] + 2), dice.randrange(1, size[1] + 2)
        return f"\x1b[<{button};{column};{row}{final}"
    if choice < 0.97:
        text = "".join(dice.choice("ab q\n\x1bxy") for _ in range(dice.randrange(30)))
        return f"\x1b[200~{text}\x1b[201~"
    return bytes(dice.randrange(256) for _ in range(dice.randrange(6))).translate(None, b"\x03\x1aq")


def random_keys(command: list[str], settings: dict) -> None:
    """Random keys, mouse, pastes, sizes and signals: it never crashes, and the terminal is given back."""
    dice = random.Random(settings["seed"])
    count = 250 * settings["rounds"]
    sent = 0
    while sent < count and not problems:
        terminal = Terminal(command, dice.choice([20, 80, 100]), dice.choice([5, 24, 40]))
        for _ in range(12):
            for _ in range(dice.randrange(1, 25)):
                key = random_input(dice, terminal.size)
                # The end of the program is a matter of other checks.
                if key != "q":
                    terminal.send(key)
                sent += 1
            action = dice.random()
            if action < 0.35:
                terminal.resize(dice.randrange(1, 130), dice.randrange(1, 50))
            elif action < 0.5:
                os.kill(terminal.child, signal.SIGTSTP)
                if not terminal.wait_until_stopped():
                    if terminal.has_ended():
                        break
                    wrong(f"seed {settings['seed']}: SIGTSTP does not stop the program")
                start = len(terminal.raw)
                os.kill(terminal.child, signal.SIGCONT)
                # Keys that are typed before would be shown by the system.
                end = time.time() + 5
                while terminal.START not in terminal.raw[start:] and time.time() < end:
                    terminal.read(0.02, 0.1)
            terminal.read(0.02, 1)
            if terminal.has_ended():
                # A byte can be part of a key that quits.
                break
            # A picture that other programs change at the same time cannot be compared.
            if action > 0.7 and not settings.get("is_changing"):
                terminal.send("\x1b\x1b")
                terminal.check_picture(f"after {sent} keys of seed {settings['seed']}")
        if not terminal.has_ended():
            end = dice.choice([signal.SIGTERM, signal.SIGHUP, signal.SIGINT, None])
            if end is None:
                # It leaves what is asked, then the form or the input, then the program.
                for _ in range(3):
                    terminal.send("\x03")
                    terminal.read(0.05, 1)
            else:
                os.kill(terminal.child, end)
            expected = 0 if end is None else 128 + end
            if terminal.close() != expected:
                wrong(f"seed {settings['seed']}: exit status {terminal.status} instead of {expected}")
        elif terminal.status != 0:
            wrong(f"seed {settings['seed']}: exit status {terminal.status} after {sent} keys")
        terminal.check_restored(f"seed {settings['seed']}")
        check_bytes(terminal.raw, f"seed {settings['seed']}")
        terminal.free()


def endings(command: list[str], settings: dict) -> None:
    """However it ends, the terminal is as it was before."""
    for name, expected in [
        ("q", 0), ("\x03", 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130),
        (signal.SIGSEGV, -11), (signal.SIGABRT, -6), (signal.SIGILL, -4),
    ]:
        terminal = Terminal(command)
        if isinstance(name, str):
            terminal.send(name)
        else:
            os.kill(terminal.child, name)
        status = terminal.close()
        if status != expected:
            wrong(f"{name!r}: exit status {status} instead of {expected}")
        terminal.check_restored(repr(name))
        terminal.free()
    # A person stops the program, and looks at the shell.
    terminal = Terminal(command)
    picture = terminal.picture()
    terminal.send("\x1a")
    if not terminal.wait_until_stopped():
        wrong("Control-Z does not stop the program")
    terminal.check_restored("Control-Z")
    os.kill(terminal.child, signal.SIGCONT)
    terminal.make_screen()
    terminal.wait_until_idle()
    if terminal.picture() != picture:
        wrong("the picture is another one after Control-Z")
    terminal.send("q")
    terminal.close()
    terminal.free()


def bursts(command: list[str], settings: dict) -> None:
    """Keys that were typed before a question was on the screen never answer it."""
    folder = settings["folder"]

    def contents() -> dict[str, bytes]:
        return {
            name: open(os.path.join(folder, name), "rb").read()
            for name in sorted(os.listdir(folder)) if name.endswith(".ics")
        }

    before = contents()
    for keys, pause in settings["bursts"]:
        terminal = Terminal(command, 100, 30)
        for key in keys:
            terminal.send(key)
            time.sleep(pause)
        terminal.wait_until_idle()
        # Whatever is open now is left.
        terminal.send("\x03")
        terminal.wait_until_idle()
        if contents() != before:
            wrong(f"{keys}: the files have other bytes")
        if not terminal.has_ended():
            terminal.send("q")
        terminal.close()
        terminal.free()


def cut(command: list[str], settings: dict) -> None:
    """A store that another program cuts ends it with a message, and the terminal is as before."""
    store = os.environ["AGENDA_STORE"]
    saved = open(store, "rb").read()
    for ends in settings["ends"]:
        for keys in settings["keys"]:
            terminal = Terminal(command, 100, 30)
            for end in ends:
                if os.path.exists(store + end):
                    os.truncate(store + end, 0)
            for key in keys:
                terminal.send(key)
                terminal.read(0.2, 1)
            status = terminal.close(20)
            if status != 1:
                wrong(f"{ends} {keys}: exit status {status} instead of 1")
            terminal.check_restored(f"{ends} {keys}")
            if b"agenda: " not in terminal.raw[terminal.raw.rfind(terminal.END):]:
                wrong(f"{ends} {keys}: no message: {terminal.raw[-200:]!r}")
            terminal.free()
            for end in ("-wal", "-shm", "-journal"):
                if os.path.exists(store + end):
                    os.remove(store + end)
            with open(store, "wb") as file:
                file.write(saved)


def same_as_show(command: list[str], settings: dict) -> None:
    """The list of the screen has the entries of `show -f json` of the same days, in the same order."""
    agenda, rest = command[0], command[2:]
    shown = json.loads(subprocess.run([agenda, "show", "-f", "json", "--days", "14", *rest], capture_output=True).stdout)
    expected = [
        (entry["title"], None if entry["allDay"] else entry["start"][11:16], section["title"])
        for section in shown["sections"] for entry in section["entries"]
    ]
    terminal = Terminal(command, 160, 200)
    day, found = None, []
    for line in terminal.screen.display[:-2]:
        text = line.rstrip()
        if not text:
            continue
        if line[0] not in "▌ *+#=%@&$~^" or line[0] != " " and line[1] != " ":
            day = text.split(" · ")[0].split("  ")[0]
        elif line[0] != " ":
            times, title = line[2:15].strip(), line[15:].strip().split("  ")[0]
            start = re.match(r"\d\d:\d\d", times)
            found.append((title, start[0] if start else None, day))
    if not expected:
        wrong("there is nothing to compare")
    for place, entry in enumerate(expected):
        other = found[place] if place < len(found) else None
        # An entry that began on a day before has no start on this one.
        if other is None or (entry[0], entry[2]) != (other[0], other[2]) or other[1] not in (entry[1], None):
            wrong(f"entry {place}: show has {entry}, the screen {other}")
            break
    terminal.send("q")
    terminal.close()
    terminal.free()


def undone(command: list[str], settings: dict) -> None:
    """Changes by keys are undone by a key, byte by byte."""
    folder = settings["folder"]

    def contents() -> dict[str, bytes]:
        return {
            name: open(os.path.join(folder, name), "rb").read()
            for name in sorted(os.listdir(folder)) if name.endswith(".ics")
        }

    before = contents()
    for what, keys in settings["changes"]:
        terminal = Terminal(command, 100, 30)
        for key in keys:
            terminal.send(key)
            terminal.wait_until_idle()
        if contents() == before:
            wrong(f"{what}: nothing changed; the screen says {terminal.screen.display[-1].rstrip()!r}")
        terminal.send("u")
        if not terminal.wait_for("undid"):
            wrong(f"{what}: u does not undo: {terminal.screen.display[-1].rstrip()!r}")
        if contents() != before:
            wrong(f"{what}: the files have other bytes after u")
        terminal.send("q")
        terminal.close()
        terminal.free()


def live(command: list[str], settings: dict) -> None:
    """What another program adds appears, and the selection stays."""
    agenda = command[0]
    terminal = Terminal(command, 100, 30)
    selected = terminal.screen.display[-1]
    subprocess.run([agenda, "add", *settings["words"]], check=True, capture_output=True)
    if not terminal.wait_for(settings["title"]):
        wrong("an added entry does not appear")
    if terminal.screen.display[-1] != selected:
        wrong(f"the selection moved from {selected.rstrip()!r} to {terminal.screen.display[-1].rstrip()!r}")
    # Nothing happens now, and nothing uses processor time.
    terminal.read(0.3)

    start = terminal.ticks()
    time.sleep(1.0)
    if terminal.ticks() != start:
        wrong(f"{terminal.ticks() - start} ticks of processor time in an idle second")
    # A move of the cursor sends little.
    for keys in ("j", "k", "j"):
        terminal.send(keys)
        count = len(terminal.read(0.1))
        if count > 200:
            wrong(f"a move of the cursor sent {count} bytes")
    terminal.send("q")
    terminal.close()
    terminal.free()


def picture(command: list[str], settings: dict) -> None:
    """A photograph that was taken on its side is upright: `top` and `bottom` are the channels of its colours."""
    terminal = Terminal(command, 60, 60)
    terminal.send("\r")
    terminal.wait_for("▀")
    terminal.read(0.3)
    rows = [
        [cell for cell in (row[column] for column in range(60)) if cell.data == "▀"]
        for row in (terminal.screen.buffer[number] for number in range(60))
    ]
    rows = [row for row in rows if row]

    def channel(color: str) -> int:
        parts = [int(color[place : place + 2], 16) for place in (0, 2, 4)]
        return parts.index(max(parts))

    if not rows:
        wrong("there is no picture")
    else:
        seen = (channel(rows[0][0].fg), channel(rows[-1][0].fg))
        if seen != (settings["top"], settings["bottom"]):
            wrong(f"the picture has the colours {seen} at its top and bottom: {rows[0][0]} {rows[-1][0]}")
        if len(rows[0]) > 2 * len(rows) - 1:
            wrong(f"the picture is {len(rows[0])} × {2 * len(rows)}")
    # The first closes the details.
    terminal.send("qq")
    terminal.close()
    terminal.free()


def hostile(command: list[str], settings: dict) -> None:
    """Titles from strangers never reach the terminal as control sequences."""
    terminal = Terminal(command, 100, 30)
    for key in ["2", "3", "4", "5", "6", "1", "\r", "\x1b", "i", "\x1b", "c", "\x1b"] + ["j", "\r", "\x1b"] * 6:
        terminal.send(key)
        terminal.read(0.05)
    terminal.check_picture("hostile titles")
    terminal.send("q")
    terminal.close()
    check_bytes(terminal.raw, "hostile titles")
    terminal.free()


def main() -> None:
    check, *command = sys.argv[1:]
    settings = json.loads(sys.stdin.read() or "{}")
    os.environ.setdefault("TERM", "xterm-256color")
    # What keys start must not wait for a person.
    os.environ.update({"EDITOR": "true", "VISUAL": "true", "BROWSER": "true"})
    globals()[check](command, settings)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
