"""Published numbers of writers and verifiers beside generation runs, worked by hand."""

import math

import pytest
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec

from refusalbench_tasks.results.published.papers import published_papers
from refusalbench_tasks.results.published.reproduction import (
    PublishedLogs,
    Reproduced,
    beside_published,
)
from refusalbench_tasks.results.verifier_panel import VotedLog
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

A = "openai/gpt-4o"
B = "bedrock/amazon.nova-pro-v1:0"
AMBIGUITY = PerturbationClass.AMBIGUITY
EPISTEMIC = PerturbationClass.EPISTEMIC


def item(
    writer: str, source: str, one: PerturbationClass, level: Intensity, **votes: bool
) -> dict[str, object]:
    cast = {{"a": A, "b": B}[name]: passed for name, passed in votes.items()}
    return {
        "slot": (source, one, level, ""),
        "source": source,
        "writer": writer,
        "class": one,
        "intensity": level,
        "lever": "",
        "votes": cast,
    }


def run(writer: str, *votes: dict[str, object]) -> VotedLog:
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="refusalbench_tasks/perturb",
        model=writer,
        task_args={"coverage": "all", "verify": "until_fail"},
        dataset=EvalDataset(),
        config=EvalConfig(),
    )
    return VotedLog(
        EvalLog(status="success", eval=spec, location=f"{writer}.eval"), votes
    )


RUNS = (
    run(
        A,
        item(A, "1", AMBIGUITY, Intensity.LOW, a=True, b=True),
        item(A, "2", AMBIGUITY, Intensity.HIGH, a=True, b=False),
        item(A, "3", EPISTEMIC, Intensity.HIGH, a=True, b=True),
    ),
    run(
        B,
        item(B, "1", AMBIGUITY, Intensity.LOW, a=False, b=True),
        item(B, "2", AMBIGUITY, Intensity.HIGH, a=False, b=False),
        item(B, "3", EPISTEMIC, Intensity.HIGH, a=True, b=True),
    ),
)


def found(
    model: str, label: str, *runs: VotedLog, task: str = "perturb nq"
) -> Reproduced:
    rows = beside_published(published_papers(), PublishedLogs([], runs or RUNS))
    own = [
        one
        for one in rows
        if (one.row.task, one.row.model, one.row.label) == (task, model, label)
    ]
    return own[0]


def test_self_and_cross_pass_rates() -> None:
    # A passes its own 3 of 3 and B passes 2 of A's; B passes its own 2 of 3 and A
    # passes 1 of B's
    assert found("GPT-4o", "self_pass_rate").measured.value == pytest.approx(1)
    assert found("GPT-4o", "cross_pass_rate").measured.value == pytest.approx(2 / 3)
    bias = found("Nova-Pro", "self_bias")
    assert bias.measured.value == pytest.approx(1 / 3)
    assert bias.measured.n == 3
    assert bias.measured.low <= 1 / 3 <= bias.measured.high
    assert found("all writers", "self_pass_rate").measured.value == pytest.approx(
        (1 + 2 / 3) / 2
    )


def test_pass_rates_by_class_of_all_votes_and_by_intensity_of_a_writer() -> None:
    # ambiguity: 3 of A's 4 votes and 1 of B's 4; epistemic: 4 of 4
    ambiguity = found("all writers", f"{AMBIGUITY.value}/pass_rate")
    assert ambiguity.measured.value == pytest.approx(4 / 8)
    assert ambiguity.measured.n == 4
    assert found("all writers", "class_range").measured.value == pytest.approx(
        1 - 4 / 8
    )
    assert found("GPT-4o", "HIGH/pass_rate").measured.value == pytest.approx(3 / 4)


def test_kappa_of_a_pair_and_over_pairs() -> None:
    # a: T T T F F T, b: T F T T F T, so that 4 of 6 agree, and by chance (4 * 4 + 2 *
    # 2) / 36 would
    expected = (4 / 6 - 20 / 36) / (1 - 20 / 36)
    assert found(
        "all writers", "GPT-4o, Nova-Pro/kappa"
    ).measured.value == pytest.approx(expected)
    assert found("all writers", "lowest kappa").measured.value == pytest.approx(
        expected
    )
    assert math.isnan(
        found("all writers", "Claude-4-Sonnet, GPT-4o/kappa").measured.value
    )


def test_what_differs_from_the_published_run_is_said() -> None:
    one = found("GPT-4o", "self_pass_rate")
    assert one.differences == (
        "2 of 4 writers",
        "verify=until_fail",
        "the published base questions are not known",
    )
    assert (one.reading, one.log) == ("not comparable", "gpt-4o.eval")
    assert found("GPT-4o", "self_bias", task="perturb garage").reading == "needs a log"
    assert found("GPT-4o", "self_pass_rate", run("x/other")).reading == "needs a log"
