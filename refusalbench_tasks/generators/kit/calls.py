"""Calls of writers, annotators and verifiers: what is kept of them, what is shared, and
what a failed one is.
"""

import hashlib
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import replace
from importlib import resources
from typing import Generic, TypeVar

from inspect_ai.model import CachePolicy, GenerateConfig, Model

from refusalbench_tasks.judging.ask import (
    Answer,
    Cache,
    CallFailed,
    Form,
    Reply,
    Spent,
    ask,
    how_to_submit,
    thinks_first,
)
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.outside_text import problem_of

ROOM_TO_THINK = 8_000
"""More room for a writer that reasons: its thoughts count as output."""
WRITER_FAILURES = {
    "grader_refusal": "writer_refusal",
    "grader_truncated": "writer_truncated",
    "grader_no_payload": "writer_no_payload",
    "grader_schema_mismatch": "writer_schema_mismatch",
}
"""What a failure is called that befell a writer: a reader of the log looks for the
culprit by this name.
"""
Shared = TypeVar("Shared")


def text_digest(*parts: str) -> str:
    """Return 16 hex digits that depend on the parts."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def prompt_hashes(package: str) -> dict[str, str]:
    """Return the digest of each prompt that is shipped with a package, by file name:
    files change, the log does not.
    """
    hashes = {}
    folder = resources.files(package) / "prompts"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith((".txt", ".yaml")):
            hashes[file.name] = text_digest(file.read_text(encoding="utf-8"))
    return hashes


def prompt_of(
    package: str,
    name: str,
    schema: type[Answer],
    form: Form,
    *parts: str,
) -> str:
    """Return a prompt: the instructions that are shipped with a package, how to submit
    the answer, and behind both what differs from item to item.
    """
    instructions = bundled(package, name)
    return "\n\n".join((instructions, how_to_submit(schema, form.thing), *parts))


def cache_policy(cache: bool, seed: int) -> Cache:
    """Return the policy by which a killed run repays no finished call; another seed
    asks anew.
    """
    if not cache:
        return False
    return CachePolicy(expiry="1W", scopes={"refusalbench_seed": str(seed)})


async def hear(
    model: Model,
    prompt: str,
    schema: type[Answer],
    form: Form,
    cache: Cache,
    shared: Sequence[int] = (),
) -> Reply[Answer]:
    """Return a model's answer to a prompt, as `ask` does.

    Never raises: the provider's error is why there is none.
    """
    try:
        return await ask(
            model,
            prompt,
            schema,
            cache,
            form=form,
            shared=shared,
        )
    except CallFailed as call:
        return Reply(
            None,
            problem_of(call.error),
            "",
            Spent(),
        )


async def ask_writer(
    model: Model,
    prompt: str,
    schema: type[Answer],
    form: Form,
    room: int,
    cache: Cache,
    shared: Sequence[int] = (),
) -> Reply[Answer]:
    """Return a writer's reply, as `ask` does, its failure by the name in
    `WRITER_FAILURES`.

    Raises the provider's error.
    `room` is how many tokens the reply may have where no `--max-tokens` is given.
    """
    tokens = room + (ROOM_TO_THINK if thinks_first(model) else 0)
    config = None if model.config.max_tokens else GenerateConfig(max_tokens=tokens)
    try:
        reply = await ask(
            model,
            prompt,
            schema,
            cache,
            config,
            form,
            shared,
        )
    except CallFailed as failed:
        raise failed.error from None
    if reply.failure is None:
        return reply
    return replace(reply, failure=WRITER_FAILURES[reply.failure])


class SharedCalls(Generic[Shared]):
    """Work that several samples of a run share: whoever asks first does it, the others
    wait for its result.

    An error is not kept: it is the asker's own, and the next one does the work anew.
    """

    def __init__(self) -> None:
        from anyio import Lock

        self._lock = Lock
        self._locks: dict[Hashable, Lock] = {}
        self._results: dict[Hashable, tuple[Shared, int]] = {}

    async def take(
        self,
        key: Hashable,
        make: Callable[[], Awaitable[Shared]],
        sharers: int,
    ) -> tuple[Shared, bool]:
        """Return the result for a key, and whether it was made for this asker: whoever
        that is has paid for it.

        `sharers` is how many will ask for it, each once; then it is forgotten.
        """
        async with self._locks.setdefault(key, self._lock()):
            results = self._results
            is_first = key not in results
            if is_first:
                results[key] = await make(), sharers
            result, left = results.pop(key)
            if left > 1:
                results[key] = result, left - 1
        return result, is_first
