"""Near-duplicates: items whose changes are nearly the same although their labels differ."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.grams import GramSets, changed_grams, words_of
from refusalbench_tasks.generators.near_duplicates import near_duplicates
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.generators.kept import changed, distinct, near

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
    # the first 5-gram is in both
    wanted = [gram("-", "two three four five six"), gram("+", "two three four five seven")]
    assert changed(item("one two three four five seven", LOW, base)).tolist() == sorted(wanted)
    assert changed(item("One two, three four five SIX!", LOW, base)).tolist() == []


def gram(sign: str, words: str) -> int:
    """Return the number of a gram that is a text of its own."""
    marked, _ = changed_grams([[("not this", words)] if sign == "+" else [(words, "not this")]])
    (number,) = [one for one in marked.tolist() if one % 2 == (sign == "+")]
    return int(number)


def grams_by_definition(texts: list[str]) -> set[str]:
    own = [words_of(text) for text in texts]
    return {" ".join(words[k : k + 5]) for words in own for k in range(max(1, len(words) - 4))}


@given(st.text(st.characters(max_codepoint=127)) | st.text())
def test_words_of_plain_texts_are_those_of_any_text(text: str) -> None:
    assert words_of(text) == tuple(re.findall(r"\w+", text.casefold()))


short = st.lists(st.sampled_from("ab"), max_size=9).map(" ".join)


pairs = st.lists(st.tuples(short, short), max_size=4)


@given(st.lists(pairs, max_size=4))
def test_what_changed_is_the_difference_of_the_two_sets_of_grams(items: list[list[tuple[str, str]]]) -> None:
    found, sizes = changed_grams(items)
    assert len(sizes) == len(items)
    for texts, own in zip(items, np.split(found, np.cumsum(sizes)), strict=False):
        before = grams_by_definition([old for old, new in texts if old != new])
        after = grams_by_definition([new for old, new in texts if old != new])
        wanted = [*(gram("+", one) for one in after - before), *(gram("-", one) for one in before - after)]
        assert own.tolist() == sorted(wanted)


sets = st.lists(st.tuples(st.sets(st.integers(0, 12), max_size=8), st.sampled_from([LOW, HIGH])), max_size=12)


@given(sets, st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_no_pair_is_missed_and_none_is_made_up(drawn: list[tuple[set[int], Intensity]], least: float) -> None:
    spread = [np.array(sorted(one * 0x9E3779B97F4A7C15 % 2**64 for one in own), np.uint64) for own, _ in drawn]
    items = [item(str(k), level) for k, (_, level) in enumerate(drawn)]
    pairs = [(items.index(one.one), items.index(one.other), one.similarity)
             for one in near_duplicates(items, GramSets.of(spread), least)]  # fmt: skip
    wanted = []
    for (k, (own, level)), (other_k, (other, other_level)) in combinations(enumerate(drawn), 2):
        if level is not other_level and own & other and len(own & other) / len(own | other) >= least:
            wanted.append((k, other_k, len(own & other) / len(own | other)))
    assert pairs == wanted


def test_a_word_more_or_less_is_a_near_duplicate_if_the_labels_differ() -> None:
    one, other = item(f"{TEXT}{LONG}.", LOW), item(f"{TEXT}{LONG} soon.", HIGH)
    (pair,) = near([one, other])
    # a 5-gram ends in each of the 21 added words of the one; the other has one more: 21 of 22
    assert pair.similarity == pytest.approx(21 / 22)
    assert near([one, item(f"{TEXT}{LONG} soon.", LOW)]) == []
    found = distinct([one, other, item(f"{TEXT}Nobody knows of any of this any more today.", HIGH)])
    assert (len(found.items), found.near_items) == (1, 2)


def test_items_of_one_base_with_other_changes_are_none_though_their_texts_are_alike() -> None:
    one = item(f"{TEXT}The miller had a dog that was called Tyras.", LOW)
    other = item(TEXT.replace("Ole Brandt", "a builder whom nobody names"), HIGH)
    assert near([one, other]) == []
    assert len(distinct([one, other]).items) == 2


def test_three_alike_go_together_and_count_once_each() -> None:
    texts = [(f"{TEXT}{LONG}.", LOW), (f"{TEXT}{LONG} soon.", HIGH), (f"{TEXT}{LONG} then.", HIGH)]
    found = distinct([item(text, level) for text, level in texts])
    assert (found.items, len(found.near), found.near_items) == ([], 2, 3)


def test_an_item_to_be_refused_in_which_no_word_changed_is_left_out() -> None:
    same = TEXT.replace(". It", "; it")
    found = distinct([item(same, HIGH), item(same.upper(), HIGH)])
    assert (found.items, found.unchanged) == ([], 2)
    assert len(distinct([item(same, LOW)]).items) == 1


def test_words_decide_what_is_a_repeat_and_what_is_a_conflict() -> None:
    assert distinct([item(f"{TEXT}{LONG}.", LOW), item(f"{TEXT}{LONG}!", LOW)]).repeats == 1
    assert distinct([item(f"{TEXT}{LONG}.", LOW), item(f"{TEXT}{LONG}!", HIGH)]).conflicts == 2
