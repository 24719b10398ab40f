import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.own.documents.corpus import Chunk, write_corpus
from refusalbench_tasks.own.questions.chunk_text import Searched
from refusalbench_tasks.own.questions.faq_questions import FoundQuestion, questions_in
from refusalbench_tasks.own.questions.swap_rows import (
    may_hold_answer,
    nearest_without_answer,
)
from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.nq import nq
from tests.logged import numbers_of
from tests.own.questions.company import CORPUS, FAQ, chunk

SEARCHED = Searched(CORPUS)


def command(
    folder: Path,
    *arguments: str,
    name: str = "rows.jsonl",
    corpus: tuple[Chunk, ...] = CORPUS,
) -> Result:
    write_corpus(folder / "corpus.jsonl", corpus)
    return CliRunner().invoke(
        main,
        [
            "documents",
            str(folder / "corpus.jsonl"),
            "--unanswerable",
            str(folder / name),
            *arguments,
        ],
    )


def rows(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    told = command(folder, *arguments)
    assert told.exit_code == 0, told.output
    return [
        json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()
    ]


def asked(text: str, answer: str, place: int) -> FoundQuestion:
    chunk = CORPUS[place]
    return FoundQuestion(text, (answer,), chunk, chunk.text, "heading")


def test_a_passage_that_is_too_short_without_its_question_gives_no_row(
    tmp_path: Path,
) -> None:
    told = command(
        tmp_path,
        corpus=(
            *CORPUS,
            chunk("May I bring a dog along?", "Yes, on a lead.", "faq.md"),
        ),
    )
    assert (
        "left out, its passage is too short without the question: May I bring a dog"
        " along?" in told.output
    )
    assert "8 rows" in told.output


def test_what_may_answer_is_never_a_swap() -> None:
    question = asked(
        "How long may a tool be kept?", "A tool may be kept for fourteen days.", 0
    )
    others = {
        "says the same": chunk(
            "Loans", "Whatever you borrow, fourteen days is what you get.", "a.md"
        ),
        "asks the same": chunk(
            "For how long is a tool kept?", "Ask at the desk.", "b.md"
        ),
        "is of the section": chunk(
            "How long may a tool be kept?", "Ladders too.", "faq.md"
        ),
        "is short": chunk("Loans", "A tool is kept dry.", "c.md"),
        "is free of it": chunk(
            "Loans",
            "A tool is kept dry on the highest shelf of the hall, by the lamps.",
            "c.md",
        ),
    }
    found = {name: may_hold_answer(question, other) for name, other in others.items()}
    assert found == {name: name != "is free of it" for name in others}


def test_the_nearest_passage_that_does_not_answer_is_taken() -> None:
    question = asked("Where is a tool rack cleaned on Fridays?", "In the hall.", 4)
    ranked = SEARCHED.nearest(question.text, 9)
    assert ranked[0] is CORPUS[4]
    assert nearest_without_answer(question, SEARCHED) is ranked[1]


def test_each_question_has_a_row_with_its_passage_and_one_with_a_near_miss(
    tmp_path: Path,
) -> None:
    made = rows(tmp_path)
    assert len(made) == 2 * len(FAQ)
    for number, (own, other) in enumerate(zip(made[::2], made[1::2], strict=True)):
        question = questions_in(CORPUS)[number]
        nearest = nearest_without_answer(question, SEARCHED)
        assert nearest is not None
        assert (own["context"], other["context"]) == (
            CORPUS[number].text,
            nearest.text,
        )
        assert own["query"] == other["query"] == question.text
        assert (own["pair_id"], own["generator"]) == (other["pair_id"], "swap")
        assert (own["class"], other["class"], other["lever"]) == (
            None,
            "P-MissingInfo",
            "Passage Swapped",
        )
        assert (own["document"], other["source"]) == ("faq.md", nearest.source)


def test_the_oracle_is_perfect_on_rows_with_one_passage(tmp_path: Path) -> None:
    rows(tmp_path)
    m = perfect(
        nq(data=str(tmp_path / "rows.jsonl"), judge="offline"),
        tmp_path,
        "refusal_scores",
    )
    assert (m["answer_accuracy_n"], m["refusal_accuracy_n"]) == (4, 4)


def perfect(task: Any, folder: Path, scorer: str) -> dict[str, float]:
    (log,) = eval(
        task,
        solver=oracle(),
        model="none/none",
        log_dir=str(folder / "logs"),
        display="none",
    )
    assert log.status == "success", log.error
    m = numbers_of(log, scorer)
    assert (m["answer_accuracy"], m["refusal_accuracy"], m["n_unscored"]) == (1, 1, 0)
    return m


def test_rows_may_be_parquet(tmp_path: Path) -> None:
    command(tmp_path, name="rows.parquet")
    (log,) = eval(
        nq(data=str(tmp_path / "rows.parquet"), judge="offline"),
        solver=oracle(),
        model="none/none",
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success"


def test_a_corpus_that_asks_nothing_says_what_to_do(tmp_path: Path) -> None:
    told = command(tmp_path, corpus=CORPUS[4:])
    assert told.exit_code == 1
    assert "asks a question; let a model write some" in told.output
    told = command(tmp_path, corpus=CORPUS[:1])
    assert told.exit_code == 1
    assert "add documents" in told.output
