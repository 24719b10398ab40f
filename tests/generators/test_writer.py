"""How writers and verifiers are asked, in which order, and what is taken from them."""

import asyncio
import json
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.tool import ToolFunction

from refusalbench_tasks.generators.criteria import evidence_asked
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.draft import candidate_of
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan, with_siblings
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.generators.verification import (
    OWN_LABEL,
    ItemVote,
    reasons,
    verifier_prompt,
    verify,
)
from refusalbench_tasks.generators.writing import (
    Written,
    draft_for,
    write,
    writer_prompt,
)
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label
from tests.generators.panel import of_each, verdict, write_well
from tests.models import Answer, output

LEVERS = bundled_levers()
PLAN = with_siblings(make_plan(curate("nq_sample").items[:1], LEVERS))
SLOT = PLAN[0]


def watched(said: Any, seen: list[Any], **config: Any) -> Model:
    def reply(messages: Any, tools: Any, choice: Any, _: Any) -> ModelOutput:
        seen.append((messages[-1].text, tools[0], choice))
        return output(said(messages[-1].text), tool=tools[0].name)

    return get_model(
        "mockllm/w",
        custom_outputs=reply,
        memoize=False,
        config=GenerateConfig(**config),
    )


def well(prompt: str) -> Answer:
    return of_each(write_well, prompt)


def written(
    said: Any,
    seen: list[Any] | None = None,
    slots: list[ItemSlot] | None = None,
    **config: Any,
) -> Written:
    return asyncio.run(
        write(
            watched(said, [] if seen is None else seen, **config),
            slots or [SLOT],
            LEVERS,
        )
    )


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


def test_a_writer_is_offered_a_tool_of_its_own_name_and_asked_for_items() -> None:
    seen: list[Any] = []
    answers: list[Answer] = ["no", "no"]
    assert written(lambda _: answers.pop(), seen).failure == "writer_no_payload"
    (first, tool, choice), (again, _, _) = seen
    assert (tool.name, tool.description) == ("submit_items", "Submit the items.")
    assert choice == ToolFunction(name="submit_items")
    assert "verdict" not in first + again


def test_a_model_that_reasons_is_not_forced_to_call_the_tool() -> None:
    seen: list[Any] = []
    for config in (
        {"reasoning_effort": "high"},
        {"reasoning_tokens": 2_000},
        {"reasoning_effort": "none"},
    ):
        assert written(well, seen, **config).drafts
    assert [choice for _, _, choice in seen] == [
        "auto",
        "auto",
        ToolFunction(name="submit_items"),
    ]


def test_one_object_with_prose_around_it_is_taken_from_a_writer_and_no_two() -> None:
    def in_text(template: str) -> Any:
        return lambda prompt: template.replace("JSON", json.dumps(well(prompt)))

    for text in (
        "Here is the item.\n```json\nJSON\n```\nI hope it helps.",
        "Here: JSON",
    ):
        assert written(in_text(text)).drafts
    for text in (
        "```json\nJSON\n```\nor\n```json\nJSON\n```",
        '{"items": JSON}',
        "Here: none",
    ):
        assert not written(in_text(text)).drafts


def test_a_writer_sees_the_evidence_form_of_its_class_and_intensity_alone() -> None:
    for slot in (
        next(one for one in PLAN if one.perturbation is name and one.intensity is level)
        for name in CLASSES
        for level in PERTURBED
    ):
        seen: list[Any] = []
        asyncio.run(write(watched(well, seen), [slot], LEVERS))
        told = {evidence_asked(name, level) for name in CLASSES for level in PERTURBED}
        assert [one for one in told if one in seen[0][0]] == [
            evidence_asked(slot.perturbation, slot.intensity)
        ]
        known = {
            "readings",
            "claims",
            "removed",
            "contradicted_by",
            "asked_level",
            "operator",
            "support",
            "answered_by",
        }
        kinds = [name for name in known if f'"{name}"' in seen[0][1].model_dump_json()]
        assert len(kinds) == 1, (slot.slot_id, kinds)


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


def test_items_of_one_call_are_kept_by_intensity_and_odd_ones_are_not() -> None:
    family = SLOT.family
    assert set(written(well, slots=family).drafts) == {"LOW", "MEDIUM", "HIGH"}

    def twice(prompt: str) -> Any:
        said: Any = well(prompt)
        low, medium, high = said["items"]
        return {"items": [low, low, medium | {"evidence": {"support": "x"}}, high]}

    assert set(written(twice, slots=family).drafts) == {"HIGH"}


def test_a_further_attempt_is_told_what_was_wrong() -> None:
    again = SLOT.again(("too easy",))
    assert "This is attempt 2" in writer_prompt([again], LEVERS)
    assert "- too easy" in writer_prompt([again], LEVERS)


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
    assert reasons([vote]) == (
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
