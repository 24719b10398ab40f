"""The task `question`: from chunks to a run in which questions are written and read."""

from typing import Literal

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Score
from pydantic import Field

from refusalbench_tasks.arguments import Arguments, Count, Natural, Switch, Text, Whole
from refusalbench_tasks.datasets.draw import ShardArgument, fingerprint, shard_facts
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.calls import prompt_hashes
from refusalbench_tasks.generators.kit.panel import (
    LONGEST_RUN,
    require_bound,
    require_verifiers,
)
from refusalbench_tasks.generators.kit.progress import tell_why_nothing_came
from refusalbench_tasks.own.documents.corpus import load_corpus
from refusalbench_tasks.own.questions.judging import NotedQuestions
from refusalbench_tasks.own.questions.question_scorer import (
    RIVALS,
    ROLE,
    SCORER,
    question_scores,
)
from refusalbench_tasks.own.questions.slot import draw_chunks, plan_chunks
from refusalbench_tasks.own.questions.writing import PACKAGE, question_writing


class QuestionSettings(Arguments):
    """The arguments of `question`."""

    corpus: Text = Field(
        description=(
            "chunks, as `refusalbench documents` writes them, or `sample`: -T"
            " corpus=FILE"
        )
    )
    """A file of chunks, as `refusalbench documents` writes it, or `sample`."""
    n: Count | None = None
    """Draw this many chunks; all without it."""
    questions: Natural = 3
    """How many questions a chunk may have that it answers."""
    outside: Natural = 0
    """How many a chunk may have that nothing in the corpus answers, of four kinds that
    take turns.
    """
    rivals: Natural = RIVALS
    """At how many other chunks a reader looks for other answers to a question; 0 leaves
    that out.
    """
    conflicts: Literal["drop", "keep"] = "drop"
    """What to do with a question that another chunk answers otherwise: drop it, or keep
    it and mark its row.
    """
    cache: Switch = True
    """Keep finished calls for a week, so that a killed run pays for none twice."""
    max_failures: Natural = LONGEST_RUN
    """Failures of one reader in a row that stop the run; 0 allows any number, and
    leaves out the call to each reader at the start.
    """
    seed: Whole = 0
    """Seed of the draw and of the cache."""
    shard: ShardArgument = None
    """The part of the chunks that this process takes, as `2/8`: the second of eight
    (docs/scale.md).
    """


def question_task(version: str, settings: QuestionSettings) -> Task:
    """Return the run that the arguments ask for.

    Raises DataError for what can't be run.
    """
    require_bound(ROLE, include_writer=False)
    tell_why_nothing_came("question", SCORER, why_not_accepted)
    chunks = load_corpus(settings.corpus)
    if not settings.questions + settings.outside:
        raise DataError("questions=0 and outside=0 ask for nothing; give one of them")
    drawn = draw_chunks(chunks, settings.n, settings.seed)
    whole, plan = plan_chunks(
        drawn, settings.questions, settings.outside, settings.shard, settings.seed
    )
    told = settings.model_dump(include={"corpus", "rivals", "conflicts", "seed"})
    return Task(
        dataset=MemoryDataset(
            [slot.to_sample() for slot in plan], name="RefusalBench-question"
        ),
        setup=require_verifiers(False, settings.max_failures, reads=False, role=ROLE),
        solver=question_writing(settings.cache, settings.seed),
        scorer=question_scores(
            **told, cache=settings.cache, max_failures=settings.max_failures
        ),
        headline_metric=HeadlineMetric(scorer=SCORER, metric="acceptance"),
        version=version,
        metadata={
            **told,
            "questions": settings.questions,
            "outside": settings.outside,
            "corpus_fingerprint": fingerprint(chunks),
            "chunks": len(chunks),
            "documents": len({chunk.doc_id for chunk in chunks}),
            "planned": len(plan),
            **shard_facts(settings.shard, whole),
            "prompts": prompt_hashes(PACKAGE),
        },
    )


def why_not_accepted(score: Score) -> list[str]:
    """Return why the questions of a chunk were not accepted, by the names of the
    metrics; nothing if one was.
    """
    questions = NotedQuestions.model_validate(score.metadata or {}).questions
    if any(question.accepted for question in questions):
        return []
    if not questions:
        return [score.reason or "no question was given"]
    return [question.reason or "undecided" for question in questions]
