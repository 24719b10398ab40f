"""The stages of a record: each takes what the earlier ones found and adds its own."""

from dataclasses import dataclass, field

from inspect_ai.model import CachePolicy, Model

from refusalbench_tasks.collect.composing import compose, told
from refusalbench_tasks.collect.gathering import find_candidates, find_gold
from refusalbench_tasks.collect.gear import gear_of
from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.queries import FORM as QUERIES
from refusalbench_tasks.collect.queries import (
    SPARE,
    Queries,
    QueryList,
    block_of,
    own_queries,
    problems_of,
    queries_prompt,
    usable_queries,
)
from refusalbench_tasks.collect.question_draft import FORM as QUESTION
from refusalbench_tasks.collect.question_draft import QuestionDraft, check, question_prompt
from refusalbench_tasks.collect.record_rows import record_of
from refusalbench_tasks.collect.settings import Settings
from refusalbench_tasks.collect.sizes import needed
from refusalbench_tasks.collect.stored import Collecting
from refusalbench_tasks.collect.topics import load_topics
from refusalbench_tasks.collect.writer import Made, make
from refusalbench_tasks.collect.written import FORM as PAGES
from refusalbench_tasks.collect.written import ROOM, Pages, brief_row, check_pages, pages_prompt, written_record
from refusalbench_tasks.generators.kit.shared_calls import SharedCalls
from refusalbench_tasks.judging.ask import Spent


@dataclass(frozen=True)
class Work:
    """What the stages of a run work with; records of one field share their `lists` of queries."""

    settings: Settings
    policy: CachePolicy | bool = False
    lists: SharedCalls[Made[QueryList]] = field(default_factory=SharedCalls)

    async def queries(self, model: Model, planned: PlannedRecord, stored: Collecting) -> None:
        """Take the record's own queries out of its field's list."""
        block, sharers = block_of(planned)

        async def ask() -> Made[QueryList]:
            wanted = sharers * SPARE
            prompt = queries_prompt(planned)
            return await make(
                model, prompt, QueryList, QUERIES, lambda one: problems_of(one.queries, wanted), self.policy
            )

        made, mine = await self.lists.take((str(model), planned.topic, planned.field, block), ask, sharers)
        stored.spend("queries", made.spent if mine else Spent())
        if made.answer is None:
            stored.fail("queries", made.failure)
            return
        usable = usable_queries(made.answer.queries)
        own = own_queries(usable, planned)
        stored.queries = Queries(queries=own, dropped=len(made.answer.queries) - len(usable))
        if not own:
            stored.reject("queries", "no_query", "; ".join(made.broken.values()))

    async def gold_source(self, model: Model, planned: PlannedRecord, stored: Collecting) -> None:
        """Find a page that can be relied on."""
        assert stored.queries is not None
        stored.gold = await find_gold(gear_of(self.settings), stored.queries.queries)
        if stored.gold.source is None:
            stored.reject("gold_source", "no_reliable_page", f"{stored.gold.looked.hits} hits")

    async def question(self, model: Model, planned: PlannedRecord, stored: Collecting) -> None:
        """Have a question written from the gold passage."""
        gold = stored.gold
        assert gold is not None
        assert gold.source is not None
        prompt = question_prompt(planned.topic, gold.source.title, gold.passage)
        made = await make(model, prompt, QuestionDraft, QUESTION, lambda one: check(one, gold.passage), self.policy)
        stored.take("question", made)
        stored.draft = made.answer

    async def sources(self, model: Model, planned: PlannedRecord, stored: Collecting) -> None:
        """Find pages for the slots, and pages on a neighbouring subject."""
        assert stored.queries is not None
        assert stored.draft is not None
        assert stored.gold is not None
        assert stored.gold.source is not None
        sizes, suffixes = self.settings.sizes, load_topics(self.settings.topics).suffixes
        base = stored.gold.source.query
        behind = [f"{base} {suffix}" for kind in ("reliable", "unreliable") for suffix in suffixes.get(kind, ())]
        stored.candidates = await find_candidates(
            gear_of(self.settings),
            [stored.draft.question, base, *behind],
            {"reliable": needed(sizes, "reliable"), "unreliable": needed(sizes, "unreliable")},
            [stored.draft.neighbour_query, *(one for one in stored.queries.queries if one != base)],
            needed(sizes, "distraction"),
            stored.gold.source,
        )

    async def composition(self, model: Model, planned: PlannedRecord, stored: Collecting) -> None:
        """Compose both sets exactly, or say what is missing."""
        assert stored.draft is not None
        assert stored.gold is not None
        assert stored.candidates is not None
        how, sizes = self.settings, self.settings.sizes
        found, passage = stored.candidates, stored.gold.passage
        made = compose(stored.draft, passage, found, sizes, how.relevance, how.threshold, planned.id, how.seed)
        stored.dropped = made.dropped
        if made.shortfall:
            stored.reject("composition", "shortfall", told(made.shortfall, sizes), made.shortfall)
        else:
            stored.record = record_of(planned, stored.draft, stored.gold, made)

    async def written(self, model: Model, planned: PlannedRecord, stored: Collecting) -> None:
        """Have all sources of an invented fact written."""
        row = brief_row(planned, self.settings.seed)
        prompt = pages_prompt(row)
        made = await make(model, prompt, Pages, PAGES, lambda one: check_pages(row, one.pages), self.policy, ROOM)
        stored.take("sources", made)
        if made.answer is not None and not made.broken:
            stored.record = written_record(row, made.answer.pages)
