"""Files as they can be after a power cut, made from a record of what a program did to them.

What was written to a file before its last fsync is there, and so are the names of a folder from before its
last fsync. Of what happened later anything can be there or be missing, and a write can be torn between two
sectors.
"""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import os
import pathlib
import random

SECTOR = 512
# Of very many operations that are under way at once, so many are dropped alone.
MOST_DROPPED = 12


@dataclasses.dataclass(frozen=True)
class Operation:
    kind: str
    inode: int = 0
    offset: int = 0
    path: str = ""
    new: str = ""
    data: bytes = b""

    @property
    def names(self) -> bool:
        return self.kind in "CDRU"

    @property
    def folders(self) -> set[str]:
        return {os.path.dirname(path) for path in (self.path, self.new) if path}


def read_log(path: pathlib.Path) -> list[Operation]:
    content = path.read_bytes()
    operations = []
    # A file system uses the number of a removed file again.
    numbers: dict[int, int] = {}
    start = 0
    while start < len(content):
        end = content.index(b"\n", start)
        kind, inode, offset, length, name, new = content[start:end].decode().split("\t")
        start = end + 1 + int(length)
        number = int(inode)
        if kind == "C":
            numbers[number] = -len(operations) - 1
        operations.append(
            Operation(kind, numbers.get(number, number), int(offset), name, new, content[end + 1:start]))
    return operations


def apply(content: bytearray, operation: Operation, torn: int | None = None) -> None:
    """One write or change of size. Of a torn write, only the sectors are there whose bits `torn` has."""
    end = operation.offset + len(operation.data)
    if operation.kind == "T":
        del content[operation.offset:]
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if torn is None:
        content[operation.offset:end] = operation.data
        return
    for number, at in enumerate(range(0, len(operation.data), SECTOR)):
        if torn >> (number % 64) & 1:
            part = operation.data[at:at + SECTOR]
            content[operation.offset + at:operation.offset + at + len(part)] = part


class Disk:
    """What is on the disk for certain, and what may be."""

    def __init__(self, folder: pathlib.Path):
        self.names: dict[str, int] = {}
        self.contents: dict[int, bytearray] = {}
        self.folders: dict[int, str] = {folder.stat().st_ino: str(folder)}
        for path in folder.rglob("*"):
            inode = path.stat().st_ino
            if path.is_dir():
                self.folders[inode] = str(path)
            else:
                self.names[str(path)] = inode
                self.contents[inode] = bytearray(path.read_bytes())
        self.pending: list[Operation] = []

    def copy(self) -> "Disk":
        other = copy.copy(self)
        other.names, other.folders, other.pending = dict(self.names), dict(self.folders), list(self.pending)
        other.contents = {inode: bytearray(content) for inode, content in self.contents.items()}
        return other

    def do(self, operation: Operation) -> None:
        if operation.kind == "S":
            self.sync(operation.inode)
        elif operation.kind != "N":
            if operation.kind == "D":
                self.folders[operation.inode] = operation.path
            self.pending.append(operation)

    def sync(self, inode: int) -> None:
        folder = self.folders.get(inode)
        left = []
        for operation in self.pending:
            if operation.names and folder is not None and folder in operation.folders:
                self.rename(self.names, operation)
            elif not operation.names and operation.inode == inode:
                apply(self.contents.setdefault(inode, bytearray()), operation)
            else:
                left.append(operation)
        self.pending = left

    @staticmethod
    def rename(names: dict[str, int], operation: Operation) -> None:
        if operation.kind == "C":
            names[operation.path] = operation.inode
        elif operation.kind != "D":
            names.pop(operation.path, None)
        if operation.kind == "R":
            names[operation.new] = operation.inode

    def image(self, choice: "Choice") -> dict[str, bytes]:
        """The files of the folder by path."""
        names = dict(self.names)
        changed: dict[int, bytearray] = {}
        for number, operation in enumerate(self.pending):
            if not choice.kept >> number & 1:
                continue
            if operation.names:
                self.rename(names, operation)
                continue
            if operation.inode not in changed:
                changed[operation.inode] = bytearray(self.contents.get(operation.inode, b""))
            apply(changed[operation.inode], operation, choice.torn if number == choice.torn_number else None)
        return {
            path: bytes(changed.get(inode, self.contents.get(inode, b""))) for path, inode in names.items()}

    def choices(self, seed: int) -> list["Choice"]:
        """Some of the ways in which what is pending can be there."""
        count = len(self.pending)
        everything = (1 << count) - 1
        names = sum(1 << number for number, operation in enumerate(self.pending) if operation.names)
        generator = random.Random(seed)
        found = [Choice(everything), Choice(0), Choice(names), Choice(everything & ~names)]
        dropped = list(range(count))
        if count > MOST_DROPPED:
            dropped = sorted(generator.sample(dropped, MOST_DROPPED - 2)) + [count - 2, count - 1]
        found += [Choice(everything & ~(1 << number)) for number in dropped]
        found += [Choice(generator.getrandbits(count)) for _ in range(3) if count > 2]
        large = [number for number, operation in enumerate(self.pending) if len(operation.data) > SECTOR]
        if large:
            for number in {large[-1], generator.choice(large)}:
                found.append(Choice(everything, number, generator.getrandbits(64)))
        return list(dict.fromkeys(found))


@dataclasses.dataclass(frozen=True)
class Choice:
    """Which of the pending operations are there, as bits, and which write is torn."""

    kept: int
    torn_number: int | None = None
    torn: int = 0


@dataclasses.dataclass(frozen=True)
class Cut:
    """The power fails after so many operations."""

    at: int
    choice: Choice
    is_after_end: bool = False

    def __str__(self) -> str:
        torn = f", write {self.choice.torn_number} torn" if self.choice.torn_number is not None else ""
        return f"after {self.at} operations, kept {self.choice.kept:b}{torn}"


def cuts(start: Disk, operations: list[Operation], moments: set[int]) -> list[Cut]:
    """Cuts at these moments with different images. `start` is at the end when this returns."""
    seen = set()
    found = []
    for at in range(len(operations) + 1):
        for choice in start.choices(at) if at in moments else []:
            digest = hashlib.blake2b(digest_size=16)
            for path, content in sorted(start.image(choice).items()):
                digest.update(f"{path}\0{len(content)}\0".encode())
                digest.update(content)
            # After the end of a command it must be done, so an image counts once more there.
            is_after_end = at == len(operations)
            if (digest.digest(), is_after_end) not in seen:
                seen.add((digest.digest(), is_after_end))
                found.append(Cut(at, choice, is_after_end))
        if at < len(operations):
            start.do(operations[at])
    return found


def image(start: Disk, operations: list[Operation], cut: Cut) -> dict[str, bytes]:
    for operation in operations[:cut.at]:
        start.do(operation)
    return start.image(cut.choice)


def write(folder: pathlib.Path, files: dict[str, bytes]) -> None:
    """Makes a folder have these files; those that are equal keep their times."""
    for path in folder.rglob("*"):
        if path.is_file() and str(path) not in files:
            path.unlink()
    for name, content in files.items():
        path = pathlib.Path(name)
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not path.exists()
            path.write_bytes(content)
            if is_new:
                # All that agenda creates next to its store.
                path.chmod(0o600)
