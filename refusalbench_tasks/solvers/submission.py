"""The reply of a sample: what its agent handed over, else what the model said last."""

from inspect_ai.event import SpanBeginEvent, ToolEvent
from inspect_ai.log import transcript
from inspect_ai.solver import TaskState

from refusalbench_tasks.replies.outside_text import reply_of, well_formed
from refusalbench_tasks.solvers.sample_limit import SCORING

SUBMISSION = "refusalbench:submission"
"""The key in the store of a sample for what an agent handed over.

A log has it without its transcript.
"""
_SUBMIT = "submit"
"""The tool by which Inspect's agents hand a reply over."""


def reply_of_sample(state: TaskState) -> str:
    """Return the reply of a sample, well formed; the empty text if there is none.

    Inspect's `react` appends what an agent submits to what the model said beside it,
    and that talk is no reply. So where the last text ends with what was submitted last,
    the submission alone is the reply.
    """
    reply = reply_of(state.output)
    submitted = _last_submission()
    if submitted and reply.rstrip().endswith(submitted):
        state.store.set(SUBMISSION, submitted)
        return submitted
    return reply


def _last_submission() -> str:
    """Return what the sample's agent submitted last; the empty text if it did not."""
    submitted = ""
    for event in transcript().events:
        if isinstance(event, SpanBeginEvent) and event.name == SCORING:
            break
        if isinstance(event, ToolEvent) and event.function == _SUBMIT:
            submitted = "" if event.error else str(event.result)
    return well_formed(submitted).strip()
