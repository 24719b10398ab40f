"""The task `question`: from chunks to a run in which questions are written and read."""

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset

from refusalbench_tasks.datasets.draw import fingerprint, shard_facts
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit import once_a_run, one_run
from refusalbench_tasks.generators.kit.panel import require_bound, require_verifiers
from refusalbench_tasks.own.documents.corpus import load_corpus

from .question_scorer import question_scores
from .question_scoring import QUESTION
from .question_settings import ROLE, QuestionSettings, ReadingSettings
from .slot import draw_chunks, plan_chunks
from .writing import question_writing


@one_run()
def question_task(version: str, settings: QuestionSettings) -> Task:
    """Return the run that the arguments ask for.

    Raises DataError for what can't be run.
    """
    require_bound(ROLE, include_writer=False)
    chunks = once_a_run(load_corpus, settings.corpus)
    if not settings.questions + settings.outside:
        raise DataError("questions=0 and outside=0 ask for nothing; give one of them")
    whole, plan = plan_chunks(
        draw_chunks(chunks, settings.n, settings.seed),
        settings.questions,
        settings.outside,
        settings.shard,
        settings.seed,
    )
    remembered = settings.model_dump(include=set(ReadingSettings.model_fields))
    parts = (
        require_verifiers(
            False,
            settings.max_failures,
            reads=False,
            role=ROLE,
        ),
        question_writing(settings.cache, settings.seed),
        question_scores(**remembered),
    )
    facts = {
        **settings.model_dump(exclude={"n", "cache", "max_failures", "shard"}),
        "corpus_fingerprint": fingerprint(chunks),
        "chunks": len(chunks),
        "documents": len({chunk.doc_id for chunk in chunks}),
        "planned": len(plan),
        **shard_facts(settings.shard, whole),
    }
    source = MemoryDataset(
        [slot.to_sample(remembered) for slot in plan], name="RefusalBench-question"
    )
    return QUESTION.build(
        version,
        source,
        parts,
        facts,
    )
