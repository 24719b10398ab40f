"""A run of `question` from its parts, and what ends it before it begins."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.model import Model, get_model

from refusalbench_tasks.generators.kit.panel import require_verifiers
from refusalbench_tasks.own.questions.question_scorer import question_scores
from refusalbench_tasks.own.questions.question_settings import ROLE
from refusalbench_tasks.own.questions.writing import question_writing
from refusalbench_tasks.tasks.question import question
from tests.models import output
from tests.own.questions.panel import (
    fleet,
    metrics,
    model,
    outcomes,
    read_well,
    reader,
    run,
    said,
    write_well,
    writer,
)


def test_its_parts_make_a_task_of_ones_own() -> None:
    whole = run(writer(), [reader("a")])
    parts = Task(
        dataset=question(corpus=fleet(), cache=False).dataset,
        setup=require_verifiers(role=ROLE),
        solver=question_writing(cache=False),
        scorer=question_scores(corpus="fleet.jsonl", rivals=0, cache=False),
    )
    roles: Any = {"reader": [reader("a")]}
    (log,) = eval(
        parts, model=writer(), model_roles=roles, log_dir="logs", display="none"
    )
    assert outcomes(log) == outcomes(whole) != []
    assert metrics(log) == pytest.approx(metrics(whole), nan_ok=True)


def gone(name: str) -> Model:
    """Return a model whose every call fails."""
    made = reader(name)

    async def generate(*_: Any, **__: Any) -> Any:
        raise LookupError("404: no such model\nand more")

    made.generate = generate  # type: ignore[method-assign]
    return made


def test_a_reader_that_cannot_be_called_ends_the_run_before_any_writing() -> None:
    written: list[str] = []

    def write(prompt: str) -> dict[str, Any]:
        written.append(prompt)
        return write_well(prompt)

    log = run(writer(write), [reader("a"), gone("b")])
    assert log.error
    assert log.error.message.startswith(
        "reader mockllm/b cannot be called: LookupError: 404: no such model; nothing"
    )
    assert written == []


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (
            lambda _: "no",
            (
                "missed 8 of 8 known questions (no verdict, grader_no_payload: 'In"
                " which year did the"
            ),
        ),
        (
            lambda _: said("1911"),
            (
                "missed 4 of 8 known questions (answer instead of refusal: 'What does a"
                " ticket"
            ),
        ),
    ],
)
def test_a_reader_that_misreads_known_questions_ends_the_run_at_once(
    answer: Any, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    written: list[str] = []

    def write(prompt: str) -> dict[str, Any]:
        written.append(prompt)
        return write_well(prompt)

    def reply(messages: Any, tools: Any, *_: Any) -> Any:
        return output(answer(messages[-1].text), tool=tools[0].name)

    bad = get_model("mockllm/bad", custom_outputs=reply, memoize=False)
    log = run(writer(write), [bad])
    assert log.error
    assert log.error.message.startswith(f"reader mockllm/bad {problem}")
    assert log.error.message.endswith("-T max_failures=0, which leaves out the check")
    assert "--model-role reader=PROVIDER/MODEL" in log.error.message
    assert written == []


def test_without_a_reader_nothing_is_spent_and_no_writer_reads_itself() -> None:
    asked: list[str] = []

    def write(prompt: str) -> dict[str, Any]:
        asked.append(prompt)
        return write_well(prompt)

    (log,) = eval(
        question("sample", cache=False),
        model=writer(write),
        log_dir="logs",
        display="none",
    )
    assert log.error
    assert "no reader is bound" in log.error.message
    log = run(writer(write), [model("w", read_well)])
    assert log.error
    assert "the writer mockllm/w is the only reader" in log.error.message
    assert asked == []
