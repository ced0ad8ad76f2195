#!/usr/bin/env python3
"""Checks the languages in Sources/AgendaRendering/Words/Languages and packs them into WordTable.swift.

    make-word-table.py [--check]

`--check` writes nothing, and fails if the table is not that of the files. Docs/Translating.md describes the files.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources/AgendaRendering/Words"
TABLE = FOLDER / "WordTable.swift"

# The forms of each rule of `PluralRule`.
RULES = {"invariant": 1, "oneOther": 2, "zeroIsOne": 2, "hebrew": 3, "czech": 3, "polish": 3, "eastSlavic": 3,
         "arabic": 6, "englishOrdinal": 4, "swedishOrdinal": 2}
GENDERS = {"masculine", "feminine", "neuter"}
# Texts that a language may leave out, and how many forms they have.
OPTIONAL = {"rules.everyWeekdayNames": 7, "rules.onWeekdayNames": 7, "rules.ordinalWeekdayNames": 7,
            "rules.ordinalWeekdayGenders": 7, "rules.monthNames": 12}
ORDINALS = {"rules.ordinalNumber", "rules.dayOfMonth"}
FIXED = {"direction": {"left", "right"}, "rules.monthsBeforeDays": {"yes", "no"}, "plural": set(RULES), "ordinal": set(RULES)}

problems: list[str] = []


def read(path: pathlib.Path) -> dict[str, list[str]]:
    """The forms of each text."""
    texts: dict[str, list[str]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, tab, text = line.partition("\t")
        where = f"{path.name}:{number}"
        if not tab or not text:
            problems.append(f"{where}: expected a key, a tab and a text: {line}")
            continue
        if key in texts:
            problems.append(f"{where}: {key} is here twice")
        forms = []
        for form in text.split(" | "):
            is_quoted = len(form) > 1 and form[0] == form[-1] == '"'
            if not is_quoted and form != form.strip():
                problems.append(f"{where}: {key}: a text that begins or ends with a space stands in quotation marks")
            # A text of nothing keeps its quotation marks, because an empty line is a text that is left out.
            forms.append(form[1:-1] if is_quoted and len(form) > 2 else form)
        if any("|" in form or not form for form in forms):
            problems.append(f"{where}: {key}: an empty form, or a | without spaces")
        texts[key] = forms
    return texts


def declared() -> dict[str, str]:
    """The texts that the code asks for by the name of a property, and their types."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.swift")):
        group = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if structure := re.match(r" *package struct (\w+): Sendable", line):
                group = structure[1][0].lower() + structure[1][1:]
            if asked := re.match(r" *(?:package |private )?var (\w+): (\w+) \{ texts(?:\.ordinal)?\(\) \}", line):
                found[f"{group}.{asked[1]}"] = asked[2]
            for key in re.findall(r'texts\("([\w.]+)"\)', line):
                found[f"{group}.{key}"] = "String"
    return found


def gaps(text: str) -> set[str]:
    return set(re.findall(r"\{[^}]*\}?", text))


def base(key: str) -> str:
    """The key of English: languages with genders have more ordinals."""
    return re.sub(r"^rules\.ordinals\.(feminine|neuter)\.", "rules.ordinals.masculine.", key)


def check(name: str, texts: dict[str, list[str]], english: dict[str, list[str]], types: dict[str, str]) -> None:
    for key in english.keys() - texts.keys() - OPTIONAL.keys():
        problems.append(f"{name}: {key} is missing")
    for gender in GENDERS - {"masculine"}:
        keys = {key for key in texts if key.startswith(f"rules.ordinals.{gender}.")}
        if keys and {base(key) for key in keys} != {key for key in english if key.startswith("rules.ordinals.")}:
            problems.append(f"{name}: rules.ordinals.{gender}: some are missing")
    for key, forms in texts.items():
        if base(key) not in english and key not in OPTIONAL:
            problems.append(f"{name}: nothing asks for {key}")
            continue
        if allowed := FIXED.get(key):
            if len(forms) != 1 or forms[0] not in allowed:
                problems.append(f"{name}: {key}: expected one of {', '.join(sorted(allowed))}")
            continue
        if key == "rules.ordinalWeekdayGenders" and not set(forms) <= GENDERS:
            problems.append(f"{name}: {key}: expected {', '.join(sorted(GENDERS))}")
        rule = RULES.get(texts["ordinal" if key in ORDINALS else "plural"][0], 0)
        is_counted = types.get(key) == "Plural" or key.startswith("rules.everyNumber.")
        counts = {OPTIONAL[key]} if key in OPTIONAL else {1, rule} if key in ORDINALS else {rule} if is_counted else {1}
        if len(forms) not in counts:
            problems.append(f"{name}: {key}: {len(forms)} forms instead of {max(counts)}")
        if key not in OPTIONAL and gaps(forms[-1]) != gaps(english[base(key)][-1]):
            problems.append(f"{name}: {key}: other gaps than in English: {forms[-1]}")
        for form in forms:
            if not gaps(form) <= gaps(forms[-1]):
                problems.append(f"{name}: {key}: a gap that no other form has: {form}")


def table(languages: dict[str, dict[str, list[str]]], keys: list[str]) -> str:
    def literal(texts: list[str], space: str) -> str:
        return f'#"""\n{space}' + "\t".join(texts) + f'\n{space}"""#'

    def language(name: str, space: str) -> str:
        texts = literal(["|".join(languages[name].get(key, [])) for key in keys], space + "    ")
        return f'Language(\n{space}  name: "{name}",\n{space}  texts: {texts})'

    others = "".join(f"    {language(name, '    ')},\n" for name in languages if name != "en")
    return f"""// Made by Tests/Oracles/make-word-table.py from the files in Languages; do not edit.

/// The texts of every language.
enum WordTable {{
  /// The texts are in the order of `keys`, with tabs between them and bars between their forms. One that the
  /// language leaves out is empty.
  struct Language: Sendable {{
    let name: String
    let texts: StaticString
  }}

  static let keys: StaticString = {literal(keys, "    ")}

  static let english = {language("en", "  ")}

  static let others = [
{others}  ]
}}
"""


def main() -> int:
    languages = {path.stem: read(path) for path in sorted(FOLDER.glob("Languages/*.txt"))}
    english = languages["en"]
    types = declared()
    for key in types.keys() - english.keys():
        problems.append(f"en: {key} is missing")
    dynamic = ("rules.every.", "rules.everyNumber.", "rules.ordinals.")
    for key in english.keys() - types.keys() - FIXED.keys():
        if not key.startswith(dynamic):
            problems.append(f"en: nothing asks for {key}")
    for name, texts in languages.items():
        if missing := {"plural", "ordinal"} - texts.keys():
            problems.append(f"{name}: {', '.join(sorted(missing))} is missing")
        else:
            check(name, texts, english, types)
    keys = list(english)
    for texts in languages.values():
        keys += [key for key in texts if key not in keys]
    text = table(languages, keys)
    if not problems and "--check" not in sys.argv[1:]:
        TABLE.write_text(text, encoding="utf-8")
    elif not problems and TABLE.read_text(encoding="utf-8") != text:
        problems.append(f"{TABLE.name} is not that of the files: run {pathlib.Path(__file__).name}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
