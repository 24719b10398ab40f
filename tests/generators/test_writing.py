"""How writers are asked, and what is taken from them."""

import asyncio
import json
from typing import Any

from inspect_ai.tool import ToolFunction

from refusalbench_tasks.generators.criteria import evidence_asked
from refusalbench_tasks.generators.writing import (
    perturb_prompt,
    write,
)
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED
from tests.generators.written import LEVERS, PLAN, SLOT, watched, well, written
from tests.models import Answer


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
    assert "This is attempt 2" in perturb_prompt([again], LEVERS)
    assert "- too easy" in perturb_prompt([again], LEVERS)
