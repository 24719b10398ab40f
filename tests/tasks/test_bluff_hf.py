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


@pytest.mark.parametrize(
    ("method", "follows", "due"),
    [
        ("logprob", LETTERS, {"value": pytest.approx(0.75, abs=1e-3), "mass": pytest.approx(1.0, abs=1e-3)}),
        ("sample", LETTERS, {"resolution": 0.25, "mass": 1.0}),
        ("verbal", {"Ċ": {"1": 1.0}}, {"value": 1.0}),
    ],
)
def test_a_confidence_is_read(method: str, follows: Any, due: dict[str, Any], tmp_path: Path) -> None:
    found = confidences(tmp_path, follows, ptrue=method, ptrue_samples=4)
    assert [{name: one[name] for name in ("missing", *due)} for one in found] == [{"missing": None} | due] * 2
