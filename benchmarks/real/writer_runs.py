"""What a small writer is tried on: each of the tasks that make data, on a few slots."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inspect_ai import Task

from refusalbench_tasks.own.documents.build import build_corpus
from refusalbench_tasks.own.documents.passages import DocumentSettings
from refusalbench_tasks.safe_writing import write_whole
from refusalbench_tasks.tasks.collect import collect
from refusalbench_tasks.tasks.perturb import perturb
from refusalbench_tasks.tasks.question import question

COMPANY = Path(__file__).parents[2] / "examples" / "company"
SLOTS = 6
RECORDS = 2
TOPICS = """topics:
  sports: [winners of the Cairn Relay]
  finance: [policy rate of the Reserve Bank of Quennia]
"""
"""Subjects on which the local web has pages."""
ONE_ITEM = 700
"""Tokens of a reply with one draft, its analysis and its evidence."""
THREE_ITEMS = 1800
"""Tokens of a reply with three drafts."""


@dataclass(frozen=True)
class WriterRun:
    """One run: how its task is made, and how long a reply may be.

    `make` takes a folder for what the task reads, and the argument `search`.
    """

    name: str
    make: Callable[[Path, str], Task]
    longest: int = ONE_ITEM


def _perturb(folder: Path, search: str) -> Task:
    return _perturbing(together=False)


def _together(folder: Path, search: str) -> Task:
    return _perturbing(together=True)


def _perturbing(together: bool) -> Task:
    return perturb(
        bases="nq_sample",
        together=together,
        self_votes=True,
        cache=False,
        max_failures=0,
    )


def _question(folder: Path, search: str) -> Task:
    corpus = folder / "corpus.jsonl"
    build_corpus(COMPANY, corpus, DocumentSettings())
    return question(corpus=str(corpus), n=SLOTS, outside=1, cache=False, max_failures=0)


def _collect(folder: Path, search: str) -> Task:
    topics = folder / "topics.yaml"
    write_whole(topics, TOPICS)
    return collect(
        search=search,
        n=RECORDS,
        topics=str(topics),
        unknown="unreliable",
        archive=str(folder / "archive"),
        delay=0.0,
        self_reads=True,
        cache=False,
        max_failures=0,
    )


RUNS = (
    WriterRun("perturb", _perturb),
    WriterRun("perturb-together", _together, THREE_ITEMS),
    WriterRun("question", _question),
    WriterRun("collect", _collect),
)
