"""Precision and recall of the hedge matcher on labelled sentences in the style of
replies with sources.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.result import Result
from refusalbench_tasks.replies.lexicon import Lexicon
from refusalbench_tasks.replies.lexicon_file import bundled_lexicon
from refusalbench_tasks.replies.normal_words import normal_words

SENTENCES = Path(__file__).parents[1] / "tests" / "replies" / "hedge_sentences.jsonl"
"""Written and labelled without sight of the list; all but `test5` were read while it
was made.
"""
Span = tuple[int, int]


@dataclass(frozen=True)
class Labelled:
    """A sentence, its split and kind, and the word ranges (first, last + 1) of its
    hedges.
    """

    text: str
    split: str
    kind: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Agreement:
    """Counts over sentences: labelled spans, matches, one-to-one pairs of both, and the
    same by sentence.
    """

    pairs: int
    spans: int
    matches: int
    sentences_right: int
    sentences_called: int
    sentences_hedged: int

    @property
    def precision(self) -> float:
        """Return the share of matches that are paired with a labelled span."""
        return self.pairs / self.matches

    @property
    def recall(self) -> float:
        """Return the share of labelled spans that are paired with a match."""
        return self.pairs / self.spans


def read_sentences(path: Path = SENTENCES) -> list[Labelled]:
    """Return the labelled sentences of the file."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Labelled(
            row["text"], row["split"], row["kind"], _spans(row["text"], row["hedges"])
        )
        for row in rows
    ]


def _spans(text: str, hedges: Sequence[str]) -> tuple[Span, ...]:
    spans = []
    after = 0
    for hedge in hedges:
        place = text.find(hedge, after)
        place = place if place >= 0 else text.index(hedge)
        first = _words(text[:place])
        after = place + len(hedge)
        spans.append((first, first + _words(hedge)))
    return tuple(sorted(spans))


def _words(text: str) -> int:
    return len(normal_words(text))


def pairs(spans: Sequence[Span], matches: Sequence[Span]) -> int:
    """Return how many spans and matches can be paired one to one so that each pair
    shares a word.

    Neither spans nor matches overlap among themselves, so taking the first that fits,
    in the order of the ends, pairs as many as can be.
    """
    free = sorted(matches, key=lambda match: match[1])
    found = 0
    for first, last in sorted(spans, key=lambda span: span[1]):
        fitting = next(
            (match for match in free if match[0] < last and first < match[1]), None
        )
        if fitting:
            free.remove(fitting)
            found += 1
    return found


def agreement(sentences: Sequence[Labelled], lexicon: Lexicon) -> Agreement:
    """Return how the matches of a list agree with the labels."""
    found = [
        [(m.position, m.position + m.length) for m in lexicon.find(one.text)]
        for one in sentences
    ]
    both = list(zip(sentences, found, strict=True))
    return Agreement(
        pairs=sum(pairs(one.spans, matches) for one, matches in both),
        spans=sum(len(one.spans) for one in sentences),
        matches=sum(map(len, found)),
        sentences_right=sum(bool(one.spans and matches) for one, matches in both),
        sentences_called=sum(map(bool, found)),
        sentences_hedged=sum(bool(one.spans) for one in sentences),
    )


def results() -> list[Result]:
    """Return precision and recall of both lists by term and by sentence, for the
    sentences that were not read.
    """
    unread = [one for one in read_sentences() if one.split == "test5"]
    return [result for version in ("v2", "v1") for result in _results(version, unread)]


def _results(version: str, sentences: Sequence[Labelled]) -> list[Result]:
    got = agreement(sentences, bundled_lexicon(version))
    shares = {
        "precision of terms": (got.pairs, got.matches),
        "recall of terms": (got.pairs, got.spans),
        "precision of sentences": (got.sentences_right, got.sentences_called),
        "recall of sentences": (got.sentences_right, got.sentences_hedged),
    }
    method = (
        "430 labelled sentences (test5), one-to-one,"
        " tests/replies/hedge_sentences.jsonl"
    )
    return [
        Result(f"hedges {version}, {name}", f"{k / n:.4f} (n = {n})", method)
        for name, (k, n) in shares.items()
    ]
