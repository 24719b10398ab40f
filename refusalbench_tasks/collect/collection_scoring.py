"""How the panel of readers judges a collected record."""

from typing import Any

from inspect_ai.model import CachePolicy, get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from refusalbench_tasks.collect.collection_scorer import SCORER
from refusalbench_tasks.collect.found import Looked
from refusalbench_tasks.collect.outcome import NotedRecord
from refusalbench_tasks.collect.panel import Checked, Panel
from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.reading import Reading
from refusalbench_tasks.collect.stored import Collecting
from refusalbench_tasks.generators.kit.breaker import require_alive
from refusalbench_tasks.generators.kit.verifiers import verifiers
from refusalbench_tasks.judging.ask import Spent


async def score_record(
    state: TaskState, policy: CachePolicy | bool, keep_weak: bool, self_reads: bool, max_failures: int
) -> Score:
    """Return whether the readers accept a sample's record. Raises DataError if one fails too often in a row."""
    stored = state.store_as(Collecting)
    models = verifiers(self_reads)
    checked: Checked | None = None
    if stored.record is not None:
        panel = Panel(models, policy, keep_weak)
        checked = await panel.check(stored.record, _earlier(state, stored))
        stored.readings = list(checked.readings)
        require_alive(models, max_failures, missing="readings")
    return _score(state.metadata_as(PlannedRecord), stored, checked, [str(model) for model in models])


def _earlier(state: TaskState, stored: Collecting) -> list[Reading]:
    """Return the readings of the newest earlier scoring; those of the store if there was none."""
    named = [score for name, score in (state.scores or {}).items() if name.rstrip("-0123456789") == SCORER]
    noted: dict[str, Any] = (named[-1].metadata or {}) if named else {}
    return list(NotedRecord.model_validate(noted).readings) if noted else stored.readings


def _score(planned: PlannedRecord, stored: Collecting, checked: Checked | None, names: list[str]) -> Score:
    noted = _noted(planned, stored, checked, names)
    total = sum(noted.spent.values(), Spent())
    arm = noted.found.get("ambiguous")
    nan = float("nan")
    return Score(
        value={
            "accepted": nan if noted.accepted is None else float(noted.accepted),
            "calls": float(total.calls),
            "tokens": float(total.tokens),
            "pages": float(noted.looked.pages),
            "entropy": nan if arm is None or arm.entropy is None else arm.entropy,
            "unscored": float(noted.accepted is None),
        },
        answer=None if noted.accepted is None else "accepted" if noted.accepted else "rejected",
        explanation=f"{noted.stage}: {noted.reason}. {noted.detail}".strip() if noted.reason else None,
        reason=noted.reason if noted.accepted is None else None,
        metadata=noted.model_dump(mode="json"),
    )


def _noted(planned: PlannedRecord, stored: Collecting, checked: Checked | None, names: list[str]) -> NotedRecord:
    looks = (one.looked for one in (stored.gold, stored.candidates) if one is not None)
    known = NotedRecord(
        id=planned.id,
        topic=planned.topic,
        record=stored.record,
        looked=sum(looks, Looked()),
        dropped=stored.dropped,
        spent=stored.spent,
        writer=str(get_model()),
        readers=tuple(names),
    )
    if stored.failure is not None:
        return known.model_copy(update={"stage": stored.failure.stage, "reason": stored.failure.reason})
    if stored.rejection is not None:
        ended = stored.rejection.model_dump()
        return known.model_copy(update={"accepted": False, **ended})
    if checked is None:
        return known.model_copy(update={"stage": "composition", "reason": "not_collected"})
    spent = {**stored.spent, "panel": sum((one.spent for one in checked.readings), Spent())}
    return known.model_copy(
        update={
            "accepted": checked.accepted,
            "stage": "panel",
            "reason": checked.reason,
            "weak": checked.weak,
            "readings": checked.readings,
            "found": checked.found,
            "spent": spent,
        }
    )
