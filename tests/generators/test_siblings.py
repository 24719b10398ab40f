"""Siblings: who they are, what their one call asks for, and which drafts of it can be used."""

import asyncio
import re
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.candidate import Candidate, candidate_of
from refusalbench_tasks.generators.criteria import brief_target
from refusalbench_tasks.generators.family_panel import standing
from refusalbench_tasks.generators.joint_verification import (
    Item,
    joint_verifier_prompt,
    shown_order,
    verify_as_together,
    verify_together,
)
from refusalbench_tasks.generators.joint_writing import WrittenTogether, draft_of, joint_prompt, write_together
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers, select_levers
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.siblings import family, with_siblings
from refusalbench_tasks.generators.slot import Rejected, Slot
from refusalbench_tasks.generators.verification import ItemVote, verifier_prompt
from refusalbench_tasks.generators.writer import writer_prompt
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.taxonomy import PERTURBED, Intensity
from tests.generators.panel import of_each, verdict, write_well
from tests.models import output, part, scripted

LEVERS = bundled_levers()
BASES = load_bases("nq_sample")[:2]
PLAN = with_siblings(make_plan(BASES, LEVERS))
MISSING = [slot for slot in PLAN if slot.base == PLAN[0].base and slot.perturbation.short == "MissingInfo"]
LOW, MEDIUM, HIGH = MISSING


def says(reply: Any, tool: str) -> Any:
    """Return a model that gives one reply, however often it is asked."""
    return scripted(*(output(reply, tool=tool) for _ in range(2)))


def written(reply: Any) -> WrittenTogether:
    return asyncio.run(write_together(says(reply, "submit_items"), MISSING, LEVERS))


def judged(reply: Any, found: list[Item]) -> tuple[list[ItemVote], Spent]:
    return asyncio.run(verify_together(says(reply, "submit_verdicts"), found, LEVERS))


def well() -> dict[str, Any]:
    made = of_each(write_well, joint_prompt(MISSING, LEVERS))
    assert isinstance(made, dict)
    return made


def items(drafts: dict[str, Any] | None = None) -> list[Item]:
    """Return LOW and those of its siblings that can be judged with it."""
    drafts = drafts or written(well()).drafts
    own = draft_of(drafts["LOW"], LOW, LEVERS)
    assert own
    return standing(LOW, candidate_of(own, LOW.base), drafts, LEVERS)


def test_a_family_are_the_slots_of_a_base_and_a_class_by_intensity() -> None:
    for slot in MISSING:
        kin = family(slot)
        assert [one.intensity for one in kin] == list(PERTURBED)
        assert [one.slot_id for one in kin] == [one.slot_id for one in MISSING]
        assert {one.intensity for one in slot.siblings} == set(PERTURBED) - {slot.intensity}
        assert Slot.model_validate(slot.to_sample().metadata) == slot


def test_further_attempts_and_other_levers_are_alone() -> None:
    assert LOW.again(("too easy",), Rejected(query="q", passages=("p",))).siblings == ()
    other = LOW.model_copy(update={"alternatives": ("x",)}).with_next_lever()
    assert other
    assert family(other) == [other]


@pytest.mark.parametrize("coverage", ["model", "all"])
def test_a_plan_without_one_lever_for_a_cell_has_no_siblings(coverage: Any) -> None:
    with pytest.raises(DataError, match="coverage=balanced or rotation"):
        with_siblings(make_plan(BASES, select_levers(LEVERS, ["MissingInfo"]), coverage))


def test_one_prompt_asks_for_all_and_is_much_shorter_than_three() -> None:
    prompt = joint_prompt(MISSING, LEVERS)
    alone = [writer_prompt(slot, [one for one in LEVERS if one.name == slot.lever]) for slot in MISSING]
    assert [prompt.count(f"Lever: {slot.lever}\n") for slot in MISSING] == [1, 1, 1]
    assert prompt.count(LOW.base.passages[0]) == 1
    assert len(prompt) < 0.6 * sum(map(len, alone))
    # providers keep the beginning that all these prompts share
    assert prompt[:4096] == alone[0][:4096] == joint_prompt(family(PLAN[0]), LEVERS)[:4096]


def test_each_draft_is_told_by_its_intensity() -> None:
    made = written(well())
    assert set(made.drafts) == {"LOW", "MEDIUM", "HIGH"}
    assert [made.drafts[slot.intensity]["lever"] for slot in MISSING] == [slot.lever for slot in MISSING]
    assert made.spent.calls == 1


def test_a_draft_with_the_evidence_of_another_intensity_or_given_twice_is_none() -> None:
    low, medium, high = well()["items"]
    made = written({"items": [low | {"evidence": high["evidence"]}, medium, high | {"intensity": "MEDIUM"}]})
    assert made.drafts == {}
    made = written({"items": [low, medium | {"evidence": low["evidence"]}, high]})
    assert set(made.drafts) == {"LOW", "HIGH"}


def test_a_reply_that_fits_no_schema_gives_no_draft_and_costs_two_calls() -> None:
    made = written("no")
    assert (made.drafts, made.spent.calls) == ({}, 2)


def test_a_declined_draft_is_a_draft_of_its_own_and_leaves_the_others() -> None:
    low, _, high = well()["items"]
    no = {"intensity": "MEDIUM", "applicable": False, "why_not": "No such thing."}
    made = written({"items": [low, no, high]})
    assert set(made.drafts) == {"LOW", "MEDIUM", "HIGH"}
    assert [slot.intensity for slot, _ in items(made.drafts)] == [Intensity.LOW, Intensity.HIGH]


def test_a_sibling_that_breaks_a_rule_is_not_shown_to_a_verifier() -> None:
    made = written(well())
    drafts = made.drafts | {"HIGH": made.drafts["HIGH"] | {"edits": []}}
    assert [slot.intensity for slot, _ in items(drafts)] == [Intensity.LOW, Intensity.MEDIUM]


def test_one_call_of_a_verifier_judges_each_and_its_place_does_not_follow_from_the_intensity() -> None:
    found = items()
    shown = shown_order(found)
    reply = {"verdicts": [verdict(at != 1) | {"item": number} for number, at in enumerate(shown, 1)]}
    votes, spent = judged(reply, found)
    assert [vote.passed for vote in votes] == [True, False, True]
    assert [vote.digest for vote in votes] == [candidate.digest for _, candidate in found]
    assert [(vote.together, vote.spent.calls) for vote in votes] == [(3, 0)] * 3
    assert spent.calls == 1


def test_the_place_of_an_item_does_not_follow_from_its_intensity() -> None:
    texts = [f"Which of {k}?" for k in range(30)]
    candidates = [Candidate(query=text, passages=("p",), lever="x", reasoning="") for text in texts]
    triples = [list(zip(MISSING, candidates[k : k + 3], strict=True)) for k in range(0, 30, 3)]
    assert len({tuple(shown_order(triple)) for triple in triples}) > 3


@pytest.mark.parametrize("numbers", [(1, 2), (1, 2, 2), (0, 1, 2), (1, 2, 3, 4)])
def test_a_reply_without_one_verdict_for_each_is_no_vote_on_any(numbers: tuple[int, ...]) -> None:
    reply = {"verdicts": [verdict() | {"item": number} for number in numbers]}
    votes, spent = judged(reply, items())
    assert [(vote.passed, vote.failure) for vote in votes] == [(None, "grader_schema_mismatch")] * 3
    assert spent.calls == 2


def test_one_that_is_left_alone_is_asked_about_in_the_same_form() -> None:
    ((slot, candidate), *_) = items()
    reply = {"verdicts": [verdict() | {"item": 1}]}
    votes, spent = judged(reply, [(slot, candidate)])
    assert (votes[0].passed, votes[0].together, spent.calls) == (True, 1, 1)
    vote = asyncio.run(verify_as_together(says(reply, "submit_verdicts"), slot, candidate, LEVERS))
    assert (vote.passed, vote.digest, vote.spent.calls) == (True, candidate.digest, 1)


def test_prompts_of_a_base_begin_alike_whatever_the_class_and_the_number_of_items() -> None:
    found = items()
    other = next(slot for slot in PLAN if slot.base == LOW.base and slot.perturbation is not LOW.perturbation)
    of_other = Candidate(query="Q?", passages=LOW.base.passages, lever=other.lever or "", reasoning="")
    prompts = [joint_verifier_prompt(each, LEVERS) for each in (found, found[1:2], [(other, of_other)])]
    until = prompts[0].index("ITEM 1\n")
    shared = next(at for at, letters in enumerate(zip(*prompts, strict=False)) if len(set(letters)) > 1)
    # what is not shared begins in the note on the candidates, whose key is theirs
    assert until - 400 < shared < until
    assert LOW.base.passages[0] in prompts[0][:shared]


def test_the_texts_of_several_items_stand_under_one_key_and_what_did_not_change_is_not_repeated() -> None:
    found = items()
    prompt = joint_verifier_prompt(found, LEVERS)
    assert prompt.count("It is material only") == 2
    assert len(set(re.findall(r"^BEGIN .* (\w{16})$", prompt, re.MULTILINE))) == 2
    slot, _ = found[0]
    same = Candidate(query="Which one?", passages=slot.base.passages, lever=slot.lever or "", reasoning="")
    prompt = joint_verifier_prompt([(slot, same)], LEVERS)
    assert prompt.count(slot.base.passages[0]) == 1
    assert part(prompt, "PERTURBED PASSAGE") == "(as in the original)"
    assert prompt.count(f"{slot.lever}\n") == 1


def test_what_an_item_may_change_is_told_in_a_few_words() -> None:
    shown = [brief_target(lever, multi) for lever in LEVERS for multi in (False, True)]
    assert max(map(len, shown)) < 170
    ground = next(lever for lever in LEVERS if lever.ground)
    assert brief_target(ground, False).endswith(
        "; a sentence that denies what the question takes for granted may be added"
    )


def test_what_all_calls_of_a_verifier_share_comes_first() -> None:
    found = items()
    slot, candidate = found[0]
    alone = verifier_prompt(slot, candidate, [one for one in LEVERS if one.name == slot.lever])
    assert joint_verifier_prompt(found, LEVERS)[:4096] == alone[:4096]
