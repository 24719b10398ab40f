"""What readers' verdicts make of a set of sources: whether it settles the question, or what makes it ambiguous."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from refusalbench_tasks.collect.record import ArmFound, SourceReading
from refusalbench_tasks.generators.kit.answers import gives_gold

FAILED = "reader_failed"
KINDS = ("conflict", "outdated", "missing", "vague")
"""Of kinds that as many readers name, the first one counts (our definition)."""
Held = tuple[bool | None, str | None]
"""Whether a set is as it should be, and why not; None where that isn't known."""


def objection(reading: SourceReading) -> str | None:
    """Return why a reading speaks against a set in which everyone should reach the gold answer; None if it does not.

    An answer in other words, of which no rule tells whether it is the same, speaks against it: what is kept is sure.
    """
    if reading.verdict is None or reading.gold:
        return None
    other = "undecided" if reading.gold is None else "other_answer"
    return f"settled_arm_{other if reading.verdict == 'answer' else reading.verdict}"


def settled(readings: Sequence[SourceReading]) -> Held:
    """Return whether every reader reaches the gold answer, and why not; None where one is missing and none objects."""
    found = next((why for why in map(objection, readings) if why), None)
    if found:
        return False, found
    return (None, FAILED) if _missing(readings) else (True, None)


def left_open(readings: Sequence[SourceReading]) -> Held:
    """Return whether readers disagree, find conflict or find too little; else why not.

    `weak`: all give the gold answer. `misleads`: all give one other answer. `open_arm_undecided`: all answer, and no
    rule tells whether two of them differ. None with `reader_failed` where a reading is missing that could matter.
    """
    cast = [one for one in readings if one.verdict is not None]
    answers = [one for one in cast if one.verdict == "answer"]
    alike = [_alike(one, other) for one, other in combinations(answers, 2)]
    if False in alike or len({one.verdict for one in cast}) > 1 or (cast and not answers):
        return True, None
    if _missing(readings):
        return None, FAILED
    if all(one.gold for one in answers):
        return False, "weak"
    other = all(alike) and all(one.gold is False for one in answers)
    return False, "misleads" if other else "open_arm_undecided"


def found_in(readings: Sequence[SourceReading]) -> ArmFound:
    """Return what the readings of an arm say.

    The classes of the distribution are the gold answer, each other answer by its words in small letters, and the other
    verdicts; its entropy is -Σ p · log2 p over them (our definition). Of an open set the kind is what most readers
    name; answers that differ count as a conflict that their readers didn't see: one vote for each but the first.
    """
    cast = [one for one in readings if one.verdict is not None]
    classes = Counter(_class(one) for one in cast)
    votes = Counter(str(one.verdict) for one in cast)
    votes["conflict"] += max(len({_class(one) for one in cast if one.verdict == "answer"}) - 1, 0)
    open_, _ = left_open(readings)
    return ArmFound(
        distribution=dict(sorted(classes.items())),
        n=len(cast),
        entropy=entropy(list(classes.values())) if cast else None,
        gold=sum(one.gold is True for one in cast),
        open=open_,
        kind=max(KINDS, key=lambda kind: (votes[kind], -KINDS.index(kind))) if open_ else None,
    )


def entropy(counts: Sequence[int]) -> float:
    """Return Shannon's entropy of counts in bits, from 0. Raises ValueError without a count above 0."""
    total = sum(counts)
    if total <= 0:
        raise ValueError("entropy needs a count above 0")
    return sum(-count / total * math.log2(count / total) for count in counts if count) + 0.0


def uses_distraction(readings: Sequence[SourceReading], distractions: Sequence[int]) -> bool:
    """Return whether a reader's verdict rests on a distraction; who finds nothing may name what it looked at."""
    return any(one.verdict not in (None, "missing") and set(one.used) & set(distractions) for one in readings)


def _class(reading: SourceReading) -> str:
    if reading.verdict != "answer":
        return str(reading.verdict)
    return "gold" if reading.gold else f"answer: {' '.join(reading.answer.lower().split())}"


def _alike(one: SourceReading, other: SourceReading) -> bool | None:
    """Return whether two answers are the same; None where no rule tells."""
    if one.gold is not None and other.gold is not None and (one.gold or other.gold):
        return one.gold == other.gold
    return gives_gold(one.answer, (other.answer,))


def _missing(readings: Sequence[SourceReading]) -> bool:
    return not readings or any(one.verdict is None for one in readings)
