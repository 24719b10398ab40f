"""A model that reads what a corpus has nearest to each question."""

from pathlib import Path

from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from refusalbench_tasks.search.search_annotator import ANNOTATION, search_annotator
from refusalbench_tasks.tasks.search import search
from tests.logged import numbers_of
from tests.models import as_json, fake, part


def annotated(
    model: Model, folder: Path, limit: int = 6, passages: int = 20
) -> EvalLog:
    (log,) = eval(
        search(data="sample", judge="offline"),
        solver=search_annotator(passages),
        model=model,
        limit=limit,
        sample_shuffle=1,
        log_dir=str(folder),
        display="none",
        fail_on_error=False,
    )
    return log


def says(label: str, answer: str) -> str:
    return as_json(why="It is so.", label=label, answer=answer, quotes=["forty"])


def test_a_row_that_the_annotator_answers_is_an_unsupported_answer(
    tmp_path: Path,
) -> None:
    def copying(prompt: str) -> str:
        first, _, _ = part(prompt, "PASSAGES").removeprefix("[1] ").partition(".")
        return says("ANSWER_CORRECTLY", first)

    log = annotated(fake(copying), tmp_path)
    m = numbers_of(log, "search_scores")
    assert m["unsupported_answer"] == 1
    for sample in log.samples or []:
        assert sample.output.completion in sample.store["refusalbench_retrieved"][0]
        assert sample.store[ANNOTATION]["quotes"] == ["forty"]


def test_a_code_is_a_refusal_with_the_evidence_seen(tmp_path: Path) -> None:
    code = "REFUSE_INFO_MISSING_IN_CONTEXT"
    log = annotated(fake(lambda prompt: says(code, "")), tmp_path)
    m = numbers_of(log, "search_scores")
    assert m["unsupported_answer"] == 0
    assert m["searches"] == 0
    assert {sample.output.completion for sample in log.samples or []} == {code}


def test_it_reads_the_nearest_passages_of_the_rows_own_corpus(tmp_path: Path) -> None:
    read: list[tuple[str, str]] = []

    def note(prompt: str) -> str:
        read.append((part(prompt, "QUESTION"), part(prompt, "PASSAGES")))
        return says("REFUSE_INFO_MISSING_IN_CONTEXT", "")

    log = annotated(fake(note), tmp_path, limit=2, passages=3)
    by_question = dict(read)
    for sample in log.samples or []:
        shown = sample.store["refusalbench_retrieved"]
        assert len(shown) == 3
        assert all(text in by_question[str(sample.input)] for text in shown)


def test_no_valid_label_is_an_error_and_no_verdict(tmp_path: Path) -> None:
    log = annotated(fake(lambda prompt: "I would say so."), tmp_path, limit=2)
    errors = [sample.error for sample in log.samples or []]
    assert len(errors) == 2
    for error in errors:
        assert error is not None
        assert "the annotator gave no label: grader_no_payload" in error.message
