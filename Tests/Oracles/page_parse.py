"""Reads web pages with an HTML 5 parser.

    page_parse.py PAGE.html…

Prints one JSON object per page: `errors` is what the parser complains about, ids that are missing,
invalid or used twice, links that are not http, https or mailto, and elements that a page must not
have; `texts` is the text of each `bdi` element. Needs html5lib from PyPI.
"""

import json
import pathlib
import re
import sys

import html5lib


def findings(text):
    parser = html5lib.HTMLParser(strict=False)
    document = parser.parse(text)
    errors = [str(error) for error in parser.errors]
    ids = [element.get("id") for element in document.iter() if element.get("id") is not None]
    errors += [f"id used twice: {name}" for name in set(ids) if ids.count(name) > 1]
    errors += [f"invalid id: {name!r}" for name in ids if not name or re.search(r"\s", name)]
    for element in document.iter():
        target = element.get("href")
        if target is None:
            continue
        if target.startswith("#"):
            if target[1:] not in ids:
                errors.append(f"no such id: {target}")
        elif not re.match(r"(?i)(https?|mailto):", target):
            errors.append(f"link to {target}")
    names = {element.tag.rsplit("}", 1)[-1] for element in document.iter() if isinstance(element.tag, str)}
    errors += [f"element {name}" for name in names & {"script", "link", "iframe", "object", "form", "base"}]
    names = {"{http://www.w3.org/1999/xhtml}bdi"}
    texts = ["".join(element.itertext()) for element in document.iter() if element.tag in names]
    return {"errors": errors, "texts": texts}


for name in sys.argv[1:]:
    print(json.dumps(findings(pathlib.Path(name).read_text())))
