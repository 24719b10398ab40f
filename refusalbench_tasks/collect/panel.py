"""A panel reads a record without the gold answer: what its verdicts make of both sets,
and the score.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Self

from inspect_ai.model import Model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from pydantic import model_validator
from scipy.stats import entropy

from refusalbench_tasks.generators.kit.answers import gives_gold
from refusalbench_tasks.generators.kit.calls import cache_policy, hear, prompt_of
from refusalbench_tasks.generators.kit.maker import as_number, outcome_text
from refusalbench_tasks.generators.kit.model_text import ModelText
from refusalbench_tasks.generators.kit.panel import (
    ROLE,
    Failures,
    JudgePanel,
    ballot_facts,
)
from refusalbench_tasks.judging.ask import Cache, Form, Spent, Submission
from refusalbench_tasks.judging.material import material

from .record import (
    COLLECT,
    ArmFound,
    Collecting,
    NotedRecord,
    Record,
    SourceReading,
    SourceVerdict,
)
from .record_plan import PlannedRecord
from .settings import ARMS, PACKAGE, RecordSettings

FAILED = "reader_failed"
KINDS = ("conflict", "outdated", "missing", "vague")
"""Of kinds that as many readers name, the first one counts (our definition)."""
Held = tuple[bool | None, str | None]
"""Whether a set is as it should be, and why not; None where that isn't known."""
Readings = Sequence[SourceReading]


def reading_objection(reading: SourceReading) -> str | None:
    """Return why a reading speaks against a set in which everyone should reach the gold
    answer; None if it does not.

    An answer in other words, of which no rule tells whether it is the same, speaks
    against it: what is kept is sure.
    """
    if reading.verdict is None or reading.gold:
        return None
    if reading.verdict != "answer":
        return f"settled_arm_{reading.verdict}"
    other = "undecided" if reading.gold is None else "other_answer"
    return f"settled_arm_{other}"


def settled(readings: Readings) -> Held:
    """Return whether every reader reaches the gold answer, and why not; None where one
    is missing and none objects.
    """
    for reading in readings:
        objection = reading_objection(reading)
        if objection:
            return False, objection
    return (None, FAILED) if _missing(readings) else (True, None)


def left_open(readings: Readings) -> Held:
    """Return whether readers disagree, find conflict or find too little; else why not.

    `weak`: all give the gold answer. `misleads`: all give one other answer.
    `open_arm_undecided`: all answer, and no rule tells whether two of them differ. None
    with `reader_failed` where a reading is missing that could matter.
    """
    cast = _cast(readings)
    verdicts = {reading.verdict for reading in cast}
    alike = []
    if verdicts == {"answer"}:
        alike = [_alike(first, second) for first, second in combinations(cast, 2)]
    elif cast:
        return True, None
    if False in alike:
        return True, None
    if _missing(readings):
        return None, FAILED
    if all(reading.gold for reading in cast):
        return False, "weak"
    misleads = all(alike) and all(reading.gold is False for reading in cast)
    return False, "misleads" if misleads else "open_arm_undecided"


def found_in(readings: Readings) -> ArmFound:
    """Return what the readings of an arm say.

    The classes of the distribution are the gold answer, each other answer by its words
    in small letters, and the other verdicts; its entropy is -Σ p · log2 p over them
    (our definition). Of an open set the kind is what most readers name; answers that
    differ count as a conflict that their readers didn't see: one vote for each but the
    first.
    """
    cast = _cast(readings)
    classes = Counter(map(_class, cast))
    votes = Counter(str(reading.verdict) for reading in cast)
    answers = {_class(reading) for reading in cast if reading.verdict == "answer"}
    votes["conflict"] += max(len(answers) - 1, 0)
    is_open, _ = left_open(readings)
    # of equal numbers the first kind
    commonest = max(KINDS, key=lambda kind: votes[kind])
    bits = float(entropy(list(classes.values()), base=2)) + 0.0 if cast else None
    return ArmFound(
        distribution=dict(sorted(classes.items())),
        entropy=bits,
        kind=commonest if is_open else None,
    )


def _class(reading: SourceReading) -> str:
    if reading.verdict != "answer":
        return str(reading.verdict)
    if reading.gold:
        return "gold"
    return f"answer: {' '.join(reading.answer.lower().split())}"


def _alike(first: SourceReading, second: SourceReading) -> bool | None:
    """Return whether two answers are the same; None where no rule tells."""
    gold = {first.gold, second.gold}
    if None not in gold and True in gold:
        return first.gold == second.gold
    return gives_gold(first.answer, (second.answer,))


def _cast(readings: Readings) -> list[SourceReading]:
    return [reading for reading in readings if reading.verdict is not None]


def _missing(readings: Readings) -> bool:
    return not readings or len(_cast(readings)) < len(readings)


FORM = Form("verdict", thinks=True)


class ReaderVerdict(Submission):
    """What a reader makes of the sources."""

    why: ModelText
    """One sentence: what the verdict rests on."""
    verdict: SourceVerdict
    """What the sources allow."""
    answer: ModelText
    """The answer in as few words as possible; empty with any other verdict."""
    used: list[int]
    """The numbers of the sources that the verdict rests on."""

    @model_validator(mode="after")
    def _answers_or_not(self) -> Self:
        if (self.verdict == "answer") != bool(self.answer):
            raise ValueError(
                "an answer goes with the verdict 'answer', and with no other"
            )
        return self


async def judge_record(
    noted: NotedRecord,
    record: Record,
    panel: JudgePanel,
    earlier: Readings,
    policy: Cache,
) -> NotedRecord:
    """Return a note with what came of its record.

    Earlier readings of the same text are not asked for again.

    In the clear set readers are asked in turn until one objects, and the ambiguous set
    is read only if none does.
    """

    async def ask(arm: str, stop: bool) -> list[SourceReading]:
        digest = record.digest(arm)
        kept = [reading for reading in earlier if reading.digest == digest]
        read = partial(
            read_sources,
            record=record,
            arm=arm,
            cache=policy,
        )
        return await panel.ask(
            panel.judges(),
            read,
            kept,
            stop,
        )

    readings = await ask("clear", stop=True)
    found = {"clear": found_in(readings)}
    if settled(readings)[0]:
        ambiguous = await ask("ambiguous", stop=False)
        found["ambiguous"] = found_in(ambiguous)
        readings += ambiguous
    accepted, reason = judged_readings(record, readings)
    return noted.model_copy(
        update={
            "accepted": accepted,
            "stage": "panel",
            "reason": reason,
            "readings": tuple(readings),
            "found": found,
        }
    )


def judged_readings(record: Record, readings: Readings) -> Held:
    """Return whether readings accept a record (None: undecided), and why not.

    Any objection in the clear set rejects it; so does a reader that uses a distraction,
    and an ambiguous set on whose answer all agree (`weak`, `misleads`). Where nothing
    objects and a reading is missing, it is undecided.
    """
    undecided = False
    for arm in ARMS:
        of_arm = [reading for reading in readings if reading.arm == arm]
        held, why = settled(of_arm) if arm == "clear" else left_open(of_arm)
        if held is False:
            return False, why
        distractions = {
            source["position"]
            for source in record.sources(arm)
            if source["category"] == "distraction"
        }
        deciding = [read for read in _cast(of_arm) if read.verdict != "missing"]
        # who finds nothing may name what it looked at
        if any(distractions.intersection(read.used) for read in deciding):
            return False, "distraction_used"
        undecided = undecided or held is None
    return (None, FAILED) if undecided else (True, None)


async def read_sources(
    model: Model,
    record: Record,
    arm: str,
    cache: Cache,
) -> SourceReading:
    """Return a model's verdict on the sources of an arm.

    Never raises: a failed call is a missing reading.
    """
    reply = await hear(
        model,
        reader_prompt(record, arm),
        ReaderVerdict,
        FORM,
        cache,
    )
    facts = ballot_facts(model, record.digest(arm), reply)
    verdict = reply.answer
    if verdict is None:
        return SourceReading(arm=arm, **facts)
    numbers = range(1, len(record.sources(arm)) + 1)
    reading = SourceReading(
        arm=arm,
        **facts,
        verdict=verdict.verdict,
        answer=verdict.answer,
        gold=gives_gold(verdict.answer, record.answers) if verdict.answer else None,
        used=tuple(sorted(set(verdict.used).intersection(numbers))),
        why=verdict.why,
    )
    reading.passed = arm != "clear" or reading_objection(reading) is None
    return reading


def reader_prompt(record: Record, arm: str) -> str:
    """Return a reader's prompt: question and sources; nothing of the gold answer, the
    categories or the arm.
    """
    parts = {"QUESTION": record.question}
    for number, source in enumerate(record.sources(arm), 1):
        lines = (
            f"Title: {source['title']}",
            f"Address: {source['url']}",
            f"Date: {source['date'] or 'unknown'}",
            f"Text: {source['text']}",
        )
        parts[f"SOURCE {number}"] = "\n".join(lines)
    return prompt_of(
        PACKAGE,
        "panel_reader.txt",
        ReaderVerdict,
        FORM,
        material(parts),
    )


async def score_record(
    state: TaskState,
    settings: RecordSettings,
    failures: Failures,
) -> Score:
    """Return a sample's score.

    Raises DataError if a reader fails too often in a row.
    """
    panel = JudgePanel(
        ROLE,
        settings.self_reads,
        settings.max_failures,
        "readings",
        failures,
    )
    policy = cache_policy(settings.cache, settings.seed)
    noted = await _noted(state, panel, policy)
    explanation = ""
    if noted.reason:
        explanation = f"{noted.stage}: {noted.reason}. {noted.detail}".strip()
    return COLLECT.score(
        noted,
        sum(noted.spent.values(), Spent()),
        outcome_text(noted.accepted),
        {"accepted": as_number(noted.accepted)},
        noted.reason if noted.accepted is None else None,
        explanation,
    )


async def _noted(
    state: TaskState,
    panel: JudgePanel,
    policy: Cache,
) -> NotedRecord:
    stored = state.store_as(Collecting)
    planned = state.metadata_as(PlannedRecord)
    readers = panel.judges()
    noted = NotedRecord(
        id=planned.id,
        topic=planned.topic,
        record=stored.record,
        looked=stored.looked,
        spent=stored.spent,
        writer=str(state.model),
        readers=tuple(map(str, readers)),
    )
    if stored.record is None:
        return noted.model_copy(update=dict(stored.end))
    before = COLLECT.earlier(state)
    earlier = before.readings if before else ()
    judged = await judge_record(
        noted,
        stored.record,
        panel,
        earlier,
        policy,
    )
    panel.require_alive(readers)
    spent = sum((reading.spent for reading in judged.readings), Spent())
    return judged.model_copy(update={"spent": {**stored.spent, "panel": spent}})
