"""Remarks in a question that ask nothing, and the sentences that make them idle."""

import re
from functools import cache
from importlib.resources import files

import yaml

from refusalbench_tasks.worlds.reader.marking import Line


@cache
def _held() -> dict[str, re.Pattern[str]]:
    words = yaml.load(files(__package__).joinpath("asides.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    inside, front, period, said = ("|".join(words[one]) for one in ("inside", "front", "period", "said"))
    return {
        "inside": re.compile(rf"(?<=who), (?:{inside}),|, (?:{inside})(?=[,?:;]|$)"),
        "front": re.compile(rf"^(?:{front}) "),
        "period": re.compile(rf"^(?:{period}) "),
        "said": re.compile(rf"(?:{said})\.?"),
        "version": re.compile(r"\bthe [\w-]+ version of (?=the [a-z ]+ (?:about|on) <E)"),
    }


def without_asides(line: Line) -> Line:
    """Return a question without its remarks."""
    shape = line.shape
    for name in ("inside", "front", "version"):
        shape = _held()[name].sub("", shape)
    return line.part(shape)


def without_period(line: Line) -> Line:
    """Return a question without the period in front of it."""
    return line.part(_held()["period"].sub("", line.shape))


def is_aside(line: Line) -> bool:
    """Return whether a sentence only tells that a remark makes no difference, or where else a thing is listed."""
    return bool(_held()["said"].fullmatch(line.shape.strip()))
