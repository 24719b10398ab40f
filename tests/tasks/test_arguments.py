"""The arguments of the tasks: what is not of its kind ends in one line that names it,
before anything is loaded.
"""

import logging
from typing import Any

import pytest
from inspect_ai import eval

from refusalbench_tasks import bluff, garage, nq
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scorers.hedging import hedging_scores
from refusalbench_tasks.scorers.refusal import grounded_scores, refusal_scores
from refusalbench_tasks.solvers.baselines import always_refuse
from tests.models import fake

SAMPLE = {"data": "sample"}


@pytest.mark.parametrize(
    ("task", "arguments", "problem"),
    [
        (
            nq,
            {"confidence": "maybe"},
            "confidence: Input should be a valid boolean, got 'maybe'",
        ),
        (nq, {"seed": "abc"}, "seed: Input should be a valid integer, got 'abc'"),
        (
            nq,
            {"per_stratum": 0},
            "per_stratum: Input should be greater than or equal to 1, got 0",
        ),
        (
            nq,
            {"controls": "some"},
            "controls: Input should be 'none', 'add' or 'only', got 'some'",
        ),
        (nq, {"data": None}, "data: Input should be a valid string, got None"),
        (
            nq,
            {"revision": "main"},
            "revision: only data=hub has revisions, not data=sample",
        ),
        (
            nq,
            {"n": 8},
            "n: only data=worlds is made to measure, not data=sample; use --limit",
        ),
        (
            nq,
            {"codes": False, "protocol": "official-code"},
            "codes=false: the released code knows no replies",
        ),
        (
            nq,
            {"codes": False, "prompt": "official"},
            "codes=false: the released prompts ask for codes",
        ),
        (
            nq,
            {"judge_prompt": "theirs"},
            (
                "judge_prompt: expected ours, official, a .py file or its folder, got"
                " 'theirs'"
            ),
        ),
        (nq, {"raf": "claims"}, "nq: unknown argument 'raf'; known: data, revision"),
        (
            nq,
            {"revision": 1234567},
            "revision: Input should be a valid string, got 1234567; quote a number",
        ),
        (nq, {"data": "nowhere.jsonl"}, "no such file"),
        (
            garage,
            {"domains": "Sport"},
            "domains: unknown name 'Sport'; known: Business",
        ),
        (
            bluff,
            {"threshold": 1.2},
            "threshold: Input should be less than or equal to 1, got 1.2",
        ),
        (
            bluff,
            {"official_lists": "nowhere.py", "protocol": "official-code"},
            "official_lists: no such file",
        ),
        (
            bluff,
            {"official_lists": "hub"},
            "official_lists: only with protocol=official-code",
        ),
        (
            bluff,
            {"hedging": "judge", "judge": "offline"},
            "hedging=judge needs a grader",
        ),
        (
            bluff,
            {"data": "worlds", "domains": "opinions"},
            "domains: unknown 'opinions'; known: halls, campsites",
        ),
        (bluff, {"data": "worlds", "n": 22}, "use 24"),
    ],
)
def test_what_is_not_of_its_kind_is_one_line(
    task: Any, arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DataError) as caught:
        task(**SAMPLE | arguments)
    assert problem in str(caught.value)
    assert str(caught.value).isprintable()


def test_an_argument_of_another_task_is_an_error_that_says_how_to_run_both() -> None:
    """Inspect gives every argument of a run of several tasks to each: one that asks for
    fewer rows must not be lost.
    """
    with pytest.raises(DataError) as caught:
        nq(data="sample", per_topic=1)  # type: ignore[arg-type]
    problem, _, advice = str(caught.value).partition("; known: ")
    assert problem == "nq: unknown argument 'per_topic'"
    assert advice.endswith(
        ", shard. Inspect gives each -T to every task of a run: run tasks that take"
        " other arguments apart, or in Python by eval_set"
    )


@pytest.mark.parametrize("judge", ["cascade", "offline"])
def test_a_role_that_the_task_does_not_know_is_named(
    judge: Any, caplog: pytest.LogCaptureFixture, tmp_path: Any
) -> None:
    roles: Any = {"judge": fake(lambda _: "never asked")}
    task = nq(data="sample", per_stratum=1, judge=judge)
    with caplog.at_level(logging.WARNING):
        (log,) = eval(
            task,
            model="none/none",
            solver=always_refuse(),
            model_roles=roles,
            log_dir=str(tmp_path),
        )
    assert log.status == "success"
    assert caplog.text.count("The model role 'judge' is not used; known: grader") == 1


@pytest.mark.parametrize(
    ("scorer", "arguments", "problem"),
    [
        (
            refusal_scores,
            {"judge": "alway"},
            "judge: Input should be 'cascade', 'always' or 'offline', got 'alway'",
        ),
        (refusal_scores, {"raff": "x"}, "unknown argument 'raff'; known: confidence"),
        (refusal_scores, {"refusals": "no.txt"}, "refusals: no such file 'no.txt'"),
        (
            grounded_scores,
            {"raf": "x"},
            "raf: Input should be 'reply' or 'claims', got 'x'",
        ),
        (hedging_scores, {"lexicon": "no.yaml"}, r"no.yaml"),
        (
            hedging_scores,
            {"cluster": "source"},
            "cluster: Input should be 'question' or 'row', got 'source'",
        ),
    ],
)
def test_a_wrong_argument_of_a_scorer_is_told_before_any_sample(
    scorer: Any, arguments: Any, problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        scorer(**arguments)
