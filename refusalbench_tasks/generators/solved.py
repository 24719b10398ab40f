"""Which base questions every model answers: the paper's last filter of the bases."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inspect_ai.log import EvalLog, read_eval_log_sample_summaries

from refusalbench_tasks.datasets.benchmarks import BENCHMARKS, tasks_text
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.runs import LeftOut, choose_logs
from refusalbench_tasks.log_reading import unreadable

SCORERS = ("refusal_scores", "grounded_scores")
TASKS = tuple(benchmark.task for benchmark in BENCHMARKS)


@dataclass(frozen=True)
class SolvedBases:
    """The questions that are left, the number of logs, and what was left out, by log."""

    items: list[RefusalItem]
    logs: int
    left_out: tuple[LeftOut, ...]


def solved_in(items: Sequence[RefusalItem], logs: Iterable[str]) -> SolvedBases:
    """Return the questions that every log answers rightly.

    The logs are finished runs of `nq` or `garage` with `controls=only` over these bases. A question counts as solved in
    a log if every reply to it (every epoch) is right; one that is missing or unscored is not. Logs that cannot be read
    are left out. Raises DataError if no log can be used.
    """
    chosen = choose_logs(logs, TASKS)
    left_out = list(chosen.left_out)
    kept = {item.item_id for item in items}
    read = 0
    for header in chosen.logs:
        try:
            kept &= _solved(header)
        except Exception as error:  # anything can be wrong with a file, and one must not lose the others
            why = str(unreadable(header.location, error)).removeprefix(f"{header.location}: ")
            left_out.append((header.location, why))
            continue
        read += 1
    if not read:
        why = "; ".join(f"{name}: {reason}" for name, reason in left_out[:1]) or f"no log of a run of {tasks_text()}"
        raise DataError(f"solved-in: no log can be used: {why}")
    return SolvedBases([item for item in items if item.item_id in kept], read, tuple(left_out))


def _solved(header: EvalLog) -> set[str]:
    right: dict[str, bool] = {}
    for summary in read_eval_log_sample_summaries(header.location):
        score = next((summary.scores[s] for s in SCORERS if summary.scores and s in summary.scores), None)
        value = score.value if score else None
        solved = isinstance(value, dict) and value.get("right") == 1
        right[str(summary.id)] = right.get(str(summary.id), True) and solved
    return {name for name, solved in right.items() if solved}
