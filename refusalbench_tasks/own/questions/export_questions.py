"""Logs of `question` to a folder: base questions, rows for an index of one's own, and a
card.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.draw import grouped
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.answers import answer_type, word_key, words_of
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.generators.kit.card import DataCard, counts_table
from refusalbench_tasks.generators.kit.export import write_set
from refusalbench_tasks.generators.kit.runs import TaskRuns
from refusalbench_tasks.generators.kit.yields import OUTCOMES
from refusalbench_tasks.log_reading import LogHeaders
from refusalbench_tasks.own.documents.corpus import Chunk
from refusalbench_tasks.safe_writing import jsonl
from refusalbench_tasks.taxonomy import (
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
)

from .chunk_text import passage_of
from .draft import Question
from .draft_checks import nearly_same
from .question_scoring import QUESTION, NotedQuestions
from .slot import ChunkSlot

NAME = "Questions from documents"
BASES = "bases.jsonl"
INDEX = "index.jsonl"
ABOUT = (
    "Questions from passages of documents: what these answer, with the answers, and"
    " what no document answers."
)
LEVER = "Out Of Scope"
Row = dict[str, Any]


@dataclass(frozen=True)
class NotedChunk:
    """A chunk that was asked about, with what its last score notes."""

    chunk: Chunk
    noted: NotedQuestions


@dataclass(frozen=True)
class AcceptedQuestion:
    """An accepted question with its chunk, the passages that answer it otherwise, and
    who wrote and read it.
    """

    question: Question
    conflicts: tuple[str, ...]
    chunk: Chunk
    noted: NotedQuestions


def find_question_runs(logs: Sequence[str] | LogHeaders) -> TaskRuns[NotedChunk]:
    """Return the finished runs of `question` in files and folders; what cannot be read
    is left out and named.
    """
    return QUESTION.read(
        logs,
        lambda _, sample, score, noted: NotedChunk(
            ChunkSlot.model_validate(sample.metadata).chunk, noted
        ),
    )


def export_questions(
    runs: TaskRuns[NotedChunk], folder: Path, licence: str | None = None
) -> list[str]:
    """Write the accepted questions of runs to a folder, all files or none, and return
    what is to be told, by line.

    `bases.jsonl` holds those with an answer, for `perturb` and `nq`; `index.jsonl`, if
    there are questions without one, all of them, for an application that searches its
    own index. Raises DataError if no question was accepted.
    """
    accepted = []
    for asked in runs.items:
        for judged in asked.noted.questions:
            if judged.accepted and judged.question is not None:
                accepted.append(
                    AcceptedQuestion(
                        judged.question,
                        judged.conflicts,
                        asked.chunk,
                        asked.noted,
                    )
                )
    chosen, clashes = distinct_questions(accepted)
    if not chosen:
        raise DataError(
            "no accepted question in these logs, so there is nothing to export"
        )
    bases = []
    outside = []
    for item in chosen:
        if item.question.kind == "answerable":
            bases.append(question_row(item, licence))
        else:
            outside.append(outside_row(item, licence))
    every = [*bases, *outside]
    rows = {BASES: bases} if bases else {}
    if outside:
        rows[INDEX] = every
    left = (
        f"{len(accepted) - len(chosen) - clashes} repeats, {clashes} with different"
        " answers to the same words"
    )
    files = {
        "README.md": _card(
            runs,
            every,
            rows,
            licence,
            left,
        )
    }
    for name, of_file in rows.items():
        files[name] = jsonl(of_file)
    without = f" and {len(outside)} questions without an answer" if outside else ""
    return [
        f"{len(bases)} base questions{without} from {_documents(every)} documents",
        f"left out: {left}",
        *map(str, write_set(folder, files, (BASES, INDEX, "README.md"))),
    ]


def distinct_questions(
    items: Sequence[AcceptedQuestion],
) -> tuple[list[AcceptedQuestion], int]:
    """Return each question once, by id, and how many were left out because the same
    words have different answers.

    Where that is so no reader can know which is meant: all are left out. Of questions
    that share an answer, or have none, and are nearly the same (`nearly_same`) the
    first by id is kept.
    """
    asked = grouped(
        sorted(items, key=lambda item: item.question.id),
        lambda item: word_key(item.question.question),
    )
    kept = []
    by_answer: dict[object, list[AcceptedQuestion]] = defaultdict(list)
    clashes = 0
    for first, *others in asked.values():
        answers = _answers(first)
        if not all(answers & _answers(other) for other in others):
            clashes += 1 + len(others)
            continue
        text = first.question.question
        rivals = chain.from_iterable(by_answer[answer] for answer in answers)
        if any(nearly_same(text, rival.question.question) for rival in rivals):
            continue
        kept.append(first)
        for answer in answers:
            by_answer[answer].append(first)
    return kept, clashes


def question_row(item: AcceptedQuestion, licence: str | None = None) -> Row:
    """Return an accepted question as a row in the layout of NQ.

    `licence` stands for documents that state none. `provenance` says where answer and
    passage stand: document, page, and offsets in the text that was taken from it.
    """
    question = item.question
    kind = answer_type(question.question, question.answers)
    base = RefusalItem(
        item_id=question.id,
        source_id=question.id,
        query=question.question,
        passages=(passage_of(item.chunk),),
        answers=question.answers,
        expected=Label.ANSWER,
    )
    kinds = {"question_type": kind, "answer_type": kind}
    row = base_row(base) | kinds | _about(item, licence)
    if item.conflicts:
        row["conflicts"] = list(item.conflicts)
    return row


def outside_row(item: AcceptedQuestion, licence: str | None = None) -> Row:
    """Return a question that nothing in the corpus answers as a row without a passage,
    to be refused.

    A false premise may also be called missing information: an index that says nothing
    of it shows no more.
    """
    kind = item.question.kind
    accepted = []
    perturbation = PerturbationClass.MISSING_INFO
    if kind == "false premise":
        perturbation = PerturbationClass.FALSE_PREMISE
        accepted = [Label.MISSING.value]
    return {
        "id": item.question.id,
        "source_id": item.question.id,
        "query": item.question.question,
        "context": "",
        "answers": [],
        "class": perturbation.value,
        "intensity": Intensity.HIGH.value,
        "expected_rag_behavior": expected_label(perturbation, Intensity.HIGH).value,
        "accepted_alternatives": accepted,
        "lever": f"{LEVER}: {kind}",
        "generator": item.noted.writer,
        "question_type": kind,
    } | _about(item, licence)


def _about(item: AcceptedQuestion, licence: str | None) -> Row:
    return {
        "kind": item.question.kind,
        "support": item.question.support,
        "licence": item.chunk.licence or licence or "not stated",
        # a question on another subject is about no document
        "document": (
            "" if item.question.kind == "plainly outside" else item.chunk.source
        ),
        "writer": item.noted.writer,
        "readers": list(item.noted.readers),
        "provenance": {
            **item.chunk.model_dump(
                include={"id", "doc_id", "source", "page", "start", "end", "sha256"}
            ),
            "answer_start": item.question.start,
            "answer_end": item.question.end,
        },
    }


def _documents(rows: Sequence[Row]) -> int:
    return len({row["document"] for row in rows} - {""})


def _answers(item: AcceptedQuestion) -> set[object]:
    return {words_of(answer) for answer in item.question.answers} or {""}


def _card(
    runs: TaskRuns[NotedChunk],
    every: Sequence[Row],
    files: Mapping[str, Sequence[Row]],
    licence: str | None,
    left: str,
) -> str:
    outcomes = []
    for item in runs.items:
        for judged in item.noted.questions:
            came = judged.kind, OUTCOMES[judged.accepted], judged.reason or ""
            outcomes.append(came)
    yielded = counts_table(
        outcomes,
        "kind",
        "outcome",
        "reason",
        "questions",
    )
    kinds = [(row["kind"], row["question_type"]) for row in every]
    composition = counts_table(
        kinds,
        "kind",
        "asks for",
        "rows",
    )
    sections = (
        ("Composition", [composition, f"Documents: {_documents(every)}."]),
        (
            "Yield",
            [
                (
                    "What came of every question, by the first reason that spoke"
                    " against it."
                ),
                yielded,
            ],
        ),
        ("Left out", [f"Of the accepted questions: {left}."]),
    )
    numbers = {name: len(rows) for name, rows in files.items()}
    names = {Path(name).stem: name for name in files}
    licences = {row["licence"] for row in every}
    return DataCard(
        name=NAME,
        about=(
            f"{len(every)} questions from documents, made with"
            f" `refusalbench_tasks/question`. {ABOUT}"
        ),
        licence=licence or ", ".join(sorted(licences)),
        rows=len(every),
        files=names,
        runs=[run.header for run in runs.runs],
        settings={"rows": numbers},
        sections=sections,
        limits=(
            "That nothing answers a question was checked on the nearest passages alone."
        ),
    ).markdown()
