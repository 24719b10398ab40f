"""The solver that makes a record.

What it finds stands in the sample's store, and so in the log.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from inspect_ai.model import CachePolicy, Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.collect import gathering, queries, question
from refusalbench_tasks.collect.composing import compose, found_record
from refusalbench_tasks.collect.gathering import FoundSource, Gathering, Library
from refusalbench_tasks.collect.queries import QueryList
from refusalbench_tasks.collect.question import SourcedQuestion
from refusalbench_tasks.collect.record import Collecting, Record, RecordEndedError
from refusalbench_tasks.collect.record_plan import PlannedRecord, Topics, load_topics
from refusalbench_tasks.collect.settings import CATEGORIES, CollectSettings
from refusalbench_tasks.generators.kit import once_a_run
from refusalbench_tasks.generators.kit.calls import (
    SharedCalls,
    ask_writer,
    cache_policy,
)
from refusalbench_tasks.generators.kit.progress import show_progress
from refusalbench_tasks.judging.ask import Answer, Reply, Spent

ROOM = 6_000
"""Tokens of a reply, ten pages at most, where no `--max-tokens` is given."""
SLOTS: tuple[Literal["reliable", "unreliable"], ...] = ("reliable", "unreliable")


@dataclass(frozen=True)
class Stages:
    """What the stages of a run work with; records of one field share their `lists` of
    queries.
    """

    settings: CollectSettings
    topics: Topics
    library: Library
    policy: CachePolicy | bool = False
    lists: SharedCalls[Reply[QueryList]] = field(default_factory=SharedCalls)

    async def make(
        self, model: Model, planned: PlannedRecord, stored: Collecting
    ) -> Record:
        """Return the record of a plan.

        Raises RecordEndedError where it can't be made.
        """
        looked: Counter[str] = Counter(stored.looked)
        try:
            stored.queries = await self.ask_queries(model, planned, stored)
            gold, passage = await gathering.find_gold(
                Gathering(self.library, looked), stored.queries
            )
            if gold is None:
                raise RecordEndedError(
                    "gold_source", "no_reliable_page", f"{looked['hits']} hits"
                )
            draft = await self.ask_question(model, planned, stored, gold, passage)
            found = await self.find_sources(
                Gathering(self.library, looked, {gold.url}), draft, gold, stored.queries
            )
        finally:
            stored.looked = dict(looked)
        sets, stored.dropped = compose(
            draft, passage, *found, self.settings, planned.id
        )
        return found_record(planned, draft, gold, passage, sets)

    async def ask_queries(
        self, model: Model, planned: PlannedRecord, stored: Collecting
    ) -> tuple[str, ...]:
        """Return the record's own queries out of its field's list."""
        block, sharers = queries.block_of(planned)
        ask = partial(
            ask_writer,
            model,
            queries.queries_prompt(planned),
            QueryList,
            queries.FORM,
            ROOM,
            self.policy,
        )
        reply, mine = await self.lists.take(
            (str(model), planned.topic, planned.field, block), ask, sharers
        )
        stored.spent = {**stored.spent, "queries": reply.spent if mine else Spent()}
        usable = queries.usable_queries(_answer(reply, "queries").queries)
        own = queries.own_queries(usable, planned)
        if not own:
            raise RecordEndedError(
                "queries",
                "no_query",
                f"{len(usable)} usable queries for {sharers} records",
            )
        return own

    async def ask_question(
        self,
        model: Model,
        planned: PlannedRecord,
        stored: Collecting,
        gold: FoundSource,
        passage: str,
    ) -> SourcedQuestion:
        """Return a question that is written from the gold passage."""
        prompt = question.question_prompt(planned.topic, gold.title, passage)
        reply = await ask_writer(
            model, prompt, SourcedQuestion, question.FORM, ROOM, self.policy
        )
        stored.spent = {**stored.spent, "question": reply.spent}
        draft = _answer(reply, "question")
        if broken := question.broken_checks(draft, passage):
            raise RecordEndedError("question", broken[0], ", ".join(broken))
        return draft

    async def find_sources(
        self,
        look: Gathering,
        draft: SourcedQuestion,
        gold: FoundSource,
        asked: Sequence[str],
    ) -> tuple[list[FoundSource], list[FoundSource]]:
        """Return pages for the slots, and pages on a neighbouring subject."""
        suffixes = self.topics.suffixes or {}
        behind = [
            f"{gold.query} {suffix}"
            for kind in SLOTS
            for suffix in suffixes.get(kind, ())
        ]
        wanted = {
            name: sum(size[name] for size in self.settings.sizes.values())
            for name in CATEGORIES
        }
        slots: dict[str, int] = {slot: wanted[slot] for slot in SLOTS}
        found = await gathering.find_sources(
            look, [draft.question, gold.query, *behind], slots
        )
        near = [draft.neighbour_query, *(one for one in asked if one != gold.query)]
        return found, await gathering.find_neighbours(look, near, wanted["distraction"])


def _answer(reply: Reply[Answer], stage: str) -> Answer:
    """Return a writer's answer.

    Raises RecordEndedError, undecided, where there is no valid one.
    """
    if reply.answer is None:
        raise RecordEndedError(stage, reply.failure, accepted=None)
    return reply.answer


@solver
def collecting(settings: dict[str, Any]) -> Solver:
    """Make a record, and leave it in the store; or how and why it ended.

    Args:
        settings: The arguments of `collect` (`CollectSettings`).
    """
    stages: Stages | None = None
    given = CollectSettings(**settings)
    topics = once_a_run(load_topics, given.topics)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal stages
        if stages is None:
            stages = Stages(
                given,
                topics,
                gathering.open_library(given),
                cache_policy(given.cache, given.seed),
            )
        stored = state.store_as(Collecting)
        planned = state.metadata_as(PlannedRecord)
        show_progress("collect", f"{planned.id} ({planned.field})")
        try:
            stored.record = await stages.make(get_model(), planned, stored)
            state.output.completion = stored.record.question
        except RecordEndedError as error:
            stored.end = error.end
            state.output.completion = str(error)
        return state

    return solve
