"""The checks of a candidate: labelled cases, lever by lever, and what evidence they
look up.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.checks import CHECKS, candidate_problems
from refusalbench_tasks.generators.draft import Candidate, candidate_of, drafts_schema
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.taxonomy import Label

LEVERS = {lever.name: lever for lever in bundled_levers()}
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (
        (Path(__file__).parent / "check_cases.jsonl").read_text("utf-8").splitlines()
    )
]
"""Items that people labelled, with the checks that each breaks: none of the good ones
breaks any.
"""
BASE = {
    "query": "Who built the mill at Tarn?",
    "answers": ["Ole Brandt"],
    "passages": [
        "The mill at Tarn was built by Ole Brandt in 1820. It stands by the river to"
        " this day."
    ],
}
DRAFT: dict[str, Any] = {"perturbed_query": BASE["query"], "edits": []}
OTHER = {
    "find": "by Ole Brandt in 1820.",
    "replace": "by Ole Brandt in 1820. A tablet names Ada Holm as its builder.",
}
CUT = {"find": " by Ole Brandt in 1820", "replace": ""}


def check_plain(
    base: dict[str, Any], name: str, draft: dict[str, Any]
) -> dict[str, str]:
    """Return what the checks say of a draft in edits, for a lever by name."""
    lever = next(
        one for one in LEVERS.values() if one.name.casefold() == name.casefold()
    )
    item = RefusalItem.model_validate(
        {"item_id": "x", "source_id": "x", "expected": "ANSWER_CORRECTLY"} | base
    )
    slot = ItemSlot(
        base=item,
        perturbation=lever.perturbation,
        intensity=lever.intensity,
        lever=lever.name,
    )
    schema = drafts_schema(slot.perturbation, (slot.intensity,), slot.multi, "edits")
    given = {"lever": lever.name, "intensity": slot.intensity.value} | draft
    return candidate_problems(
        slot,
        candidate_of(schema.model_validate({"items": [given]}).items[0], item),
        bundled_levers(),
    )


def base_of(case: dict[str, Any]) -> RefusalItem:
    return RefusalItem(
        item_id="x",
        source_id="x",
        query=case["query"],
        passages=tuple(case["passages"]),
        answers=tuple(case["answers"]),
        signal=tuple(case.get("signal", ())),
        expected=Label.ANSWER,
    )


def test_a_labelled_case_breaks_the_checks_that_it_should() -> None:
    for case in CASES:
        lever = LEVERS[case["lever"]]
        slot = ItemSlot(
            base=base_of(case),
            perturbation=lever.perturbation,
            intensity=lever.intensity,
            lever=lever.name,
        )
        made = Candidate(
            query=case["new_query"],
            passages=tuple(case["new_passages"]),
            lever=lever.name,
            reasoning="",
        )
        assert (
            sorted(candidate_problems(slot, made, bundled_levers())) == case["broken"]
        ), case


def test_every_check_has_a_case_here() -> None:
    covered = {name for case in CASES for name in case["broken"]}
    evidence = {
        "quote_not_found",
        "removed_left",
        "values_agree",
        "premise_changes_text",
        "edit_not_found",
        "bad_passage_number",
        "wrong_lever",
        "language_changed",
    }
    assert covered | evidence == set(CHECKS)
    assert len(CASES) <= 150


def claims(*values: str) -> dict[str, Any]:
    quotes = ("The mill at Tarn", "A tablet names Ada Holm")
    return {
        "claims": [
            {"quote": quote, "value": value}
            for quote, value in zip(quotes, values, strict=True)
        ]
    }


@pytest.mark.parametrize(
    ("lever", "draft", "broken"),
    [
        (
            "Contradiction in Reported Speech",
            {"edits": [OTHER], "evidence": claims("Ole Brandt", "Ada Holm")},
            set(),
        ),
        (
            "Contradiction in Reported Speech",
            {"edits": [OTHER], "evidence": claims("Ole Brandt", "ole brandt")},
            {"values_agree"},
        ),
        (
            "Contradiction in Reported Speech",
            {
                "edits": [OTHER | {"find": "x"}],
                "evidence": claims("Ole Brandt", "Ada Holm"),
            },
            {
                "edit_not_found",
                "nothing_changed",
                "passages_unchanged",
                "quote_not_found",
            },
        ),
        (
            "Answer Clause Excised",
            {"edits": [CUT], "evidence": {"removed": ["by Ole Brandt in 1820"]}},
            set(),
        ),
        (
            "Answer Clause Excised",
            {"edits": [CUT], "evidence": {"removed": ["to this day"]}},
            {"removed_left"},
        ),
        (
            "Answer Clause Excised",
            {"edits": [CUT], "evidence": {"removed": ["by Ole B."]}},
            {"quote_not_found"},
        ),
        (
            "Stopped vs. Never Started",
            {
                "perturbed_query": "When did Ole Brandt give up the mill at Tarn?",
                "ground_added": "He never ran it.",
                "evidence": {
                    "premise": "He ran it.",
                    "contradicted_by": "He never ran it.",
                },
            },
            set(),
        ),
        (
            "Category Swap",
            {
                "perturbed_query": "What does the mill at Tarn eat at night?",
                "ground_added": "It eats nothing.",
                "evidence": {
                    "premise": "It eats.",
                    "contradicted_by": "It eats nothing.",
                },
            },
            {"premise_changes_text"},
        ),
        (
            "Moral Absolute",
            {
                "perturbed_query": (
                    "War es recht, die Mühle an diesem schönen Fluss von einem Fremden"
                    " bauen zu lassen, obwohl im Dorf genug tüchtige Leute ohne Arbeit"
                    " waren?"
                ),
                "evidence": {"operator": "recht", "criterion_missing": "A norm."},
            },
            {"language_changed"},
        ),
    ],
)
def test_what_a_draft_shows_is_looked_up(
    lever: str, draft: dict[str, Any], broken: set[str]
) -> None:
    assert set(check_plain(BASE, lever, DRAFT | draft)) == broken


def test_another_lever_and_a_passage_that_is_not_there_are_told() -> None:
    draft = DRAFT | {
        "lever": "Zero-Row Table",
        "edits": [CUT],
        "evidence": {"removed": ["by Ole Brandt in 1820"]},
    }
    assert check_plain(BASE, "answer clause excised", draft) == {
        "wrong_lever": "Use the lever 'Answer Clause Excised'."
    }
    several = BASE | {"passages": [*BASE["passages"], "It rained."], "signal": [0]}
    moved = draft | {
        "lever": "Answer Clause Excised",
        "edits": [CUT | {"passage": 1}, CUT | {"passage": 9}],
    }
    assert (
        "no passage 9"
        in check_plain(several, "Answer Clause Excised", moved)["bad_passage_number"]
    )


def test_two_readings_lead_to_different_answers() -> None:
    lever = "Balanced Polysemy"
    quote = "It stands by the river to this day."
    readings = [
        {"reading": "a", "answer": "Ole Brandt.", "quote": quote},
        {"reading": "b", "answer": "ole brandt", "quote": quote},
    ]
    draft = DRAFT | {
        "perturbed_query": "Who made the mill at Tarn?",
        "evidence": {"readings": readings},
    }
    assert set(check_plain(BASE, lever, draft)) == {"values_agree"}
