"""The authors' prompts are read as data from a file of their shape; this stand-in has none of their words."""

import textwrap
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog

from refusalbench_tasks import bluff, garage, nq
from refusalbench_tasks.datasets import remote
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.released_judge import read_verdict
from refusalbench_tasks.solvers.released_prompts import released_constant, released_prompt
from refusalbench_tasks.taxonomy import Label
from tests.models import fake, metrics_of
from tests.released import ANSWER, CODES, GARAGE, NQ, PTRUE


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name, text in {"nq": NQ, "garage": GARAGE}.items():
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    return {name: str(tmp_path / f"{name}.py") for name in ("nq", "garage")}


def test_a_prompt_keeps_its_blanks_and_gets_our_slots(files: dict[str, str]) -> None:
    template = released_prompt("nq", files["nq"]).template
    assert template.startswith("\n        Stand-in with {braces}. REFUSE_")
    assert template.endswith("Q: {{query}}\n        C: {{context}}\n        ")
    assert released_prompt("nq judge", files["nq"]).template.endswith("Q: {{query}} R: {{reply}} REF: {{references}}")
    assert released_constant("nq judge", "formatted_correct", files["nq"]) == "no references here"
    # the two judges of garage are told apart by their branch
    assert "{{references}}" in released_prompt("garage judge, answerable", files["garage"]).template
    assert "{{expected}}" in released_prompt("garage judge, unanswerable", files["garage"]).template


@pytest.mark.parametrize(
    "before, after, problem",
    [
        (
            "{model_output}",
            "{model_output.strip()}",
            "expected one 'universal_prompt' with query, references, reply",
        ),
        ("REF: {formatted_correct}", "", "expected one 'universal_prompt' with query, references, reply"),
        ("universal_prompt = f", "another = f", "expected one 'universal_prompt'"),
        ("async def classify_and_evaluate_response", "async def other", "expected one 'universal_prompt'"),
        ("class Evaluator:", "class Evaluator", "is not a readable Python module"),
    ],
)
def test_a_file_of_another_shape_is_one_clear_error(tmp_path: Path, before: str, after: str, problem: str) -> None:
    assert before in NQ
    path = tmp_path / "odd.py"
    path.write_text(NQ.replace(before, after), encoding="utf-8")
    with pytest.raises(DataError) as raised:
        released_prompt("nq judge", str(path))
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


VERDICT = "CLASSIFICATION: answer_attempt\nQUALITY_SCORE: 4\nEXPLANATION: fits"


def test_a_verdict_is_read_line_by_line() -> None:
    assert read_verdict(VERDICT, {"grade": "QUALITY_SCORE"}) == (Label.ANSWER, {"grade": 4.0}, "fits")
    code = "CLASSIFICATION: REFUSE_OTHER\nQUALITY_SCORE: N/A\nEXPLANATION: refuses"
    assert read_verdict(code, {"grade": "QUALITY_SCORE"}) == (Label.OTHER, {}, "refuses")


@pytest.mark.parametrize(
    "text",
    [
        "",
        VERDICT.replace("4", "4/5"),
        VERDICT.replace("4", "N/A"),
        VERDICT.replace("answer_attempt", "REFUSE_NEW"),
        f"CLASSIFICATION: REFUSE_OTHER\n{VERDICT}",
    ],
)
def test_a_verdict_that_cannot_be_read_is_none(text: str) -> None:
    with pytest.raises(ValueError):
        read_verdict(text, {"grade": "QUALITY_SCORE"})


def run(task: Any, file: str, replies: Any, verdicts: Any, logs: Path) -> EvalLog:
    made = task(data="sample", judge="always", prompt=file, judge_prompt=file)
    [log] = eval(
        made, model=fake(replies), model_roles={"grader": fake(verdicts)}, limit=12, log_dir=str(logs), display="none"
    )
    return log


def test_a_run_by_the_released_prompts_says_so_and_scores(files: dict[str, str], tmp_path: Path) -> None:
    seen: list[str] = []

    def verdict(prompt: str) -> str:
        seen.append(prompt)
        return VERDICT if "no references here" not in prompt else VERDICT.replace("answer_attempt", "REFUSE_OTHER")

    log = run(nq, files["nq"], lambda prompt: "Paris", verdict, tmp_path)
    found = metrics_of(log, "refusal_scores")
    assert (found["answer_accuracy"], found["detection_f1"], found["category_accuracy"]) == (1.0, 1.0, 0.0)
    assert all(prompt.startswith("Sort this. REFUSE_") for prompt in seen)
    metadata = log.eval.metadata or {}
    assert (metadata["prompt"], metadata["judge_prompt"]) == ("official", "official")
    assert len(metadata["prompt_file_sha256"]) == 64
    assert (log.samples or [])[0].messages[0].text.startswith("\n        Stand-in with {braces}.")


def test_garage_shows_the_gold_code_to_the_judge_of_unanswerable_rows_alone(
    files: dict[str, str], tmp_path: Path
) -> None:
    seen: list[str] = []

    def verdict(prompt: str) -> str:
        seen.append(prompt)
        flags = "ELIGIBILITY: 1\nFACTUALITY_ALL: 0\nFACTUALITY_RELEVANT: 1\n"
        return f"CLASSIFICATION: answer_attempt\n{flags}EXPLANATION: supported"

    log = run(garage, files["garage"], lambda prompt: "Paris [1]", verdict, tmp_path)
    found = metrics_of(log, "grounded_scores")
    assert (found["answer_accuracy"], found["missed_refusal_rate"]) == (1.0, 1.0)
    shown = sum(prompt.removeprefix(CODES).count("REFUSE_") for prompt in seen)
    assert shown == sum(not (sample.metadata or {})["expected"].startswith("ANSWER") for sample in log.samples or [])


def test_bluff_is_asked_by_both_released_prompts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prompts_core.py").write_text(ANSWER, encoding="utf-8")
    (tmp_path / "internal_confidence_ptrue.py").write_text(PTRUE, encoding="utf-8")

    def kept(file: remote.PinnedFile, **_: Any) -> Path:
        return tmp_path / file.path

    monkeypatch.setattr("refusalbench_tasks.solvers.released_prompts.fetch", kept)
    released_prompt.cache_clear()
    seen: list[str] = []

    def reply(prompt: str) -> str:
        seen.append(prompt)
        return "A" if "(A) yes" in prompt else "It was 1931."

    made = bluff(data="sample", prompt="official", ptrue="sample", ptrue_samples=1, judge="offline")
    [log] = eval(made, model=fake(reply), limit=1, log_dir=str(tmp_path), display="none")
    released_prompt.cache_clear()
    asked, judged = seen
    assert asked.startswith("Answer ")
    assert "\nSource 1:\nTitle: " in asked
    assert "\n\nSource 2:\n" in asked
    assert asked.endswith("\n\nBe short.")
    assert "\nSources:\nSource 1:\n" in judged
    assert (log.eval.metadata or {})["prompt"] == "official"
    assert (log.samples or [])[0].store["Confidence:value"] == 1.0


def test_a_verdict_out_of_format_is_a_failure_of_the_grader(files: dict[str, str], tmp_path: Path) -> None:
    log = run(nq, files["nq"], lambda prompt: VERDICT, lambda prompt: "I think it is fine.", tmp_path)
    reasons = {(sample.scores or {})["refusal_scores"].reason for sample in log.samples or []}
    assert reasons == {"grader_failed"}
