"""Each rule for candidates fires on what it forbids and on nothing else."""

from typing import Any

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Edit, MultiDraft, SingleDraft, candidate_of
from refusalbench_tasks.generators.checks import RULES, check
from refusalbench_tasks.generators.levers import Lever, bundled_levers, select_levers
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Label

QUERY = "Who built the old mill at Tarn?"
TEXT = "The old mill at Tarn was built by Ole Brandt in 1820. It stands by the brook and grinds rye."
NOISE = "A brook is a small stream. Many brooks dry up in summer."


def single(name: str) -> tuple[Slot, list[Lever]]:
    (lever,) = select_levers(bundled_levers(), names=[name])
    base = RefusalItem(
        item_id="b",
        source_id="b",
        query=QUERY,
        passages=(TEXT,),
        answers=("Ole Brandt", "Brandt"),
        expected=Label.ANSWER,
    )
    return Slot(base=base, perturbation=lever.perturbation, intensity=lever.intensity, lever=name), [lever]


def several(name: str) -> tuple[Slot, list[Lever]]:
    slot, cell = single(name)
    passages = (TEXT, NOISE, f"{TEXT} Guests come.", NOISE + " So it is.")
    return slot.model_copy(update={"base": slot.base.model_copy(update={"passages": passages, "signal": (0, 2)})}), cell


def said(slot: Slot, cell: list[Lever], **changes: Any) -> dict[str, str]:
    draft = {"lever": slot.lever, "perturbed_query": QUERY, "perturbed_context": TEXT, "reasoning": "r"} | changes
    return check(slot, candidate_of(SingleDraft.model_validate(draft), slot.base), cell)


def said_of_several(slot: Slot, cell: list[Lever], edits: dict[int, str], **changes: Any) -> dict[str, str]:
    draft = {"lever": slot.lever, "perturbed_query": QUERY, "reasoning": "r"} | changes
    made = MultiDraft(**draft, edits=[Edit(passage=k, text=text) for k, text in edits.items()])
    return check(slot, candidate_of(made, slot.base), cell)


# levers stand here for what they may change; what else each of them leaves behind is tested with the marks
MARKS = {"lever_not_done"}


def broken(slot: Slot, cell: list[Lever], **changes: Any) -> set[str]:
    return set(said(slot, cell, **changes)) - MARKS


def broken_multi(slot: Slot, cell: list[Lever], edits: dict[int, str], **changes: Any) -> set[str]:
    return set(said_of_several(slot, cell, edits, **changes)) - MARKS


CLASH = "The old mill at Tarn was built by Per Lund in 1820."
WITH_DOOR = "Who built the old mill with the red door at Tarn?"
LOST = TEXT.replace("by Ole Brandt ", "")


def test_a_good_candidate_breaks_nothing() -> None:
    assert broken(*single("Answer Clause Excised"), perturbed_context=LOST) == set()
    assert (
        broken(
            *single("Imaginary Add-on"), perturbed_query="Who built the old mill at Tarn, the one with the red door?"
        )
        == set()
    )


@pytest.mark.parametrize(
    ("lever", "changes", "rule"),
    [
        ("Answer Clause Excised", {}, "nothing_changed"),
        ("Answer Clause Excised", {"perturbed_context": f"  {TEXT.replace(' ', '  ')}"}, "nothing_changed"),
        ("Answer Clause Excised", {"perturbed_context": LOST, "perturbed_query": "Who was it?"}, "question_changed"),
        ("Imaginary Add-on", {"perturbed_context": TEXT + " So."}, "question_unchanged"),
        ("Imaginary Add-on", {"perturbed_query": "Who did?", "perturbed_context": TEXT + " So."}, "passages_changed"),
        ("Answer Clause Excised", {"perturbed_query": "Who was it?"}, "passages_unchanged"),
        ("Delete Color Adjective", {"perturbed_context": LOST}, "answer_lost"),
        ("Answer Clause Excised", {"perturbed_context": TEXT + " So."}, "answer_kept"),
        ("Imaginary Add-on", {"perturbed_query": "Did Ole Brandt, with a hat, build the mill?"}, "answer_in_question"),
        ("Answer Clause Excised", {"perturbed_context": "Rye."}, "length_out_of_range"),
        ("Answer Clause Excised", {"perturbed_context": LOST * 5}, "length_out_of_range"),
        ("Answer Clause Excised", {"perturbed_context": LOST + " REFUSE_INFO_MISSING."}, "label_in_text"),
        ("Answer Clause Excised", {"perturbed_context": LOST + " This was perturbed."}, "label_in_text"),
        ("Answer Clause Excised", {"perturbed_context": LOST + " It is an instance of MissingInfo."}, "label_in_text"),
        ("Answer Clause Excised", {"perturbed_context": LOST + " See Answer Clause Excised."}, "label_in_text"),
        ("Imaginary Add-on", {"perturbed_query": "Who? " * 90}, "length_out_of_range"),
    ],
)
def test_single_passage_rules(lever: str, changes: dict[str, Any], rule: str) -> None:
    assert rule in broken(*single(lever), **changes)


@pytest.mark.parametrize(
    ("lever", "edits", "changes", "expected"),
    [
        ("Answer Clause Excised", {1: LOST, 3: LOST + " Guests come."}, {}, set()),
        ("Answer Clause Excised", {1: LOST}, {}, {"passages_unchanged", "answer_kept"}),
        ("Answer Clause Excised", {1: LOST, 3: LOST, 2: NOISE + " Yes."}, {}, {"passages_changed"}),
        ("Answer Clause Excised", {1: LOST, 3: LOST, 9: "x"}, {}, {"bad_passage_number"}),
        ("Answer Clause Excised", {0: LOST, 1: LOST, 3: LOST}, {}, {"bad_passage_number"}),
        ("Dual-authoritative Dates", {2: "The old mill at Tarn was built by Per Lund in 1820."}, {}, set()),
        ("Dual-authoritative Dates", {1: LOST}, {}, {"passages_changed", "passages_only_reworded"}),
        ("Dual-authoritative Dates", {2: CLASH, 4: CLASH}, {}, {"passages_unchanged"}),
        ("Dual-authoritative Dates", {2: CLASH}, {"perturbed_query": "Who built the mill?"}, {"question_changed"}),
        ("Dual-authoritative Dates", {2: NOISE + " Trout like it."}, {}, {"unrelated_change"}),
        ("Dual-authoritative Dates", {2: NOISE + " Trout like it at Tarn."}, {}, {"unrelated_change"}),
        ("Genome Detail from Species Count", {1: LOST}, {}, {"answer_kept"}),
        ("Genome Detail from Species Count", {1: LOST, 3: LOST}, {}, set()),
        ("Dual-authoritative Dates", {2: NOISE + " One stood at Tarn. Per Lund built it."}, {}, set()),
        ("Dual-authoritative Dates", {2: NOISE.replace("small", "little-known")}, {}, {"unrelated_change"}),
        ("Delete Color Adjective", {1: TEXT.replace("old ", "")}, {}, set()),
        ("Delete Color Adjective", {}, {}, {"nothing_changed", "passages_unchanged"}),
        ("Imaginary Add-on", {}, {"perturbed_query": WITH_DOOR}, set()),
        ("Imaginary Add-on", {1: TEXT + " Rye."}, {"perturbed_query": WITH_DOOR}, {"passages_changed"}),
    ],
)
def test_rules_for_several_passages(
    lever: str, edits: dict[int, str], changes: dict[str, Any], expected: set[str]
) -> None:
    assert broken_multi(*several(lever), edits, **changes) == expected


def test_a_passage_may_be_edited_once() -> None:
    slot, _ = several("Answer Clause Excised")
    draft = MultiDraft(
        lever="x", perturbed_query=QUERY, edits=[Edit(passage=1, text="a"), Edit(passage=1, text="b")], reasoning=""
    )
    candidate = candidate_of(draft, slot.base)
    assert candidate.out_of_range == (1,)
    assert candidate.passages[0] == "a"
    assert slot.base.passages[0] == TEXT


def test_where_the_writer_chooses_any_lever_of_the_cell_will_do() -> None:
    slot, cell = single("Answer Clause Excised")
    free = slot.model_copy(update={"lever": None})
    assert broken(free, cell, perturbed_context=LOST, lever="answer clause excised") == set()
    assert "wrong_lever" in broken(free, cell, perturbed_context=LOST, lever="My own idea")


def test_a_chosen_lever_is_known_without_its_brackets_and_in_any_type() -> None:
    slot, cell = single("Metonymy (Institution for Building)")
    free = slot.model_copy(update={"lever": None})
    asked = "Who, by the mill's word, built the old mill at Tarn?"
    for name in ("Metonymy", "“Metonymy (Institution for Building)”", "metonymy (institution for building)."):
        assert broken(free, cell, perturbed_query=asked, lever=name) == set()


@pytest.mark.parametrize("echo", ["Table Gap", "", "Answer Clause Excised.", "“Answer Clause Excised”"])
def test_a_planned_lever_need_not_be_named_again(echo: str) -> None:
    assert broken(*single("Answer Clause Excised"), perturbed_context=LOST, lever=echo) == set()


@pytest.mark.parametrize(
    ("lever", "changes", "expected"),
    [
        # what stood in the text before counts as standing in any form
        ("Delete Color Adjective", {"perturbed_context": LOST + " Brandt lived there."}, set()),
        ("Answer Clause Excised", {"perturbed_context": LOST + " Brandt lived there."}, {"answer_kept"}),
        ("Delete Color Adjective", {"perturbed_context": TEXT.replace("was built", "wasn’t built")}, {"answer_lost"}),
        # a contradiction stands beside the answer and does not take its place
        ("Dual-authoritative Dates", {"perturbed_context": TEXT.replace("Ole Brandt", "Per Lund")}, {"answer_lost"}),
        ("Dual-authoritative Dates", {"perturbed_context": f"{TEXT} Guides say 1830."}, set()),
        (
            "Dual-authoritative Dates",
            {"perturbed_context": TEXT.replace("built by", "erected by")},
            {"passages_only_reworded"},
        ),
        # a change says something
        (
            "Delete Color Adjective",
            {"perturbed_context": TEXT.replace("brook and", "brook; and")},
            {"no_content_change"},
        ),
        (
            "Delete Color Adjective",
            {"perturbed_context": TEXT.replace("It stands", "It also stands")},
            {"no_content_change"},
        ),
        (
            "Imaginary Add-on",
            {"perturbed_query": "By whom was the old mill at Tarn built?"},
            {"question_only_reworded"},
        ),
        ("Imaginary Add-on", {"perturbed_query": "Who erected the old mill at Tarn?"}, {"question_only_reworded"}),
        (
            "Imaginary Add-on",
            {"perturbed_query": "How many moons has Saturn?"},
            {"question_off_subject", "question_drifted", "other_thing_asked"},
        ),
        ("Moral Absolute", {"perturbed_query": "Is lying always wrong?"}, set()),
        # a passage or question that must stay may change its type
        ("Imaginary Add-on", {"perturbed_query": WITH_DOOR, "perturbed_context": TEXT.replace(" ", "  ")}, set()),
        ("Answer Clause Excised", {"perturbed_query": QUERY.rstrip("?"), "perturbed_context": LOST}, set()),
    ],
)
def test_rules_read_what_a_text_says(lever: str, changes: dict[str, Any], expected: set[str]) -> None:
    assert broken(*single(lever), **changes) == expected


def test_a_ground_sentence_is_allowed_where_the_lever_has_one() -> None:
    asked = "What went up in flames when the old mill at Tarn burned?"
    one = TEXT.replace("It stands", "It has never burned. It stands")
    two = f"{one} Nor has the barn."
    never = single("Stopped vs. Never Started")
    assert broken(*never, perturbed_query=asked, perturbed_context=one) == set()
    assert broken(*never, perturbed_query=asked, perturbed_context=two) == {"passages_changed"}
    assert broken(*single("Imaginary Add-on"), perturbed_query=asked, perturbed_context=one) == {"passages_changed"}


FORM = {"question_only_reworded", "unknown_name"}


@pytest.mark.parametrize(
    ("question", "broken_rules"),
    [
        ("Who was it that built the mill, Ole Brandt or Per Lund?", set()),
        ("Was it Per Lund or Ole Brandt who built the old mill?", set()),
        ("Was it Ole Brandt who built the old mill?", {"answer_in_question"}),
        ("Was it Ole Brandt or was it not?", {"answer_in_question"}),
    ],
)
def test_a_choice_question_may_offer_the_answer_beside_another(question: str, broken_rules: set[str]) -> None:
    assert broken(*single("Heavier is Factual"), perturbed_query=question) - FORM == broken_rules


def test_a_short_passage_may_grow_like_one_of_a_hundred_characters() -> None:
    slot, cell = single("Minor Numeric Rounding")
    slot = slot.model_copy(update={"base": slot.base.model_copy(update={"passages": ("Brandt, 1820",)})})
    assert broken(slot, cell, perturbed_context="Brandt, 1820. A plaque has 1,820 bricks in it. " + "x" * 40) == set()
    assert "length_out_of_range" in broken(slot, cell, perturbed_context="Brandt, 1820. A plaque. " + "x" * 300)
    assert "length_out_of_range" in broken(slot, cell, perturbed_context="B.")


@pytest.mark.parametrize("words", ["a top-level event", "a group-stage side", "refuse-collection", "p-value"])
def test_ordinary_words_are_no_labels(words: str) -> None:
    assert broken(*single("Answer Clause Excised"), perturbed_context=f"{LOST} It was {words}.") == set()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"{LOST} The mill was", {"text_cut"}),
        (f"{LOST}\nYear | Mill", set()),
        (f'{{"perturbed_context": "{LOST}"}}.', {"format_left"}),
        (f"```{LOST}```", {"format_left"}),
        (f"{LOST} (name withheld)", {"betraying_phrase"}),
        (f"{LOST} [Note: the name is gone.]", {"betraying_phrase"}),
        (f"{LOST} (a mill)", set()),
    ],
)
def test_a_text_is_whole_and_bare(text: str, rule: set[str]) -> None:
    assert broken(*single("Answer Clause Excised"), perturbed_context=text) == rule


def test_every_rule_says_what_to_do() -> None:
    assert len(RULES) == 60
    assert all(rule.__doc__ for rule in RULES.values())


EXCISED, ADDED = "Answer Clause Excised", "Imaginary Add-on"
SENTENCES: dict[str, tuple[str, dict[str, Any], str]] = {
    "nothing_changed": (EXCISED, {}, "Neither the question nor a passage was changed."),
    "question_changed": (EXCISED, {"perturbed_query": "Who?"}, "The question must stay exactly as it was."),
    "question_unchanged": (ADDED, {}, "The question must be changed."),
    "passages_changed": (ADDED, {"perturbed_context": LOST}, "The passage must stay exactly as it was."),
    "passages_unchanged": (EXCISED, {}, "The passage must be changed."),
    "answer_lost": (
        "Delete Color Adjective",
        {"perturbed_context": LOST},
        "The answer must still stand in the text.",
    ),
    "answer_kept": (EXCISED, {}, "The answer still stands in the text."),
    "answer_in_question": (ADDED, {"perturbed_query": "Was it Brandt?"}, "The question must not contain the answer."),
    "label_in_text": (
        EXCISED,
        {"perturbed_context": f"{LOST} P-Ambiguity."},
        "The text must not speak of codes, classes or perturbation: 'P-Ambiguity'.",
    ),
}


@pytest.mark.parametrize("rule", SENTENCES)
def test_a_rule_tells_the_writer_what_to_mend(rule: str) -> None:
    lever, changes, sentence = SENTENCES[rule]
    assert said(*single(lever), **changes)[rule] == sentence


def test_passages_are_named_by_the_numbers_that_the_writer_saw() -> None:
    kept = said_of_several(*several(EXCISED), {2: NOISE + " a", 4: NOISE + " b", 9: "x", 0: "y"})
    assert kept["passages_changed"] == "These passages must stay exactly as they were: 2, 4."
    assert kept["passages_unchanged"] == "These passages must be changed too: 1, 3."
    assert kept["bad_passage_number"] == "These passage numbers do not exist or occur twice: 9, 0."
    noise = said_of_several(*several("Dual-authoritative Dates"), {})
    assert noise["passages_unchanged"] == "Exactly one passage that does not bear on the question must be changed."
    free, cell = single(EXCISED)
    other = said(free.model_copy(update={"lever": None}), cell, lever="My own idea", perturbed_context=LOST)
    assert other["wrong_lever"] == "The lever is not one of the list."


def test_the_question_stays_where_all_signal_passages_change() -> None:
    assert "question_changed" in broken_multi(
        *several(EXCISED), {1: LOST, 3: LOST + " Guests come."}, perturbed_query="Who?"
    )
    assert broken_multi(*several(ADDED), {}, perturbed_query=QUERY) >= {"question_unchanged", "nothing_changed"}


def test_a_lever_on_how_both_fit_together_may_change_the_question_and_the_signal() -> None:
    name = next(one.name for one in bundled_levers() if one.multi == "query_and_signal" and one.intensity == "HIGH")
    slot, cell = several(name)
    assert broken_multi(slot, cell, {1: LOST}) == broken_multi(slot, cell, {}, perturbed_query="Who was it?") == set()
    assert broken_multi(slot, cell, {2: NOISE + " Dry."}) == {"passages_changed"}
    # a lever that nobody knows allows every passage, and is itself what is wrong
    free = slot.model_copy(update={"lever": None})
    assert broken_multi(free, cell, {2: NOISE + " Dry."}, lever="My own idea") == {"wrong_lever"}


def test_a_length_at_the_bounds_is_in_range() -> None:
    slot, cell = single(EXCISED)
    for length, rules in ((30, set()), (29, {"length_out_of_range"}), (300, set()), (301, {"length_out_of_range"})):
        base = slot.base.model_copy(update={"passages": ("x" * 100,), "answers": ("Ole Brandt",)})
        case = slot.model_copy(update={"base": base})
        assert broken(case, cell, perturbed_context="y" * length) == rules, length
    short = said_of_several(*several(EXCISED), {1: LOST, 3: "Rye."})["length_out_of_range"]
    assert short == "Passage 3 is 0.0 times as long as before; keep between 0.3 and 3.0."
    for words, rules in ((300, set()), (301, {"length_out_of_range"})):
        assert broken(*single(ADDED), perturbed_query=QUERY + "w" * (words - len(QUERY))) == rules
    long = said(*single(ADDED), perturbed_query="w" * 301)["length_out_of_range"]
    assert long == "The question is far longer than before."
