"""Faults in the words of questions; their logical forms stay right."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from refusalbench_tasks.worlds import asking, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.values import Value
from tests.worlds.faults.base import (
    Patch,
    Where,
    asks,
    described,
    fault,
)


def in_question(name: str, change: Callable[[str, Scene, str], str], where: Where) -> None:
    """Plant a fault in the words of questions; their logical forms stay right."""

    def plant(patch: Patch) -> None:
        ask = vars(scenario)["ask"]

        def faulty(
            stage: Scene, subject: str, operator: Any, others: list[str], limit: Value | None
        ) -> asking.Question:
            right: asking.Question = ask(stage, subject, operator, others, limit)
            return replace(right, text=change(right.text, stage, subject))

        patch.setattr(scenario, "ask", faulty)

    fault(name, where)(plant)


def swapped(text: str, *pairs: tuple[str, str]) -> str:
    """Return a text with words replaced by others."""
    for old, new in pairs:
        text = re.sub(rf"\b{old}\b", new, text)
    return text


in_question(
    "a question about the other thing",
    lambda text, stage, subject: text.replace(subject, stage.b if subject == stage.a else stage.a),
    asks("value"),
)
in_question(
    "a comparison with another bystander",
    lambda text, stage, subject: text.replace(stage.others[0], stage.others[2]),
    asks("compare", "difference", "sum"),
)
in_question(
    "lower asked for instead of higher",
    lambda text, stage, subject: swapped(text, ("higher", "lower"), ("later", "earlier")),
    asks("compare"),
)
in_question(
    "lowest asked for instead of highest",
    lambda text, stage, subject: swapped(text, ("highest", "lowest"), ("latest", "earliest")),
    asks("highest"),
)
in_question("another limit", lambda text, stage, subject: re.sub(r"\d+", "1", text), asks("at_least"))
in_question(
    "at most asked for instead of at least",
    lambda text, stage, subject: swapped(
        text,
        ("at least", "at most"),
        ("or later", "or earlier"),
        ("or more", "or less"),
        ("reach", "stay under"),
        ("or after it", "or before it"),
        ("a later", "an earlier"),
    ),
    asks("at_least"),
)
in_question("a question without its verb", lambda text, stage, subject: " ".join(text.split()[2:]), asks("value"))


@fault("a sum asked for instead of a difference", asks("difference"))
def sum_for_difference(patch: Patch) -> None:
    patch.setitem(asking._PATTERNS, "difference", dict.fromkeys(("late", "high"), asking.SUM))


@fault("a thing described by the fact of the other thing", described)
def described_by_another(patch: Patch) -> None:
    right = asking.described

    def faulty(stage: Scene, question: asking.Question, subject: str) -> asking.Question:
        found = right(stage, question, subject)
        link, other = stage.side, stage.b if subject == stage.a else stage.a
        told = found.text.replace(str(stage.value(subject, link)), str(stage.value(other, link)))
        return replace(found, text=told)

    patch.setattr(scenario, "described", faulty)
