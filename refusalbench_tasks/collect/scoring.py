"""How the panel of readers judges a collected record, and what a score notes of it."""

from inspect_ai.model import get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from refusalbench_tasks.collect.panel import check
from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.record import ArmFound, Collecting, NotedRecord
from refusalbench_tasks.collect.settings import SCORER, RecordSettings
from refusalbench_tasks.generators.kit.calls import cache_policy
from refusalbench_tasks.generators.kit.panel import (
    earlier_note,
    panel_of,
    require_alive,
)
from refusalbench_tasks.judging.ask import Spent

NAN = float("nan")


async def score_record(state: TaskState, settings: RecordSettings) -> Score:
    """Return a sample's score.

    Raises DataError if a reader fails too often in a row.
    """
    noted = await _noted(state, settings)
    total = sum(noted.spent.values(), Spent())
    entropy = noted.found.get("ambiguous", ArmFound()).entropy
    return Score(
        value={
            "accepted": NAN if noted.accepted is None else float(noted.accepted),
            "calls": float(total.calls),
            "tokens": float(total.tokens),
            "pages": float(noted.looked.get("pages", 0)),
            "entropy": NAN if entropy is None else entropy,
            "unscored": float(noted.accepted is None),
        },
        answer=None
        if noted.accepted is None
        else "accepted"
        if noted.accepted
        else "rejected",
        explanation=f"{noted.stage}: {noted.reason}. {noted.detail}".strip()
        if noted.reason
        else None,
        reason=noted.reason if noted.accepted is None else None,
        metadata=noted.model_dump(mode="json"),
    )


async def _noted(state: TaskState, settings: RecordSettings) -> NotedRecord:
    readers = panel_of(include_writer=settings.self_reads)
    stored = state.store_as(Collecting)
    planned = state.metadata_as(PlannedRecord)
    known = NotedRecord(
        id=planned.id,
        topic=planned.topic,
        record=stored.record,
        looked=stored.looked,
        dropped=stored.dropped,
        spent=stored.spent,
        writer=str(get_model()),
        readers=tuple(map(str, readers)),
    )
    if stored.record is None:
        return known.model_copy(update=dict(stored.end))
    before = earlier_note(state, SCORER)
    earlier = NotedRecord.model_validate(before).readings if before else ()
    policy = cache_policy(settings.cache, settings.seed)
    noted = await check(known, stored.record, readers, earlier, policy)
    require_alive(readers, settings.max_failures, missing="readings")
    spent = {
        **stored.spent,
        "panel": sum((one.spent for one in noted.readings), Spent()),
    }
    return noted.model_copy(update={"spent": spent})
