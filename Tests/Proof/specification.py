"""Every normative sentence of the specifications, and the tests that check it.

`specification.tsv` has a row per sentence: document, section, number of the sentence in the section, keyword, a few
words, and what becomes of it:

    -                tests check it; they have a comment that names the sentence
    file: PATH …     a fixture is the check; a test compares each fixture with what it must mean
    apart: REASON    the sentence binds something that agenda is not or does not do
    open: REASON     nothing checks it yet

A test names what it checks in a comment above `@Test`, and a fixture of text in a comment of its own:

    // Checks RFC 5545: 3.3.10/4, 3.8.5.3/2
"""

from __future__ import annotations

import collections
import dataclasses
import pathlib
import re

from bench import ROOT, Bench

NAME = "specification"
TITLE = "Specifications and decisions"
ABOUT = (
    "`Tests/Proof/specification.tsv` lists the sentences of the specifications that require or recommend something, by "
    "section, number and a few words, and the decisions of the project. A test that checks a sentence names it in a "
    "comment. This part fails if a sentence has neither a test nor a reason, or if a comment names an unknown "
    "sentence.")

TABLE = ROOT / "Tests/Proof/specification.tsv"
TAG = re.compile(r"^\s*(?://|#) Checks (?!limit:)(.+?): (.+)$")
TEST = re.compile(r"\bfunc\s+(`[^`]+`|\w+)")
COMMAND = ".ci/prove specification"


@dataclasses.dataclass
class Sentence:
    document: str
    section: str
    number: int
    keyword: str
    words: str
    outcome: str
    tests: list[str] = dataclasses.field(default_factory=list)

    @property
    def key(self) -> tuple[str, str, int]:
        return self.document, self.section, self.number

    @property
    def name(self) -> str:
        return f"{self.document}, {self.section} ({self.number})"

    @property
    def state(self) -> str:
        kind = self.outcome.split(":", 1)[0]
        return {"-": "checked", "file": "checked"}.get(kind, kind)

    @property
    def reason(self) -> str:
        return self.outcome.split(":", 1)[-1].strip()


def read_table(text: str) -> tuple[list[Sentence], list[str]]:
    sentences, problems = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 6 or not cells[2].isdigit() or not all(cells):
            problems.append(f"specification.tsv:{number}: expected six cells: {line[:60]}")
            continue
        sentences.append(Sentence(cells[0], cells[1], int(cells[2]), *cells[3:]))
    return sentences, problems


def read_tags(root: pathlib.Path) -> tuple[list[tuple[tuple[str, str, int], str]], list[str]]:
    """The sentences that tests name, each with the test."""
    tags, problems = [], []
    files = [
        path for folder in ("Tests", "Fixtures") for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".swift", ".py", ".txt", ".tsv") and "Proof" not in path.parts]
    for path in files:
        text = path.read_text(errors="replace")
        if " Checks " not in text:
            continue
        lines = text.splitlines()
        place = str(path.relative_to(root))
        for number, line in enumerate(lines):
            match = TAG.match(line)
            if not match:
                continue
            test = place
            if path.suffix == ".swift":
                name = _test_below(lines, number)
                if name is None:
                    problems.append(f"{place}:{number + 1}: no test follows the comment")
                    continue
                test = f"{path.stem}/{name}"
            for word in match[2].split(", "):
                section, slash, last = word.strip().rpartition("/")
                if not slash or not last.isdigit():
                    problems.append(f"{place}:{number + 1}: expected SECTION/NUMBER, got {word}")
                    continue
                tags.append(((match[1], section, int(last)), test))
    return tags, problems


def _test_below(lines: list[str], number: int) -> str | None:
    """The function of the test that a comment is above of. Other comments may be between."""
    for index in range(number + 1, len(lines)):
        line = lines[index].strip()
        if line.startswith("//"):
            continue
        if not line.startswith("@Test"):
            return None
        match = TEST.search("\n".join(lines[index:]))
        return match[1] if match else None
    return None


def judge(sentences: list[Sentence], tags, root: pathlib.Path) -> list[str]:
    """Gives each sentence its tests; returns what is wrong."""
    problems = []
    by_key = {}
    for sentence in sentences:
        if sentence.key in by_key:
            problems.append(f"{sentence.name} is listed twice")
        by_key[sentence.key] = sentence
    for key, test in tags:
        if key in by_key:
            by_key[key].tests.append(test)
        else:
            problems.append(f"{test} names {key[0]}, {key[1]} ({key[2]}), which is not in the table")
    for sentence in sentences:
        kind = sentence.outcome.split(":", 1)[0]
        if kind == "-":
            if not sentence.tests:
                problems.append(f"{sentence.name} has no test and no reason")
        elif kind == "file":
            for path in sentence.reason.split():
                if not (root / path).is_file():
                    problems.append(f"{sentence.name} names {path}, which does not exist")
            sentence.tests += sentence.reason.split()
        elif kind in ("apart", "open"):
            if sentence.tests:
                problems.append(f"{sentence.name} has a test and the reason for having none")
            if len(sentence.reason) < 8:
                problems.append(f"{sentence.name} has no reason")
        else:
            problems.append(f"{sentence.name}: unknown outcome {sentence.outcome}")
    return problems


def run(bench: Bench) -> None:
    with bench.measure(COMMAND) as measured:
        sentences, problems = read_table(TABLE.read_text())
        tags, wrong_tags = read_tags(ROOT)
        problems += wrong_tags + judge(sentences, tags, ROOT)
        rows = []
        for document in dict.fromkeys(sentence.document for sentence in sentences):
            states = collections.Counter(s.state for s in sentences if s.document == document)
            tests = {test for s in sentences if s.document == document for test in s.tests}
            rows.append([
                document, sum(states.values()), states["checked"], states["apart"], states["open"], len(tests)])
        measured.figure("sentences", len(sentences), "sentences")
        measured.figure("sentences with a check", sum(row[2] for row in rows), "sentences")
        measured.figure("problems of the table and the comments", len(problems), "problems", right=not problems)
        measured.table(
            "coverage by document",
            ["document", "sentences", "checked", "apart, with a reason", "not checked yet", "tests and fixtures"], rows)
        measured.table(
            "sentences that nothing checks yet", ["sentence", "keyword", "words", "why"],
            [[s.name, s.keyword, s.words, s.reason] for s in sentences if s.state == "open"])
        reasons = collections.Counter((s.document, s.reason) for s in sentences if s.state == "apart")
        measured.table(
            "reasons why sentences do not bind agenda", ["document", "reason", "sentences"],
            [[document, reason, count] for (document, reason), count in reasons.items()])
    for problem in problems:
        bench.check(False, problem)
    if sentences:
        # For people who want to see the tests of each sentence.
        text = "".join(f"{s.name}\t{s.words}\t{', '.join(s.tests) or s.outcome}\n" for s in sentences)
        (ROOT / ".build/proof").mkdir(parents=True, exist_ok=True)
        (ROOT / ".build/proof/sentences.tsv").write_text(text)


def sabotage(bench: Bench):
    text = TABLE.read_text()
    tags, _ = read_tags(ROOT)

    def finds(table: str, tags, words: str) -> bool:
        sentences, problems = read_table(table)
        return any(words in problem for problem in problems + judge(sentences, tags, ROOT))

    yield "a sentence without a test and a reason", finds(
        text + "RFC 5545\t0.0\t1\tMUST\ta sentence that no test names\t-\n", tags, "has no test and no reason")
    yield "a comment that names a sentence that the table lacks", finds(
        text, [*tags, (("RFC 5545", "0.0", 2), "SomeTests/some")], "not in the table")
    yield "a fixture that does not exist", finds(
        text + "RFC 5545\t0.0\t1\tMUST\ta fixture\tfile: Fixtures/no.ics\n", tags, "does not exist")
    yield "a reason for a sentence that has a test", finds(
        text + "RFC 5545\t0.0\t1\tMUST\tboth\topen: there is no test yet\n",
        [*tags, (("RFC 5545", "0.0", 1), "SomeTests/some")], "for having none")
