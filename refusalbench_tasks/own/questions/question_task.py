"""The task `question`: from chunks to a run in which questions are written and read."""

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Score

from refusalbench_tasks.datasets.draw import fingerprint, shard_facts
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.calls import prompt_hashes
from refusalbench_tasks.generators.kit.panel import require_bound, require_verifiers
from refusalbench_tasks.generators.kit.progress import tell_why_nothing_came
from refusalbench_tasks.own.documents.corpus import load_corpus
from refusalbench_tasks.own.questions.judging import NotedQuestions
from refusalbench_tasks.own.questions.question_scorer import question_scores
from refusalbench_tasks.own.questions.question_settings import (
    ROLE,
    SCORER,
    QuestionSettings,
    ReadingSettings,
)
from refusalbench_tasks.own.questions.slot import draw_chunks, plan_chunks
from refusalbench_tasks.own.questions.writing import PACKAGE, question_writing


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
    remembered = settings.model_dump(include=set(ReadingSettings.model_fields))
    return Task(
        dataset=MemoryDataset(
            [slot.to_sample(remembered) for slot in plan], name="RefusalBench-question"
        ),
        setup=require_verifiers(False, settings.max_failures, reads=False, role=ROLE),
        solver=question_writing(settings.cache, settings.seed),
        scorer=question_scores(**remembered),
        headline_metric=HeadlineMetric(scorer=SCORER, metric="acceptance"),
        version=version,
        metadata={
            **settings.model_dump(exclude={"n", "cache", "max_failures", "shard"}),
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
