"""Pairs and quads of two logs, by hand."""

from dataclasses import replace
from typing import Any

from refusalbench_tasks.metrics.refusal_rows import RefusalRow
from refusalbench_tasks.metrics.sample_facts import SampleFacts
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.results.compare.comparison import compare
from refusalbench_tasks.results.logs.run import Key, RefusalRun
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import refusal_run

EXPECTED = (Label.ANSWER, Label.MISSING, Label.MISSING, Label.ANSWER)


def run(model: str, **quads: str) -> RefusalRun:
    """Return a run over quads, each told by four marks: `+` right, `-` wrong, `?` undecided, `n` ungraded."""
    rows: Any = {}
    for quad, marks in quads.items():
        for place, mark in enumerate(marks):
            due = EXPECTED[place]
            other = Label.MISSING if due is Label.ANSWER else Label.ANSWER
            said = {"+": due, "-": other, "?": None, "n": due}[mark]
            right = None if mark == "n" or said is not Label.ANSWER or due is not Label.ANSWER else True
            facts = SampleFacts(expected=due, source=quad, item=f"{quad}.{place}", pair=f"{quad}.{place // 2}")
            rows[f"{quad}.{place}", 1] = RefusalRow(outcome=Outcome(due, said, right, quad), facts=facts)
    made: RefusalRun = replace(refusal_run({}, model), rows=rows)
    return made


def found(a: RefusalRun, b: RefusalRun) -> dict[str, tuple[float, float, float, float]]:
    (made,) = compare(a, [b])
    return {one.metric: (one.a, one.b, one.n, one.n_b) for one in made.differences if "consistency" in one.metric}


def test_only_what_is_known_in_both_logs_counts() -> None:
    a = run("a", x="++++", y="+?++", z="++++")
    b = run("b", x="+++-", y="++++", z="+++n")
    # pairs x0, x1, y1, z0 (y0 is undecided in a, z1 ungraded in b): a is right in all four, b not in x1; quads: x
    assert found(a, b) == {"pair_consistency": (1, 3 / 4, 4, 4), "quad_consistency": (1, 0, 1, 1)}


def test_rows_without_pairs_are_not_compared_by_them() -> None:
    rows: dict[Key, Outcome] = {("1", 1): Outcome(Label.ANSWER, Label.ANSWER, True, "q")}
    assert found(refusal_run(rows, "a"), refusal_run(rows, "b")) == {}
