"""Whether the gold passage was retrieved: by near equality with it, or by the answer
standing in what was.
"""

from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.solvers.retrieved import (
    as_seen,
    gold_passages,
    holds,
    relevant_in,
)
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

GOLD = (
    "The bridge over the Tarn was built in 1871 by the engineer Paul Arden for the"
    " northern railway."
)
OTHER = (
    "The northern railway carries forty trains a day in each direction and has a depot"
    " near the old harbour."
)


def item(**changes: Any) -> RefusalItem:
    fields: dict[str, Any] = {
        "item_id": "a",
        "source_id": "s",
        "query": "Who built the bridge?",
        "passages": (GOLD,),
        "answers": ("Paul Arden",),
        "expected": Label.ANSWER,
    }
    return RefusalItem(**fields | changes)


def unanswerable(**changes: Any) -> RefusalItem:
    missing = {
        "perturbation": PerturbationClass.MISSING_INFO,
        "intensity": Intensity.HIGH,
        "expected": Label.MISSING,
    }
    return item(**missing | changes)


def test_the_gold_passage_is_known_when_its_words_are_nearly_there() -> None:
    # 18 words, 14 sequences of five; a changed last word costs one of them
    assert relevant_in(unanswerable(), [OTHER, GOLD.replace("railway.", "line")]) == (
        1,
    )
    assert relevant_in(unanswerable(), [OTHER]) == ()


def test_half_of_the_passages_sequences_is_enough_and_less_is_not() -> None:
    # fourteen words, ten sequences: the first nine words hold five of them, the first
    # eight four
    words = [f"w{k}" for k in range(14)]
    assert holds(" ".join([*words[:9], "x"]), " ".join(words))
    assert not holds(" ".join([*words[:8], "x"]), " ".join(words))


def test_a_piece_of_a_passage_does_not_hold_it_and_a_longer_text_does() -> None:
    piece = "The bridge over the Tarn was built in 1871"
    assert not holds(piece, GOLD)
    assert holds(GOLD, piece)
    assert relevant_in(item(), [piece]) == ()


def test_a_short_passage_is_held_word_by_word_and_an_empty_one_never() -> None:
    assert holds("The mill? CLOSED on Mondays!", "Closed on Mondays.")
    assert not holds("Closed on the Mondays of May.", "Closed on Mondays.")
    assert not holds("", "")
    assert not holds(GOLD, "?")


def test_an_alias_in_a_retrieved_passage_is_a_hit_where_there_is_an_answer() -> None:
    elsewhere = (
        "It was engineer PAUL ARDEN, of course, who gave the town its bridge, its mill"
        " and its debts."
    )
    assert relevant_in(item(), [elsewhere]) == (0,)
    assert relevant_in(item(), ["Pauline Ardens wrote this."]) == ()
    # the alias answers the unperturbed question: on an unanswerable row it tells
    # nothing
    assert relevant_in(unanswerable(), [elsewhere]) == ()


def test_yes_and_no_stand_in_many_texts_and_tell_nothing() -> None:
    ten = tuple(f"Passage {k}" for k in range(10))
    assert (
        relevant_in(item(passages=ten, answers=("No",)), ["There is no bridge."])
        is None
    )


def test_without_gold_and_aliases_every_passage_counts_as_relevant() -> None:
    row = item(passages=("One.", "Two."), answers=(), reference="A long reference.")
    assert gold_passages(row) == ()
    assert relevant_in(row, [GOLD]) is None
    assert as_seen(row, [GOLD, OTHER]).signal == (0, 1)


def test_the_seen_row_has_what_was_retrieved_and_its_new_places() -> None:
    row = unanswerable(passages=(OTHER, GOLD), signal=(1,))
    seen = as_seen(row, [GOLD, OTHER])
    assert (seen.passages, seen.signal) == ((GOLD, OTHER), (0,))
    assert seen.model_dump(exclude={"passages", "signal"}) == row.model_dump(
        exclude={"passages", "signal"}
    )
    assert relevant_in(row, [OTHER]) == ()
    nothing = as_seen(row, [])
    assert (nothing.passages, nothing.signal) == ((), ())
