#!/usr/bin/env python3
"""Prints, as JSON, what CLDR has of the words of each language: lists, units of time, plural rules.

From Babel 2.17 (CLDR 46). Narrow and no-break spaces are printed as plain ones.

    python3 words.py en de zh-Hant …
"""
import json
import re
import sys

from babel import Locale

NUMBERS = [*range(0, 131), 199, 200, 201, 202, 211, 1000, 1001, 12345]


def clean(text):
    return re.sub("[\u00a0\u202f\u2009]", " ", text)


def language(name):
    locale = Locale.parse(name.replace("-", "_"))
    units = locale._data["unit_patterns"]
    categories = {locale.plural_form(number) for number in NUMBERS}
    return {
        "lists": {
            style: {key: clean(locale.list_patterns[cldr][key]) for key in ("2", "start", "middle", "end")}
            for style, cldr in (("and", "standard"), ("or", "or"))
        },
        "units": {
            unit: {
                category: clean(units[f"duration-{unit}"]["short"].get(category)
                                or units[f"duration-{unit}"]["short"]["other"])
                for category in categories
            }
            for unit in ("day", "hour", "minute", "second")
        },
        "plurals": [[number, locale.plural_form(number)] for number in NUMBERS],
        "isRightToLeft": locale.text_direction == "rtl",
    }


print(json.dumps({name: language(name) for name in sys.argv[1:]}))
