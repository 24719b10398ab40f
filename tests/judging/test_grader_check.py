"""A grader that misreads known replies ends a run before anything is paid for, or
leaves a warning.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval, score
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.util import LimitExceededError

from refusalbench_tasks.judging.grader_check import known_replies
from refusalbench_tasks.judging.graders import LONGEST
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.results.show import shown_runs, text_tables
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.scorers.refusal import refusal_scores
from refusalbench_tasks.tasks.nq import nq
from tests.models import Answer, fake, part

KNOWN = {known.reply for known in known_replies()}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))


class Watched:
    """A model that counts what it is asked."""

    def __init__(self, answer: Callable[[str], Answer]) -> None:
        self.asked: list[str] = []
        self._answer = answer
        self.model: Model = fake(self._reply, checked=False)

    def _reply(self, prompt: str) -> Answer:
        self.asked.append(prompt)
        return self._answer(prompt)


def replies(_: str) -> str:
    return "It was 1931, I think."


def run(grader: Model, model: Model | None = None, **settings: Any) -> EvalLog:
    options: dict[str, Any] = {"limit": 3}
    options |= {
        key: settings.pop(key) for key in ("limit", "fail_on_error") if key in settings
    }
    task = nq(data="sample", codes=False, **settings)
    roles: Any = {"grader": grader}
    model = model or fake(replies)
    (log,) = eval(
        task, model=model, model_roles=roles, log_dir="logs", display="none", **options
    )
    return log


def test_a_grader_that_misreads_known_replies_ends_the_run_before_any_reply() -> None:
    grader = Watched(lambda _: {"explanation": "x", "label": "REFUSAL"})
    evaluated = Watched(replies)
    log = run(grader.model, evaluated.model)
    assert log.status == "error"
    assert log.error
    assert "\n" not in log.error.message
    assert log.error.message.startswith(
        "grader mockllm/fake missed 4 of 8 known replies (refusal instead of answer:"
        " '1911', "
    )
    assert "--model-role grader=PROVIDER/MODEL" in log.error.message
    assert "-T grader_check=warn" in log.error.message
    assert log.error.message.endswith("eval-retry takes no -T: start the run anew")
    assert evaluated.asked == []
    assert len(grader.asked) == 8 + 4


def test_a_grader_without_verdicts_is_asked_nothing_after_its_check() -> None:
    grader = Watched(lambda _: "no")
    evaluated = Watched(replies)
    log = run(grader.model, evaluated.model, fail_on_error=False)
    assert {sample.error is None for sample in log.samples or []} == {False}
    message = (log.samples or [])[0].error
    assert message
    assert (
        "missed 8 of 8 known replies (no verdict, grader_no_payload: '1911'"
        in message.message
    )
    assert evaluated.asked == []
    assert len(grader.asked) == 8 * 2 * 2


def test_one_slip_passes_and_the_check_is_made_once_for_all_scorers() -> None:
    def slips(prompt: str) -> Answer:
        reply = part(prompt, "REPLY")
        label = "REFUSAL" if reply == "1911" or "not" in reply else "ANSWER_ATTEMPT"
        refusals = [known.reply for known in known_replies() if known.refuses]
        label = "REFUSAL" if reply in refusals else label
        return {"explanation": "x", "label": label} | (
            {"grade": 5} if reply not in KNOWN else {}
        )

    grader = Watched(slips)
    assert run(grader.model).status == "success"
    assert sum(part(prompt, "REPLY") in KNOWN for prompt in grader.asked) == 8


def test_a_second_run_takes_a_check_that_was_passed_from_the_cache() -> None:
    graders = [
        Watched(lambda prompt: right_verdict_of(prompt) or "no") for _ in range(2)
    ]
    for grader in graders:
        assert run(grader.model).status == "success"
    checked = [
        [prompt for prompt in grader.asked if part(prompt, "REPLY") in KNOWN]
        for grader in graders
    ]
    assert [len(prompts) for prompts in checked] == [8, 0]


def test_a_server_that_was_mended_is_seen_although_its_failure_was_cached() -> None:
    broken = Watched(lambda _: {"explanation": "x", "label": "REFUSAL"})
    mended = Watched(lambda prompt: right_verdict_of(prompt) or "no")
    assert run(broken.model).status == "error"
    assert run(mended.model).status == "success"
    assert sum(part(prompt, "REPLY") in KNOWN for prompt in mended.asked) == 4


def test_a_warning_is_in_log_table_and_page_and_off_asks_nothing() -> None:
    def says(prompt: str) -> Answer:
        graded = {"grade": 1} if "REFERENCES" in prompt else {}
        return {"explanation": "x", "label": "ANSWER_ATTEMPT"} | graded

    grader = Watched(says)
    log = run(grader.model, grader_check="warn")
    assert log.status == "success", log.error
    text = "grader mockllm/fake missed 4 of 8 known replies"
    for sample in log.samples or []:
        assert sample.metadata["settings"]["grader_check"] == "warn"
        assert (sample.scores or {})["refusal_scores"].metadata["grader_check"] == text  # type: ignore[index]
    runs = read_logs([log.location]).runs
    assert f"Warning: fake: {text}." in text_tables(shown_runs(runs))
    (group,) = groups_of(runs)
    assert [warning for warning in group.warnings if warning.endswith(f": {text}.")]
    quiet = Watched(says)
    assert run(quiet.model, grader_check="off").status == "success"
    assert not any(part(prompt, "REPLY") in KNOWN for prompt in quiet.asked)


def test_a_samples_limit_that_a_graders_call_meets_is_no_miss_of_the_grader() -> None:
    def limited(_: str) -> Answer:
        raise LimitExceededError("cost", value=2, limit=1, message="too dear")

    log = run(Watched(limited).model)
    assert log.error
    assert log.error.message.startswith("a sample ended while its grader was checked")


def test_scoring_a_log_anew_checks_its_grader_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = run(fake(lambda _: {"explanation": "x", "label": "REFUSAL"}))
    monkeypatch.setenv("INSPECT_CACHE_DIR", "another")  # both are called mockllm/fake
    grader = Watched(lambda _: "no")
    roles: Any = {"grader": grader.model}
    with pytest.raises(Exception, match="missed 8 of 8 known replies"):
        score(
            log, refusal_scores(), action="overwrite", model_roles=roles, display="none"
        )
    assert len(grader.asked) == 8 * 2 * 2


def test_ten_failures_in_a_row_are_told_once_with_the_commonest_reason(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(prompt: str) -> Answer:
        return "no" if len(grader.asked) % 8 else {"explanation": 1}

    grader = Watched(lambda prompt: right_verdict_of(prompt) or fails(prompt))
    with caplog.at_level(logging.WARNING):
        log = run(grader.model, limit=LONGEST + 4)
    assert log.status == "success", log.error
    told = [
        record.getMessage()
        for record in caplog.records
        if "in a row" in record.getMessage()
    ]
    assert len(told) == 1
    assert (
        f"The grader mockllm/fake gave no verdict on {LONGEST} replies in a row, most"
        " often: " in told[0]
    )
    assert "grader_no_payload" in told[0]


def right_verdict_of(prompt: str) -> Answer | None:
    """Return the right verdict on a known reply where no codes were asked for."""
    for known in known_replies():
        if known.reply == part(prompt, "REPLY"):
            return {
                "explanation": "x",
                "label": "REFUSAL" if known.refuses else "ANSWER_ATTEMPT",
            }
    return None


def test_the_bundled_replies_are_four_answers_and_four_refusals() -> None:
    assert [known.refuses for known in known_replies()] == [False] * 4 + [True] * 4
    assert len({known.item.query for known in known_replies()}) == 8
