"""Questions from one's own documents: the evaluated model writes them, independent readers accept or reject them."""

from typing import Literal, Never

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric

from refusalbench_tasks.arguments import known_only, switches, texts, whole_number
from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.selection import names_of
from refusalbench_tasks.datasets.shard import shard_facts, shard_of
from refusalbench_tasks.datasets.ten import PASSAGES
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN
from refusalbench_tasks.generators.recipe import prompt_hashes
from refusalbench_tasks.own.questions.corpus import load_corpus
from refusalbench_tasks.own.questions.kinds import kinds_named
from refusalbench_tasks.own.questions.question_scorer import RIVALS, question_scores
from refusalbench_tasks.own.questions.question_writing import question_writing
from refusalbench_tasks.own.questions.readers import require_bound_readers, require_readers
from refusalbench_tasks.own.questions.slot import draw_chunks, plan_chunks, shard_chunks
from refusalbench_tasks.own.questions.writing import PACKAGE

VERSION = "1-A"


@task
def question(
    corpus: str | None = None,
    n: int | None = None,
    per_document: int | None = None,
    questions: int = 3,
    kinds: str | None = None,
    passages: Literal[1, 10] = 1,
    rivals: int = RIVALS,
    closed_book: bool = False,
    keep_known: bool = False,
    self_reads: bool = False,
    cache: bool = True,
    max_failures: int = LONGEST_RUN,
    seed: int = 0,
    shard: str | None = None,
    **unknown: Never,
) -> Task:
    """Return a run that writes questions: the model under evaluation is the writer, the role `reader` reads them.

    Args:
        corpus: A file of chunks, as `refusalbench documents` writes it, or `sample`.
        n: Draw this many chunks; all without it.
        per_document: Draw at most this many chunks of one document.
        questions: How many questions a chunk may have.
        kinds: Comma list of the only kinds that are wanted: who, when, where, how many, how much, which, why, how.
        passages: 1 (the chunk), or 10: with other chunks of the corpus that readers have looked at.
        rivals: With `passages=10`, how many other chunks they look at for each question.
        closed_book: Whether readers also answer without the chunk; a question that one of them answers so is left out.
        keep_known: With `closed_book`, keep such a question and mark it as known.
        self_reads: Whether the writer may read its own questions.
        cache: Keep finished calls for a week, so that a killed run pays for none twice.
        max_failures: Failures of one reader in a row that stop the run; 0 allows any number, and leaves out the call to
            each reader at the start.
        seed: Seed of the draw, of the order of ten passages, and of the cache.
        shard: The part of the chunks that this process takes, as `2/8`: the second of eight (docs/scale.md).
        **unknown: Nothing: a name that no task has is an error, before anything is loaded.
    """
    known_only(question, unknown)
    texts(corpus=corpus)
    switches(closed_book=closed_book, keep_known=keep_known, self_reads=self_reads, cache=cache)
    if corpus is None:
        raise DataError(
            "corpus: required; a file of chunks, as `refusalbench documents` writes it, or `sample`: -T corpus=FILE"
        )
    for name, value in (("n", n), ("per_document", per_document)):
        if value is not None:
            whole_number(name, value, 1)
    whole_number("questions", questions, 1)
    whole_number("rivals", rivals, PASSAGES - 1)
    whole_number("max_failures", max_failures, 0)
    whole_number("seed", seed)
    if passages not in (1, PASSAGES):
        raise DataError(f"passages: expected 1 or {PASSAGES}, got {passages!r}")
    if keep_known and not closed_book:
        raise DataError("keep_known=true needs closed_book=true: nobody is asked without the chunk")
    wanted = kinds_named(names_of(kinds))
    taken = shard_of(shard)
    require_bound_readers()
    chunks = load_corpus(corpus)
    if passages == PASSAGES and len(chunks) < PASSAGES:
        raise DataError(f"corpus: '{corpus}' has {len(chunks)} chunks; passages=10 needs at least {PASSAGES}")
    drawn = draw_chunks(chunks, n, per_document, seed)
    whole = plan_chunks(drawn, questions, wanted)
    plan = shard_chunks(whole, taken, seed)
    return Task(
        dataset=MemoryDataset([slot.to_sample() for slot in plan], name="RefusalBench-question"),
        setup=require_readers(self_reads, max_failures),
        solver=question_writing(cache, seed),
        scorer=question_scores(
            corpus, passages, rivals, closed_book, keep_known, self_reads, cache, seed, max_failures
        ),
        headline_metric=HeadlineMetric(scorer="question_scores", metric="acceptance"),
        version=VERSION,
        metadata={
            "corpus": corpus,
            "corpus_fingerprint": fingerprint(chunks),
            "chunks": len(chunks),
            "documents": len({chunk.doc_id for chunk in chunks}),
            "planned": len(plan),
            "questions": questions,
            "kinds": [kind.value for kind in wanted],
            "passages": passages,
            "rivals": rivals if passages == PASSAGES else 0,
            "closed_book": closed_book,
            "keep_known": keep_known,
            "self_reads": self_reads,
            "seed": seed,
            **shard_facts(taken, whole),
            "prompts": prompt_hashes(PACKAGE),
        },
    )
