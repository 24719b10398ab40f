"""The solver that does one stage of a record. What it finds stands in the sample's store, and so in the log."""

from typing import Literal

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.settings import THRESHOLD, RelevanceBy, Settings
from refusalbench_tasks.collect.sizes import AMBIGUOUS, CLEAR
from refusalbench_tasks.collect.stored import Collecting
from refusalbench_tasks.collect.web.trust import Unknown
from refusalbench_tasks.generators.kit.call_cache import cache_policy

Stage = Literal["queries", "gold_source", "question", "sources", "composition", "written"]
WEB_STAGES: tuple[Stage, ...] = ("queries", "gold_source", "question", "sources", "composition")
WRITTEN_STAGES: tuple[Stage, ...] = ("written",)


@solver
def collecting(
    stage: Stage,
    search: str = "",
    trust: str = "bundled",
    unknown: Unknown = "unknown",
    archive: str | None = None,
    offline: bool = False,
    delay: float = 1.0,
    host_limit: int | None = None,
    topics: str | None = None,
    clear: str = CLEAR,
    ambiguous: str = AMBIGUOUS,
    relevance: RelevanceBy = "bm25",
    threshold: float = THRESHOLD,
    cache: bool = True,
    seed: int = 0,
    reddit: str = "",
    trust_columns: str = "",
) -> Solver:
    """Do one stage of a record, unless it ended before.

    Args:
        stage: `queries`, `gold_source`, `question`, `sources`, `composition`; or `written`: all sources at once.
        search: As in the task, like all that follow.
        trust: Trust lists.
        unknown: What hosts on no list count as.
        archive: Where pages and searches are kept.
        offline: Whether nothing is fetched.
        delay: Seconds between two requests to a host.
        host_limit: The most pages of one host.
        topics: A file of topics; the suffixes of queries are read of it.
        clear: The size of the clear set.
        ambiguous: The size of the ambiguous set.
        relevance: How relevance is computed.
        threshold: The relevance from which on a source is kept.
        cache: Keep finished calls for a week, so that a killed run does not pay twice.
        seed: Another seed asks the model anew instead of using what is kept.
        reddit: `all`, or the subreddits that are searched where unreliable sources are short; empty: none.
        trust_columns: What columns of trust lists in CSV are called.
    """
    settings = Settings(
        search, trust, unknown, archive, offline, delay, host_limit,
        topics, clear, ambiguous, relevance, threshold, seed, reddit, trust_columns,
    )  # fmt: skip
    work = None

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        from refusalbench_tasks.collect.stages import Work  # numpy: not for every `inspect` command

        nonlocal work
        work = work or Work(settings, cache_policy(cache, seed))
        stored = state.store_as(Collecting)
        if not stored.ended:
            await getattr(work, stage)(get_model(), state.metadata_as(PlannedRecord), stored)
        state.output.completion = stored.shown()
        return state

    return solve
