"""The solver that makes a record. What it finds stands in the sample's store, and so in the log."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.model import CachePolicy, Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.collect import queries, question, written
from refusalbench_tasks.collect.composing import compose, shortfall_text
from refusalbench_tasks.collect.found_record import found_record
from refusalbench_tasks.collect.gathering import Look, find_gold, find_neighbours, find_sources
from refusalbench_tasks.collect.library import Library, open_library
from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.record import Collecting, FoundSource, Record, RecordEnd, RecordEndedError
from refusalbench_tasks.collect.settings import ARMS, CollectSettings
from refusalbench_tasks.collect.topics import load_topics
from refusalbench_tasks.collect.writer import Written, write
from refusalbench_tasks.generators.kit.calls import SharedCalls, cache_policy
from refusalbench_tasks.judging.ask import Spent


@dataclass(frozen=True)
class Stages:
    """What the stages of a run work with; records of one field share their `lists` of queries."""

    settings: CollectSettings
    library: Library | None
    policy: CachePolicy | bool = False
    lists: SharedCalls[Written[queries.QueryList]] = field(default_factory=SharedCalls)

    async def make(self, model: Model, planned: PlannedRecord, stored: Collecting) -> Record:
        """Return the record of a plan. Raises RecordEndedError where it can't be made."""
        if self.library is None:
            return await self.written(model, planned, stored)
        looked: Counter[str] = Counter(stored.looked)
        try:
            stored.queries = await self.queries(model, planned, stored)
            gold, passage = await self.gold_source(self.library, stored, looked)
            draft = await self.question(model, planned, stored, gold, passage)
            found = await self.sources(Look(self.library, looked, {gold.url}), draft, gold, stored)
        finally:
            stored.looked = dict(looked)
        made = compose(draft, passage, *found, self.settings, planned.id)
        stored.dropped = made.dropped
        if made.shortfall:
            told = shortfall_text(made.shortfall, self.settings.sizes)
            raise _rejected("composition", "shortfall", told, shortfall=made.shortfall)
        return found_record(planned, draft, gold, passage, made.sets)

    async def queries(self, model: Model, planned: PlannedRecord, stored: Collecting) -> tuple[str, ...]:
        """Return the record's own queries out of its field's list."""
        block, sharers = queries.block_of(planned)
        wanted = sharers * queries.SPARE

        async def ask() -> Written[queries.QueryList]:
            check = lambda one: queries.problems_of(one.queries, wanted)  # noqa: E731
            return await write(
                model, queries.queries_prompt(planned), queries.QueryList, queries.FORM, check, self.policy
            )

        made, mine = await self.lists.take((str(model), planned.topic, planned.field, block), ask, sharers)
        stored.spent = {**stored.spent, "queries": made.spent if mine else Spent()}
        listed = made.answer.queries if made.answer else made.sound("queries").queries
        own = queries.own_queries(queries.usable_queries(listed), planned)
        if not own:
            raise _rejected("queries", "no_query", "; ".join(made.problems.values()))
        return own

    async def gold_source(self, library: Library, stored: Collecting, looked: Counter[str]) -> tuple[FoundSource, str]:
        """Return a page that can be relied on, and its passage."""
        gold, passage = await find_gold(Look(library, looked), stored.queries)
        if gold is None:
            raise _rejected("gold_source", "no_reliable_page", f"{looked['hits']} hits")
        return gold, passage

    async def question(
        self, model: Model, planned: PlannedRecord, stored: Collecting, gold: FoundSource, passage: str
    ) -> question.SourcedQuestion:
        """Return a question that is written from the gold passage."""
        prompt = question.question_prompt(planned.topic, gold.title, passage)
        check = lambda one: question.problems_of(one, passage)  # noqa: E731
        made = await write(model, prompt, question.SourcedQuestion, question.FORM, check, self.policy)
        stored.spent = {**stored.spent, "question": made.spent}
        return made.sound("question")

    async def sources(
        self, look: Look, draft: question.SourcedQuestion, gold: FoundSource, stored: Collecting
    ) -> tuple[list[FoundSource], list[FoundSource]]:
        """Return pages for the slots, and pages on a neighbouring subject."""
        sizes, suffixes = self.settings.sizes, load_topics(self.settings.topics).suffixes
        assert suffixes is not None
        behind = [f"{gold.query} {suffix}" for suffix in (*suffixes.reliable, *suffixes.unreliable)]
        needed = {name: sum(sizes[arm][name] for arm in ARMS) for name in sizes["clear"]}
        neighbours = needed.pop("distraction")
        found = await find_sources(look, [draft.question, gold.query, *behind], dict(needed))
        near = [draft.neighbour_query, *(one for one in stored.queries if one != gold.query)]
        return found, await find_neighbours(look, near, neighbours)

    async def written(self, model: Model, planned: PlannedRecord, stored: Collecting) -> Record:
        """Return the record of an invented fact, all of whose sources are written."""
        row = written.brief_row(planned, self.settings.seed)
        check = lambda one: written.check_pages(row, one.pages)  # noqa: E731
        made = await write(model, written.pages_prompt(row), written.WrittenPages, written.FORM, check, self.policy)
        stored.spent = {**stored.spent, "sources": made.spent}
        return written.written_record(row, made.sound("sources").pages)


def _rejected(stage: str, reason: str, detail: str, **more: Any) -> RecordEndedError:
    return RecordEndedError(RecordEnd(accepted=False, stage=stage, reason=reason, detail=detail, **more))


@solver
def collecting(settings: dict[str, Any]) -> Solver:
    """Make a record, and leave it in the store; or how and why it ended.

    Args:
        settings: The arguments of `collect` (`CollectSettings`).
    """
    stages: Stages | None = None

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal stages
        if stages is None:
            given = CollectSettings(**settings)
            library = open_library(given) if given.sources == "web" else None
            stages = Stages(given, library, cache_policy(given.cache, given.seed))
        stored = state.store_as(Collecting)
        try:
            stored.record = await stages.make(get_model(), state.metadata_as(PlannedRecord), stored)
            state.output.completion = stored.record.question
        except RecordEndedError as error:
            stored.end = error.end
            state.output.completion = str(error)
        return state

    return solve
