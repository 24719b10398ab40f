"""Two runs of a system of one's own, which were asked for no codes."""

from inspect_ai.log import EvalSample

from refusalbench_tasks.report.groups import Group, groups_of
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import NAN, row, run

A = Label.ANSWER
NO = Label.OTHER
LOW = Intensity.LOW


def sample(key: str, given: Label | None, right: float = 1.0) -> EvalSample:
    """Return a sample whose row is answerable if its key begins with an a; None is no
    reply.
    """
    level = LOW if key.startswith("a") else Intensity.HIGH
    reason = "no_response"
    made = row(key, given, intensity=level, reason=reason, reply=f"reply {key}")
    assert made.scores
    score = made.scores["refusal_scores"]
    assert isinstance(score.value, dict)
    assert score.metadata
    if given is A and level is LOW:
        score.value["right"] = right
    score.metadata["codes"] = False
    made.metadata["codes"] = False
    return made


def own_run(
    day: str, *samples: EvalSample, name: str = "assistant", hour: str = "09"
) -> Run:
    created = f"2026-01-{day}T{hour}:00:00+00:00"
    return run(samples, "none/none", application=name, created=created)


BEFORE = own_run(
    "01",
    sample("a1", A),
    sample("a2", A, right=0.0),
    sample("a3", NO),
    sample("a4", A, right=NAN),
    sample("u1", NO),
    sample("u2", A),
)
NOW = own_run(
    "02",
    sample("a1", None),
    sample("a2", A),
    sample("a3", A, right=NAN),
    sample("a4", A, right=NAN),
    sample("u1", A),
    sample("u2", A),
)


def own_group(*runs: Run) -> Group:
    [group] = groups_of(runs or (BEFORE, NOW))
    return group
