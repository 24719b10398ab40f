"""What stops a run whose verifier is dead: a call to each before anything is paid for, and a count of its failures."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from inspect_ai.model import GenerateConfig, Model
from pydantic import BaseModel, Field

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import CallFailed, Form, ask
from refusalbench_tasks.replies.outside_text import problem_of

PREFLIGHT = "This is a test of the connection, before any item is sent. Submit a verdict with ready set to true."
FORM = Form("verdict", thinks=True)
LONGEST_RUN = 20
"""Failures of one verifier in a row that stop a run."""

_FAILED: WeakKeyDictionary[Model, list[str]] = WeakKeyDictionary()
# Solver and scorer of a run share the count by the model that both ask; it dies with the model.


class Ready(BaseModel):
    """What a verifier says before a run."""

    ready: bool = Field(description="true")


async def preflight(judges: Sequence[Model], role: str = "verifier") -> None:
    """Ask each verifier one short question in the form of a vote; raise DataError, naming the first that fails.

    Only an error of the call counts, whatever the verifier says. It is never taken from the cache and never waits for
    a batch. A verifier that answers starts with no failures.
    """
    for judge in judges:
        try:
            await ask(judge, PREFLIGHT, Ready, config=GenerateConfig(batch=False), form=FORM)
        except CallFailed as failed:
            raise DataError(
                f"{role} {judge} cannot be called: {problem_of(failed.error)}; nothing was paid for items yet. "
                "Mend its name, key or address, and start again"
            ) from None
        _FAILED.pop(judge, None)


def count_failure(model: Model, failure: str | None) -> None:
    """Add a failure to those of a model in a row; None, for a call that gave what was asked for, ends the row."""
    if failure is None:
        _FAILED.pop(model, None)
    else:
        _FAILED.setdefault(model, []).append(failure)


def require_alive(judges: Sequence[Model], most: int, role: str = "verifier", missing: str = "votes") -> None:
    """Raise DataError with the last failure of a verifier that failed `most` times in a row; 0 allows any number."""
    for judge in judges:
        failures = _FAILED.get(judge, [])
        if most and len(failures) >= most:
            raise DataError(
                f"{role} {judge} failed {len(failures)} times in a row, last: {failures[-1]}; the run stops. Mend "
                f"it, go on with `inspect eval-retry`, then ask for the missing {missing} with `inspect score`"
            )
