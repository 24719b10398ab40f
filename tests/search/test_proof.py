"""What a row must not see, so that its label holds in the whole corpus."""

from typing import Any

import pytest

from refusalbench_tasks.corpus.passages import Corpus, CorpusPassage
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.search.proof import hidden_passages
from refusalbench_tasks.search.run_corpus import near_twins
from refusalbench_tasks.search.search_settings import SearchSettings
from refusalbench_tasks.search.search_task import SearchRows, search_rows
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

FILLER = [CorpusPassage(f"Nothing of note, number {n}.") for n in range(400)]


def row(**changes: Any) -> RefusalItem:
    values: dict[str, Any] = {
        "item_id": "row",
        "source_id": "mill",
        "query": "When was the Aldersea mill built?",
        "passages": ("The Aldersea mill is old.",),
        "answers": ("1902",),
        "perturbation": PerturbationClass.MISSING_INFO,
        "intensity": Intensity.HIGH,
        "expected": Label.MISSING,
    }
    return RefusalItem(**{**values, **changes})


def found(text: str, source: str = "other", **changes: Any) -> bool:
    corpus = Corpus.of([*FILLER, CorpusPassage(text, source)])
    return bool(hidden_passages(corpus, [row(**changes)], {}))


def test_a_passage_with_the_answer_beside_the_asked_thing_is_left_out() -> None:
    assert found("The mill of Aldersea dates from 1902.")
    assert not found("The mill of Aldersea dates from 1903.")
    assert not found("A bridge dates from 1902.")
    assert not found("The mill of Aldersea has 19021 bricks.")


def test_no_original_of_its_own_source_is_listed_as_it_is_not_seen() -> None:
    original = CorpusPassage("The Aldersea mill dates from 1902.", "mill", True)
    assert hidden_passages(Corpus.of([*FILLER, original]), [row()], {}) == {}


def test_of_worlds_a_foreign_passage_that_names_an_asked_thing_is_left_out() -> None:
    texts = ["Aldersea: 4 m.", "Aldersea: 5 m.", "Brimholt: 6 m."]
    corpus = Corpus.of(
        [
            CorpusPassage(texts[0], "mill"),
            CorpusPassage(texts[1], "other"),
            CorpusPassage(texts[2], "other"),
        ]
    )
    assert hidden_passages(corpus, [row()], {"mill": ("Aldersea",)}) == {"row": (1,)}


@pytest.fixture(scope="module")
def bundled() -> SearchRows:
    return search_rows(SearchSettings(data="sample"))


def test_no_bundled_twin_holds_a_gold_answer_of_its_question(
    bundled: SearchRows,
) -> None:
    answers = {item.source_id: item.answers for item in bundled.whole}
    twins = near_twins()
    assert twins.keys() == answers.keys()
    for source, texts in twins.items():
        assert len(set(texts)) >= 8
        for text in texts:
            spaced = f" {' '.join(answer_tokens(text))} "
            for answer in answers[source]:
                assert f" {' '.join(answer_tokens(answer))} " not in spaced, text


def test_the_bundled_corpus_has_a_thousand_passages(bundled: SearchRows) -> None:
    assert len(bundled.corpus.passages) >= 1000
    # no twin is among what a row must not see
    for positions in bundled.left_out.values():
        for position in positions:
            assert bundled.corpus.passages[position].origin != "near twins"


@pytest.mark.parametrize("data", ["sample", "worlds"])
def test_the_first_search_finds_the_evidence_of_part_of_the_rows(data: str) -> None:
    rows = search_rows(SearchSettings(data=data, n=240 if data == "worlds" else None))
    shown = []
    for item in rows.whole:
        texts = rows.view(item).nearest(item.query, 3)
        shown.append(item.passages[0] in texts)
    assert 0.4 <= sum(shown) / len(shown) <= 0.8


def test_all_shards_search_the_same(bundled: SearchRows) -> None:
    part = search_rows(SearchSettings(data="sample", per_stratum=1))
    assert part.corpus.passages == bundled.corpus.passages
