"""A lever with which a writer is hardly ever accepted gives way to the next one that fits, and that is written down."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog

from refusalbench_tasks.cli import main
from refusalbench_tasks.generators.consensus_scorer import SCORER, consensus_scores
from refusalbench_tasks.generators.generation_logs import read_runs
from refusalbench_tasks.generators.hopeless import Count, Tries, tries_of
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.perturbation import perturbation
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from tests.generators.panel import field, named, verdict, write_well
from tests.models import metrics_of

LEVERS = [
    one
    for one in bundled_levers()
    if (one.perturbation, one.intensity) == (PerturbationClass.MISSING_INFO, Intensity.MEDIUM)
]
BAD, GOOD = LEVERS[0].name, LEVERS[1].name
BASE = load_bases("nq_sample")[0]


@pytest.fixture(autouse=True)
def _quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def slots(n: int) -> list[Slot]:
    """Return slots of one lever and bases that are one but for their id: their answers are of one kind."""
    bases = [BASE.model_copy(update={"item_id": f"b{k:02d}", "source_id": f"b{k:02d}"}) for k in range(n)]
    plan = make_plan(bases, LEVERS[:1], "rotation")
    return [slot.model_copy(update={"alternatives": (GOOD,), "planned": n}) for slot in plan]


def run(n: int, skip: bool = True, writer: Any = write_well) -> EvalLog:
    """Return a run of so many slots after 16 in which the first lever was never accepted."""
    model = named("w", writer)
    for slot in slots(1) * 16:
        tries_of(model).add(slot, False)
    task = Task(
        dataset=[slot.to_sample() for slot in slots(n)], solver=perturbation(cache=False, skip_hopeless=skip),
        scorer=consensus_scores(cache=False, max_failures=0, reading="off"), name="perturb",
    )  # fmt: skip
    judge = named("v", lambda prompt: verdict(field(prompt, "Lever") != BAD))
    roles: Any = {"verifier": [judge]}
    (log,) = eval(
        task, model=model, model_roles=roles, log_dir="logs", display="none", max_samples=1
    )  # fmt: skip
    assert log.status == "success", log.error
    return log


@pytest.mark.parametrize(("accepted", "needed"), [(0, 18), (1, 29), (2, 39)])
def test_how_many_tries_make_a_lever_hopeless(accepted: int, needed: int) -> None:
    # P(rate < .15) of Beta(1, 1 + n) is 1 - .85 ** (n + 1): over .95 from n = 18 on
    assert 1 - 0.85**19 > 0.95 > 1 - 0.85**18
    assert not Count(needed - 1, accepted).hopeless
    assert Count(needed, accepted).hopeless


def test_what_was_learnt_is_of_one_lever_and_one_kind_of_answer() -> None:
    tries, (slot,) = Tries(), slots(1)
    for _ in range(18):
        tries.add(slot, False)
    dated = BASE.model_copy(update={"query": "When was it lit?", "answers": ("3 October 1874",)})
    assert tries.of(slot).hopeless
    assert not tries.of(slot.model_copy(update={"lever": GOOD})).hopeless
    assert not tries.of(slot.model_copy(update={"base": dated})).hopeless
    writer = named("x", write_well)
    assert tries_of(writer) is tries_of(writer)
    assert not tries_of(named("x", write_well)).counts


def test_after_eighteen_rejections_the_next_lever_is_tried_and_the_log_and_the_card_say_so() -> None:
    m = metrics_of(run(5), SCORER)
    assert (m["n_skipped"], m[f"skipped/{BAD}"], m["n_accepted"], m["n_items"]) == (3, 3, 3, 5)
    assert m["calls"] == 5 * 2
    (found,) = read_runs(["logs"]).runs
    assert {item.slot.lever for item in found.items if item.skipped} == {GOOD}
    assert {one.tries for item in found.items for one in item.skipped} == {18}
    assert found.slots == 5
    export = CliRunner().invoke(main, ["export", "logs", "-o", "set", "--all"])
    assert export.exit_code == 0, export.output
    assert f"| mockllm/w | {BAD} | 3 |" in Path("set/README.md").read_text()


def test_nothing_is_skipped_unless_it_is_asked_for() -> None:
    m = metrics_of(run(4, skip=False), SCORER)
    assert "n_skipped" not in m
    assert m["n_accepted"] == 0


def test_a_declined_lever_is_a_try() -> None:
    def write(prompt: str) -> dict[str, Any]:
        if field(prompt, "Lever") == BAD:
            return {"applicable": False, "why_not": "There is no such thing."}
        return write_well(prompt)

    m = metrics_of(run(4, writer=write), SCORER)
    assert (m["n_declined"], m["n_skipped"], m["n_accepted"]) == (2, 2, 4)
