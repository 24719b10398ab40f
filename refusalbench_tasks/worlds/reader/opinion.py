"""Questions that no fact answers: what might have been, what is right, what lies beyond all times and worlds."""

import re

from refusalbench_tasks.worlds.query import Ask, Operator
from refusalbench_tasks.worlds.reader.lexicon import WORDS, one_of
from refusalbench_tasks.worlds.reader.marking import Line

WRONG = re.compile(
    r"^that <E\d+> (?P<told>[a-z' ]+): is it wrong\b|"
    r"^(?:is it (?:a )?wrong|does <E\d+> do wrong)\b.*? that (?:<E\d+>|it) (?P<asked>[a-z' ]+)\?"
)
"""A question whether something that somebody does is wrong."""
MATTERS: tuple[tuple[Operator, re.Pattern[str]], ...] = (
    ("counterfactual", one_of(WORDS["might_have_been"])),
    ("moral", one_of(WORDS["right_and_wrong"])),
    ("opinion", one_of(WORDS["beyond_proof"])),
    ("forecast", one_of(WORDS["for_ever"])),
)
BEAUTIFUL = re.compile(r"\bthe (most \w+ part)\b")
CAUSES = (
    re.compile(
        r"\beffect of (the [a-z ]+?) (?:on|at|in) <E\d+> (?:good|bad|an? [\w ]+? (?:one|thing))\b.*\band (?:what|how)\b"
    ),
    re.compile(r"^what did (the [a-z ]+?) do (?:at|to|for|in) <E\d+>, and was\b"),
    re.compile(r"\b(?:gain|lose|suffer) anything from (the [a-z ]+?), and what\b"),
    re.compile(
        r"\b(?:did|was|were|has) (the [a-z ]+?) "
        r"(?:have an? \w+ effect|good or bad|a good thing or a bad one|helped|harmed|harmful|of use|been of)\b"
    ),
)
"""Questions for what came of something."""
HABITS = (
    re.compile(r"\bthat (?:the )?guests of <E\d+> (?P<who>[a-z ]+?)(?:, (?:in per cent|and what)|\?)"),
    re.compile(r"\bfor (?:the )?guests of <E\d+> to (?P<who>[a-z ]+?), and what share\b"),
    re.compile(r"\bshare of (?:the )?guests of <E\d+> (?P<who>[a-z ]+?)(?:, and|\?)"),
)
"""Questions for how many of the guests do something."""


def unsettled(line: Line) -> Ask | None:
    """Return a question for an opinion, a right, or what might have been; None if it asks for anything else."""
    shape = line.shape
    things = tuple(dict.fromkeys(str(one.content) for one in line.marked("thing")))
    wrong = WRONG.search(shape)
    if wrong:
        return Ask("moral", "", things, term=wrong["told"] or wrong["asked"])
    beautiful = BEAUTIFUL.search(shape)
    if beautiful and len(things) == 1:
        return Ask("opinion", beautiful[1], things)
    for operator, pattern in MATTERS:
        if pattern.search(shape):
            return Ask(operator, "", things or ("",), at="all time" if operator == "forecast" else "", term=line.text)
    return None


def of_effect(line: Line) -> Ask | None:
    """Return a question for what came of something, or for how many do something; None if it is neither."""
    things = tuple(dict.fromkeys(str(one.content) for one in line.marked("thing")))
    for pattern in CAUSES:
        found = pattern.search(line.shape)
        if found:
            return Ask("value", f"effect of {found[1]}", things)
    for pattern in HABITS:
        found = pattern.search(line.shape)
        if found:
            return Ask("value", f"share who {found['who']}", things)
    return None
