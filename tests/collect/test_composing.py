"""Which source stands in which set, worked by hand."""

from collections.abc import Sequence
from typing import Any

import pytest

from refusalbench_tasks.collect.composing import Composed, compose, told
from refusalbench_tasks.collect.found import Candidates, FoundSource
from refusalbench_tasks.collect.paper_relevance import relevance
from refusalbench_tasks.collect.question_draft import QuestionDraft
from refusalbench_tasks.collect.sizes import sizes_of
from refusalbench_tasks.collect.web.relevance import best_passages
from tests.collect.outside import Outside
from tests.collect.pages import LOCKS, MEADOW, TELLS, text_of
from tests.collect.panel import run
from tests.collect.test_collect import engine, noted

QUESTION = "How heavy may a barge be in Velmoor lock ?"
DRAFT = QuestionDraft(
    question=QUESTION, answer="83 tonnes", support="s", aliases=(), neighbour_query="meadows"
)  # fmt: skip
SIZES = sizes_of("1+0", "0+1+1")


def source(text: str, slot: str | None = "reliable", host: str = "a.example.com") -> FoundSource:
    return FoundSource(url=f"http://{host}/", host=host, title="", text=text, slot=slot)


def composed(sources: Sequence[str | FoundSource], neighbours: Sequence[str] = (), **how: Any) -> Composed:
    """Compose reliable sources, or what is given, and neighbours."""
    given = [
        one if isinstance(one, FoundSource) else source(one, host=f"s{k}.example.com") for k, one in enumerate(sources)
    ]
    near = [source(one, None, f"n{k}.example.com") for k, one in enumerate(neighbours)]
    found = Candidates(sources=tuple(given), neighbours=tuple(near))
    return compose(DRAFT, "A passage of gold.", found, **{"sizes": SIZES, "by": "paper"} | how)


def test_the_published_relevance_by_hand() -> None:
    # keywords: heavy, barge, Velmoor, lock. Two of four are there, and every word of the text is one of the question:
    # 0.6 · 2/4 + 0.4 · 1
    assert relevance(QUESTION, "a barge in Velmoor") == pytest.approx(0.7)
    # all four, and no other word: 0.6 · 4/4 + 0.4 · 1
    assert relevance(QUESTION, "lock heavy barge Velmoor") == pytest.approx(1.0)
    assert relevance(QUESTION, "") == 0.0


def test_the_published_relevance_keeps_sources_from_the_threshold_on_and_distractions_below_it() -> None:
    kept = composed(["a barge in Velmoor"], ["a barge in Velmoor", "Goats graze."], sizes=sizes_of("1+0", "0+1+1"))
    (one,) = [one for one in kept.dropped.items() if one[0] == "relevance"]
    assert one == ("relevance", 1)
    assert kept.shortfall == {"ambiguous/unreliable": 1}
    sizes = sizes_of("1+0", "1+0")
    both = ["a barge in Velmoor", "lock heavy barge Velmoor"]
    assert composed(both, sizes=sizes, threshold=0.7).shortfall == {}
    assert composed(both, sizes=sizes, threshold=0.71).shortfall == {"ambiguous/reliable": 1}
    sets = composed(both, sizes=sizes).sets
    assert sorted(one.relevance for ones in sets.values() for one in ones) == pytest.approx([0.7, 1.0])


def test_a_run_by_the_published_relevance_stores_the_score_of_the_stored_text(outside: Outside) -> None:
    (one,) = noted(run(engine(outside), locks=1, relevance="paper")).values()
    assert one.accepted
    assert one.record is not None
    row = one.record.row
    for arm in ("clear", "ambiguous"):
        for stored in one.record.sources(arm):
            score = relevance(row["question"], stored["text"])
            if stored["category"] == "distraction":
                assert (stored["score"], score < 0.3) == ("N/A", True)
            else:
                assert stored["score"] == round(score, 4) >= 0.3


def test_the_relevance_by_words_is_that_of_the_stored_passage_too() -> None:
    texts = [text_of(LOCKS[0], host) for host in TELLS]
    made = composed([text.replace("83 tonnes", "much") for text in texts[:4]], by="bm25", sizes=sizes_of("1+0", "1+0"))
    for one in (*made.sets["clear"], *made.sets["ambiguous"]):
        assert one.passage in one.source.text
        again = best_passages(QUESTION, [one.passage])
        assert again[0].text == one.passage


def test_a_distraction_that_states_the_answer_and_texts_that_repeat_are_dropped() -> None:
    meadow = next(iter(MEADOW.values()))
    lock = text_of(LOCKS[0], "records.example.gov")
    found = composed([lock, lock], [f"{meadow} In it stands a weight of 83 tonnes.", meadow], by="bm25")
    assert found.dropped == {"distraction states the answer": 1, "repeats another": 1}
    repeats_gold = compose(DRAFT, lock, Candidates(sources=(source(lock),)), sizes_of("1+0", "1+0"))
    assert repeats_gold.dropped == {"repeats another": 1}
    assert repeats_gold.shortfall == {"clear/reliable": 1, "ambiguous/reliable": 1}


def test_reliable_sources_that_state_the_answer_go_to_the_clear_set_and_the_order_follows_the_seed() -> None:
    states = [text_of(LOCKS[0], host) for host in ("records.example.gov", "library.example.edu")]
    silent = text_of(LOCKS[0], "office.example.gov.au")
    sizes = sizes_of("2+0", "1+0")
    made = composed([silent, *states], by="bm25", sizes=sizes)
    assert [one.states for one in made.sets["clear"]] == [True, True]
    assert [one.states for one in made.sets["ambiguous"]] == [False]
    orders = {
        tuple(one.source.url for one in composed([silent, *states], by="bm25", sizes=sizes, seed=seed).sets["clear"])
        for seed in range(8)
    }
    assert len(orders) == 2


def test_what_is_missing_is_told_in_words() -> None:
    sizes = sizes_of("4+1", "1+2+2")
    assert told({"clear/reliable": 1, "ambiguous/distraction": 2}, sizes) == (
        "clear/reliable: 3 of 4, ambiguous/distraction: 0 of 2"
    )
