"""How changes are shown."""

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.checks import candidate_problems
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.levers import Lever, bundled_levers
from refusalbench_tasks.generators.plan import applicable
from refusalbench_tasks.generators.prompt_parts import (
    changed_passages,
    several_examples,
    word_changes,
)
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.generators.writing import perturb_prompt
from refusalbench_tasks.taxonomy import Label


def test_changes_have_a_few_words_around_them() -> None:
    before = "one two three four five six seven eight nine ten eleven twelve"
    after = before.replace("six", "6")
    assert word_changes(before, after) == [
        (
            "two three four five six seven eight nine ten",
            "two three four five 6 seven eight nine ten",
        )
    ]
    assert word_changes(before, before) == []
    assert word_changes("", "new") == [("(nothing)", "new")]


def test_of_several_passages_the_changed_ones_are_shown_by_number() -> None:
    assert changed_passages(["a", "b"], ["a", "c"]) == "[2] c"
    assert changed_passages(["a", "b"], ["a", "b"]) == "(none)"
    assert changed_passages(["a"], ["a"]) == "(as in the original)"
    assert changed_passages(["a"], ["b"]) == "b"


LEVERS = {lever.name: lever for lever in bundled_levers()}
NQ = curate("nq_sample").items[0]
GARAGE = curate("garage_sample").items[0]
EXAMPLES = several_examples()
HEAD = "Example with several passages"


def prompt(base: RefusalItem, lever: Lever) -> str:
    slot = ItemSlot(
        base=base,
        perturbation=lever.perturbation,
        intensity=lever.intensity,
        lever=lever.name,
    )
    return perturb_prompt([slot], [lever])


@pytest.mark.parametrize("strategy", ["one_noise", "all_signal"])
def test_each_example_keeps_the_rules_of_its_lever_on_ten_passages(
    strategy: str,
) -> None:
    example = next(one for name, one in EXAMPLES.items() if name == strategy)
    lever = LEVERS[example["lever"]]
    assert lever.multi == strategy
    base = RefusalItem(
        item_id="x",
        source_id="x",
        query=example["question"],
        passages=tuple(example["passages"]),
        answers=tuple(example["answers"]),
        signal=tuple(k - 1 for k in example["signal"]),
        expected=Label.ANSWER,
    )
    assert applicable(lever, base)
    slot = ItemSlot(
        base=base,
        perturbation=lever.perturbation,
        intensity=lever.intensity,
        lever=lever.name,
    )
    passages = tuple(
        example["changed"].get(k, text) for k, text in enumerate(base.passages, 1)
    )
    assert len(passages) == 10
    after = Candidate(
        query=base.query, passages=passages, lever=lever.name, reasoning=""
    )
    assert candidate_problems(slot, after, [lever]) == {}
    before = after.model_copy(update={"passages": base.passages})
    assert "nothing_changed" in candidate_problems(slot, before, [lever])


def test_a_writer_of_ten_passages_sees_its_strategys_example_before_the_item() -> None:
    noise = LEVERS["Must vs. Cannot Rule"]
    signal = LEVERS["Price Redacted"]
    for lever, strategy in ((noise, "one_noise"), (signal, "all_signal")):
        text = prompt(GARAGE, lever)
        shown = [name for name, one in EXAMPLES.items() if one["why"] in text]
        assert shown == [strategy]
        assert text.index(HEAD) < text.index(GARAGE.query)


def test_one_passage_or_a_lever_on_the_question_needs_no_such_example() -> None:
    question = LEVERS["Moral Absolute"]
    assert question.multi == "query_and_signal"
    assert HEAD not in prompt(NQ, LEVERS["Must vs. Cannot Rule"])
    assert HEAD not in prompt(GARAGE, question)
