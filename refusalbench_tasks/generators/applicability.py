"""Whether a lever can be applied to a base question, told before anything is paid for."""

from functools import lru_cache

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.base_text import BaseText
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.needs import Need
from refusalbench_tasks.generators.passage_rules import PASSAGE_RULES
from refusalbench_tasks.generators.question_rules import QUESTION_RULES
from refusalbench_tasks.generators.rule_parts import Rule
from refusalbench_tasks.generators.subject_rules import SUBJECT_RULES

RULES: dict[Need, Rule] = {**QUESTION_RULES, **SUBJECT_RULES, **PASSAGE_RULES}
"""How each need is told. Written to be precise on English text: a doubtful case is a no."""


@lru_cache(maxsize=8192)
def properties_of(base: RefusalItem) -> frozenset[Need]:
    """Return the needs that a base question meets.

    Told by word lists and grammar of English, so a property can be missed or seen where it is none: a filter that
    saves calls, not a verdict. The writer may still decline (our definition).
    """
    text = BaseText(base)
    return frozenset(need for need, rule in RULES.items() if rule(text))


def unmet(lever: Lever, properties: frozenset[Need]) -> tuple[str, ...]:
    """Return the needs of a lever that a base with these properties does not meet; of an inner list one is enough."""
    groups = [need if isinstance(need, tuple) else (need,) for need in lever.needs]
    return tuple(" or ".join(group) for group in groups if not properties.intersection(group))


def applicable(lever: Lever, base: RefusalItem) -> tuple[str, ...]:
    """Return what a lever needs that a base question does not have; empty if the lever can be applied."""
    return unmet(lever, properties_of(base))
