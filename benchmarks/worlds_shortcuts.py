"""Attacks on rows of worlds: whether a reader that doesn't read can tell which rows
have an answer, or of which class they are.

Each attack is also run on a control, rows that are not crossed, on which it must
succeed: an attack that fails there too would prove nothing. The table of docs/worlds.md
is that of `python -m benchmarks.worlds_shortcuts --rows 2400 --seed 5150103`.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from refusalbench_tasks.taxonomy import PerturbationClass
from refusalbench_tasks.worlds.document import DOCUMENTS, HANDLE_NAMES
from refusalbench_tasks.worlds.quad import CROSSED, Design, Quad, make_quad
from refusalbench_tasks.worlds.quad_rows import CELLS

CONTROL = Design(crossed=False, handles=0.0)
"""Only what is asked has a defect, entries begin with names, and old values and facts
that are stated twice are of things with an answer.
"""
HANDLED_CONTROL = Design(crossed=False, handles=1.0)
"""The same for attacks that follow handles."""
ENTRY = 4
"""How many sentences an entry has at most."""
TEST = 0.2
"""The share of quads on which an attack is measured."""
_NUMBER = re.compile(r"\d[\d.,:]*")


@dataclass(frozen=True)
class Reading:
    """A row as attacks see it: names and numbers masked in the question, the naming
    lines, and what handles lead to.
    """

    answerable: bool
    group: int
    perturbation: str
    question: str
    naming: str
    followed: str
    passage: str
    counts: tuple[float, ...]
    mentions: int
    relation: str


def readings(
    seed: int, quads: int, domains: tuple[str, ...], design: Design = CROSSED
) -> list[Reading]:
    """Return the rows of some quads as attacks see them; intrinsic
    ones are left out.
    """
    drawn = (make_quad(seed, index, domains, design) for index in range(quads))
    return [
        _reading(quad, position)
        for quad in drawn
        if not quad.defect.is_opinion
        for position in range(CELLS)
    ]


def _reading(quad: Quad, position: int) -> Reading:
    cell = quad.cells[position]
    name = cell.ask.name
    others = [other for other in quad.world.names if other != cell.ask.name]
    lines = _lines(cell.passage.text)
    pieces = [
        piece for line in lines for piece in re.split(r"(?<=[.?]) (?=[A-Z])", line)
    ]
    naming = [piece for piece in pieces if name in piece]
    followed = naming + _followed(lines, pieces, name)
    mask = _masker(name, others)
    return Reading(
        cell.solved.answer is not None,
        quad.index,
        quad.defect.perturbation.value,
        mask(cell.question),
        " \n ".join(map(mask, naming)),
        " \n ".join(map(mask, followed)),
        mask(cell.passage.text),
        _counts(cell.passage.text, naming, followed, name),
        cell.passage.text.count(name),
        cell.ask.relation.lower(),
    )


def _lines(text: str) -> list[str]:
    """Return the lines of a passage; of a list of questions, each answer about a thing
    with its question, and of a table each cell with the head of its column.
    """
    lines = []
    question = ""
    heads: list[str] = []
    for line in text.split("\n"):
        first, *cells = line.split(" | ")
        if cells and heads:
            pairs = zip(heads, cells, strict=True)
            line = f"{first} | {'; '.join(f'{head} {cell}' for head, cell in pairs)}"
        else:
            heads = [cell.lower() for cell in cells]
        if line.startswith("Q. "):
            question = line.removeprefix("Q. ").lower()
        elif line.startswith("A. "):
            answers = line.removeprefix("A. ").removesuffix(".").split("; ")
            lines += [f"{question} {answer}" for answer in answers]
        elif line:
            lines.append(line)
    return lines


def _masker(name: str, others: Sequence[str]) -> Callable[[str], str]:
    rest = re.compile("|".join(map(re.escape, others)))

    def mask(text: str) -> str:
        return _NUMBER.sub("#", rest.sub("OTHER", text.replace(name, "ASKED"))).lower()

    return mask


def _followed(lines: Sequence[str], pieces: Sequence[str], name: str) -> list[str]:
    """Return the pieces that speak under a handle which stands beside a name in a short
    line.
    """
    word = "|".join(map(re.escape, (*map(str.lower, HANDLE_NAMES.values()), "nos?\\.")))
    handle = rf"(?:(?:{word}) )?(\d+\.\d+|\d+ \([a-z]\)|[A-Z]?\d+|[a-z])"
    text = re.escape(name) + r"(?:, [a-z ]+?(?=:| \(|, (?:no|note|type|clause|item)))?"
    marks: list[str] = []
    for line in lines:
        for match in re.finditer(
            rf"{text}(?:: | \(|, | comes under ){handle}(?![\w|])", line, re.IGNORECASE
        ):
            marks.append(match[1])
        for match in re.finditer(
            rf"(?:^|[ ,]){handle}(?:  |: | for ){re.escape(name)}", line
        ):
            marks.append(match[1])
    hits: list[str] = []
    for mark in dict.fromkeys(marks):
        start = re.compile(
            rf"(?:\A|[ ])(?:(?:{word}) )?{re.escape(mark)}(?=[ .:?|])", re.IGNORECASE
        )
        for position, piece in enumerate(pieces):
            begins = name not in piece and start.match(f" {piece}"[:40])
            if begins or re.match(rf".{{0,30}}\b{re.escape(mark)}[:?]", piece):
                hits += pieces[position : position + ENTRY]
    return hits


def _counts(
    text: str, naming: Sequence[str], followed: Sequence[str], name: str
) -> tuple[float, ...]:
    """Return counts of words, digits, negations and places, which need no words to be
    read.
    """

    def counts_of(part: str) -> list[float]:
        words = part.lower().split()
        negations = sum(
            word.strip(".,;") in ("no", "not", "never", "–", "cannot") for word in words
        )
        numbers = _NUMBER.findall(part)
        return [
            len(words),
            len(numbers),
            len(set(numbers)),
            negations,
            part.count(";") + part.count(","),
            part.count("("),
            part.count("|"),
        ]

    first = text.find(name) / max(1, len(text))
    return (
        *counts_of(text),
        *counts_of("\n".join(naming)),
        *counts_of("\n".join(followed)),
        float(len(naming)),
        first,
        text.count(name),
    )


@dataclass(frozen=True)
class Result:
    """How often an attack was right: over all rows, and by class; n is that of the
    test.
    """

    accuracy: float
    by_class: dict[str, tuple[float, int]]
    n: int


def masked(rows: Sequence[Reading]) -> Result:
    """Attack by the words of the question and of the sentences that name the asked
    thing.
    """
    return _by_words(rows, lambda row: f"{row.question} \n {row.naming}")


def follower(rows: Sequence[Reading]) -> Result:
    """Attack by the words of the question, of the naming sentences, and of what their
    handles lead to.
    """
    return _by_words(rows, lambda row: f"{row.question} \n {row.followed}")


def products(rows: Sequence[Reading]) -> Result:
    """Attack by pairs: the asked relation with each phrase of what
    its handles lead to.
    """
    return _by_words(rows, _paired, ngrams=(1, 1), pattern=r"\S+")


def _paired(row: Reading) -> str:
    phrases = re.split(r"[;,.\n|]+", row.followed)
    words = [
        f"own_{word}"
        for phrase in phrases
        if row.relation in phrase
        for word in phrase.split()
    ]
    pairs = [f"{word}+{following}" for word, following in pairwise(words)]
    return " ".join([*words, *pairs]) or "none"


def trees(rows: Sequence[Reading]) -> Result:
    """Attack by boosted trees on counts."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    train, test = _split(rows)
    model = HistGradientBoostingClassifier(random_state=0)
    labels = [row.answerable for row in train]
    model.fit([row.counts for row in train], labels)
    guesses = model.predict([row.counts for row in test])
    return _result(test, _hits(test, guesses))


def mentions(rows: Sequence[Reading]) -> Result:
    """Attack by how often the asked thing is named: of two passages the one that names
    it more often is answerable.
    """
    by_question: dict[tuple[int, str], list[Reading]] = {}
    for row in rows:
        by_question.setdefault((row.group, row.question), []).append(row)
    compared = []
    guesses = []
    pairs = [rows[at : at + 2] for at in range(0, len(rows), 2)]
    for first, second in pairs:
        if first.mentions != second.mentions:
            compared += [first, second]
            guesses += [
                first.mentions > second.mentions,
                second.mentions > first.mentions,
            ]
    return _result(compared, _hits(compared, guesses))


def _by_words(
    rows: Sequence[Reading],
    text: Callable[[Reading], str],
    ngrams: tuple[int, int] = (1, 3),
    pattern: str = r"(?u)\b\w+\b|[#–]",
) -> Result:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    train, test = _split(rows)
    words = TfidfVectorizer(
        ngram_range=ngrams, min_df=2, sublinear_tf=True, token_pattern=pattern
    )
    model = LinearSVC(C=0.5).fit(
        words.fit_transform(map(text, train)), [row.answerable for row in train]
    )
    guesses = model.predict(words.transform(map(text, test)))
    return _result(test, _hits(test, guesses))


def _class_from(*texts: Callable[[Reading], str]) -> Callable[..., Result]:
    """Return an attack that guesses the class of rows, which is the code of those
    without an answer, by the words of some texts, each with its own bag of words.
    """

    def attack(rows: Sequence[Reading]) -> Result:
        from scipy.sparse import hstack
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.svm import LinearSVC

        train, test = _split(rows)
        columns = []
        for text in texts:
            words = CountVectorizer(
                binary=True, min_df=5, ngram_range=(1, 2), token_pattern=r"\b\w+\b|[#|]"
            )
            learnt = words.fit_transform(map(text, train))
            columns.append((learnt, words.transform(map(text, test))))
        model = LinearSVC(C=0.1)
        model.fit(
            hstack([learnt for learnt, _ in columns]),
            [row.perturbation for row in train],
        )
        guesses = model.predict(hstack([tested for _, tested in columns]))
        pairs = zip(test, guesses, strict=True)
        return _result(test, [row.perturbation == guess for row, guess in pairs])

    return attack


def _split(rows: Sequence[Reading]) -> tuple[list[Reading], list[Reading]]:
    """Return rows for training and for the test, whole quads on one side, the test
    those that come last.
    """
    groups = sorted({row.group for row in rows})
    border = groups[int(len(groups) * (1 - TEST))]
    train = [row for row in rows if row.group < border]
    test = [row for row in rows if row.group >= border]
    return train, test


def _hits(rows: Sequence[Reading], guesses: Iterable[Any]) -> list[bool]:
    """Return for each row whether a guess of its label was right."""
    pairs = zip(rows, guesses, strict=True)
    return [row.answerable == bool(guess) for row, guess in pairs]


def _result(rows: Sequence[Reading], hits: Sequence[bool]) -> Result:
    of_classes: dict[str, list[bool]] = {}
    for row, hit in zip(rows, hits, strict=True):
        of_classes.setdefault(row.perturbation, []).append(hit)
    by_class = {
        name: (sum(of_class) / len(of_class), len(of_class))
        for name, of_class in sorted(of_classes.items())
    }
    accuracy = sum(hits) / len(hits) if hits else float("nan")
    return Result(accuracy, by_class, len(hits))


ATTACKS: dict[str, tuple[Callable[[Sequence[Reading]], Result], Design]] = {
    "masked n-grams": (masked, CONTROL),
    "trees on counts": (trees, CONTROL),
    "masked n-grams + index": (follower, HANDLED_CONTROL),
    "more mentions": (mentions, CONTROL),
    "relation x phrase": (products, HANDLED_CONTROL),
}
CLASS_ATTACKS: dict[str, Callable[[Sequence[Reading]], Result]] = {
    "class from question": _class_from(lambda row: row.question),
    "class from passage": _class_from(lambda row: row.passage),
    "class from both": _class_from(
        lambda row: row.question,
        lambda row: row.passage,
    ),
}
"""Attacks on the class, which must succeed on `CONTROL` where they see its passages."""


def told_apart(rows: Sequence[Reading]) -> list[Reading]:
    """Return the rows without those whose question tells its class: that of a judgement
    or of the future.
    """
    epistemic = PerturbationClass.EPISTEMIC.value
    return [row for row in rows if row.perturbation != epistemic]


def report(seed: int, quads: int, domains: tuple[str, ...] = DOCUMENTS) -> str:
    """Return Markdown tables: each attack on crossed rows, by class, and on its
    control, those on labels and those on classes; then a learning curve.
    """
    rows = readings(seed, quads, domains)
    controls = {
        design: readings(seed, quads, domains, design)
        for design in (CONTROL, HANDLED_CONTROL)
    }
    results = {
        name: (attack(rows), attack(controls[design]))
        for name, (attack, design) in ATTACKS.items()
    }
    classes = sorted({row.perturbation for row in rows})
    headings = " | ".join(name.removeprefix("P-") for name in classes)
    lines = [
        f"{len(rows):,} rows of seed {seed}, 80/20 by quad;"
        " accuracy on unseen quads (n), chance .500",
        "",
        f"| attack | all | control | {headings} |",
        "|---|---" + "|---" * (1 + len(classes)) + "|",
    ]
    for name, (crossed, control) in results.items():
        cells = [_shown(crossed.by_class.get(perturbation)) for perturbation in classes]
        accuracy = f"{crossed.accuracy:.3f} ({crossed.n})"
        shown = [name, accuracy, f"{control.accuracy:.3f}", *cells]
        lines.append(f"| {' | '.join(shown)} |")
    lines += ["", *_class_table(rows, controls[CONTROL], classes)]
    curve = [
        f"{len(part):,} rows {products(part).accuracy:.3f}" for part in _growing(rows)
    ]
    return "\n".join([*lines, "", f"relation x phrase, by rows: {', '.join(curve)}"])


def _class_table(
    rows: Sequence[Reading], control: Sequence[Reading], classes: Sequence[str]
) -> list[str]:
    """Return the table of the attacks on classes: without rows whose question tells its
    class, and with all.
    """
    headings = " | ".join(name.removeprefix("P-") for name in classes)
    lines = [
        f"| attack | without Epistemic | its control | all | {headings} |",
        "|---|---" + "|---" * (2 + len(classes)) + "|",
    ]
    for name, attack in CLASS_ATTACKS.items():
        apart, of_control = attack(told_apart(rows)), attack(told_apart(control))
        every = attack(rows)
        numbers = [f"{apart.accuracy:.3f} ({apart.n})", f"{of_control.accuracy:.3f}"]
        numbers.append(f"{every.accuracy:.3f} ({every.n})")
        cells = [_shown(every.by_class.get(perturbation)) for perturbation in classes]
        lines.append(f"| {' | '.join([name, *numbers, *cells])} |")
    return lines


def _shown(accuracy: tuple[float, int] | None) -> str:
    return f"{accuracy[0]:.3f} ({accuracy[1]})" if accuracy else "none"


def _growing(rows: Sequence[Reading]) -> list[Sequence[Reading]]:
    return [rows[: len(rows) // part // CELLS * CELLS] for part in (8, 4, 2, 1)]


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.worlds_shortcuts",
        description="Print how well simple classifiers guess the labels of rows.",
    )
    parser.add_argument("--rows", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.rows < 240:
        parser.error(
            f"--rows: {asked.rows} are too few to learn from; give 240 or more"
        )
    return asked


if __name__ == "__main__":
    asked = _asked()
    print(report(asked.seed, asked.rows // CELLS))
