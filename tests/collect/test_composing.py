"""Which source stands in which set, worked by hand."""

from collections.abc import Sequence
from typing import Any

import pytest

from refusalbench_tasks.collect.composing import (
    RatedSource,
    Sets,
    compose_sets,
    without_repeats,
)
from refusalbench_tasks.collect.gathering import FoundSource
from refusalbench_tasks.collect.question import SourcedQuestion
from refusalbench_tasks.collect.record import RecordEnd, RecordEndedError
from refusalbench_tasks.collect.settings import CollectSettings
from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.trust import TrustVerdict
from tests.collect.pages import LOCKS, MEADOW, text_of

QUESTION = "How heavy may a barge be in Velmoor lock ?"
DRAFT = SourcedQuestion(
    question=QUESTION,
    answer="83 tonnes",
    support="s",
    aliases=(),
    neighbour_query="meadows",
)
LOCK, SILENT = (
    text_of(LOCKS[0], host) for host in ("records.example.gov", "office.example.gov.au")
)


def source(
    text: str, host: str = "a.example.com", slot: str | None = "reliable"
) -> FoundSource:
    url = f"http://{host}/"
    trust = TrustVerdict("unknown", slot)
    return FoundSource(url, host, Article(url, text), trust, "")


def composed(
    sources: Sequence[str],
    neighbours: Sequence[str] = (),
    gold: str = "A passage of gold.",
    **how: Any,
) -> Sets:
    """Compose reliable sources and neighbours."""
    settings = CollectSettings(
        **{"search": "brave", "clear": "1+0", "ambiguous": "1+0"} | how
    )
    near = [source(one, f"n{k}.example.com", None) for k, one in enumerate(neighbours)]
    return compose_sets(
        DRAFT,
        gold,
        [source(one, f"s{k}.example.com") for k, one in enumerate(sources)],
        near,
        settings,
    )


def missing(*given: Any, **how: Any) -> RecordEnd:
    with pytest.raises(RecordEndedError) as error:
        composed(*given, **how)
    return error.value.end


def hosts(sets: Sets) -> dict[str, list[str]]:
    return {arm: sorted(one.source.host for one in ones) for arm, ones in sets.items()}


def test_sources_are_kept_from_the_threshold_on_and_distractions_below_it() -> None:
    both = ["a barge in Velmoor", "lock heavy barge Velmoor"]
    sets = composed(both)
    less, more = sorted(one.relevance for ones in sets.values() for one in ones)
    assert 0.3 < less < more
    assert hosts(composed(both, threshold=less)) == hosts(sets)
    end = missing(both, threshold=less + 0.01)
    assert (end.accepted, end.stage, end.reason) == (False, "composition", "shortfall")
    assert end.detail == "ambiguous/reliable: 0 of 1"
    sets = composed(both, ["a barge in Velmoor", "Goats graze."], ambiguous="1+0+1")
    assert "n1.example.com" in hosts(sets)["ambiguous"]


def test_distractions_that_state_the_answer_and_repeated_texts_are_dropped() -> None:
    meadow = next(iter(MEADOW.values()))
    near = [f"{meadow} In it stands a weight of 83 tonnes.", meadow]
    sets = composed([LOCK, LOCK, SILENT], near, ambiguous="1+0+1")
    assert hosts(sets) == {
        "clear": ["s0.example.com"],
        "ambiguous": ["n1.example.com", "s2.example.com"],
    }
    short = "clear/reliable: 0 of 1, ambiguous/reliable: 0 of 1"
    assert missing([LOCK], gold=LOCK).detail == short


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        # one word of 24 changed: it is in 5 of 20 five-grams, so 15 of 25 are shared
        ([range(24), [*range(12), 99, *range(13, 24)]], 1),
        ([range(24), range(9)], 1),  # an excerpt
        ([range(16), range(5, 21)], 2),  # 7 of 17 five-grams are shared
        ([range(16), range(2, 18)], 1),  # 10 of 14
        ([[], []], 2),
    ],
)
def test_texts_repeat_each_other_by_half_of_both_or_four_fifths_of_the_shorter(
    texts: Any, kept: int
) -> None:
    said = [" ".join(f"w{n}" for n in numbers) for numbers in texts]
    found = [
        RatedSource(source(one, f"{k}.example.com"), one, 1.0, False, "reliable")
        for k, one in enumerate(said)
    ]
    assert len(without_repeats(found, "gold")) == kept


def test_reliable_sources_of_the_answer_are_clear_in_an_order_by_the_seed() -> None:
    texts = [SILENT, LOCK, text_of(LOCKS[0], "library.example.edu")]
    sets = composed(texts, clear="2+0")
    assert [one.states for one in sets["clear"]] == [True, True]
    assert [one.states for one in sets["ambiguous"]] == [False]
    made = (composed(texts, clear="2+0", seed=seed)["clear"] for seed in range(8))
    assert len({tuple(one.source.url for one in ones) for ones in made}) == 2
