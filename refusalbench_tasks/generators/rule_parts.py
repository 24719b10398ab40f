"""What the rules that tell a base question's properties are built from."""

import re
from collections.abc import Callable

from refusalbench_tasks.generators.base_text import BaseText
from refusalbench_tasks.generators.kit.answer_kind import AMOUNTS, AnswerKind
from refusalbench_tasks.generators.kit.subject_words import has_word_of

Rule = Callable[[BaseText], bool]
DATES = frozenset({AnswerKind.DATE, AnswerKind.YEAR})
"""The kinds of answers that are dates."""


def kind(*kinds: AnswerKind) -> Rule:
    """Return a rule: the answer is of one of the kinds."""
    return lambda base: base.kind in kinds


def asked(*patterns: str) -> Rule:
    """Return a rule: one of the patterns, with word boundaries around it, is found in the question in lower case."""
    found = _words(patterns)
    return lambda base: found.search(base.asked) is not None


def told(*patterns: str) -> Rule:
    """Return a rule: one of the patterns, with word boundaries around it, is found in the passages in lower case."""
    found = _words(patterns)
    return lambda base: found.search(base.told) is not None


def about(*lists: str) -> Rule:
    """Return a rule: the question has a word of one of the lists."""
    return lambda base: any(has_word_of(name, base.asked) for name in lists)


def shown(*lists: str) -> Rule:
    """Return a rule: question or passages have a word of one of the lists."""
    return lambda base: any(has_word_of(name, base.both) for name in lists)


def every(*rules: Rule) -> Rule:
    """Return a rule: all the rules hold."""
    return lambda base: all(rule(base) for rule in rules)


def some(*rules: Rule) -> Rule:
    """Return a rule: one of the rules holds."""
    return lambda base: any(rule(base) for rule in rules)


def no(rule: Rule) -> Rule:
    """Return a rule: the other one does not hold."""
    return lambda base: not rule(base)


is_amount = kind(*AMOUNTS)
"""The rule that the answer is an amount."""


def _words(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)")
