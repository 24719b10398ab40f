"""A panel reads a record without the gold answer, and what its verdicts make of both
sets.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Self

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field, model_validator
from scipy.stats import entropy

from refusalbench_tasks.collect.record import (
    ArmFound,
    NotedRecord,
    Record,
    SourceReading,
    SourceVerdict,
)
from refusalbench_tasks.collect.settings import ARMS, PACKAGE
from refusalbench_tasks.generators.kit.answers import gives_gold
from refusalbench_tasks.generators.kit.calls import hear
from refusalbench_tasks.generators.kit.panel import ask_panel
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.outside_text import well_formed

FAILED = "reader_failed"
KINDS = ("conflict", "outdated", "missing", "vague")
"""Of kinds that as many readers name, the first one counts (our definition)."""
Held = tuple[bool | None, str | None]
"""Whether a set is as it should be, and why not; None where that isn't known."""


def objection(reading: SourceReading) -> str | None:
    """Return why a reading speaks against a set in which everyone should reach the gold
    answer; None if it does not.

    An answer in other words, of which no rule tells whether it is the same, speaks
    against it: what is kept is sure.
    """
    if reading.verdict is None or reading.gold:
        return None
    other = "undecided" if reading.gold is None else "other_answer"
    return f"settled_arm_{other if reading.verdict == 'answer' else reading.verdict}"


def settled(readings: Sequence[SourceReading]) -> Held:
    """Return whether every reader reaches the gold answer, and why not; None where one
    is missing and none objects.
    """
    found = next((why for why in map(objection, readings) if why), None)
    if found:
        return False, found
    return (None, FAILED) if _missing(readings) else (True, None)


def left_open(readings: Sequence[SourceReading]) -> Held:
    """Return whether readers disagree, find conflict or find too little; else why not.

    `weak`: all give the gold answer. `misleads`: all give one other answer.
    `open_arm_undecided`: all answer, and no rule tells whether two of them differ. None
    with `reader_failed` where a reading is missing that could matter.
    """
    cast = [one for one in readings if one.verdict is not None]
    answers = [one for one in cast if one.verdict == "answer"]
    alike = [_alike(one, other) for one, other in combinations(answers, 2)]
    if (
        False in alike
        or len({one.verdict for one in cast}) > 1
        or (cast and not answers)
    ):
        return True, None
    if _missing(readings):
        return None, FAILED
    if all(one.gold for one in answers):
        return False, "weak"
    other = all(alike) and all(one.gold is False for one in answers)
    return False, "misleads" if other else "open_arm_undecided"


def found_in(readings: Sequence[SourceReading]) -> ArmFound:
    """Return what the readings of an arm say.

    The classes of the distribution are the gold answer, each other answer by its words
    in small letters, and the other verdicts; its entropy is -Σ p · log2 p over them
    (our definition). Of an open set the kind is what most readers name; answers that
    differ count as a conflict that their readers didn't see: one vote for each but the
    first.
    """
    cast = [one for one in readings if one.verdict is not None]
    classes = Counter(_class(one) for one in cast)
    votes = Counter(str(one.verdict) for one in cast)
    votes["conflict"] += max(
        len({_class(one) for one in cast if one.verdict == "answer"}) - 1, 0
    )
    open_, _ = left_open(readings)
    return ArmFound(
        distribution=dict(sorted(classes.items())),
        entropy=float(entropy(list(classes.values()), base=2)) + 0.0 if cast else None,
        open=open_,
        kind=(
            max(KINDS, key=lambda kind: (votes[kind], -KINDS.index(kind)))
            if open_
            else None
        ),
    )


def uses_distraction(
    readings: Sequence[SourceReading], distractions: Sequence[int]
) -> bool:
    """Return whether a reader's verdict rests on a distraction; who finds nothing may
    name what it looked at.
    """
    return any(
        one.verdict not in (None, "missing") and set(one.used) & set(distractions)
        for one in readings
    )


def _class(reading: SourceReading) -> str:
    if reading.verdict != "answer":
        return str(reading.verdict)
    return (
        "gold"
        if reading.gold
        else f"answer: {' '.join(reading.answer.lower().split())}"
    )


def _alike(one: SourceReading, other: SourceReading) -> bool | None:
    """Return whether two answers are the same; None where no rule tells."""
    if one.gold is not None and other.gold is not None and (one.gold or other.gold):
        return one.gold == other.gold
    return gives_gold(one.answer, (other.answer,))


def _missing(readings: Sequence[SourceReading]) -> bool:
    return not readings or any(one.verdict is None for one in readings)


FORM = Form("verdict", thinks=True)


class ReaderVerdict(BaseModel):
    """What a reader makes of the sources."""

    model_config = ConfigDict(extra="forbid")

    why: str = Field(description="One sentence: what the verdict rests on.")
    verdict: SourceVerdict = Field(description="What the sources allow.")
    answer: str = Field(
        description=(
            "The answer in as few words as possible; empty with any other verdict."
        )
    )
    used: list[int] = Field(
        description="The numbers of the sources that the verdict rests on."
    )

    @model_validator(mode="after")
    def _answers_or_not(self) -> Self:
        if (self.verdict == "answer") != bool(self.answer.strip()):
            raise ValueError(
                "an answer goes with the verdict 'answer', and with no other"
            )
        return self


async def check(
    noted: NotedRecord,
    record: Record,
    readers: Sequence[Model],
    earlier: Sequence[SourceReading] = (),
    policy: CachePolicy | bool = False,
) -> NotedRecord:
    """Return a note with what came of its record.

    Earlier readings of the same text are not asked for again.

    In the clear set readers are asked in turn until one objects, and the ambiguous set
    is read only if none does.
    """

    async def ask(arm: str, stop: bool) -> list[SourceReading]:
        kept = [one for one in earlier if one.digest == record.digest(arm)]
        return await ask_panel(
            readers,
            partial(read_sources, record=record, arm=arm, cache=policy),
            kept,
            stop,
        )

    readings = await ask("clear", stop=True)
    if settled(readings)[0]:
        readings += await ask("ambiguous", stop=False)
    found = {
        arm: found_in(ones)
        for arm in ARMS
        if (ones := [one for one in readings if one.arm == arm])
    }
    accepted, reason = decide(record, readings)
    decided = {"accepted": accepted, "stage": "panel", "reason": reason}
    return noted.model_copy(
        update=decided | {"readings": tuple(readings), "found": found}
    )


def decide(record: Record, readings: Sequence[SourceReading]) -> Held:
    """Return whether readings accept a record (None: undecided), and why not.

    Any objection in the clear set rejects it; so does a reader that uses a distraction,
    and an ambiguous set on whose answer all agree (`weak`, `misleads`). Where nothing
    objects and a reading is missing, it is undecided.
    """
    undecided = False
    for arm in ARMS:
        own = [one for one in readings if one.arm == arm]
        held, why = settled(own) if arm == "clear" else left_open(own)
        distractions = [
            one["position"]
            for one in record.sources(arm)
            if one["category"] == "distraction"
        ]
        if held is not False and uses_distraction(own, distractions):
            held = False
            why = "distraction_used"
        if held is False:
            return False, why
        undecided = undecided or held is None
    return (None, FAILED) if undecided else (True, None)


async def read_sources(
    model: Model, record: Record, arm: str, cache: CachePolicy | bool = False
) -> SourceReading:
    """Return a model's verdict on the sources of an arm.

    Never raises: a failed call is a missing reading.
    """
    heard = await hear(model, reader_prompt(record, arm), ReaderVerdict, FORM, cache)
    blank = SourceReading(
        verifier=str(model), digest=record.digest(arm), arm=arm, spent=heard.spent
    )
    said = heard.answer
    if said is None:
        return blank.model_copy(update={"failure": heard.failure})
    answer = well_formed(said.answer).strip()
    told = {
        "verdict": said.verdict,
        "answer": answer,
        "gold": gives_gold(answer, record.answers) if answer else None,
        "used": tuple(
            sorted({n for n in said.used if 1 <= n <= len(record.sources(arm))})
        ),
        "why": well_formed(said.why).strip(),
    }
    reading = blank.model_copy(update=told)
    return reading.model_copy(
        update={"passed": not (arm == "clear" and objection(reading))}
    )


def reader_prompt(record: Record, arm: str) -> str:
    """Return a reader's prompt: question and sources; nothing of the gold answer, the
    categories or the arm.
    """
    parts = {"QUESTION": record.question}
    for number, one in enumerate(record.sources(arm), 1):
        facts = (
            f"Title: {one['title']}",
            f"Address: {one['url']}",
            f"Date: {one['date'] or 'unknown'}",
        )
        parts[f"SOURCE {number}"] = "\n".join((*facts, f"Text: {one['text']}"))
    how = how_to_submit(ReaderVerdict, FORM.thing)
    return "\n\n".join((bundled(PACKAGE, "panel_reader.txt"), how, material(parts)))
