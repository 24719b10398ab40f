"""Questions about a relation of a thing, in the several shapes that need the same fact."""

from dataclasses import dataclass, replace

from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.query import Ask, Operator
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import NUMERIC, ORDERED, SUMMED, Value

_LATER = {"year", "date", "time"}

AT_LEAST = {
    "late": (
        "Is the {attribute} of {S} {L} or later?",
        "As for the {attribute} of {S}, is it {L} or later?",
        "Is the {attribute} of {S} given as {L} or later?",
    ),
    "time": ("Is the {attribute} of {S} {L} or later?", "As for the {attribute} of {S}, is it {L} or later?"),
    "high": (
        "Is the {attribute} of {S} at least {L}?",
        "Does the {attribute} of {S} reach {L}?",
        "Is the {attribute} of {S} {L} or more?",
    ),
}
COMPARE: dict[str, tuple[str, ...]] = {
    "late": (
        "Which has the later {attribute}, {S} or {T}?",
        "Of {S} and {T}, which has the later {attribute}?",
        "Does {S} or {T} have the later {attribute}?",
        "Between {S} and {T}, which has the later {attribute}?",
    ),
    "high": (
        "Which has the higher {attribute}, {S} or {T}?",
        "Of {S} and {T}, which has the higher {attribute}?",
        "Does {S} or {T} have the higher {attribute}?",
        "Between {S} and {T}, which has the higher {attribute}?",
    ),
    "great": (
        "Which has the greater {attribute}, {S} or {T}?",
        "Of {S} and {T}, which has the greater {attribute}?",
        "Does {S} or {T} have the greater {attribute}?",
        "Between {S} and {T}, which has the greater {attribute}?",
    ),
}
DIFFERENCE = (
    "How far apart are the {attribute} of {S} and that of {T}?",
    "What is the difference between the {attribute} of {S} and that of {T}?",
    "By how much does the {attribute} of {S} differ from that of {T}?",
)
SUM = (
    "What do the {attribute} of {S} and that of {T} add up to?",
    "Taken together, what do the {attribute} of {S} and that of {T} come to?",
    "What is the sum of the {attribute} of {S} and that of {T}?",
)
HIGHEST: dict[str, tuple[str, ...]] = {
    "late": (
        "Which of {S}, {T} and {U} has the latest {attribute}?",
        "Among {S}, {T} and {U}, which has the latest {attribute}?",
        "Of {S}, {T} and {U}, which has the latest {attribute}?",
    ),
    "high": (
        "Which of {S}, {T} and {U} has the highest {attribute}?",
        "Among {S}, {T} and {U}, which has the highest {attribute}?",
        "Of {S}, {T} and {U}, which has the highest {attribute}?",
    ),
    "great": (
        "Which of {S}, {T} and {U} has the greatest {attribute}?",
        "Among {S}, {T} and {U}, which has the greatest {attribute}?",
        "Of {S}, {T} and {U}, which has the greatest {attribute}?",
    ),
}
COUNT = (
    "How many entries are there under {attribute} for {S}?",
    "What is the number of entries under {attribute} for {S}?",
)

_PATTERNS: dict[str, dict[str, tuple[str, ...]]] = {
    "compare": COMPARE,
    "highest": HIGHEST,
    "difference": dict.fromkeys(("late", "high", "great"), DIFFERENCE),
    "sum": {"high": SUM, "great": SUM},
}


@dataclass(frozen=True)
class Question:
    """A question's text and logical form, and the facts about others that it needs, which both passages state."""

    text: str
    ask: Ask
    given: tuple[Block, ...] = ()


def shapes(relation: Relation) -> list[Operator]:
    """Return the shapes in which a relation can be asked for."""
    found: list[Operator] = ["value"]
    if relation.type in ORDERED:
        found += ["at_least", "compare", "highest"]
    if relation.type in NUMERIC:
        found.append("difference")
    if relation.type in SUMMED:
        found.append("sum")
    if relation.many:
        found.append("count")
    return found


def ask(scene: Scene, subject: str, operator: Operator, others: list[str], limit: Value | None) -> Question:
    """Return a question of a shape about a thing; `others` are bystanders, `limit` a value to compare with.

    Both questions of a quad are asked with the same ones.
    """
    relation, rng = scene.relation, scene.rng
    more: dict[str, str | Value] = dict(zip("TU", others, strict=False))
    group = "late" if relation.type in _LATER else "high"
    if operator == "value":
        return Question(fill(rng.choice(relation.asks), {"S": subject}), Ask("value", relation.name, (subject,)))
    if operator == "at_least":
        assert limit is not None
        text = rng.choice(AT_LEAST["time" if relation.type in ("time", "date") else group])
        slots = scene.slots(subject, {"L": limit})
        return Question(fill(text, slots), Ask("at_least", relation.name, (subject,), limit=limit))
    if operator == "count":
        return Question(fill(rng.choice(COUNT), scene.slots(subject)), Ask("count", relation.name, (subject,)))
    patterns = _PATTERNS[operator]["great" if relation.type == "measure" else group]
    named = (subject, *others[: 2 if operator == "highest" else 1])
    given = tuple(scene.state(other) for other in named[1:])
    return Question(fill(rng.choice(patterns), scene.slots(subject, more)), Ask(operator, relation.name, named), given)


def described(scene: Scene, question: Question, subject: str) -> Question:
    """Return the question with its thing described by another fact instead of named (two hops)."""
    link = scene.side
    value = scene.value(subject, link)
    phrase = fill(scene.rng.choice(link.inverse), {"V": str(value)})
    phrase = phrase[0].lower() + phrase[1:]
    text = question.text.replace(subject, phrase)
    ask_ = replace(question.ask, subjects=question.ask.subjects[1:], via=(link.name, value))
    return Question(text[0].upper() + text[1:], ask_, (*question.given, scene.state(subject, link)))
