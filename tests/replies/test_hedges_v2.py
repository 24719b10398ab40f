"""The second list of hedges: what the sources do not say, conflicts, stance, and
reports that are no doubt.
"""

import json
from dataclasses import astuple
from hashlib import sha256

import pytest

from benchmarks.reply_sentences import agreement, read_sentences
from refusalbench_tasks.replies.lexicon_file import bundled_lexicon

HEDGES = bundled_lexicon("v2")
FROZEN = [
    ("v1", 574, "874d9f83d3fd"),
    ("v2", 1346, "c1bfe5adbe06"),
    ("boosters", 43, "ac3071d078cb"),
]
"""How many matches the labelled sentences have by version, and their digest: published
numbers rest on them.
"""


def strengths(text: str) -> dict[str, float | None]:
    return {match.term: match.strength for match in HEDGES.find(text)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The sources don't provide a number.", {"don't provide": 1.0}),
        ("Nothing in Source 2 addresses the cost.", {"nothing": 1.0}),
        ("The sources disagree.", {"disagree": 0.75}),
        ("As far as I can tell, it was so.", {"as far as i can tell": 0.5}),
        ("The results suggest that it works.", {"results suggest that": 0.5}),
        ("It has about 40 rooms.", {"about": 0.25}),
    ],
)
def test_what_counts(text: str, found: dict[str, float]) -> None:
    assert strengths(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Source 3 indicates that the museum opened in 1990.",
        "According to Source 1, the bridge does not carry trains.",
        "The free edition doesn’t provide cloud storage.",
        "The two passages agree.",
    ],
)
def test_what_does_not_count(text: str) -> None:
    assert strengths(text) == {}


def test_strengths_add_up() -> None:
    found = HEDGES.find(
        "It was probably so, perhaps, but the sources do not say. About 40 came."
    )
    # probably 0.5, perhaps 0.75, do not say 1, about 0.25
    assert HEDGES.strength(found) == 2.5
    assert HEDGES.strength([]) == 0.0
    # NaN: it states none
    assert bundled_lexicon("v1").strength([]) != bundled_lexicon("v1").strength([])


@pytest.mark.parametrize(
    ("name", "precision", "recall"),
    [
        ("dev", 0.99, 0.99),
        ("test1", 0.98, 0.98),
        ("test2", 0.97, 0.98),
        ("test3", 0.97, 0.98),
        ("test4", 0.86, 0.97),
        ("test5", 0.919, 0.96),
    ],
)
def test_the_labelled_sentences_are_matched_as_documented(
    name: str, precision: float, recall: float
) -> None:
    found = agreement(
        [sentence for sentence in read_sentences() if sentence.split == name], HEDGES
    )
    assert found.precision > precision
    assert found.recall > recall


@pytest.mark.parametrize("letters", [1, 8, 60])
def test_a_window_is_counted_in_words_however_long_they_are(letters: int) -> None:
    def terms(between: int) -> list[str]:
        text = (
            f"{'x ' * 300}the source {('q' * letters + ' ') * between}does not include"
            f" it {'x ' * 300}"
        )
        return [match.term for match in HEDGES.find(text)]

    # the source is looked for among the sixteen words before
    assert terms(15) == ["does not include"]
    assert terms(16) == []


@pytest.mark.parametrize(("version", "n", "digest"), FROZEN)
def test_every_labelled_sentence_is_matched_as_before(
    version: str, n: int, digest: str
) -> None:
    lexicon = bundled_lexicon(version)
    found = [
        [astuple(match) for match in lexicon.find(one.text)] for one in read_sentences()
    ]
    assert sum(map(len, found)) == n
    assert sha256(json.dumps(found).encode()).hexdigest()[:12] == digest
