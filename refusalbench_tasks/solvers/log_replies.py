"""The replies that a log holds, read one sample at a time."""

from collections.abc import Iterator
from typing import Any

from inspect_ai.log import EvalSample, read_eval_log_samples

from refusalbench_tasks.datasets.recorded import noted_no_reply
from refusalbench_tasks.datasets.retrieved import STORED
from refusalbench_tasks.files.log_members import check_members, unreadable
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.recorded_reply import Reply

_MEASURED = "Confidence:"
"""How the names begin under which `bluff` keeps the confidence that it measured."""


def read_log_replies(name: str) -> Iterator[Reply]:
    """Yield the reply of each sample and epoch of a log, whatever wrote it. Raises UnreadableLog.

    A sample that ended in an error before it had an output has no reply.
    """
    try:
        check_members(name)
        for sample in read_eval_log_samples(
            name, all_samples_required=False, resolve_attachments="core", exclude_fields={"events", "messages"}
        ):
            yield logged_reply(sample)
    except Exception as error:
        # anything can be wrong with a file
        raise unreadable(name, error) from None


def logged_reply(sample: EvalSample) -> Reply:
    """Return the reply of a logged sample."""
    output = sample.output
    gone = not output.choices and (sample.error is not None or noted_no_reply(sample.store))
    return Reply(
        place=f"sample {sample.id}, epoch {sample.epoch}",
        text=None if gone else reply_of(output),
        id=str(sample.id),
        epoch=sample.epoch,
        stop=stop_of(output),
        passages=_retrieved(sample.store),
        usage=_usage(sample),
        model=output.model,
        measured=_measured(sample.store),
    )


def _usage(sample: EvalSample) -> dict[str, int]:
    usage = sample.output.usage
    if usage is None:
        return {}
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
    }


def _measured(store: dict[str, Any]) -> dict[str, Any] | None:
    found = {key.removeprefix(_MEASURED): value for key, value in store.items() if key.startswith(_MEASURED)}
    return found or None


def _retrieved(store: dict[str, Any]) -> tuple[str, ...] | None:
    passages = store.get(STORED)
    return tuple(map(str, passages)) if isinstance(passages, list) else None
