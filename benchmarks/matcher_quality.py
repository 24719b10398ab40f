"""Precision and recall of the first list of hedges on the sentences that were labelled for it."""

import re
from dataclasses import dataclass
from pathlib import Path

from benchmarks.result import Result
from refusalbench_tasks.replies.lexicon import Lexicon
from refusalbench_tasks.replies.lexicon_file import bundled_lexicon
from refusalbench_tasks.replies.normal_words import normal_words

SENTENCES = Path(__file__).with_name("hedged_sentences.txt")
"""Written and labelled without sight of the list."""
TRAPS = Path(__file__).with_name("trap_sentences.txt")
"""Written beside the list, with the traps in mind."""
_MARKED = re.compile(r"\[([^\]]+)\]")


@dataclass(frozen=True)
class Labelled:
    """A sentence and the word ranges (first, last + 1) of its hedges."""

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Quality:
    """Counts of spans and matches; a span is found, and a match right, if they share a word."""

    spans_found: int
    spans: int
    matches_right: int
    matches: int
    sentences_right: int
    sentences_called: int
    sentences_hedged: int
    missed: tuple[str, ...]
    false: tuple[str, ...]


def read_labelled(path: Path = SENTENCES) -> list[Labelled]:
    """Return the labelled sentences of the file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_labelled(line) for line in lines if line.strip() and not line.startswith("#")]


def _labelled(line: str) -> Labelled:
    spans = []
    for found in _MARKED.finditer(line):
        first = _words(line[: found.start()])
        spans.append((first, first + _words(found[1])))
    return Labelled(_MARKED.sub(r"\1", line), tuple(spans))


def _words(text: str) -> int:
    return len(normal_words(text.replace("[", "").replace("]", "")))


def measure(sentences: list[Labelled], lexicon: Lexicon) -> Quality:
    """Return how the matcher does on the sentences."""
    found = spans = right = matches = both = called = hedged = 0
    missed: list[str] = []
    false: list[str] = []
    for sentence in sentences:
        ranges = [(m.position, m.position + m.length) for m in lexicon.find(sentence.text)]
        hit = [any(a < d and c < b for c, d in ranges) for a, b in sentence.spans]
        good = [any(a < d and c < b for c, d in sentence.spans) for a, b in ranges]
        found, spans = found + sum(hit), spans + len(hit)
        right, matches = right + sum(good), matches + len(good)
        called, hedged = called + bool(ranges), hedged + bool(sentence.spans)
        both += bool(ranges and sentence.spans)
        missed += [sentence.text] * (not all(hit))
        false += [sentence.text] * (not all(good))
    return Quality(found, spans, right, matches, both, called, hedged, tuple(missed), tuple(false))


def results() -> list[Result]:
    """Return precision and recall by term and by sentence, for both sets."""
    return [result for path, kind in ((SENTENCES, "unseen"), (TRAPS, "traps")) for result in _results(path, kind)]


def _results(path: Path, kind: str) -> list[Result]:
    q = measure(read_labelled(path), bundled_lexicon("v1"))
    shares = {
        "precision of terms": (q.matches_right, q.matches),
        "recall of terms": (q.spans_found, q.spans),
        "precision of sentences": (q.sentences_right, q.sentences_called),
        "recall of sentences": (q.sentences_right, q.sentences_hedged),
    }
    method = f"labelled sentences, benchmarks/{path.name}"
    return [
        Result(f"hedges v1, {name} ({kind})", f"{k / n:.3f} (n = {n})", "(none)", method)
        for name, (k, n) in shares.items()
    ]
