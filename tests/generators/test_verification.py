"""How verifiers are asked, in which order, and what is taken from them."""

import asyncio
import json
from typing import Any

import pytest

from refusalbench_tasks.generators.draft import candidate_of
from refusalbench_tasks.generators.verification import (
    OWN_LABEL,
    ItemVote,
    objections,
    verifier_prompt,
    verify,
)
from refusalbench_tasks.generators.writing import (
    draft_for,
)
from refusalbench_tasks.taxonomy import Label
from tests.generators.panel import verdict
from tests.generators.written import LEVERS, SLOT, watched, well, written


def made() -> Any:
    draft = draft_for(SLOT, written(well).drafts)
    assert draft
    return candidate_of(draft, SLOT.base)


def voted(
    passed: bool = True, seen: list[Any] | None = None, **changes: Any
) -> ItemVote:
    said = {
        "verdicts": [
            verdict(passed, item=1, **({"own_label": SLOT.expected.value} | changes))
        ]
    }
    model = watched(lambda _: said, [] if seen is None else seen)
    (vote,), spent = asyncio.run(verify(model, [(SLOT, made())], LEVERS))
    assert spent.calls == 1
    return vote


@pytest.mark.parametrize(
    ("use", "rule", "passed"),
    [
        ("record", "every one of them but intensity is true", True),
        ("veto", "every one of them is true", False),
    ],
)
def test_a_verifier_is_told_once_by_which_rule_its_vote_counts(
    use: Any, rule: str, passed: bool
) -> None:
    seen: list[Any] = []
    said = {
        "verdicts": [
            verdict(True, item=1, own_label=SLOT.expected.value, intensity=False)
        ]
    }
    (vote,), _ = asyncio.run(
        verify(watched(lambda _: said, seen), [(SLOT, made())], LEVERS, intensity=use)
    )
    prompt, tool, _ = seen[0]
    told = prompt + json.dumps(tool.parameters.model_dump(exclude_none=True))
    assert told.count("PASS only if") == 1
    assert f"verdict: PASS only if {rule}" in told
    assert vote.passed is passed


def test_a_verifier_sees_the_labels_first_and_plan_code_and_evidence_last() -> None:
    seen: list[Any] = []
    assert voted(seen=seen).passed
    text, tool, _ = seen[-1]
    item = text.index("ITEM 1\n")
    plan = text.index("PLAN OF ITEM 1")
    assert (
        text.index("BEGIN ANSWERS")
        < item
        < text.index("BEGIN PERTURBED QUESTION")
        < plan
    )
    assert (
        plan
        < text.index("Answer constraint:")
        < text.index("BEGIN CHANGES")
        < text.index("BEGIN WRITER'S EVIDENCE")
    )
    assert SLOT.lever in text[plan:]
    assert SLOT.lever not in text[text.index("BEGIN ANSWERS") : plan]
    fields = list(tool.parameters.properties["verdicts"].items.properties)
    assert fields[:3] == ["item", "own_label", "own_reading"]
    assert text == verifier_prompt([(SLOT, made())], LEVERS)


@pytest.mark.parametrize(
    "changes", [{"verdict": "FAIL"}, {"target": False}, {"behaviour": False}]
)
def test_a_pass_needs_the_verdict_and_every_criterion(changes: dict[str, Any]) -> None:
    assert voted(**changes).passed is False
    assert voted(intensity=False).passed is True


def test_a_verifier_that_names_another_label_fails_the_item() -> None:
    vote = voted(own_label="REFUSE_OTHER", own_reading="It cannot be told.")
    assert (vote.passed, vote.verdict, vote.own_label) == (False, "PASS", Label.OTHER)
    assert vote.failed_criteria == (OWN_LABEL,)
    assert objections([vote]) == (
        "Without the plan a verifier would give REFUSE_OTHER: It cannot be told.",
    )


def test_a_reply_that_does_not_judge_each_item_once_is_no_vote() -> None:
    seen: list[Any] = []
    family = [(slot, made()) for slot in SLOT.family]
    model = watched(
        lambda _: {"verdicts": [verdict(item=1, own_label="REFUSE_OTHER")]}, seen
    )
    votes, spent = asyncio.run(verify(model, family, LEVERS))
    assert [vote.failure for vote in votes] == ["grader_schema_mismatch"] * 3
    assert spent.calls == 2
    said = (
        f"{json.dumps({'verdicts': [verdict(item=1, own_label='REFUSE_OTHER')]})} But I"
        " may be wrong."
    )
    (vote,), _ = asyncio.run(verify(watched(lambda _: said, []), family[:1], LEVERS))
    assert vote.passed is None
