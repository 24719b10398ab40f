"""BLUFF with Inspect's own `hf` provider: it gives no stop reason, samples by default and refuses temperature 0."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.model import get_model

from refusalbench_tasks.tasks.bluff import bluff
from tests.solvers.bigrams import save_bigrams

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    # else Inspect asks the hub for what it knows of a model "local"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


LETTERS = {"Ċ": {"Ġ": 1.0}, "Ġ": {"A": 0.75, "B": 0.25}}
ONE = {"Ċ": {"1": 1.0}}


def confidences(folder: Path, follows: dict[str, dict[str, float]], **task: Any) -> list[dict[str, Any]]:
    save_bigrams(folder / "model", follows)
    model = get_model("hf/local", model_path=str(folder / "model"), memoize=False)
    (log,) = eval(
        bluff(data="sample", topics="law", per_topic=1, judge="offline", **task),
        model=model, log_dir=str(folder / "logs"), display="none",
    )  # fmt: skip
    assert log.status == "success", log.error
    assert log.samples
    return [
        (s.scores["hedging_scores"].metadata or {})["confidence"]
        | {"value": s.scores["hedging_scores"].value["confidence"]}  # type: ignore[index,call-overload]
        for s in log.samples
        if s.scores
    ]


def test_log_probabilities_are_read_at_the_letter(tmp_path: Path) -> None:
    found = confidences(tmp_path, LETTERS)
    assert [one["missing"] for one in found] == [None, None]
    assert [one["value"] for one in found] == [pytest.approx(0.75, abs=1e-3)] * 2
    assert [one["mass"] for one in found] == [pytest.approx(1.0, abs=1e-3)] * 2


def test_votes_are_sampled(tmp_path: Path) -> None:
    found = confidences(tmp_path, LETTERS, ptrue="sample", ptrue_samples=4)
    assert [(one["missing"], one["resolution"], one["mass"]) for one in found] == [(None, 0.25, 1.0)] * 2


def test_a_number_is_read(tmp_path: Path) -> None:
    found = confidences(tmp_path, ONE, ptrue="verbal")
    assert [(one["missing"], one["value"]) for one in found] == [(None, 1.0)] * 2
