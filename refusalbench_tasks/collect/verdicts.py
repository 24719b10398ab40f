"""What readers' verdicts make of a record: whether each set does what it should, and what makes one ambiguous."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from pydantic import BaseModel

from refusalbench_tasks.collect.reading import FAILED, Reading
from refusalbench_tasks.generators.kit.gives_gold import gives_gold

Ambiguous = Literal["conflict", "missing", "outdated", "vague"]
KINDS: tuple[Ambiguous, ...] = ("conflict", "outdated", "missing", "vague")
"""Of kinds that as many readers name, the first one counts (our definition)."""


class ArmFound(BaseModel):
    """What readers found in an arm: their verdicts with n, its entropy, the kind of ambiguity if they are open on it.

    `gold` are the readers that reach the gold answer. `entropy` is in bits, None without a reading. `open` says whether
    readers reach no common answer; None where that isn't told.
    """

    distribution: dict[str, int] = {}
    n: int = 0
    entropy: float | None = None
    gold: int = 0
    open: bool | None = None
    kind: Ambiguous | None = None


def objection(reading: Reading) -> str | None:
    """Return why a reading speaks against a set in which everyone should reach the gold answer; None if it does not.

    An answer in other words, of which no rule tells whether it is the same, speaks against it: what is kept is sure.
    """
    if reading.verdict is None:
        return None
    if reading.verdict != "answer":
        return f"settled_arm_{reading.verdict}"
    if reading.gold is None:
        return "settled_arm_undecided"
    return None if reading.gold else "settled_arm_other_answer"


def settled(readings: Sequence[Reading]) -> tuple[bool | None, str | None]:
    """Return whether every reader reaches the gold answer, and why not; None where one is missing and none objects."""
    found = next((why for why in map(objection, readings) if why), None)
    if found:
        return False, found
    return (None, FAILED) if _missing(readings) else (True, None)


def left_open(readings: Sequence[Reading]) -> tuple[bool | None, str | None]:
    """Return whether readers disagree, find conflict or find too little; else why not.

    `weak`: all give the gold answer. `misleads`: all give one other answer. `open_arm_undecided`: all answer, and no
    rule tells whether two of them differ. None with `reader_failed` where a reading is missing that could matter.
    """
    cast = [one for one in readings if one.verdict is not None]
    answers = [one for one in cast if one.verdict == "answer"]
    differ = any(_differ(one, other) for one, other in combinations(answers, 2))
    if differ or len({one.verdict for one in cast}) > 1 or (cast and not answers):
        return True, None
    if _missing(readings):
        return None, FAILED
    if all(one.gold for one in answers):
        return False, "weak"
    same = all(_same(one, other) for one, other in combinations(answers, 2))
    return False, "misleads" if same and all(one.gold is False for one in answers) else "open_arm_undecided"


def found_in(readings: Sequence[Reading]) -> ArmFound:
    """Return what the readings of an arm say.

    The classes of the distribution are the gold answer, each other answer by its words in small letters, and the other
    verdicts; its entropy is -Σ p · log2 p over them (our definition).
    """
    cast = [one for one in readings if one.verdict is not None]
    classes = Counter(_class(one) for one in cast)
    open_, _ = left_open(readings)
    return ArmFound(
        distribution=dict(sorted(classes.items())),
        n=len(cast),
        entropy=entropy(list(classes.values())) if cast else None,
        gold=sum(one.gold is True for one in cast),
        open=open_,
        kind=kind_of(cast) if open_ else None,
    )


def kind_of(cast: Sequence[Reading]) -> Ambiguous:
    """Return what makes an open set ambiguous: the kind that most readers name.

    Answers that differ count as a conflict that their readers didn't see: one vote for each but the first.
    """
    answers = {_class(one) for one in cast if one.verdict == "answer"}
    votes = Counter(one.verdict for one in cast)
    votes["conflict"] += max(len(answers) - 1, 0)
    return max(KINDS, key=lambda kind: (votes[kind], -KINDS.index(kind)))


def entropy(counts: Sequence[int]) -> float:
    """Return Shannon's entropy of counts in bits, from 0. Raises ValueError without a count above 0."""
    total = sum(counts)
    if total <= 0:
        raise ValueError("entropy needs a count above 0")
    return sum(-count / total * math.log2(count / total) for count in counts if count) + 0.0


def uses_distraction(readings: Sequence[Reading], distractions: Sequence[int]) -> bool:
    """Return whether a reader's verdict rests on a distraction; who finds nothing may name what it looked at."""
    return any(one.verdict not in (None, "missing") and set(one.used) & set(distractions) for one in readings)


def _class(reading: Reading) -> str:
    if reading.verdict != "answer":
        return str(reading.verdict)
    return "gold" if reading.gold else f"answer: {' '.join(reading.answer.lower().split())}"


def _differ(one: Reading, other: Reading) -> bool:
    if one.gold is not None and other.gold is not None and one.gold != other.gold:
        return True
    return not (one.gold and other.gold) and gives_gold(one.answer, (other.answer,)) is False


def _same(one: Reading, other: Reading) -> bool:
    return bool(one.gold and other.gold) or gives_gold(one.answer, (other.answer,)) is True


def _missing(readings: Sequence[Reading]) -> bool:
    return not readings or any(one.verdict is None for one in readings)
