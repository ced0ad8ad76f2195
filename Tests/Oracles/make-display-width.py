#!/usr/bin/env python3
"""Writes Sources/AgendaRendering/DisplayWidthTable.swift from the Unicode data of the ICU inside the
Swift toolchain, whose shared library is the argument.

    python3 make-display-width.py …/usr/lib/swift/linux/lib_FoundationICU.so > DisplayWidthTable.swift
"""
import ctypes
import os
import sys

folder = os.path.dirname(sys.argv[1])
for name in ("libswiftCore.so", "lib_FoundationICU.so"):
    library = ctypes.CDLL(os.path.join(folder, name), mode=ctypes.RTLD_GLOBAL)

DEFAULT_IGNORABLE, PREPENDED_MARK = 5, 63
EAST_ASIAN_WIDTH, GENERAL_CATEGORY, HANGUL_SYLLABLE_TYPE = 0x1004, 0x1005, 0x100B
FULLWIDTH, WIDE = 3, 5
ENCLOSING_MARK, NONSPACING_MARK, FORMAT, UNASSIGNED = 7, 6, 16, 0
LEADING_JAMO, VOWEL_JAMO, TRAILING_JAMO = 1, 2, 3
value = library.swift_u_getIntPropertyValue


def width(code):
    jamo = value(code, HANGUL_SYLLABLE_TYPE)
    if jamo in (LEADING_JAMO, VOWEL_JAMO, TRAILING_JAMO):
        return 2 if jamo == LEADING_JAMO and value(code, EAST_ASIAN_WIDTH) == WIDE else 0
    # Signs that enclose the number after them are shown, though they are format characters.
    if value(code, PREPENDED_MARK):
        return 1
    category = value(code, GENERAL_CATEGORY)
    # The soft hyphen is the one format character that terminals show.
    if category in (ENCLOSING_MARK, NONSPACING_MARK, FORMAT) or value(code, DEFAULT_IGNORABLE):
        return 1 if code == 0xAD else 0
    return 2 if value(code, EAST_ASIAN_WIDTH) in (FULLWIDTH, WIDE) else 1


version = (ctypes.c_uint8 * 4)()
library.swift_u_getUnicodeVersion(version)
ranges = {0: [], 2: []}
for code in range(0x300, 0x110000):
    columns = width(code)
    if columns == 1:
        continue
    last = ranges[columns][-1] if ranges[columns] else None
    if last and last[1] == code - 1:
        last[1] = code
    else:
        ranges[columns].append([code, code])


def table(name, of):
    print(f"  static let {name}: [ClosedRange<UInt32>] = [")
    line = "   "
    for first, last in of:
        item = f" 0x{first:X}...0x{last:X},"
        if len(line) + len(item) > 98:
            print(line)
            line = "   "
        line += item
    print(line)
    print("  ]")


print(f"""// Made by Tests/Oracles/make-display-width.py from Unicode {version[0]}.{version[1]}; do not edit.

/// Scalars that take no column or two on a terminal, sorted; all others take one.
enum DisplayWidthTable {{
  static let unicodeVersion = "{version[0]}.{version[1]}"

  /// Marks, joiners and the later parts of Hangul syllables.""")
table("zero", ranges[0])
print("\n  /// East Asian wide and full width.")
table("two", ranges[2])
print("}")
