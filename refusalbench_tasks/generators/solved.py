"""Which base questions every model answers: the paper's last filter of the bases."""

from collections.abc import Iterable, Sequence

from inspect_ai.log import read_eval_log_sample_summaries

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.generated import finished_logs

SCORERS = ("refusal_scores", "grounded_scores")


def solved_in(items: Sequence[RefusalItem], logs: Iterable[str]) -> tuple[list[RefusalItem], int]:
    """Return the questions that every log answers rightly, and the number of logs.

    The logs are runs of `nq` or `garage` with `controls=only` over these bases. A question counts as solved in a log if
    every reply to it (every epoch) is right; one that is missing or unscored is not. Raises DataError without logs.
    """
    names = [header.location for header in finished_logs(logs)]
    if not names:
        raise DataError("solved-in: no logs found")
    kept = {item.item_id for item in items}
    for name in names:
        kept &= _solved(name)
    return [item for item in items if item.item_id in kept], len(names)


def _solved(log: str) -> set[str]:
    right: dict[str, bool] = {}
    for summary in read_eval_log_sample_summaries(log):
        score = next((summary.scores[s] for s in SCORERS if summary.scores and s in summary.scores), None)
        value = score.value if score else None
        solved = isinstance(value, dict) and value.get("right") == 1
        right[str(summary.id)] = right.get(str(summary.id), True) and solved
    return {name for name, solved in right.items() if solved}
