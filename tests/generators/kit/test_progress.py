"""What a run that makes data tells of itself, while it works and at its end."""

import logging
from typing import Any

import pytest
from inspect_ai.log import EvalSample
from inspect_ai.scorer import Score

from refusalbench_tasks.generators.kit import progress
from refusalbench_tasks.generators.kit.progress import (
    WHAT_A_WRITER_NEEDS,
    closing_line,
    show_progress,
)
from tests.generators.panel import scripted
from tests.own.questions.panel import reader, writer
from tests.own.questions.panel import run as run_question
from tests.tasks.generation import metrics, run, verifier


def sample(*reasons: str) -> EvalSample:
    score = Score(value=0, metadata={"reasons": list(reasons)})
    return EvalSample(id=1, epoch=1, input="", target="", scores={"s": score})


def line(*samples: EvalSample) -> str:
    return closing_line(samples, "s", lambda score: (score.metadata or {})["reasons"])


def test_the_closing_line_of_a_run_without_acceptance_names_the_main_reason() -> None:
    told = line(sample("a"), sample("b", "a"), sample("c"))
    assert (
        told == f"nothing was accepted; most often: a (2 of 4). {WHAT_A_WRITER_NEEDS}"
    )
    assert line(sample("a"), sample()) == ""
    assert line() == ""
    assert closing_line([sample("a")], "another scorer", lambda _: ["x"]) == ""


@pytest.fixture
def _here(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_here")
def test_runs_in_which_nothing_was_accepted_say_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = run(lambda _: "no", [verifier("a")], classes="MissingInfo", intensities="LOW")
    assert metrics(log)["n_writer_no_payload"] == 3
    run_question(writer(lambda _: "no"), [reader()])
    told = [
        record.getMessage()
        for record in caplog.records
        if "nothing was accepted" in record.getMessage()
    ]
    assert [text.partition(" (")[0] for text in told] == [
        "perturb: nothing was accepted; most often: writer_no_payload",
        "question: nothing was accepted; most often: writer_no_payload",
    ]
    caplog.clear()
    run_question(writer(), [reader()])
    assert "nothing was accepted" not in caplog.text


@pytest.mark.usefixtures("_here")
def test_the_display_names_what_is_being_worked_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[tuple[str, str]] = []
    monkeypatch.setattr(
        progress, "display_counter", lambda work, name: shown.append((work, name))
    )
    run_question(writer(), [reader()])
    run(scripted, [verifier("a")], classes="MissingInfo", intensities="LOW")
    assert [work for work, _ in shown] == ["question"] * 3 + ["perturb"] * 3
    assert all(
        name.startswith("fleet.md, from ") for work, name in shown if work == "question"
    )
    assert all("P-MissingInfo" in name for work, name in shown if work == "perturb")


def test_a_name_from_outside_moves_no_cursor_and_is_no_markup(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, logger="refusalbench_tasks"):
        show_progress("question", "[/red]\x1b[2J\nname")
    assert caplog.messages == ["question: [/red] [2J name"]
