"""The solver that measures a model's confidence in the answer it gave."""

import logging
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import ChatMessageSystem, ChatMessageUser, Logprob, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import Store, StoreModel
from pydantic import Field

from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.errors import DataError, one_of
from refusalbench_tasks.judging.ask import refused_by_provider
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.metrics.hedging_table import TOLERATED
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
from refusalbench_tasks.solvers.confidence_judge import (
    ALTERNATIVES,
    CUT_OFF,
    ConfidenceJudge,
    Kind,
    Prompt,
    is_rejection,
)
from refusalbench_tasks.solvers.hedging_prompt import released_sources, sources_text
from refusalbench_tasks.solvers.released_prompts import is_released, released_prompt

Method = Literal["logprob", "sample", "verbal", "none"]

ROLE = "confidence"
_RELEASED_ALTERNATIVES = 5
_FIRST = 10
logger = logging.getLogger(__name__)


class Confidence(StoreModel):
    """What was measured about one reply; `value` is None with the reason in `missing`."""

    value: float | None = Field(default=None)
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
    known: dict[str, dict[Kind, int]] = {}
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
        judge = ConfidenceJudge(model, known.setdefault(stored.model, {}))
        sources, marked = sources_text(state.metadata_as(BluffItem), show_date), material({"PROPOSED ANSWER": answer})

        def asked(template: str, exchanged: bool = False) -> _Asked:
            if prompt is not None and is_released(prompt):
                released = _released(state.metadata_as(BluffItem), answer, prompt)
                return _Asked(judge, released, method, samples, protocol)
            question = fill(bundled("refusalbench_tasks.solvers", template), {"material": marked})
            return _Asked(judge, f"{sources}\n\n{question}", method, samples, protocol, exchanged)

        try:
            await _measure(asked("verbal.txt" if method == "verbal" else "ptrue.txt"), stored)
            if orders == 2 and stored.value is not None:
                await _exchange(asked("ptrue_swapped.txt", exchanged=True), stored)
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
    asked, lost = missing.total(), missing.total() - missing[""]
    if asked == _FIRST and lost > TOLERATED * asked:
        why = ", ".join(f"{reason} {n}" for reason, n in missing.most_common() if reason)
        logger.warning(
            "%s gave no confidence for %d of %d replies so far (%s). "
            "Try -T ptrue=sample, or another model: --model-role confidence=PROVIDER/MODEL",
            model, lost, asked, why,
        )  # fmt: skip


def _released(item: BluffItem, answer: str, name: str) -> Prompt:
    """Return the messages by which the released evaluator asks whether an answer is true."""
    values = {"query": item.query, "sources": f"Sources:\n{released_sources(item)}", "answer": answer}
    user = fill(released_prompt("bluff p(true), user", name).template, values)
    return [
        ChatMessageSystem(content=released_prompt("bluff p(true), system", name).template),
        ChatMessageUser(content=user),
    ]


@dataclass(frozen=True)
class _Asked:
    judge: ConfidenceJudge
    text: Prompt
    method: Method
    samples: int
    protocol: Protocol
    exchanged: bool = False


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


async def _measure(asked: _Asked, stored: Confidence) -> None:
    if asked.method == "verbal":
        stored.raw = reply_of(await asked.judge.text(asked.text))
        stored.value = stated_probability(visible_text(stored.raw))
        stored.missing = "no_number" if stored.value is None else None
    elif asked.method == "sample":
        votes = await asked.judge.votes(asked.text, asked.samples)
        stored.raw = " ".join(vote.strip() or "(empty)" for vote in votes)
        keep_reading(stored, from_votes(votes, asked.exchanged), asked.protocol)
    else:
        await _by_logprobs(asked, stored)


async def _exchange(asked: _Asked, stored: Confidence) -> None:
    """Ask with the letters exchanged, and keep the mean; without a second value there is none, and nothing is kept."""
    # one without a store of its own would write over the sample's
    other = Confidence(store=Store())
    await _measure(asked, other)
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


async def _by_logprobs(asked: _Asked, stored: Confidence) -> None:
    official = asked.protocol == "official-code"
    output = await asked.judge.letter(asked.text, _RELEASED_ALTERNATIVES if official else ALTERNATIVES[0])
    stored.raw = reply_of(output)
    tokens = output.choices[0].logprobs.content if output.choices and output.choices[0].logprobs else []
    if not tokens:
        stored.missing = "no_logprobs"
        return
    if official:
        listed = [(top.token, top.logprob) for top in tokens[0].top_logprobs or []]
        keep_reading(stored, as_released(listed or [(tokens[0].token, tokens[0].logprob)]), asked.protocol)
        return
    place = first_written([token.token for token in tokens])
    keep_reading(stored, from_logprobs(_alternatives(tokens[place])) if place is not None else None, asked.protocol)


def _alternatives(token: Logprob) -> list[tuple[str, float]]:
    listed = {top.token: top.logprob for top in token.top_logprobs or []}
    return list(({token.token: token.logprob} | listed).items())


def keep_reading(stored: Confidence, reading: LetterReading | None, protocol: Protocol) -> None:
    """Store what the letters say, or why they say nothing."""
    if reading is None:
        stored.missing = "no_letter"
        return
    stored.mass, stored.resolution = reading.mass, reading.resolution
    if reading.mass < MIN_MASS and protocol == "paper":
        stored.missing = "low_mass"
        return
    stored.value, stored.missing = reading.probability, None
