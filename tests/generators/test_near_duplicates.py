"""Near-duplicates: items whose changes are nearly the same although their labels differ."""

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.balance import distinct_items
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.near_duplicates import changed_grams, near_duplicates
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

TEXT = "The mill was built by Ole Brandt in 1820 and stood beside the weir. " + "It ground rye for the village. " * 8
BASE = RefusalItem(
    item_id="1", source_id="1", query="Who built it?", passages=(TEXT,), answers=("Ole Brandt",), expected=Label.ANSWER
)
LONG = "In later years the brothers raised the weir by half a metre and sold the right of way to the town"


def item(text: str, level: Intensity, base: RefusalItem = BASE) -> Generated:
    slot = Slot(base=base, perturbation=PerturbationClass.MISSING_INFO, intensity=level, lever="x")
    candidate = Candidate(query=base.query, passages=(text,), lever="x", reasoning="r")
    return Generated("w", slot, candidate, (), True)


LOW, HIGH = Intensity.LOW, Intensity.HIGH


def test_what_is_compared_is_what_was_added_and_taken_away() -> None:
    base = BASE.model_copy(update={"passages": ("one two three four five six",)})
    found = changed_grams(item("one two three four five seven", LOW, base))
    # the first 5-gram is in both
    assert found == {("-", "two", "three", "four", "five", "six"), ("+", "two", "three", "four", "five", "seven")}
    assert changed_grams(item("One two, three four five SIX!", LOW, base)) == frozenset()


def test_a_word_more_or_less_is_a_near_duplicate_if_the_labels_differ() -> None:
    one, other = item(f"{TEXT}{LONG}.", LOW), item(f"{TEXT}{LONG} soon.", HIGH)
    (pair,) = near_duplicates([one, other])
    # a 5-gram ends in each of the 21 added words of the one; the other has one more: 21 of 22
    assert pair.similarity == pytest.approx(21 / 22)
    assert near_duplicates([one, item(f"{TEXT}{LONG} soon.", LOW)]) == []
    found = distinct_items([one, other, item(f"{TEXT}Nobody knows of any of this any more today.", HIGH)])
    assert (len(found.items), found.near_items) == (1, 2)


def test_items_of_one_base_with_other_changes_are_none_though_their_texts_are_alike() -> None:
    one = item(f"{TEXT}The miller had a dog that was called Tyras.", LOW)
    other = item(TEXT.replace("Ole Brandt", "a builder whom nobody names"), HIGH)
    assert near_duplicates([one, other]) == []
    assert len(distinct_items([one, other]).items) == 2


def test_three_alike_go_together_and_count_once_each() -> None:
    texts = [(f"{TEXT}{LONG}.", LOW), (f"{TEXT}{LONG} soon.", HIGH), (f"{TEXT}{LONG} then.", HIGH)]
    found = distinct_items([item(text, level) for text, level in texts])
    assert (found.items, len(found.near), found.near_items) == ([], 2, 3)


def test_an_item_to_be_refused_in_which_no_word_changed_is_left_out() -> None:
    same = TEXT.replace(". It", "; it")
    found = distinct_items([item(same, HIGH), item(same.upper(), HIGH)])
    assert (found.items, found.unchanged) == ([], 2)
    assert len(distinct_items([item(same, LOW)]).items) == 1


def test_words_decide_what_is_a_repeat_and_what_is_a_conflict() -> None:
    assert distinct_items([item(f"{TEXT}{LONG}.", LOW), item(f"{TEXT}{LONG}!", LOW)]).repeats == 1
    assert distinct_items([item(f"{TEXT}{LONG}.", LOW), item(f"{TEXT}{LONG}!", HIGH)]).conflicts == 2
