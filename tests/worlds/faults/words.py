"""Faults in how sentences write values; the statements keep the right ones."""

import re
from collections.abc import Callable
from dataclasses import replace

from refusalbench_tasks.worlds import asking, scene
from refusalbench_tasks.worlds.operations import telling
from refusalbench_tasks.worlds.values import Value, written
from tests.worlds.faults.base import (
    Patch,
    Where,
    dated,
    fault,
    figures,
    typed,
)


def in_words(name: str, change: Callable[[Value, str], str], where: Where) -> None:
    """Plant a fault in how sentences write values; the statements keep the right ones."""

    def plant(patch: Patch) -> None:
        for module in (scene, asking, telling):
            if hasattr(module, "written"):
                patch.setattr(module, "written", lambda value: change(value, written(value)))

    fault(name, where)(plant)


def numbered(change: Callable[[int], int]) -> Callable[[Value, str], str]:
    def faulty(value: Value, text: str) -> str:
        return (
            written(replace(value, content=change(value.content)))
            if isinstance(value.content, int) and value.type != "flag"
            else text
        )

    return faulty


_SWAPS = ("January July", "March May", "April August", "June October", "February September", "November December")
MONTHS = {old: new for pair in map(str.split, _SWAPS) for old, new in (pair, pair[::-1])}
in_words("a number off by one", numbered(lambda number: number + 1), figures)
in_words("a year off by one", numbered(lambda number: number - 1), typed("year"))
in_words("a number ten times as high", numbered(lambda number: number * 10), figures)
in_words("the digits of a number turned", numbered(lambda number: int(str(number)[::-1])), typed("year"))
in_words(
    "another unit",
    lambda value, text: text.replace(value.unit, "fathoms") if value.unit else text,
    typed("measure", "money"),
)
in_words(
    "no unit", lambda value, text: text.replace(f" {value.unit}", "") if value.unit else text, typed("measure", "money")
)
in_words(
    "another month",
    lambda value, text: (
        re.sub(r"[A-Z]\w+", lambda found: MONTHS.get(found[0], found[0]), text) if value.type == "date" else text
    ),
    dated,
)
in_words(
    "the day of the next week",
    lambda value, text: (
        re.sub(r"^\d+", lambda found: str(int(found[0]) % 28 + 1), text) if value.type == "date" else text
    ),
    dated,
)
in_words(
    "an hour later",
    lambda value, text: f"{(int(text[:2]) + 1) % 24:02}{text[2:]}" if value.type == "time" else text,
    typed("time"),
)
in_words(
    "a list without its last name",
    lambda value, text: text.split(" and ")[0] if value.type == "names" else text,
    typed("names"),
)
in_words(
    "the family name of somebody else",
    lambda value, text: f"{text.split()[0]} Tavost" if value.type == "person" else text,
    typed("person"),
)
in_words(
    "a place of another name",
    lambda value, text: text[::-1].capitalize() if value.type == "place" else text,
    typed("place"),
)
