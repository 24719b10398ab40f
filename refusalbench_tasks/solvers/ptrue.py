"""The solver that measures a model's confidence in the answer it gave."""

import logging
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import Store, StoreModel
from pydantic import Field

from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.errors import DataError, one_of
from refusalbench_tasks.judging.ask import refused_by_provider
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.prompting import bundled, fill
from refusalbench_tasks.replies.code import visible_text
from refusalbench_tasks.replies.explained import read_explained
from refusalbench_tasks.replies.letters import (
    MIN_MASS,
    LetterReading,
    as_released,
    first_written,
    from_logprobs,
    from_votes,
    stated_probability,
)
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.confidence_judge import ALTERNATIVES, CUT_OFF, ConfidenceJudge, Prompt, is_rejection
from refusalbench_tasks.solvers.hedging_prompt import released_sources, sources_text
from refusalbench_tasks.solvers.released_prompts import released_prompt

Method = Literal["logprob", "sample", "verbal", "none"]

ROLE = "confidence"
_RELEASED_ALTERNATIVES = 5
_FIRST = 10
logger = logging.getLogger(__name__)


class Confidence(StoreModel):
    """What was measured about one reply; `value` is None with the reason in `missing`."""

    value: float | None = Field(default=None, ge=0, le=1)
    method: str = Field(default="none")
    missing: str | None = Field(default="not_asked")
    mass: float | None = Field(default=None)
    resolution: float | None = Field(default=None)
    model: str = Field(default="")
    raw: str = Field(default="")
    orders: list[float] = Field(default_factory=list)
    """With two orders: the probability of "true" where A means it, and where B does."""


@solver
def ptrue(
    method: Method = "logprob",
    samples: int = 10,
    show_date: bool = False,
    protocol: Protocol = "paper",
    orders: int = 1,
    prompt: str | None = None,
) -> Solver:
    """Measure the confidence in the answer line by a question about it, and store it for the scorer.

    The evaluated model is asked about its own answer, or the model of the role `confidence`. Refusals are asked about
    as well; an empty, filtered or cut-off reply is not (with `official-code` a filtered one alone is not). What the
    provider does not give is missing, with the reason.

    Args:
        method: `logprob` (probability of the letter for "true" against that for "false"), `sample` (share of votes),
            `verbal` (a number in words), `none`.
        samples: Votes for `sample`; the value then moves in steps of 1 / samples.
        show_date: Show the date line in the sources, as in the answer's prompt.
        protocol: Which line of the reply is the answer; see `read_explained`.
        orders: 1, or 2 to ask once more with A and B exchanged. The confidence is the mean of both, and missing if
            either is.
        prompt: `official` to ask by the authors' prompt, which is fetched, or the path of their file.
    """
    one_of("ptrue", method, Method)
    if samples < 1:
        raise DataError(f"samples: expected a whole number of at least 1, got {samples}")
    check_orders(orders, method, protocol)
    if prompt is not None and (method == "verbal" or orders == 2):
        raise DataError("prompt=official: asks for a letter, once; use ptrue=logprob or sample, and ptrue_orders=1")
    how = _How(method, samples, show_date, protocol, prompt)
    judges: dict[str, ConfidenceJudge] = {}
    missing: Counter[str] = Counter()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        stored = state.store_as(Confidence)
        stored.method = method
        if method == "none":
            return state
        answer = _answer_line(state.output, protocol)
        if answer is None:
            stored.missing = "nothing_to_judge"
            return state
        model = get_model(role=ROLE, default=get_model())
        stored.model = str(model)
        judge, item = judges.setdefault(stored.model, ConfidenceJudge(model)), state.metadata_as(BluffItem)
        try:
            await how.measure(judge, item, answer, stored)
            if orders == 2 and stored.value is not None:
                await how.measure_exchanged(judge, item, answer, stored)
        except Exception as error:
            if not is_rejection(error):
                raise
            stored.value, stored.missing, stored.raw = None, "rejected", str(error)
        missing[stored.missing or ""] += 1
        _warn_early(stored.model, missing)
        return state

    return solve


def _warn_early(model: str, missing: Counter[str]) -> None:
    """Warn when of the first ten replies more than a tenth have no confidence, while there is time to stop the run."""
    # every `inspect` command imports this module, and few need the arithmetic
    from refusalbench_tasks.metrics.hedging_table import TOLERATED

    asked, lost = missing.total(), missing.total() - missing[""]
    if asked == _FIRST and lost > TOLERATED * asked:
        why = ", ".join(f"{reason} {n}" for reason, n in missing.most_common() if reason)
        logger.warning(
            "%s gave no confidence for %d of %d replies so far (%s). "
            "Try -T ptrue=sample, or another model: --model-role confidence=PROVIDER/MODEL",
            model, lost, asked, why,
        )  # fmt: skip


def check_orders(orders: int, method: Method, protocol: Protocol) -> None:
    """Raise DataError for a number of orders that is none, or that the way of asking does not have."""
    if isinstance(orders, bool) or orders not in (1, 2):
        raise DataError(f"ptrue_orders: expected 1 or 2, got {orders!r}")
    if orders == 2 and (method not in ("logprob", "sample") or protocol == "official-code"):
        raise DataError("ptrue_orders=2 needs letters to exchange: ptrue=logprob or sample, and protocol=paper")


def _answer_line(output: ModelOutput, protocol: Protocol) -> str | None:
    """Return the answer line that is asked about; None if there is none. A provider need not say why a reply ended.

    The released evaluator asks about an empty line as well, and about a reply that was cut off.
    """
    official = protocol == "official-code"
    if not output.choices or refused_by_provider(output) or (output.stop_reason in CUT_OFF and not official):
        return None
    answer = read_explained(reply_of(output), protocol).answer
    return answer if answer or official else None


@dataclass(frozen=True)
class _How:
    """How a confidence is asked for and read."""

    method: Method
    samples: int
    show_date: bool
    protocol: Protocol
    prompt: str | None

    def question(self, item: BluffItem, answer: str, exchanged: bool) -> Prompt:
        """Return what the judge is asked: behind the sources, or by the messages of the released evaluator."""
        if self.prompt is not None:
            system, user = (released_prompt(f"bluff p(true), {part}", self.prompt) for part in ("system", "user"))
            values = {"query": item.query, "sources": f"Sources:\n{released_sources(item)}", "reply": answer}
            return [
                ChatMessageSystem(content=system.template),
                ChatMessageUser(content=fill(user.template, values)),
            ]
        name = "verbal.txt" if self.method == "verbal" else "ptrue_swapped.txt" if exchanged else "ptrue.txt"
        marked = {"material": material({"PROPOSED ANSWER": answer})}
        return f"{sources_text(item, self.show_date)}\n\n{fill(bundled('refusalbench_tasks.solvers', name), marked)}"

    async def measure(
        self, judge: ConfidenceJudge, item: BluffItem, answer: str, stored: Confidence, exchanged: bool = False
    ) -> None:
        """Ask, and store what the reply says."""
        question = self.question(item, answer, exchanged)
        if self.method == "verbal":
            stored.raw = reply_of(await judge.text(question))
            stored.value = stated_probability(visible_text(stored.raw))
            stored.missing = "no_number" if stored.value is None else None
        elif self.method == "sample":
            votes = await judge.votes(question, self.samples)
            stored.raw = " ".join(vote.strip() or "(empty)" for vote in votes)
            keep_reading(stored, from_votes(votes, exchanged), self.protocol)
        else:
            official = self.protocol == "official-code"
            output = await judge.letter(question, _RELEASED_ALTERNATIVES if official else ALTERNATIVES[0])
            stored.raw = reply_of(output)
            _keep_logprobs(stored, output, self.protocol)

    async def measure_exchanged(self, judge: ConfidenceJudge, item: BluffItem, answer: str, stored: Confidence) -> None:
        """Ask with the letters exchanged, and keep the mean; without a second value there is none."""
        # one without a store of its own would write over the sample's
        other = Confidence(store=Store())
        await self.measure(judge, item, answer, other, exchanged=True)
        first, stored.raw = stored.value, f"{stored.raw} | {other.raw}"
        if first is None or other.value is None:
            stored.value, stored.missing = None, other.missing
            return
        stored.orders = [first, 1 - other.value]
        stored.value = sum(stored.orders) / 2
        if stored.mass is not None and other.mass is not None:
            stored.mass = (stored.mass + other.mass) / 2
        if stored.resolution and other.resolution:
            stored.resolution = min(stored.resolution, other.resolution) / 2


def _keep_logprobs(stored: Confidence, output: ModelOutput, protocol: Protocol) -> None:
    """Store what the first token that is more than white space says; `official-code` takes the very first."""
    tokens = output.choices[0].logprobs.content if output.choices and output.choices[0].logprobs else []
    official = protocol == "official-code"
    place = 0 if official else first_written([token.token for token in tokens])
    if not tokens or place is None:
        stored.missing = "no_letter" if tokens else "no_logprobs"
        return
    token = tokens[place]
    listed = {top.token: top.logprob for top in token.top_logprobs or []}
    if official:
        keep_reading(stored, as_released((listed or {token.token: token.logprob}).items()), protocol)
    else:
        keep_reading(stored, from_logprobs(({token.token: token.logprob} | listed).items()), protocol)


def keep_reading(stored: Confidence, reading: LetterReading | None, protocol: Protocol) -> None:
    """Store what the letters say, or why they say nothing."""
    if reading is None:
        stored.missing = "no_letter"
        return
    stored.mass, stored.resolution = reading.mass, reading.resolution
    low = reading.mass < MIN_MASS and protocol == "paper"
    stored.value, stored.missing = (None, "low_mass") if low else (reading.probability, None)
