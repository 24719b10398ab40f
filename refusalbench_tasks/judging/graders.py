"""Who grades: the models bound to the `grader` role, or the evaluated model itself,
never silently; how it is called, and what it is told after many failures in a row.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import BaseModel

from refusalbench_tasks.datasets.item import RUN_ROWS, RunRows
from refusalbench_tasks.prompting import bundled

from .ask import (
    Answer,
    Reply,
    ask,
    how_to_submit,
    thinks_first,
)
from .grader_check import KnownReplyCheck, check_cache
from .material import material

LONGEST = 10
"""Replies in a row without a verdict of a grader from which it is named: by chance they
would not come together.
"""


@dataclass
class _FailureRow:
    reasons: list[str] = field(default_factory=list)
    warned: bool = False


_rows: WeakKeyDictionary[Model, _FailureRow] = WeakKeyDictionary()


def forget_failures(graders: Iterable[Model]) -> None:
    """Begin anew for some graders, as a new run does."""
    for grader in graders:
        _rows.pop(grader, None)


def count_verdict(grader: Model, failure: str | None) -> None:
    """Count a grader's failure on a reply; None, for a verdict, ends the row.

    Logs one warning, once a run, when the row is LONGEST.
    """
    row = _rows.setdefault(grader, _FailureRow())
    reasons = row.reasons
    if failure is None:
        reasons.clear()
        return
    reasons.append(failure)
    if len(reasons) < LONGEST or row.warned:
        return
    row.warned = True
    [(reason, n)] = Counter(reasons).most_common(1)
    logger.warning(
        "The grader %s gave no verdict on %d replies in a row, most often: %s (%d). "
        "They stay unscored; grade the log again with another grader by inspect score",
        grader,
        len(reasons),
        reason,
        n,
    )


ROLE = "grader"
CHECKING = "refusalbench:checking_graders"
"""The key in the store of a sample while its graders are checked, before the model is
asked.
"""
# These two sample unless told otherwise, and 0 as a temperature is an error: one token
# to choose from is greedy too.
_NO_ZERO = ("hf", "nnterp")
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Graders:
    """The grading models; `self_graded` if it is the evaluated model, because the role
    is not bound.
    """

    models: tuple[Model, ...]
    self_graded: bool

    @property
    def warning(self) -> str:
        """Return what is to be known before a run; empty for other graders."""
        if self.self_graded:
            return (
                f"No grader is bound, so {self.models[0]} grades its own replies. Bind"
                " one: --model-role grader=PROVIDER/MODEL"
            )
        if self.models:
            return ""
        return (
            "No model and no grader: replies that need a judge stay unscored. Use -T"
            " judge=offline, or bind one: --model-role grader=PROVIDER/MODEL"
        )


def find_graders() -> Graders:
    """Return the models of the `grader` role (a list role is a panel); the evaluated
    model if the role is unbound.

    No models if the role is unbound and the run has no model. To be called inside a
    solver or scorer.
    """
    bound = model_roles().get(ROLE)
    if isinstance(bound, list):
        return Graders(tuple(bound), False)
    if bound is not None:
        return Graders((bound,), False)
    evaluated = get_model()
    if str(evaluated) == "none/none":
        return Graders((), False)
    return Graders((evaluated,), True)


def greedy(model: str) -> dict[str, Any]:
    """Return the settings that make a model, named as `provider/name`, give its most
    probable tokens.
    """
    return {"top_k": 1} if model.partition("/")[0] in _NO_ZERO else {"temperature": 0.0}


def grading_config(grader: Model) -> GenerateConfig | None:
    """Return the settings of a grading call: greedy, so that the same reply gets the
    same verdict.

    None for a grader that has a temperature of its own (in `--model-role`), and for one
    that reasons, because such models refuse it. The run's `--temperature` is of
    replies, so it does not count, even where a model grades itself.
    """
    if grader.config.temperature is not None or thinks_first(grader):
        return None
    return GenerateConfig(**greedy(str(grader)))


def grading_options(grader: Model, check: bool) -> dict[str, Any]:
    """Return how a grader is called; about a known reply as ever, but from the check's
    cache, and never in a batch.
    """
    config = grading_config(grader) or GenerateConfig()
    if not check:
        return {"config": config}
    return {
        "config": config.model_copy(update={"batch": False}),
        "cache": check_cache(),
    }


def grading_prompt(
    schema: type[BaseModel],
    files: Iterable[str],
    parts: Mapping[str, str],
) -> str:
    """Return a grader's prompt: the instructions of files first, the material last."""
    instructions = [bundled("refusalbench_tasks.judging", file) for file in files]
    return "\n\n".join([*instructions, how_to_submit(schema), material(parts)])


async def ask_grader(
    grader: Model,
    prompt: str,
    schema: type[Answer],
    check: bool = False,
) -> Reply[Answer]:
    """Return what a grader submits. Raises CallFailed with the provider's error."""
    return await ask(
        grader,
        prompt,
        schema,
        **grading_options(grader, check),
    )


@solver
def announce_graders(
    needed: bool,
    roles: tuple[str, ...] = (ROLE,),
    rows: RunRows | None = None,
    check: KnownReplyCheck | None = None,
) -> Solver:
    """Warn once, at the start of a run, about what the bound model roles will not do,
    and check its graders.

    Raises DataError for a grader that misreads known replies, before a model is asked
    for a reply.

    Args:
        needed: Whether the run has a judge: if so, it is told that the evaluated model
            will grade itself, or nobody.
        roles: The roles that the task knows; any other that is bound is not used, and
            is named.
        rows: The rows of the run, which the solvers of its samples are told.
        check: How the graders are checked, once for all samples; without it they are
            not.
    """
    is_first = True

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal is_first
        if rows is not None:
            RUN_ROWS.set(rows)
        if is_first:
            is_first = False
            for name in model_roles():
                if name not in roles:
                    logger.warning(
                        "The model role '%s' is not used; known: %s",
                        name,
                        ", ".join(roles),
                    )
            if needed:
                graders = find_graders()
                forget_failures(graders.models)
                if graders.warning:
                    logger.warning(graders.warning)
        if needed and check is not None:
            state.store.set(CHECKING, True)
            await check.warning(find_graders().models)
            state.store.set(CHECKING, False)
        return state

    return solve
