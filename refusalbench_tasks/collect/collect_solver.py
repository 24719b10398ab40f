"""The solver that makes a record, and the task.

What it comes to stands in the sample's store, and so in the log.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.generators.kit import once_a_run, one_run
from refusalbench_tasks.generators.kit.calls import ask_writer, cache_policy
from refusalbench_tasks.generators.kit.panel import require_bound, require_verifiers
from refusalbench_tasks.generators.kit.progress import show_progress
from refusalbench_tasks.judging.ask import Answer, Cache, Form

from . import gathering, queries, question
from .composing import compose_sets, record_of
from .gathering import FoundSource, Gathering, Library
from .question import SourcedQuestion
from .record import (
    COLLECT,
    Collecting,
    Record,
    RecordEndedError,
)
from .record_plan import (
    PlannedRecord,
    Topics,
    load_topics,
    plan_records,
)
from .scorer import collection_scores
from .settings import (
    Category,
    CollectSettings,
    RecordSettings,
)

ROOM = 6_000
"""Tokens of a reply, ten pages at most, where no `--max-tokens` is given."""
SLOTS: tuple[Literal["reliable", "unreliable"], ...] = ("reliable", "unreliable")


@dataclass(frozen=True)
class Stages:
    """What the stages of a run work with."""

    settings: CollectSettings
    topics: Topics
    library: Library
    policy: Cache = False

    async def make(
        self,
        model: Model,
        planned: PlannedRecord,
        stored: Collecting,
    ) -> Record:
        """Return the record of a plan.

        Raises RecordEndedError where it can't be made.
        """
        looked = Counter(stored.looked)
        try:
            stored.queries = await self.ask_queries(
                model,
                planned,
                stored,
            )
            look = Gathering(self.library, looked)
            gold, passage = await gathering.find_gold(look, stored.queries)
            if gold is None:
                hits = f"{looked['hits']} hits"
                raise RecordEndedError("gold_source", "no_reliable_page", hits)
            prompt = question.question_prompt(
                planned.topic, gold.article.title, passage
            )
            draft = await self.ask_question(
                model,
                prompt,
                passage,
                stored,
            )
            look = Gathering(self.library, looked, {gold.url})
            sources = await self.find_sources(look, draft, gold)
            wanted = [draft.neighbour_query]
            wanted += (query for query in stored.queries if query != gold.query)
            neighbours = await gathering.find_neighbours(
                look,
                wanted,
                self.places("distraction"),
            )
        finally:
            stored.looked = dict(looked)
        sets = compose_sets(
            draft,
            passage,
            sources,
            neighbours,
            self.settings,
            planned.id,
        )
        return record_of(
            planned,
            draft,
            gold,
            passage,
            sets,
        )

    async def ask_queries(
        self,
        model: Model,
        planned: PlannedRecord,
        stored: Collecting,
    ) -> tuple[str, ...]:
        """Return the queries with which a record begins."""
        prompt = queries.queries_prompt(planned)
        answer = await self._ask(
            model,
            prompt,
            queries.QueryList,
            queries.FORM,
            stored,
        )
        usable = queries.usable_queries(answer.queries)
        if not usable:
            given = f"{len(answer.queries)} queries, none usable"
            raise RecordEndedError("queries", "no_query", given)
        return tuple(usable[: queries.WANTED])

    async def ask_question(
        self,
        model: Model,
        prompt: str,
        passage: str,
        stored: Collecting,
    ) -> SourcedQuestion:
        """Return a question that is written from the gold passage."""
        draft = await self._ask(
            model,
            prompt,
            SourcedQuestion,
            question.FORM,
            stored,
        )
        broken = question.broken_checks(draft, passage)
        if broken:
            raise RecordEndedError(
                "question",
                broken[0],
                ", ".join(broken),
            )
        return draft

    async def find_sources(
        self,
        look: Gathering,
        draft: SourcedQuestion,
        gold: FoundSource,
    ) -> list[FoundSource]:
        """Return pages for the slots."""
        suffixes = self.topics.suffixes or {}
        wanted = [draft.question, gold.query]
        for slot in SLOTS:
            wanted += (f"{gold.query} {suffix}" for suffix in suffixes.get(slot, ()))
        places: dict[str, int] = {slot: self.places(slot) for slot in SLOTS}
        return await gathering.find_sources(look, wanted, places)

    def places(self, category: Category) -> int:
        """Return how many sources of a category both sets have."""
        return sum(size[category] for size in self.settings.sizes.values())

    async def _ask(
        self,
        model: Model,
        prompt: str,
        schema: type[Answer],
        form: Form,
        stored: Collecting,
    ) -> Answer:
        """Return a writer's answer, what it took noted under the form's thing.

        Raises RecordEndedError, undecided, where there is no valid one.
        """
        reply = await ask_writer(
            model,
            prompt,
            schema,
            form,
            ROOM,
            self.policy,
        )
        stored.spent = {**stored.spent, form.thing: reply.spent}
        if reply.answer is None:
            raise RecordEndedError(form.thing, reply.failure, accepted=None)
        return reply.answer


@solver
def collecting(settings: dict[str, Any]) -> Solver:
    """Make a record, and leave it in the store; or how and why it ended.

    Args:
        settings: The arguments of `collect` (`CollectSettings`).
    """
    given = CollectSettings(**settings)
    topics = once_a_run(load_topics, given.topics)

    @cache
    def stages() -> Stages:
        # in the run: a task is also built where no engine has its key
        return Stages(
            given,
            topics,
            gathering.open_library(given),
            cache_policy(given.cache, given.seed),
        )

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        stored = state.store_as(Collecting)
        planned = state.metadata_as(PlannedRecord)
        show_progress("collect", f"{planned.id} ({planned.field})")
        try:
            stored.record = await stages().make(
                get_model(),
                planned,
                stored,
            )
            state.output.completion = stored.record.question
        except RecordEndedError as error:
            stored.end = error.end
            state.output.completion = str(error)
        return state

    return solve


@one_run()
def collect_task(version: str, settings: CollectSettings) -> Task:
    """Return the run that the arguments ask for.

    Raises DataError for what can't be run.
    """
    require_bound()
    topics = once_a_run(load_topics, settings.topics).topics
    plan = plan_records(topics, settings.n, settings.seed)
    remembered = settings.model_dump(include=set(RecordSettings.model_fields))
    samples = [planned.to_sample(remembered) for planned in plan]
    parts = (
        require_verifiers(settings.self_reads, settings.max_failures, reads=False),
        collecting(settings.model_dump()),
        collection_scores(**remembered),
    )
    facts = settings.model_dump(exclude={"cache", "max_failures"})
    return COLLECT.build(
        version,
        MemoryDataset(samples, name="BLUFF-collect"),
        parts,
        facts | {"planned": len(plan)},
    )
