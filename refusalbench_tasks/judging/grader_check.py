"""The check of a grader before a run: it is asked about replies of which everybody
knows what they do.
"""

import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from textwrap import shorten
from weakref import WeakKeyDictionary

from anyio import Lock
from inspect_ai.model import CachePolicy, Model
from inspect_ai.util import (
    collect,
    span,
    suspend_token_limit,
    suspend_turn_limit,
    suspend_working_limit,
)
from pydantic import BaseModel

from refusalbench_tasks.bounded_reading import data_text
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import end_run
from refusalbench_tasks.outcome import GraderCheck
from refusalbench_tasks.replies.outside_text import one_line, problem_of

from .ask import Cache, CallFailed


class KnownReply(BaseModel, frozen=True, extra="forbid"):
    """A reply to a row; it answers the rows that have an answer, and refuses the
    others.
    """

    item: RefusalItem
    reply: str

    @property
    def refuses(self) -> bool:
        """Whether the reply is a refusal."""
        return not self.item.answerable


@lru_cache(1)
def known_replies() -> tuple[KnownReply, ...]:
    """Return the bundled replies: four answers, then four refusals."""
    lines = data_text("judging", "known_replies.jsonl").splitlines()
    return tuple(KnownReply.model_validate_json(line) for line in lines)


TOLERATED = 1
"""How many known replies a grader may miss: one slip is no sign, two of eight are."""
LONGEST = 40
"""How much of a known text is shown."""
_KEPT = CachePolicy(expiry="1D", per_epoch=False)
_cache: ContextVar[Cache] = ContextVar("cache of the grader check", default=_KEPT)
logger = logging.getLogger(__name__)


Opinion = bool | str
"""Whether a grader takes a known reply for a refusal; why it gave no verdict, as
text.
"""


@dataclass(frozen=True)
class Miss:
    """A known reply with a wrong opinion on it, or none."""

    known: KnownReply
    opinion: Opinion

    @property
    def words(self) -> str:
        """Return the opinion, and what would have been right."""
        if isinstance(self.opinion, str):
            return one_line(f"no verdict, {self.opinion}")
        if self.opinion:
            return "refusal instead of answer"
        return "answer instead of refusal"


Misses = tuple[Miss, ...]


@dataclass(frozen=True)
class CheckText:
    """What is said of a model that missed known replies, or questions, in a role."""

    role: str
    things: str
    way_out: str
    shown: Callable[[KnownReply], str]

    def summary(self, model: Model, misses: Misses) -> str:
        """Return how many a model missed."""
        share = f"{len(misses)} of {len(known_replies())}"
        return f"{self.role} {model} missed {share} known {self.things}"

    def problem(self, model: Model, misses: Misses) -> str:
        """Return in one line which a model missed, and what it made of them."""
        missed: dict[str, list[str]] = {}
        for miss in misses:
            text = shorten(
                self.shown(miss.known),
                LONGEST,
                placeholder=" …",
            )
            missed.setdefault(miss.words, []).append(f"'{text}'")
        parts = [f"{words}: {', '.join(texts)}" for words, texts in missed.items()]
        return f"{self.summary(model, misses)} ({'; '.join(parts)})"


GRADER_CHECK = CheckText(
    role="grader",
    things="replies",
    way_out=(
        "Bind another grader (--model-role grader=PROVIDER/MODEL), read replies without"
        " one (-T judge=offline), or go on all the same: -T grader_check=warn (inspect"
        " score: -S). eval-retry takes no -T: start the run anew"
    ),
    shown=lambda known: known.reply,
)
READER_CHECK = CheckText(
    role="reader",
    things="questions",
    way_out=(
        "Bind another reader (--model-role reader=PROVIDER/MODEL), or go on all the"
        " same: -T max_failures=0, which leaves out the check"
    ),
    shown=lambda known: known.item.query,
)
AskKnown = Callable[[Model, KnownReply], Awaitable[Opinion]]
"""How a grader is asked about a known reply: as about any other in the run."""


@dataclass
class _Checked:
    """One grader's check by one kind of question: whoever comes first makes it, the
    others wait.
    """

    lock: Lock = field(default_factory=Lock)
    misses: Misses | None = None


_checked: WeakKeyDictionary[Model, dict[Hashable, _Checked]] = WeakKeyDictionary()
# by model, for all tasks of a process: setup and scorer of a run share it, as no store
# of a sample could


class KnownReplyCheck:
    """How the graders of a run are checked.

    `question` names how they are asked: a grader is checked once for each.
    """

    def __init__(
        self,
        mode: GraderCheck,
        question: Hashable,
        ask: AskKnown,
    ) -> None:
        self.mode = mode
        self._question = question
        self._ask = ask

    def _repr_params_(self) -> str:
        """Return what Inspect writes down of it as an argument."""
        return self.mode

    async def warning(self, graders: Sequence[Model]) -> str:
        """Return what is wrong with graders that missed more than one known reply;
        empty if nothing is.

        Raises DataError, which names the replies, instead with `grader_check=stop`.
        With `off` nobody is asked.
        """
        if self.mode == "off":
            return ""
        warnings = []
        for grader in graders:
            # neither the calls nor the wait for them are the sample's
            with suspend_token_limit(), suspend_turn_limit(), suspend_working_limit():
                by_question = _checked.setdefault(grader, {})
                check = by_question.setdefault(self._question, _Checked())
                async with check.lock:
                    if check.misses is None:
                        check.misses = await find_misses(grader, self._ask)
                        if self.mode == "warn" and len(check.misses) > TOLERATED:
                            problem = GRADER_CHECK.problem(grader, check.misses)
                            logger.warning(problem)
            misses = check.misses
            if len(misses) <= TOLERATED:
                continue
            if self.mode == "stop":
                end_run(
                    f"{GRADER_CHECK.problem(grader, misses)}. {GRADER_CHECK.way_out}"
                )
            warnings.append(GRADER_CHECK.summary(grader, misses))
        return "; ".join(warnings)


def check_cache() -> Cache:
    """Return the cache for a call about a known reply: a day's, or none where a miss is
    asked again.
    """
    return _cache.get()


async def find_misses(grader: Model, ask: AskKnown) -> Misses:
    """Return the known replies that a grader takes for something else; a failed call is
    a miss.

    If they are too many, they are asked once more past the cache, which may hold what a
    server said before it was mended.
    """
    misses = await _misses_of(grader, ask, known_replies())
    if len(misses) <= TOLERATED:
        return misses
    token = _cache.set(False)
    try:
        return await _misses_of(
            grader,
            ask,
            [miss.known for miss in misses],
        )
    finally:
        _cache.reset(token)


async def _misses_of(
    grader: Model,
    ask: AskKnown,
    replies: Sequence[KnownReply],
) -> Misses:
    async def opinion(known: KnownReply) -> Opinion:
        try:
            return await ask(grader, known)
        except CallFailed as failed:
            # what the provider said, not that Inspect tried again
            cause = failed.error.__cause__
            return problem_of(cause if isinstance(cause, Exception) else failed.error)

    async with span("grader check"):
        opinions = await collect(*(opinion(known) for known in replies))
    checked = map(Miss, replies, opinions)
    return tuple(miss for miss in checked if miss.opinion is not miss.known.refuses)
