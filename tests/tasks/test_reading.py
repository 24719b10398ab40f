"""The blind reading and the recorded intensity in a run."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval, score
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.noted import SCORER
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.registered import consensus_scores, perturbation
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from tests.generators.panel import is_reading, named, verdict, write_well
from tests.models import part

LEVERS = [
    next(
        one for one in bundled_levers() if (one.perturbation, one.intensity) == (PerturbationClass.MISSING_INFO, level)
    )
    for level in (Intensity.LOW, Intensity.HIGH)
]


@pytest.fixture(autouse=True)
def _quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def reader(answer: str, label: str = "ANSWER_CORRECTLY") -> Model:
    def read(prompt: str) -> Any:
        assert is_reading(prompt)
        return {"why": "So.", "label": label, "answer": answer, "quotes": []}

    return named("r", lambda _: "", read)


def run(judges: list[Model], read: Model | None = None, **settings: Any) -> EvalLog:
    task = Task(
        dataset=[slot.to_sample() for slot in make_plan(load_bases("nq_sample")[:2], LEVERS, "all")],
        solver=perturbation(cache=False), scorer=consensus_scores(cache=False, max_failures=0, **settings),
    )  # fmt: skip
    roles: Any = {"verifier": judges} | ({"reader": read} if read else {})
    (log,) = eval(task, model=named("w", write_well), model_roles=roles, log_dir="logs", display="none")
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {key: metric.value for key, metric in log.results.scores[0].metrics.items()}


def counting(name: str, asked: list[str], **changes: Any) -> Model:
    def vote(prompt: str) -> Any:
        asked.append(part(prompt, "PERTURBED QUESTION"))
        return verdict() | changes

    return named(name, vote)


def test_an_item_that_must_be_answered_and_is_not_costs_no_vote() -> None:
    asked: list[str] = []
    m = metrics(run([counting("v", asked)], reader("", "REFUSE_OTHER")))
    # one verifier is always the whole panel, so its votes are asked for; the reading decides all the same
    assert (m["LOW/acceptance"], m["HIGH/acceptance"], m["reading/answered_low"]) == (0.0, 1.0, 0.0)
    asked.clear()
    m = metrics(run([counting("v", asked), counting("u", asked)], reader("", "REFUSE_OTHER")))
    assert (m["LOW/acceptance"], m["HIGH/acceptance"], len(asked)) == (0.0, 1.0, 2 * 2)
    assert m["reading/expected_code"] == 0.0


def test_any_answer_to_an_item_that_is_to_be_refused_is_an_objection() -> None:
    m = metrics(run([named("v", lambda _: verdict())], reader("the mayor of the town")))
    assert (m["LOW/acceptance"], m["HIGH/acceptance"], m["reading/still_answered"]) == (1.0, 0.0, 1.0)


def test_a_reading_can_be_recorded_only_or_left_out() -> None:
    panel = [named("v", lambda _: verdict())]
    m = metrics(run(panel, reader("", "REFUSE_OTHER"), reading="record"))
    assert (m["acceptance"], m["reading/answered_low_n"], m["calls"]) == (1.0, 2, 4 * 3)
    m = metrics(run(panel, reading="off"))
    assert (m["acceptance"], m["calls"]) == (1.0, 4 * 2)
    assert not any(name.startswith("reading/") for name in m)


def test_a_missing_reading_leaves_what_would_be_accepted_undecided_and_is_asked_for_again_alone() -> None:
    def lost(_: str) -> Any:
        raise ConnectionError("502")

    asked: list[str] = []
    log = run([counting("v", asked)], named("r", lambda _: "", lost))
    assert (metrics(log)["n_undecided"], metrics(log)["reading/missing"], len(asked)) == (4, 4, 4)
    roles: Any = {"verifier": [counting("v", asked)], "reader": reader("", "REFUSE_INFO_MISSING_IN_CONTEXT")}
    again = score(log, consensus_scores(cache=False), action="overwrite", model_roles=roles, display="none")
    assert (metrics(again)["n_accepted"], metrics(again)["reading/expected_code"], len(asked)) == (2, 1.0, 4)


def test_intensity_is_written_down_or_decides() -> None:
    panel = [named("v", lambda _: verdict() | {"intensity": False})]
    log = run(panel, intensity="record")
    assert metrics(log)["acceptance"] == 1.0
    noted = [(one.scores or {})[SCORER].metadata or {} for one in log.samples or []]
    assert {vote["intensity_met"] for about in noted for vote in about["votes"]} == {False}
    assert metrics(run(panel, intensity="veto"))["acceptance"] == 0.0
