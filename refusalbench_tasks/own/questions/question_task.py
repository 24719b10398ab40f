"""The task `question`: from chunks to a run in which questions are written and read."""

from typing import Annotated, Literal, Self

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from pydantic import model_validator

from refusalbench_tasks.arguments import Arguments, Count, Names, Natural, Switch, Text, Whole, at_least, required
from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.refusal_rows import PASSAGES
from refusalbench_tasks.datasets.shard import ShardArgument, shard_facts
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN
from refusalbench_tasks.generators.kit.prompt_hashes import prompt_hashes
from refusalbench_tasks.own.documents.corpus import load_corpus
from refusalbench_tasks.own.questions.kinds import kinds_named
from refusalbench_tasks.own.questions.question_scorer import RIVALS, question_scores
from refusalbench_tasks.own.questions.question_writing import question_writing
from refusalbench_tasks.own.questions.readers import require_bound_readers, require_readers
from refusalbench_tasks.own.questions.slot import draw_chunks, plan_chunks, shard_chunks
from refusalbench_tasks.own.questions.writing import PACKAGE


class QuestionSettings(Arguments):
    """The arguments of `question`."""

    corpus: Annotated[
        Text, required("a file of chunks, as `refusalbench documents` writes it, or `sample`: -T corpus=FILE")
    ]
    """A file of chunks, as `refusalbench documents` writes it, or `sample`."""
    n: Count | None = None
    """Draw this many chunks; all without it."""
    per_document: Count | None = None
    """Draw at most this many chunks of one document."""
    questions: Count = 3
    """How many questions a chunk may have."""
    kinds: Names = ()
    """Comma list of the only kinds that are wanted: who, when, where, how many, how much, which, why, how."""
    passages: Literal[1, 10] = 1
    """1 (the chunk), or 10: with other chunks of the corpus that readers have looked at."""
    rivals: Annotated[int, at_least(PASSAGES - 1)] = RIVALS
    """With `passages=10`, how many other chunks they look at for each question."""
    closed_book: Switch = False
    """Whether readers also answer without the chunk; a question that one of them answers so is left out."""
    keep_known: Switch = False
    """With `closed_book`, keep such a question and mark it as known."""
    self_reads: Switch = False
    """Whether the writer may read its own questions."""
    cache: Switch = True
    """Keep finished calls for a week, so that a killed run pays for none twice."""
    max_failures: Natural = LONGEST_RUN
    """Failures of one reader in a row that stop the run; 0 allows any number, and leaves out the call to each
    reader at the start."""
    seed: Whole = 0
    """Seed of the draw, of the order of ten passages, and of the cache."""
    shard: ShardArgument = None
    """The part of the chunks that this process takes, as `2/8`: the second of eight (docs/scale.md)."""

    @model_validator(mode="after")
    def _known_is_asked(self) -> Self:
        if self.keep_known and not self.closed_book:
            raise DataError("keep_known=true needs closed_book=true: nobody is asked without the chunk")
        return self


def question_task(version: str, settings: QuestionSettings) -> Task:
    """Return the run that the arguments ask for. Raises DataError for what can't be run."""
    wanted = kinds_named(settings.kinds)
    require_bound_readers()
    chunks = load_corpus(settings.corpus)
    ten = settings.passages == PASSAGES
    if ten and len(chunks) < PASSAGES:
        raise DataError(f"corpus: '{settings.corpus}' has {len(chunks)} chunks; passages=10 needs at least {PASSAGES}")
    drawn = draw_chunks(chunks, settings.n, settings.per_document, settings.seed)
    whole = plan_chunks(drawn, settings.questions, wanted)
    plan = shard_chunks(whole, settings.shard, settings.seed)
    told = {"corpus", "passages", "closed_book", "keep_known", "self_reads", "seed"}
    return Task(
        dataset=MemoryDataset([slot.to_sample() for slot in plan], name="RefusalBench-question"),
        setup=require_readers(settings.self_reads, settings.max_failures),
        solver=question_writing(settings.cache, settings.seed),
        scorer=question_scores(**settings.model_dump(include=told | {"rivals", "cache", "max_failures"})),
        headline_metric=HeadlineMetric(scorer="question_scores", metric="acceptance"),
        version=version,
        metadata={
            **settings.model_dump(include=told | {"questions"}),
            "corpus_fingerprint": fingerprint(chunks),
            "chunks": len(chunks),
            "documents": len({chunk.doc_id for chunk in chunks}),
            "planned": len(plan),
            "kinds": [kind.value for kind in wanted],
            "rivals": settings.rivals if ten else 0,
            **shard_facts(settings.shard, whole),
            "prompts": prompt_hashes(PACKAGE),
        },
    )
