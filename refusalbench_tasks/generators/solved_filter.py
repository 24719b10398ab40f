"""Which base questions every model answers: the paper's last filter of the bases."""

from collections.abc import Iterable, Sequence

from inspect_ai.log import EvalLog, read_eval_log_sample_summaries

from refusalbench_tasks.datasets.benchmarks import BENCHMARKS, tasks_text
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import LogHeaders, scores_of, unreadable

from .kit.runs import choose_logs

SCORERS = ("refusal_scores", "grounded_scores")
TASKS = tuple(benchmark.task for benchmark in BENCHMARKS)


def solved_in(
    items: Sequence[RefusalItem], logs: Iterable[str]
) -> tuple[list[RefusalItem], LogHeaders]:
    """Return the questions that every log answers rightly, and which logs counted.

    The logs are finished runs of `nq` or `garage` with `controls=only` over these
    bases. A question counts as solved in a log if every reply to it (every epoch) is
    right; one that is missing or unscored is not. Raises DataError if no log can be
    used, and for one whose samples cannot be read.
    """
    chosen = choose_logs(logs, TASKS)
    if not chosen.logs:
        why = "; ".join(f"{name}: {reason}" for name, reason in chosen.left_out[:1])
        raise DataError(
            "solved-in: no log can be used:"
            f" {why or f'no log of a run of {tasks_text()}'}"
        )
    kept = set.intersection(*map(_solved, chosen.logs))
    return [item for item in items if item.item_id in kept], chosen


def _solved(header: EvalLog) -> set[str]:
    right: dict[str, bool] = {}
    try:
        for summary in read_eval_log_sample_summaries(header.location):
            scores = summary.scores or {}
            names = scores_of(scores, SCORERS)
            value = scores[names[-1]].value if names else None
            solved = isinstance(value, dict) and value.get("right") == 1
            right[str(summary.id)] = right.get(str(summary.id), True) and solved
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(header.location, error) from None
    return {name for name, solved in right.items() if solved}
