"""The solver that gives replies that exist already: run it with `--model none`."""

import logging
from functools import cache

from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import Store
from pydantic import ValidationError

from refusalbench_tasks.arguments import Text, require
from refusalbench_tasks.datasets.item import RUN_ROWS, SETTINGS, RunRows, question_in
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.confidence import MIDPOINTS, Level, level_at, split_confidence
from refusalbench_tasks.replies.letters import as_released, from_logprobs
from refusalbench_tasks.solvers.ptrue import Confidence, keep_reading
from refusalbench_tasks.solvers.recorded import Matched, mark_no_reply, match
from refusalbench_tasks.solvers.recorded_reply import Reply
from refusalbench_tasks.solvers.retrieved import record_retrieved

logger = logging.getLogger(__name__)
NAME = "refusalbench/replay"


@solver
def replay(replies: str, name: str | None = None) -> Solver:
    """Reply to each row with what a file or a log holds for it; a row without a reply is unscored (`not_in_file`).

    Args:
        replies: A JSONL, JSON, CSV or Parquet file with `id` (or `question`) and `reply`, or an Inspect log (.eval).
        name: What the system is called in tables and reports.
    """
    # not for every `inspect` command, which imports this module
    from refusalbench_tasks.solvers.replies_file import read_recorded

    require(Text, name=name)
    recorded = read_recorded(replies)

    @cache
    def matched(rows: RunRows) -> Matched:
        found = match(recorded, rows.questions)
        if told := found.warning(recorded.source):
            logger.warning(told)
        return found

    def found(state: TaskState) -> Reply | None:
        rows = RUN_ROWS.get()
        if rows is None:
            return recorded.find(str(state.sample_id), question_in(state.metadata, state.input_text), state.epoch)
        return matched(rows).replies.get((str(state.sample_id), state.epoch))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        give(state, found(state))
        return state

    return solve


def give(state: TaskState, reply: Reply | None) -> None:
    """Make a reply that of a sample, as if the application had just given it."""
    bluff = "arm" in state.metadata
    if reply is None or reply.text is None:
        mark_no_reply(state, NAME)
        if bluff:
            state.store_as(Confidence).missing = "no_reply"
        return
    text = reply.text if bluff else with_level(reply, _setting(state, "confidence") is True)
    state.output = ModelOutput.from_content(reply.model or NAME, text, stop_reason=reply.stop)
    if reply.passages is not None:
        record_retrieved(state, reply.passages)
    state.output.usage = ModelUsage(**reply.usage) if reply.usage else None
    state.messages.append(ChatMessageAssistant(content=text, source="generate", model=reply.model or NAME))
    if bluff:
        give_confidence(state.store_as(Confidence), reply, _setting(state, "protocol") == "official-code")


def with_level(reply: Reply, asked: bool) -> str:
    """Return a reply's text with its confidence as the last line, where the run asks for one.

    A level that the text itself states stands. A probability becomes the level in whose range it lies.
    """
    text = reply.text or ""
    if not asked or reply.confidence is None or not text.strip() or split_confidence(text).level:
        return text
    level = reply.confidence if isinstance(reply.confidence, Level) else level_at(reply.confidence)
    return f"{text}\nCONFIDENCE: {level}"


def give_confidence(stored: Confidence, reply: Reply, official: bool) -> None:
    """Store a reply's confidence as `ptrue` stores what it measures: as logged, as stated, or by the letters."""
    if reply.measured is not None:
        _give_measured(stored, reply)
        return
    stored.method, stored.model = "replay", reply.model
    if reply.confidence is not None:
        level = reply.confidence
        stored.value, stored.missing = MIDPOINTS[level] if isinstance(level, Level) else level, None
    elif reply.alternatives:
        reading = as_released(reply.alternatives) if official else from_logprobs(reply.alternatives)
        keep_reading(stored, reading, "official-code" if official else "paper")
    else:
        stored.missing = "not_given"


def _give_measured(stored: Confidence, reply: Reply) -> None:
    try:
        # in a store of its own: what is wrong must not stay
        read = Confidence(store=Store(), **(reply.measured or {}))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise DataError(f"replies: {reply.place}: the stored confidence is none ({field}: {first['msg']})") from None
    if read.value is not None and not 0 <= read.value <= 1:
        raise DataError(f"replies: {reply.place}: the stored confidence {read.value} is not from 0 to 1")
    for name in Confidence.model_fields.keys() - {"store", "instance"}:
        setattr(stored, name, getattr(read, name))


def _setting(state: TaskState, name: str) -> object:
    settings = state.metadata.get(SETTINGS)
    return settings.get(name) if isinstance(settings, dict) else None
