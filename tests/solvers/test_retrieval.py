"""Whether the gold passage was retrieved: by near equality with it, or by the answer standing in what was."""

from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.solvers.retrieved import as_seen, gold_passages, relevant_in, same_passage
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

GOLD = "The bridge over the Tarn was built in 1871 by the engineer Paul Arden for the northern railway."
OTHER = "The northern railway carries forty trains a day in each direction and has a depot near the old harbour."


def item(**changes: Any) -> RefusalItem:
    fields: dict[str, Any] = {
        "item_id": "a", "source_id": "s", "query": "Who built the bridge?", "passages": (GOLD,),
        "answers": ("Paul Arden",), "expected": Label.ANSWER,
    }  # fmt: skip
    return RefusalItem(**fields | changes)


def unanswerable(**changes: Any) -> RefusalItem:
    missing = {"perturbation": PerturbationClass.MISSING_INFO, "intensity": Intensity.HIGH, "expected": Label.MISSING}
    return item(**missing | changes)


def test_the_gold_passage_is_known_when_its_words_are_nearly_there() -> None:
    # 18 words, 14 sequences of five; a changed last word costs one of them
    assert relevant_in(unanswerable(), [OTHER, GOLD.replace("railway.", "line")]) == (1,)
    assert relevant_in(unanswerable(), [OTHER]) == ()


def test_half_of_the_sequences_is_enough_and_less_is_not() -> None:
    # fourteen words, ten sequences: the first nine words hold five of them, the first eight four
    words = [f"w{k}" for k in range(14)]
    nine, eight = words[:9] + [f"x{k}" for k in range(5)], words[:8] + [f"x{k}" for k in range(6)]
    assert same_passage(" ".join(nine), " ".join(words))
    assert not same_passage(" ".join(eight), " ".join(words))


def test_a_heading_is_no_passage_unless_it_is_all_there_is() -> None:
    heading = "The bridge over the Tarn was built"
    assert not same_passage(heading, GOLD)
    assert same_passage(heading, heading.upper() + "!")
    assert not same_passage("", "")


def test_an_alias_in_a_retrieved_passage_is_a_hit_where_there_is_an_answer() -> None:
    elsewhere = "It was engineer PAUL ARDEN, of course, who gave the town its bridge, its mill and its debts."
    assert relevant_in(item(), [elsewhere]) == (0,)
    assert relevant_in(item(), ["Pauline Ardens wrote this."]) == ()
    # the alias answers the unperturbed question: on an unanswerable row it tells nothing
    assert relevant_in(unanswerable(), [elsewhere]) == ()


def test_yes_and_no_stand_in_many_texts_and_tell_nothing() -> None:
    ten = tuple(f"Passage {k}" for k in range(10))
    assert relevant_in(item(passages=ten, answers=("No",)), ["There is no bridge."]) is None


def test_without_gold_and_aliases_nothing_is_known_and_every_passage_counts_as_relevant() -> None:
    row = item(passages=("One.", "Two."), answers=(), reference="A long reference.")
    assert gold_passages(row) == ()
    assert relevant_in(row, [GOLD]) is None
    assert as_seen(row, [GOLD, OTHER]).signal == (0, 1)


def test_the_seen_row_has_what_was_retrieved_and_its_new_places() -> None:
    row = unanswerable(passages=(OTHER, GOLD), signal=(1,))
    seen = as_seen(row, [GOLD, OTHER])
    assert (seen.passages, seen.signal) == ((GOLD, OTHER), (0,))
    assert seen.model_dump(exclude={"passages", "signal"}) == row.model_dump(exclude={"passages", "signal"})
    assert relevant_in(row, [OTHER]) == ()
    nothing = as_seen(row, [])
    assert (nothing.passages, nothing.signal) == ((), ())
