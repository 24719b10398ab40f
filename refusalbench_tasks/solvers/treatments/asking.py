"""How treatments ask: the prompt of the run with what a treatment adds, and a note of what it did."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from inspect_ai.model import ChatMessageUser, ModelOutput
from inspect_ai.solver import Generate, TaskState

from refusalbench_tasks.datasets.item import SETTINGS, RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.prompting import bundled, fill, numbered
from refusalbench_tasks.replies.code import parse_reply
from refusalbench_tasks.replies.confidence import split_confidence
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.refusal_prompt import before_question, one_reply, prompt_text
from refusalbench_tasks.solvers.treatments import NOTES

_ADDED = "refusalbench:prompt_additions"


def settings_of(state: TaskState) -> Mapping[str, Any]:
    """Return how the run of a sample asks and scores, as the sample remembers it; empty in a task of one's own."""
    return state.metadata.get(SETTINGS) or {}


def item_of(state: TaskState, treatment: str) -> RefusalItem:
    """Return the sample's item. Raises DataError in a task that has none."""
    try:
        return state.metadata_as(RefusalItem)
    except ValueError:
        raise DataError(f"{treatment}: row {state.sample_id} is of another task; it treats nq and garage") from None


def run_prompt(state: TaskState, codes: bool = True) -> str:
    """Return the template that the run would ask with, without codes where the run or the treatment has none."""
    settings = settings_of(state)
    name = "garage" if settings.get("grounded") else "nq"
    base = f"{name}.txt" if codes and settings.get("codes") is not False else f"{name}_free.txt"
    return prompt_text(settings.get("prompt"), bool(settings.get("confidence")), base)


def add_to_prompt(state: TaskState, text: str) -> None:
    """Remember a text that stands before the question whenever the sample is asked, behind those added before."""
    state.store.set(_ADDED, [*state.store.get(_ADDED, []), text])


async def ask(state: TaskState, generate: Generate, template: str) -> TaskState:
    """Return the sample with the reply to a template, with what treatments have added before its question."""
    item = state.metadata_as(RefusalItem)
    context = numbered(item.passages) if settings_of(state).get("grounded") else "\n\n".join(item.passages)
    added = "\n\n".join(state.store.get(_ADDED, []))
    if added:
        template = before_question(template, "{{added}}")
    # one pass: what an example or a passage says stays text
    state.messages = [
        ChatMessageUser(content=fill(template, {"query": item.query, "context": context, "added": added}))
    ]
    return await one_reply(state, generate)


async def ask_further(state: TaskState, generate: Generate, prompt: str) -> TaskState:
    """Return the sample with the reply to a further message, a bundled text, in the same conversation."""
    state.messages.append(ChatMessageUser(content=bundled("refusalbench_tasks.solvers", prompt)))
    return await one_reply(state, generate)


def is_whole(state: TaskState) -> bool:
    """Whether there is a reply that was not stopped: no other is worth a second look."""
    return is_whole_output(state.output)


def is_whole_output(output: ModelOutput) -> bool:
    """Whether an output has a reply that was neither cut off nor stopped; some providers give no reason for its end."""
    return bool(reply_of(output).strip()) and stop_of(output) not in ("max_tokens", "model_length", "content_filter")


def set_reply(state: TaskState, text: str) -> None:
    """Put a text in place of the reply; the model's own words stay among the messages."""
    state.output = deepcopy(state.output)
    state.output.completion = text


def kind_of(reply: str) -> str:
    """Return what a reply is by its form: its refusal code, else `answer`. It only steers a treatment, no score."""
    label = parse_reply(split_confidence(reply).body).label
    return label.value if label is not None else "answer"


def note(state: TaskState, treatment: str, calls: int, before: str | None = None, **facts: object) -> None:
    """Note what a treatment did: its calls, whether a reply that it had before changed its kind, and other facts."""
    changed = {} if before is None else {"changed": kind_of(before) != kind_of(reply_of(state.output))}
    state.metadata.setdefault(NOTES, []).append({"name": treatment, "calls": calls, **changed, **facts})
