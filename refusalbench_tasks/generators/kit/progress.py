"""What a run that makes data tells of itself: what it works on, and at its end why
nothing was accepted.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from logging import getLogger

from inspect_ai.hooks import Hooks, TaskEnd, hooks
from inspect_ai.log import EvalLog, EvalSample, read_eval_log_async
from inspect_ai.scorer import Score
from inspect_ai.util import display_counter
from rich.markup import escape

from refusalbench_tasks.log_reading import task_of
from refusalbench_tasks.replies.outside_text import one_line

logger = getLogger(__name__)

Reasons = Callable[[Score], Iterable[str]]
"""Returns of a sample's score why each thing was not accepted; nothing if anything was.
"""
WHAT_A_WRITER_NEEDS = (
    "A writer has to call a tool (or give one JSON object and nothing else), copy"
    " quotes of the passage word for word, and keep to several rules at once; small"
    " models often can't. Try a larger one on a few slots (--limit 6)"
)
_LONGEST = 60


def show_progress(work: str, name: str) -> None:
    """Tell what is being worked on: in Inspect's display, and as a line of the log at
    level info.
    """
    short = one_line(name)[:_LONGEST]
    logger.info("%s: %s", work, short)
    # the display reads a counter as rich's markup
    display_counter(work, escape(short))


# each task is watched by one hook, however many samples it scores
@cache
def tell_why_nothing_came(
    task: str,
    scorer: str,
    reasons: Reasons,
) -> None:
    """Let the runs of a task from now on end in a line that says why nothing was
    accepted, if nothing was.

    It is called once a run has begun: at its start Inspect would announce a hook that
    most runs don't need.
    """

    class NothingAccepted(Hooks):
        """The closing line of a run in which nothing was accepted."""

        async def on_task_end(self, data: TaskEnd) -> None:
            """Print the line."""
            if task_of(data.log) != task or data.log.status != "success":
                return
            line = closing_line(
                await _samples(data.log),
                scorer,
                reasons,
            )
            if line:
                logger.warning("%s: %s", task, line)

    description = f"Says why a run of {task} accepted nothing"
    hooks(name=f"nothing_accepted_{task}", description=description)(NothingAccepted)


async def _samples(log: EvalLog) -> list[EvalSample]:
    """Return the samples of a log, read from its file where only the
    header is at hand.
    """
    if log.samples is None:
        log = await read_eval_log_async(log.location)
    return log.samples or []


def closing_line(
    samples: Iterable[EvalSample],
    scorer: str,
    reasons: Reasons,
) -> str:
    """Return why nothing was accepted: the commonest reason, how often, and what a
    writer needs.

    Empty if anything was accepted, or no sample has a score of this scorer.
    """
    counts: Counter[str] = Counter()
    for sample in samples:
        score = (sample.scores or {}).get(scorer)
        if score is None:
            continue
        of_sample = list(reasons(score))
        if not of_sample:
            return ""
        counts.update(of_sample)
    if not counts:
        return ""
    reason, times = counts.most_common(1)[0]
    return (
        f"nothing was accepted; most often: {reason} ({times} of {counts.total()})."
        f" {WHAT_A_WRITER_NEEDS}"
    )
