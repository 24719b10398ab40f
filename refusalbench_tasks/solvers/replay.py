"""The solver that gives replies that exist already: run it with `--model none`."""

from functools import cache

from inspect_ai.model import ChatMessageUser, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Text, require
from refusalbench_tasks.datasets.item import RUN_ROWS, SETTINGS, RunRows, question_in
from refusalbench_tasks.replies.ab_probability import as_released, from_logprobs
from refusalbench_tasks.replies.confidence import (
    MIDPOINTS,
    Level,
    level_at,
    split_confidence,
)
from refusalbench_tasks.solvers.mapped_replies import Given
from refusalbench_tasks.solvers.ptrue import Confidence, keep_reading
from refusalbench_tasks.solvers.recorded import NO_REPLY, Replies, read_recorded
from refusalbench_tasks.solvers.recorded_reply import RecordedReply
from refusalbench_tasks.solvers.refusal_prompt import put_reply
from refusalbench_tasks.solvers.retrieved import record_retrieved
from refusalbench_tasks.solvers.sample_limit import STOPPED

NAME = "refusalbench/replay"


@solver
def replay(
    replies: str,
    name: str | None = None,
    map: Given = None,
) -> Solver:
    """Reply to each row with its reply in a file or log; a row without one is unscored
    (`not_in_file`).

    Args:
        replies: A JSONL, JSON, CSV or Parquet file with `id` (or `question`) and
            `reply`, or an Inspect log (.eval).
        name: Name of the system in tables and reports.
        map: `openinference`, `langfuse` or `otel` for traces of these, and
            `FIELD=JSONPATH` for fields that stand elsewhere.
    """
    require(Text, name=name)
    recorded = read_recorded(replies, map)

    @cache
    def matched(rows: RunRows) -> Replies:
        return recorded.match(rows.questions)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        rows = RUN_ROWS.get()
        row_id = str(state.sample_id)
        if rows is None:
            question = question_in(state.metadata, state.input_text)
            reply = recorded.find(
                row_id,
                question,
                state.epoch,
            )
        else:
            reply = matched(rows).get((row_id, state.epoch))
        give(state, reply)
        return state

    return solve


def give(state: TaskState, reply: RecordedReply | None) -> None:
    """Make a reply that of a sample, as if the application had just given it."""
    bluff = "arm" in state.metadata
    settings = state.metadata.get(SETTINGS) or {}
    if reply is None or reply.text is None:
        state.output = ModelOutput(model=NAME, choices=[])
        state.store.set(NO_REPLY, True)
        if bluff:
            state.store_as(Confidence).missing = "no_reply"
        return
    text = reply.text
    if reply.earlier:
        state.messages.insert(0, ChatMessageUser(content=reply.earlier))
    if settings.get("confidence") and not bluff:
        text = with_level(text, reply.confidence)
    put_reply(
        state,
        reply.model or NAME,
        text,
        reply.stop,
    )
    state.output.usage = reply.usage
    if reply.limited:
        state.store.set(STOPPED, True)
    if reply.passages is not None:
        record_retrieved(state, reply.passages)
    if not bluff:
        return
    for key, value in reply.measured.items():
        state.store.set(key, value)
    if not reply.measured:
        official = settings.get("protocol") == "official-code"
        give_confidence(
            state.store_as(Confidence),
            reply,
            official,
        )


def with_level(text: str, confidence: float | Level | None) -> str:
    """Return a reply's text with its confidence as the last line: a probability as the
    level in whose range it lies.

    A level that the text itself states stands, and an empty reply has none.
    """
    if confidence is None or not text.strip() or split_confidence(text).level:
        return text
    level = confidence if isinstance(confidence, Level) else level_at(confidence)
    return f"{text}\nCONFIDENCE: {level}"


def give_confidence(
    stored: Confidence,
    reply: RecordedReply,
    official: bool,
) -> None:
    """Store a reply's confidence as `ptrue` stores what it measures: as stated, or by
    the letters.
    """
    stored.method = "replay"
    stored.model = reply.model
    stored.missing = "not_given"
    if reply.confidence is not None:
        stated = reply.confidence
        stored.value = MIDPOINTS[stated] if isinstance(stated, Level) else stated
        stored.missing = None
    elif reply.logprobs:
        read = as_released if official else from_logprobs
        reading = read(reply.logprobs.items())
        keep_reading(stored, reading, official)
