"""How the panel of readers judges a collected record, and what a score notes of it."""

from inspect_ai.model import CachePolicy, get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from refusalbench_tasks.collect.panel import judge_record
from refusalbench_tasks.collect.record import COLLECT, Collecting, NotedRecord
from refusalbench_tasks.collect.record_plan import PlannedRecord
from refusalbench_tasks.collect.settings import RecordSettings
from refusalbench_tasks.generators.kit.calls import cache_policy
from refusalbench_tasks.generators.kit.maker import as_number, outcome_text
from refusalbench_tasks.generators.kit.panel import ROLE, Failures, JudgePanel
from refusalbench_tasks.judging.ask import Spent


async def score_record(
    state: TaskState,
    settings: RecordSettings,
    failures: Failures,
) -> Score:
    """Return a sample's score.

    Raises DataError if a reader fails too often in a row.
    """
    panel = JudgePanel(
        ROLE,
        settings.self_reads,
        settings.max_failures,
        "readings",
        failures,
    )
    policy = cache_policy(settings.cache, settings.seed)
    noted = await _noted(state, panel, policy)
    explanation = ""
    if noted.reason:
        explanation = f"{noted.stage}: {noted.reason}. {noted.detail}".strip()
    return COLLECT.score(
        noted,
        sum(noted.spent.values(), Spent()),
        outcome_text(noted.accepted),
        {"accepted": as_number(noted.accepted)},
        noted.reason if noted.accepted is None else None,
        explanation,
    )


async def _noted(
    state: TaskState,
    panel: JudgePanel,
    policy: CachePolicy | bool,
) -> NotedRecord:
    stored = state.store_as(Collecting)
    planned = state.metadata_as(PlannedRecord)
    readers = panel.judges()
    noted = NotedRecord(
        id=planned.id,
        topic=planned.topic,
        record=stored.record,
        looked=stored.looked,
        spent=stored.spent,
        writer=str(get_model()),
        readers=tuple(map(str, readers)),
    )
    if stored.record is None:
        return noted.model_copy(update=dict(stored.end))
    before = COLLECT.earlier(state)
    earlier = before.readings if before else ()
    judged = await judge_record(
        noted,
        stored.record,
        panel,
        earlier,
        policy,
    )
    panel.require_alive(readers)
    spent = sum((reading.spent for reading in judged.readings), Spent())
    return judged.model_copy(update={"spent": {**stored.spent, "panel": spent}})
