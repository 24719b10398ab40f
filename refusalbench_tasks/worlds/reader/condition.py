"""Conditions: a value that holds exactly if something else does, and whether that does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.worlds.reader.marking import Line

ONLY = r"(?:and only then|but not otherwise|but in no other case)"
EXACTLY = r"(?:if and only if|exactly if|precisely if)"
FORMS = (
    re.compile(rf"^(?:if|as long as|so long as|provided) (?P<when>[^,]+), (?P<then>.+?),? {ONLY}[.]?$"),
    re.compile(rf"^(?P<then>.+?),? (?:if|whenever|as long as|so long as|provided) (?P<when>[^,]+), {ONLY}[.]?$"),
    re.compile(rf"^(?P<then>.+?),? (?:{EXACTLY}|only if and whenever) (?P<when>[^,]+?)[.]?$"),
    re.compile(r"^(?P<then>.+?) if (?P<when>[^,]+), and otherwise it is not[.]?$"),
    re.compile(rf"^(?:only )?{EXACTLY} (?P<when>[^,]+), (?P<then>.+?)[.]?$"),
)


MARK = re.compile(r"\b(?:than|above|below|over|under|exceeds?|beyond|excess|short|tops|surpasses)\b")
"""What a rule sets a value against, which is no condition."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold, without names; of which thing; and the clause that is then true."""

    when: str
    thing: str
    then: Line


def condition(line: Line) -> Condition | None:
    """Return what a sentence makes a value depend on, or None if it makes it depend on nothing."""
    things = {one.content for one in line.marked("thing")}
    if len(things) != 1:
        return None
    for form in FORMS:
        found = form.match(line.shape)
        if found and not MARK.search(found["when"]):
            return Condition(_plain(found["when"]), str(things.pop()), line.part(found["then"] + "."))
    return None


def met(line: Line, conditions: Sequence[Condition]) -> Line | None:
    """Return the clause whose condition a sentence says to hold, or None if it says so of none."""
    things = {str(one.content) for one in line.marked("thing")}
    plain = _plain(line.shape)
    for one in conditions:
        if (
            things == {one.thing}
            and one.when in plain
            and not re.search(r"\bnot\b|\bno\b(?! doubt\b)|\bnever\b", plain)
        ):
            return one.then
    return None


def _plain(shape: str) -> str:
    return re.sub(r"<\w\d+>", "<>", shape).strip(" .")
