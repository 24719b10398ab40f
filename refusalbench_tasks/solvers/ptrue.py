"""The solver that measures a model's confidence in the answer it gave."""

from typing import Literal

from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel, collect
from pydantic import Field

from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.datasets.errors import DataError, one_of
from refusalbench_tasks.metrics.outcome import Protocol
from refusalbench_tasks.scorers.explained_reply import read_explained
from refusalbench_tasks.scorers.judge import material
from refusalbench_tasks.scorers.letters import LetterReading, from_logprobs, from_votes, stated_probability
from refusalbench_tasks.scorers.reply import visible_text
from refusalbench_tasks.solvers.hedging_prompt import sources_text
from refusalbench_tasks.solvers.template import bundled, fill

Method = Literal["logprob", "sample", "verbal", "none"]
Missing = Literal["not_asked", "nothing_to_judge", "no_logprobs", "no_letter", "no_number"]

ROLE = "confidence"
_TOP = 5
_TOKENS = 16


class Confidence(StoreModel):
    """What was measured about one reply; `value` is None with the reason in `missing`."""

    value: float | None = Field(default=None)
    method: str = Field(default="none")
    missing: str | None = Field(default="not_asked")
    mass: float | None = Field(default=None)
    resolution: float | None = Field(default=None)
    model: str = Field(default="")
    raw: str = Field(default="")


@solver
def ptrue(
    method: Method = "logprob", samples: int = 10, show_date: bool = False, protocol: Protocol = "paper"
) -> Solver:
    """Measure the confidence in the answer line by a question about it, and store it for the scorer.

    The evaluated model is asked about its own answer, or the model of the role `confidence`. Refusals are asked about
    as well; an empty, filtered or cut-off reply is not. What the provider does not give is missing, with the reason.

    Args:
        method: `logprob` (probability of the letter for "true" against that for "false"), `sample` (share of votes),
            `verbal` (a number in words), `none`.
        samples: Votes for `sample`; the value then moves in steps of 1 / samples.
        show_date: Show the date line in the sources, as in the answer's prompt.
        protocol: Which line of the reply is the answer; see `read_explained`.
    """
    one_of("ptrue", method, Method)
    if samples < 1:
        raise DataError(f"samples: expected a whole number of at least 1, got {samples}")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        stored = state.store_as(Confidence)
        stored.method = method
        if method == "none":
            return state
        reply = state.output.completion if state.output.choices and state.output.stop_reason == "stop" else ""
        answer = read_explained(reply, protocol).answer
        if not answer:
            stored.missing = "nothing_to_judge"
            return state
        judge = get_model(role=ROLE, default=get_model())
        stored.model = str(judge)
        request = bundled("refusalbench_tasks.solvers", "verbal.txt" if method == "verbal" else "ptrue.txt")
        question = fill(request, {"material": material({"PROPOSED ANSWER": answer})})
        text = f"{sources_text(state.metadata_as(BluffItem), show_date)}\n\n{question}"
        await _MEASURES[method](judge, text, samples, stored)
        return state

    return solve


async def _by_logprobs(judge: Model, text: str, samples: int, stored: Confidence) -> None:
    config = GenerateConfig(max_tokens=_TOKENS, temperature=0.0, logprobs=True, top_logprobs=_TOP)
    output = await judge.generate(text, config=config)
    stored.raw = _text(output)
    first = output.choices[0].logprobs.content[:1] if output.choices and output.choices[0].logprobs else []
    if not first:
        stored.missing = "no_logprobs"
        return
    listed = {top.token: top.logprob for top in first[0].top_logprobs or []}
    _keep(stored, from_logprobs({first[0].token: first[0].logprob, **listed}.items()))


async def _by_votes(judge: Model, text: str, samples: int, stored: Confidence) -> None:
    # The same question must be asked anew each time, so a cached reply would be one vote counted many times.
    first = await _votes(judge, text, samples)
    while len(first) < samples:
        one_by_one = await collect(*(_votes(judge, text, 1) for _ in range(samples - len(first))))
        first += [vote for votes in one_by_one for vote in votes]
    stored.raw = " ".join(vote.strip() or "(empty)" for vote in first[:samples])
    _keep(stored, from_votes(first[:samples]))


async def _votes(judge: Model, text: str, number: int) -> list[str]:
    several = number if number > 1 else None
    config = GenerateConfig(temperature=1.0, num_choices=several)
    output = await judge.generate(text, config=config, cache=False)
    return [visible_text(choice.message.text) for choice in output.choices] or [""]


async def _by_number(judge: Model, text: str, samples: int, stored: Confidence) -> None:
    output = await judge.generate(text, config=GenerateConfig(temperature=0.0))
    stored.raw = _text(output)
    stored.value = stated_probability(visible_text(stored.raw))
    stored.missing = "no_number" if stored.value is None else None


_MEASURES = {"logprob": _by_logprobs, "sample": _by_votes, "verbal": _by_number}


def _keep(stored: Confidence, reading: LetterReading | None) -> None:
    if reading is None:
        stored.missing = "no_letter"
        return
    stored.value, stored.missing = reading.probability, None
    stored.mass, stored.resolution = reading.mass, reading.resolution


def _text(output: ModelOutput) -> str:
    return output.completion if output.choices else ""
