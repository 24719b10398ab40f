"""What the header of a log says: whose replies it holds, of which data, and by which
scorer.
"""

from dataclasses import dataclass

from inspect_ai.log import EvalLog

from refusalbench_tasks.log_reading import scores_of
from refusalbench_tasks.replies.outside_text import one_line

REFUSAL = ("refusal_scores", "grounded_scores", "search_scores")
HEDGING = ("hedging_scores",)
"""The scorers of `nq`, `garage` and `search`, and of `bluff`, whose scores are rows of
the table.
"""
NO_MODEL = "none/none"
"""What a log calls the model where a solver replied in its place."""
APPLICATIONS = ("replay", "endpoint", "callable")
"""The solvers that give an application's replies; it counts as a model does."""


def noted(header: EvalLog, *names: str) -> str:
    """Return the first of some facts that a task noted of its data in a log; blank
    where it has none.
    """
    facts = header.eval.metadata or {}
    for name in names:
        if facts.get(name):
            return one_line(facts[name])
    return ""


def scorer_of(header: EvalLog) -> str | None:
    """Return the name of the newest of our row scores in a log; None for a log of
    anything else.
    """
    named = [score.name for score in header.results.scores] if header.results else []
    named = named or [
        scorer.name.rpartition("/")[2] for scorer in header.eval.scorers or ()
    ]
    return next(reversed(scores_of(named, (*REFUSAL, *HEDGING))), None)


@dataclass(frozen=True)
class System:
    """The name of who replied, and whether that is a baseline: a solver of ours in
    place of a model.
    """

    name: str
    baseline: bool = False


def system_of(header: EvalLog) -> System:
    """Return who replied: the model; without one the solver's argument `name`, or the
    name of the solver.
    """
    spec = header.eval
    if spec.model != NO_MODEL:
        return System(one_line(spec.model))
    solver = spec.solver.rpartition("/")[2] if spec.solver else spec.model
    if solver not in APPLICATIONS:
        return System(one_line(solver), baseline=True)
    given = one_line((spec.solver_args or {}).get("name") or "")
    return System(given or solver)
