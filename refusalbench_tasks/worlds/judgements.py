"""Questions that are no matters of fact, unless the text settles them."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.ontology import Ontology
from refusalbench_tasks.worlds.query import Ask, Operator
from refusalbench_tasks.worlds.readings import Impure
from refusalbench_tasks.worlds.solved import Solved
from refusalbench_tasks.worlds.statement import Fact, Part, Ranking, Rule, Statement, Verdict
from refusalbench_tasks.worlds.values import Value

Solve: TypeAlias = Callable[[Sequence[Statement], Ask, Ontology], Solved]
"""What answers the matter of fact that a criterion comes down to."""
_FIXED = ("probability", "forecast", "opinion", "counterfactual")
"""Operators whose answer a text can settle by stating it: a rating, a signed schedule, an award."""


def evaluated(statements: Sequence[Statement], ask: Ask, ontology: Ontology, solve: Solve) -> Solved:
    """Return what a text settles of a question that is no matter of fact, or that it settles nothing.

    By a stated outcome, a ruling, a rule with a threshold, or an order of merit; `solve` answers the matter of fact
    that the criterion comes down to. Raises Impure for two criteria.
    """
    if len(ask.subjects) == 2:
        return _ranked(statements, ask, ontology, solve)
    subject = ask.subjects[0]
    if ask.operator in _FIXED:
        fixed = {
            one.value
            for one in statements
            if isinstance(one, Fact) and (one.subject, one.relation, one.at) == (subject, ask.relation, ask.at)
        }
        known = sorted((one for one in fixed if isinstance(one, Value)), key=str)
        if len(known) > 1:
            return Solved(Label.CONTRADICTORY)
        return Solved(Label.ANSWER, known[0]) if known else Solved(Label.NONFACTUAL)
    settled = {
        one.holds for one in statements if isinstance(one, Verdict) and (one.subject, one.term) == (subject, ask.term)
    }
    if len(settled) == 1:
        return Solved(Label.ANSWER, Value("flag", settled.pop()))
    if settled:
        return Solved(Label.CONTRADICTORY)
    scopes = {subject} | {one.whole for one in statements if isinstance(one, Part) and one.part == subject}
    rules = [one for one in statements if isinstance(one, Rule) and one.term == ask.term and one.scope in scopes]
    if not rules:
        return Solved(Label.NONFACTUAL)
    if len(rules) > 1:
        raise Impure(f"two rules for {ask.term}")
    rule = rules[0]
    found = solve(statements, Ask("value", rule.relation, ask.subjects), ontology)
    if found.answer is None:
        return found
    number, limit = found.answer.number, rule.limit.number
    return Solved(Label.ANSWER, Value("flag", number > limit if rule.above else number < limit))


def _ranked(statements: Sequence[Statement], ask: Ask, ontology: Ontology, solve: Solve) -> Solved:
    """Return which of two things the text's own order puts first."""
    wholes = [{one.whole for one in statements if isinstance(one, Part) and one.part == name} for name in ask.subjects]
    shared = wholes[0] & wholes[1]
    orders = [one for one in statements if isinstance(one, Ranking) and one.term == ask.term and one.scope in shared]
    if not orders:
        return Solved(Label.NONFACTUAL)
    if len(orders) > 1:
        raise Impure(f"two orders for {ask.term}")
    operator: Operator = "highest" if orders[0].higher else "lowest"
    return solve(statements, Ask(operator, orders[0].relation, ask.subjects), ontology)
