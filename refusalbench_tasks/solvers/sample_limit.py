"""Whether a limit of messages, tokens, time or cost stopped a sample before it had a
reply.
"""

from inspect_ai.event import ModelEvent, SampleLimitEvent, SpanBeginEvent, ToolEvent
from inspect_ai.log import transcript
from inspect_ai.solver import TaskState

from refusalbench_tasks.errors import end_run
from refusalbench_tasks.judging.graders import CHECKING

STOPPED = "refusalbench:stopped_by_limit"
"""The key in the store of a sample whose reply was recorded when a limit had stopped
it.
"""
_SCORING = "scorers"
"""The span that Inspect opens when a sample is scored."""


def stopped_by_limit(state: TaskState) -> bool:
    """Return whether a limit ended the sample, so that what stands last is no reply.

    Scorers are not told of it, so the sample's transcript is read, that of a log if it
    is scored again. After a limit that a solver caught, as that of a sub-agent, the
    model or a tool is called again. A person who stops a sample is no limit. Raises
    DataError for a sample that ended while its graders were checked, before the model
    was asked.
    """
    if state.store.get(CHECKING) is True:
        end_run(
            "a sample ended while its grader was checked, before the model was asked:"
            " run it anew. If a limit struck, raise it (--time-limit); -T"
            " grader_check=off leaves out the check"
        )
    if state.store.get(STOPPED) is True:
        return True
    stopped = False
    for event in transcript().events:
        if isinstance(event, SampleLimitEvent):
            stopped = event.type != "operator"
        elif isinstance(event, ModelEvent | ToolEvent):
            stopped = False
        elif isinstance(event, SpanBeginEvent) and event.name == _SCORING:
            # behind it stand the graders' calls
            break
    return stopped
