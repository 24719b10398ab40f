"""The verifier: labels items for itself, and then says of each whether it is what was
planned.
"""

from collections.abc import Sequence
from functools import cache as remembered
from typing import Any, Literal

from inspect_ai.model import Model
from pydantic import StrictBool, create_model, model_validator

from refusalbench_tasks.datasets.draw import rank
from refusalbench_tasks.judging.ask import Cache, Form, Spent, Submission, how_to_submit
from refusalbench_tasks.judging.material import (
    grouped_material,
    material,
    shared_lengths,
)
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.taxonomy import Label

from .criteria import class_table
from .draft import Candidate
from .evidence import evidence_text
from .kit.annotator import LabelName
from .kit.calls import hear
from .kit.panel import Ballot
from .levers import Levers
from .perturb_settings import IntensityUse
from .prompt_parts import (
    candidate_parts,
    changes_of,
    original_parts,
    plan_text,
    planned_lever,
)
from .slot import ItemSlot

CRITERIA = (
    "lever_fidelity",
    "intensity",
    "target",
    "uncertainty",
    "quality",
    "answer_constraint",
    "behaviour",
)
"""The seven criteria: section 3.4 names three, the list is the released verifier's
without the one it asks twice.
"""
OWN_LABEL = "own_label"
"""What a vote fails by whose own label is not the one that the item was planned for."""
FORM = Form("verdicts", thinks=True)
"""How a verifier gives its verdicts."""
_PACKAGE = "refusalbench_tasks.generators"
PlannedItem = tuple[ItemSlot, Candidate]


class ItemVerdict(Submission):
    """A verifier's verdict on one item; its own label comes first, and the plan stands
    last in the prompt.
    """

    item: int
    """The item's number as shown, from 1."""
    own_label: LabelName
    """First: your own label of the item, before you look at its plan."""
    own_reading: str
    """One sentence: what your answer rests on, or why you would refuse."""
    lever_fidelity: StrictBool
    """It does what the lever says."""
    intensity: StrictBool
    """It has the planned intensity."""
    target: StrictBool
    """Only what the target allows was changed."""
    uncertainty: StrictBool
    """It has the uncertainty of this class."""
    quality: StrictBool
    """It is fluent and free of other faults."""
    answer_constraint: StrictBool
    """The answer constraint is met."""
    behaviour: StrictBool
    """The expected behaviour is right."""
    issues: list[str]
    """What is wrong; empty for a PASS."""
    verdict: Literal["PASS", "FAIL"]
    """PASS or FAIL, by the rule of the instructions."""


class ItemVerdicts(Submission):
    """A verifier's verdicts."""

    verdicts: list[ItemVerdict]
    """One entry for each item, with its number."""


class ItemVote(Ballot):
    """One verifier's vote on one candidate.

    A vote on another text (`digest`) is never used for this one.
    """

    verdict: Literal["PASS", "FAIL"] | None = None
    own_label: Label | None = None
    failed_criteria: tuple[str, ...] = ()
    intensity_met: bool | None = None
    """Whether the item has the planned intensity, as this verifier sees it; None where
    it said nothing.
    """
    issues: tuple[str, ...] = ()
    together: int = 1
    """On how many siblings this verifier gave its verdict in the same call."""


async def verify(
    model: Model,
    items: Sequence[PlannedItem],
    levers: Levers,
    cache: Cache = False,
    intensity: IntensityUse = "record",
) -> tuple[list[ItemVote], Spent]:
    """Return a verifier's votes on items of one base and class, in their order, and
    what they took.

    They are shown in an order that follows from their texts, so that place and
    intensity are not one. A reply without exactly one verdict for each is no vote on
    any of them, and so is a provider's error: the votes of others are kept, and only
    these have to be asked for again.
    """
    name = str(model)
    # by a hash of each text, whatever its place
    digests = [f"shown|{candidate.digest}" for _, candidate in items]
    ranks = [rank(digest, 0) for digest in digests]
    n = len(items)
    shown = sorted(range(n), key=ranks.__getitem__)
    prompt = verifier_prompt(
        [items[at] for at in shown],
        levers,
        intensity,
    )
    shared = shared_lengths(prompt, original_parts(items[0][0]))
    schema = _schema(n)
    reply = await hear(
        model,
        prompt,
        schema,
        FORM,
        cache,
        shared,
    )
    votes = []
    for position, (slot, candidate) in enumerate(items):
        vote = ItemVote(
            verifier=name,
            digest=candidate.digest,
            failure=reply.failure,
        )
        if reply.answer is not None:
            number = shown.index(position) + 1
            verdicts = {verdict.item: verdict for verdict in reply.answer.verdicts}
            vote = vote_of(
                name,
                slot,
                candidate,
                verdicts[number],
                intensity,
            )
            vote = vote.model_copy(update={"together": n})
        votes.append(vote)
    return votes, reply.spent


def vote_of(
    name: str,
    slot: ItemSlot,
    candidate: Candidate,
    verdict: ItemVerdict,
    intensity: IntensityUse,
) -> ItemVote:
    """Return the vote that a verdict is: a PASS with every criterion that counts true,
    or a FAIL.

    `intensity` is one of them with `veto` (the paper's procedure); else it is only
    written down. The verifier's own label must be the expected one, or another code
    that the lever accepts.
    """
    label = Label(verdict.own_label)
    accepted = label in (slot.expected, *candidate.accepted_alternatives)
    failed = [criterion for criterion in CRITERIA if not getattr(verdict, criterion)]
    if intensity == "record" and "intensity" in failed:
        failed.remove("intensity")
    issues = tuple(verdict.issues)
    if not accepted:
        failed.append(OWN_LABEL)
        without = f"Without the plan a verifier would give {label}"
        issues = issues or (f"{without}: {verdict.own_reading}"[:300],)
    return ItemVote(
        verifier=name,
        digest=candidate.digest,
        passed=verdict.verdict == "PASS" and not failed,
        verdict=verdict.verdict,
        own_label=label,
        failed_criteria=tuple(failed),
        intensity_met=verdict.intensity,
        issues=issues,
    )


def verifier_prompt(
    items: Sequence[PlannedItem],
    levers: Levers,
    intensity: IntensityUse = "record",
) -> str:
    """Return the verifier's prompt: what every call shares, what all items of a base
    share, the items, their plans.

    Providers keep the beginning of prompts that they have seen: the first part counts
    more than the 1,024 tokens that they ask for, and the original has marks of its own.
    Plans, codes and the writer's evidence come after the items.
    """
    slot, _ = items[0]
    texts = []
    plans = []
    for number, (planned, candidate) in enumerate(items, 1):
        texts.append((f"ITEM {number}", candidate_parts(planned, candidate)))
        plan = plan_text(
            planned,
            planned_lever(planned, levers),
            example=False,
        )
        title = f"PLAN OF ITEM {number}\n\n{plan}"
        claims = {"CHANGES": "\n".join(changes_of(planned, candidate)) or "(none)"}
        if candidate.evidence is not None:
            claims["WRITER'S EVIDENCE"] = evidence_text(candidate.evidence)
        plans.append((title, claims))
    return "\n\n".join(
        (
            bundled(_PACKAGE, "verifier.txt"),
            bundled(_PACKAGE, f"verifier_{intensity}.txt"),
            class_table(),
            how_to_submit(ItemVerdicts, FORM.thing),
            material(original_parts(slot)),
            grouped_material([*texts, *plans]),
        )
    )


def objections(votes: Sequence[ItemVote]) -> tuple[str, ...]:
    """Return what the rejecting verifiers found wrong, for the next attempt, without
    repeats.
    """
    problems: dict[str, None] = {}
    for vote in votes:
        if vote.passed is False:
            failed = [f"{criterion} is not met" for criterion in vote.failed_criteria]
            for issue in vote.issues or failed or ["rejected"]:
                problems[issue.strip()[:300]] = None
    return tuple(problems)


@remembered
def _schema(items: int) -> type[ItemVerdicts]:
    def each_once(self: Any) -> Any:
        numbers = sorted(verdict.item for verdict in self.verdicts)
        if numbers != list(range(1, items + 1)):
            raise ValueError(
                "verdicts: give exactly one for each item, with the numbers 1 to"
                f" {items}"
            )
        return self

    validators: Any = {"each_once": model_validator(mode="after")(each_once)}
    return create_model(
        "ItemVerdicts",
        __base__=ItemVerdicts,
        __validators__=validators,
    )
