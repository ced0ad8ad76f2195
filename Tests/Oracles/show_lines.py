"""Content lines and components of iCalendar text (RFC 5545, section 3.1), read in the plainest way."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field


class NotACalendar(Exception):
    """The source holds no component at all."""


@dataclass
class Property:
    name: str
    parameters: dict[str, list[str]]
    value: str

    def parameter(self, name: str) -> str | None:
        values = self.parameters.get(name)
        return values[0] if values else None


@dataclass
class Component:
    name: str
    properties: list[Property] = field(default_factory=list)
    children: list["Component"] = field(default_factory=list)
    closed: bool = True

    def all(self, name: str) -> list[Property]:
        return [item for item in self.properties if item.name == name]

    def first(self, name: str) -> Property | None:
        """The first property of that name which says something: an empty one is as good as none."""
        for item in self.properties:
            if item.name == name and item.value.strip():
                return item
        return None

    def text(self, name: str) -> str | None:
        found = self.first(name)
        return unescaped(found.value) if found else None


def unescaped(value: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nN" else match[1], value)


def split_texts(value: str) -> list[str]:
    """A list of TEXT values, cut at the commas that are not escaped."""
    parts = re.findall(r"(?:[^,\\]|\\.)+", value)
    return [unescaped(part) for part in parts]


def decoded_lines(data: bytes) -> list[str]:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = data.decode("utf-16", errors="replace").encode("utf-8")
    data = data.removeprefix(codecs.BOM_UTF8).replace(b"\0", b"")
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = re.sub(rb"\n[ \t]", b"", data)
    lines = []
    for line in data.split(b"\n"):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            lines.append(repaired(line))
    return lines


def repaired(line: bytes) -> str:
    """In a line with some valid multi-byte UTF-8, only the bad bytes are Windows-1252; otherwise the whole line is."""
    parts, has_utf8, rest = [], False, line
    while rest:
        try:
            valid, bad = rest.decode("utf-8"), b""
            rest = b""
        except UnicodeDecodeError as error:
            valid, bad = rest[:error.start].decode("utf-8"), rest[error.start:error.start + 1]
            rest = rest[error.start + 1:]
        has_utf8 = has_utf8 or not valid.isascii()
        parts += [valid, bad.decode("cp1252", errors="replace")]
    return "".join(parts) if has_utf8 else line.decode("cp1252", errors="replace")


def parsed_line(line: str) -> Property | None:
    match = re.match(r"([A-Za-z0-9-]+)", line)
    if not match:
        return None
    name, rest = match[1].upper(), line[match.end():]
    parameters: dict[str, list[str]] = {}
    while rest.startswith(";"):
        match = re.match(r';([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)', rest)
        if not match:
            return None
        values = re.findall(r'"([^"]*)"|([^,"]+)', match[2])
        parameters[match[1].upper()] = [parameter_text(quoted or plain) for quoted, plain in values]
        rest = rest[match.end():]
    if not rest.startswith(":"):
        return None
    return Property(name, parameters, rest[1:])


def parameter_text(value: str) -> str:
    """A parameter's value decoded by RFC 6868."""
    return re.sub(r"\^([n'^])", lambda match: {"n": "\n", "'": '"', "^": "^"}[match[1]], value)


def components(data: bytes) -> Component:
    """Everything in the source under one root without a name, whether it is in a VCALENDAR or not."""
    root = Component("")
    stack = [root]
    for line in decoded_lines(data):
        if not line.strip():
            continue
        item = parsed_line(line)
        if item is None:
            continue
        if item.name == "BEGIN":
            child = Component(item.value.strip().upper(), closed=False)
            stack[-1].children.append(child)
            stack.append(child)
        elif item.name == "END":
            name = item.value.strip().upper()
            if any(open_one.name == name for open_one in stack[1:]):
                while True:
                    ended = stack.pop()
                    if ended.name == name:
                        ended.closed = True
                        break
        else:
            stack[-1].properties.append(item)
    if not root.children:
        raise NotACalendar()
    return root
