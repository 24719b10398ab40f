"""What a writer shows for its item is held to the texts: each rule fires on what it forbids and on nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from refusalbench_tasks.generators.candidate import Candidate, candidate_of
from refusalbench_tasks.generators.changes import changes_of, word_changes
from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.edit_draft import edit_draft
from refusalbench_tasks.generators.edits import Change, edited
from refusalbench_tasks.generators.evidence import evidence_of, evidence_text
from refusalbench_tasks.generators.evidence_rules import EVIDENCE_RULES
from refusalbench_tasks.generators.levers import Lever, bundled_levers
from refusalbench_tasks.generators.prompt_parts import candidate_parts
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Intensity, PerturbationClass
from tests.generators.test_checks import NOISE, QUERY, TEXT, several, single

CUT = {"find": "by Ole Brandt ", "replace": ""}


def made(slot: Slot, cell: list[Lever], **changes: Any) -> Candidate:
    draft = {"lever": slot.lever, "perturbed_query": QUERY, "edits": [], "reasoning": "r"} | changes
    schema = edit_draft(slot.perturbation, slot.intensity, slot.multi, cell[0].ground)
    return candidate_of(schema.model_validate(draft), slot.base)


def broken(plan: tuple[Slot, list[Lever]], **changes: Any) -> set[str]:
    slot, cell = plan
    return set(check(slot, made(slot, cell, **changes), cell)) & set(EVIDENCE_RULES)


@pytest.mark.parametrize(
    ("changes", "text", "not_found", "no_passage"),
    [
        ([("Ole", "Per")], "Per and Ann came. Ann left.", (), ()),
        ([("Ann left", "Ann stayed"), ("Ole", "Per")], "Per and Ann came. Ann stayed.", (), ()),
        ([("Ann", "Eva")], "Ole and Ann came. Ann left.", (1,), ()),
        ([("Nobody", "x")], "Ole and Ann came. Ann left.", (1,), ()),
        ([("Ole and", "Per and"), ("and Ann came", "came")], "Per and Ann came. Ann left.", (2,), ()),
        ([("and Ann ", "")], "Ole came. Ann left.", (), ()),
        ([("and", "")], "Ole Ann came. Ann left.", (), ()),
        ([("Ole \n and", "Per and")], "Per and Ann came. Ann left.", (), ()),
    ],
)  # fmt: skip
def test_edits_are_found_once_in_the_original(
    changes: list[tuple[str, str]], text: str, not_found: tuple[int, ...], no_passage: tuple[int, ...]
) -> None:
    asked = [Change(passage=1, find=find, replace=replace) for find, replace in changes]
    found = edited(["Ole and Ann came. Ann left."], asked)
    assert (found.passages, found.not_found, found.no_passage) == ((text,), not_found, no_passage)


def test_an_edit_of_no_passage_is_named_and_the_others_are_made() -> None:
    found = edited(["a b", "c d"], [Change(passage=3, find="a", replace="x"), Change(passage=2, find="c", replace="x")])
    assert found.passages == ("a b", "x d")
    assert (found.not_found, found.no_passage) == ((), (3,))


@given(
    st.text("ab c.", max_size=20),
    st.lists(st.tuples(st.text("ab c", min_size=1, max_size=4), st.text("xy", max_size=3)), max_size=4),
)
def test_what_no_edit_found_stays_as_it_was(text: str, pairs: list[tuple[str, str]]) -> None:
    found = edited([text], [Change(passage=1, find=find, replace=to) for find, to in pairs])
    if len(found.not_found) == len(pairs):
        assert found.passages == (text,)
    if len(pairs) == 1 and text.count(pairs[0][0]) == 1 and "  " in text:
        assert found.passages == (text.replace(*pairs[0]).strip(),)


MISSING = ("Answer Clause Excised", {"edits": [CUT], "evidence": {"removed": ["by Ole Brandt "]}})
CLASH = "It was Per Lund who built it."
END = "rye."


def clash(**second: str) -> dict[str, Any]:
    claims = [{"quote": "was built by Ole Brandt", "value": "Ole Brandt"}]
    claims.append({"quote": CLASH, "value": "Per Lund"} | second)
    return {"edits": [{"find": END, "replace": f"{END} {CLASH}"}], "evidence": {"claims": claims}}


def readings(first: str, second: str, quote: str = "The old mill") -> dict[str, Any]:
    both = [{"reading": answer, "answer": answer, "quote": quote} for answer in (first, second)]
    return {"perturbed_query": "Who made it?", "evidence": {"readings": both}}


def premise(quote: str, ground: str = "") -> dict[str, Any]:
    asked = {"perturbed_query": "Who built the second mill at Tarn?", "ground_added": ground}
    return asked | {"evidence": {"premise": "There is a second mill.", "contradicted_by": quote}}


def idle(quote: str) -> dict[str, Any]:
    asked = {"perturbed_query": "Who built the old mill at Tarn, the one with the red door?"}
    return asked | {"evidence": {"premise": "It has a red door.", "answered_by": quote}}


def levels(asked: str, given_level: str) -> dict[str, Any]:
    return {"evidence": {"asked_level": asked, "given_level": given_level, "quote": "grinds rye"}}


def judged(operator: str) -> dict[str, Any]:
    question = {"perturbed_query": "Who built the most beautiful mill at Tarn?"}
    return question | {"evidence": {"operator": operator, "criterion_missing": "A measure of beauty."}}


def of(name: str) -> str:
    return next(one.name for one in bundled_levers() if one.perturbation.short == name and one.intensity == "HIGH")


@pytest.mark.parametrize(
    ("lever", "changes", "expected"),
    [
        (*MISSING, set()),
        ("Answer Clause Excised", {"edits": [CUT | {"find": "was"}], "evidence": {"removed": ["was"]}},
         {"removed_without_answer"}),
        ("Answer Clause Excised", {"edits": [{"find": "e", "replace": ""}], "evidence": {"removed": ["by Ole Brandt"]}},
         {"edit_not_found"}),
        ("Answer Clause Excised", {"edits": [CUT], "evidence": {"removed": ["by Per Lund"]}},
         {"removed_not_there", "removed_without_answer"}),
        ("Answer Clause Excised", {"edits": [CUT], "evidence": {"removed": ["by Ole Brandt", "1820"]}},
         {"removed_still_there"}),
        ("Dual-authoritative Dates", clash(), set()),
        ("Dual-authoritative Dates", clash(quote="It was Per Lund that built it."), {"quote_not_found"}),
        ("Dual-authoritative Dates", clash(value="ole brandt"), {"claims_agree", "answer_not_claimed"}),
        ("Dual-authoritative Dates", clash(value="Brandt"), {"answer_not_claimed"}),
        ("Dual-authoritative Dates", clash(quote="was built by Ole Brandt"), {"claims_agree"}),
        ("PP-Attachment Ambiguity", readings("Ole", "Per"), set()),
        ("PP-Attachment Ambiguity", readings("Ole", "ole."), {"readings_agree"}),
        ("PP-Attachment Ambiguity", readings("Ole", "Per", "The new mill"), {"quote_not_found"}),
        ("PP-Attachment Ambiguity", readings("the first", "the second"), {"no_reading_as_before"}),
        ("PP-Attachment Ambiguity", readings("5 km", "5,000 m"), {"readings_agree", "no_reading_as_before"}),
        ("PP-Attachment Ambiguity", readings("Lund", "Per"), {"no_reading_as_before"}),
        ("Imaginary Add-on", idle("was built by  Ole Brandt"), set()),
        ("Imaginary Add-on", idle("grinds rye"), {"support_without_answer"}),
        (of("GranularityMismatch"), levels("a year", "a century"), set()),
        (of("GranularityMismatch"), levels("a year", "A year"), {"levels_agree"}),
        (of("EpistemicMismatch"), judged("most beautiful"), set()),
        (of("EpistemicMismatch"), judged("the best"), {"operator_not_asked"}),
    ],
)  # fmt: skip
def test_rules_on_evidence(lever: str, changes: dict[str, Any], expected: set[str]) -> None:
    assert broken(single(lever), **changes) == expected


def grounded() -> tuple[Slot, list[Lever]]:
    slot, cell = single("Imaginary Add-on")
    slot = slot.model_copy(update={"intensity": Intensity.MEDIUM})
    return slot, [cell[0].model_copy(update={"intensity": Intensity.MEDIUM, "ground": True})]


def test_a_sentence_that_denies_the_premise_stands_apart() -> None:
    slot, cell = grounded()
    told = "Tarn never had a second mill."
    candidate = made(slot, cell, **premise(told, told))
    assert candidate.passages == (f"{TEXT} {told}",)
    assert candidate.ungrounded == (TEXT,)
    assert "passages_changed" not in check(slot, candidate, cell)
    assert broken((slot, cell), **premise(told, told)) == set()
    assert broken((slot, cell), **premise(told, f"{told} It has one.")) == {"ground_not_allowed"}
    assert broken((slot, cell), **premise(told)) == {"quote_not_found"}
    assert changes_of(slot.base, candidate)[-1] == f"passage 1, sentence added: {told}"


def test_with_several_passages_an_edit_names_its_passage() -> None:
    slot, cell = several("Answer Clause Excised")
    edits = [CUT | {"passage": 1}, CUT | {"passage": 3}]
    candidate = made(slot, cell, edits=edits, evidence={"removed": ["by Ole Brandt"]})
    assert candidate.passages[1] == NOISE
    assert "Ole" not in candidate.passages[0] + candidate.passages[2]
    assert set(check(slot, candidate, cell)) & set(EVIDENCE_RULES) == set()
    with pytest.raises(ValidationError):
        made(slot, cell, edits=[CUT], evidence={"removed": ["by Ole Brandt"]})


def test_an_item_needs_evidence_and_a_refusal_to_write_needs_a_reason() -> None:
    schema = edit_draft(PerturbationClass.MISSING_INFO, Intensity.HIGH, False, False)
    with pytest.raises(ValidationError, match="evidence: required"):
        schema.model_validate({"lever": "x", "perturbed_query": "q"})
    with pytest.raises(ValidationError, match="why_not"):
        schema.model_validate({"applicable": False})
    assert not schema.model_validate({"applicable": False, "why_not": "No date."}).applicable


def test_every_class_has_its_evidence_and_low_is_about_the_answer() -> None:
    names = {(one, level): evidence_of(one, level).__name__ for one in CLASSES for level in PERTURBED}
    hard = {name for (_, level), name in names.items() if level is not Intensity.LOW}
    assert len(hard) == 6
    assert {name for (_, level), name in names.items() if level is Intensity.LOW} == {"Support", "IdlePremise"}


def test_candidates_survive_the_log_with_their_evidence() -> None:
    slot, cell = single("Dual-authoritative Dates")
    candidate = made(slot, cell, **clash())
    assert Candidate.model_validate(candidate.model_dump(mode="json")) == candidate
    assert candidate.evidence
    assert evidence_text(candidate.evidence).splitlines() == [
        "claims 1: quote: was built by Ole Brandt; value: Ole Brandt",
        f"claims 2: quote: {CLASH}; value: Per Lund",
    ]


def test_verifiers_see_changes_and_evidence_and_no_reasons() -> None:
    slot, cell = single("Dual-authoritative Dates")
    parts = candidate_parts(slot, made(slot, cell, **clash()))
    assert parts["CHANGES"] == f"passage: brook and grinds rye. → brook and grinds rye. {CLASH}"
    assert "Per Lund" in parts["WRITER'S EVIDENCE"]
    assert not any("REASON" in name for name in parts)


def test_a_change_is_shown_with_the_words_around_it() -> None:
    assert word_changes("a b c d e f g h i", "a b c d X f g h i") == [("a b c d e f g h i", "a b c d X f g h i")]
    assert word_changes("x " * 9 + "old " + "y " * 9, "x " * 9 + "y " * 9) == [
        ("x x x x old y y y y", "x x x x y y y y")
    ]
    assert word_changes("same", "same") == []


def test_every_rule_says_what_it_asks() -> None:
    assert len(EVIDENCE_RULES) == 13
    assert all(rule.__doc__ for rule in EVIDENCE_RULES.values())
