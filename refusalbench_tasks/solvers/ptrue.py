"""The solver that measures a model's confidence in the answer it gave, and the ways in
which it asks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel, collect
from pydantic import Field

from refusalbench_tasks.arguments import Count, require
from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.judging.graders import greedy
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.prompting import bundled, fill
from refusalbench_tasks.prompting.released_prompts import released_prompt
from refusalbench_tasks.replies.ab_probability import (
    MIN_MASS,
    LetterReading,
    as_released,
    first_written,
    from_logprobs,
    from_votes,
    stated_probability,
)
from refusalbench_tasks.replies.answer_line import read_explained, stated_confidence
from refusalbench_tasks.replies.code import visible_text
from refusalbench_tasks.replies.outside_text import reply_of, well_formed
from refusalbench_tasks.solvers.hedging_prompt import released_sources, sources_text

CUT_OFF = ("max_tokens", "model_length")
"""The stop reasons of a reply that is not whole.

A provider may give no reason at all ("unknown").
"""
_MOST = 20
_FEW = 5
"""How many alternatives of a token are asked for: OpenAI's most, and what the released
code and any provider take.
"""
_LIMIT = 16
"""Tokens for a letter or a number; a model that thinks before it writes gets the run's
own limit.
"""


def ways_of_asking(
    model: str,
    method: str,
    samples: int,
    official: bool,
) -> list[GenerateConfig]:
    """Return the ways of asking for a letter by its log-probability (`logprob`), for
    sampled replies (`sample`: all at once, then one at a time) or for a number in
    words; the later ones leave out what a provider may not take.
    """
    short = GenerateConfig(max_tokens=_LIMIT)
    likeliest = GenerateConfig(**greedy(model))
    if method == "logprob":
        few = short.merge(GenerateConfig(logprobs=True, top_logprobs=_FEW))
        ways = [few.merge(likeliest), few]
        most = ways[0].merge(GenerateConfig(top_logprobs=_MOST))
        return ways if official else [most, *ways]
    if method != "sample":
        return [likeliest.merge(short), likeliest, GenerateConfig()]
    # a cached reply would be one vote counted many times
    bare = GenerateConfig(cache=False)
    varied = bare.merge(GenerateConfig(temperature=1.0))
    brief = varied.merge(short)
    ways = [brief, varied, bare]
    if samples > 1:
        ways.insert(0, brief.merge(GenerateConfig(num_choices=samples)))
    return ways


@dataclass
class ConfidenceJudge:
    """A model, the ways of asking it, and the first of them that its provider has been
    found to take.
    """

    model: Model
    ways: Sequence[GenerateConfig]
    way: int = 0

    async def ask(self, prompt: str | list[ChatMessage]) -> ModelOutput:
        """Return the first usable reply; a way that the provider rejects is not tried
        again once another has worked.

        Raises as `generate` if the last way fails, and for an error that is no
        rejection.
        """
        ways = self.ways
        for way in range(self.way, len(ways) - 1):
            try:
                output = await self.model.generate(prompt, config=ways[way])
            except Exception as error:
                if not is_rejection(error):
                    raise
                continue
            if ways[way].logprobs or _is_written(output):
                break
        else:
            way = len(ways) - 1
            output = await self.model.generate(prompt, config=ways[way])
        self.way = max(way, self.way)
        return output

    async def votes(
        self, prompt: str | list[ChatMessage], number: int
    ) -> list[str | None]:
        """Return at least `number` replies, None for an output that has none.

        Raises as `ask`.
        """
        replies: list[str | None] = []
        outputs = [await self.ask(prompt)]
        while True:
            for output in outputs:
                texts = [choice.message.text for choice in output.choices]
                replies += texts or [None]
            if len(replies) >= number:
                return replies
            lacking = number - len(replies)
            outputs = await collect(*(self.ask(prompt) for _ in range(lacking)))


def is_rejection(error: Exception) -> bool:
    """Whether an error says that the provider does not take the request as it is (HTTP
    400 or 422, or gRPC's word).

    A library that runs a model in this process raises plain ValueError for a setting
    that it refuses. The kinds of it that parsers raise (pydantic, JSON, Unicode) say
    that a reply could not be read, and nothing about the request.
    """
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    if callable(status):
        return getattr(status(), "name", "") == "INVALID_ARGUMENT"
    return status in (400, 422) or type(error) is ValueError


def _is_written(output: ModelOutput) -> bool:
    """Whether no choice ended while its model was still thinking."""
    for choice in output.choices:
        written = visible_text(choice.message.text).lower()
        is_cut = not written and choice.stop_reason in CUT_OFF
        if is_cut or written.startswith("<think>"):
            return False
    return True


Method = Literal["logprob", "sample", "verbal", "none"]

ROLE = "confidence"
ASKED_BY_LETTER = ("logprob", "sample")
"""The methods that ask about the answer by a question with two letters."""

Question = Callable[[BluffItem, str], str | list[ChatMessage]]
"""What the judge is asked about an answer."""


class Confidence(StoreModel):
    """What was measured about one reply; `value` is None with the
    reason in `missing`.
    """

    value: float | None = Field(
        default=None,
        ge=0,
        le=1,
    )
    method: str = "none"
    missing: str | None = "not_asked"
    mass: float | None = None
    model: str = ""
    raw: str = ""


@solver
def ptrue(
    method: Method = "logprob",
    samples: int = 10,
    show_date: bool = False,
    protocol: Protocol = "paper",
    prompt: str | None = None,
) -> Solver:
    """Measure the confidence in the answer line by a question about it, and store it
    for the scorer.

    The evaluated model is asked about its own answer, or the model of the role
    `confidence`. Refusals are asked about as well; an empty, filtered or cut-off reply
    is not (with `official-code` a filtered one alone is not). What the provider does
    not give is missing, with the reason.

    Args:
        method: `logprob` (probability of the letter for "true" against that for
            "false"), `sample` (share of votes), `verbal` (a number in words), `none`.
        samples: Votes for `sample`; the value then moves in steps of 1 / samples.
        show_date: Show the date line in the sources, as in the answer's prompt.
        protocol: Which line of the reply is the answer; see `read_explained`.
        prompt: `official` to ask by the authors' prompt, which is fetched, or the path
            of their file or of its folder. With it `verbal` asks no question: the
            reply's own line `Confidence: …` is read, which their prompt for the answer
            asks for.
    """
    require(Method, ptrue=method)
    require(Count, samples=samples)
    official = protocol == "official-code"
    question_about = _bundled_question(method, show_date)
    if prompt is not None and method in ASKED_BY_LETTER:
        question_about = _released_question(prompt)
    judges: dict[str, ConfidenceJudge] = {}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        stored = state.store_as(Confidence)
        stored.method = method
        if method == "none":
            return state
        answer = _answer_line(state.output, protocol)
        if answer is None:
            stored.missing = "nothing_to_judge"
            return state
        if method == "verbal" and prompt is not None:
            stored.raw = reply_of(state.output)
            _keep_number(stored, stated_confidence(stored.raw))
            return state
        model = get_model(role=ROLE, default=get_model())
        name = stored.model = str(model)
        ways = ways_of_asking(
            name,
            method,
            samples,
            official,
        )
        judge = judges.setdefault(name, ConfidenceJudge(model, ways))
        question = question_about(state.metadata_as(BluffItem), answer)
        try:
            if method == "sample":
                replies = await judge.votes(question, samples)
                given = [reply for reply in replies if reply is not None]
                votes = [visible_text(well_formed(reply)) for reply in given[:samples]]
                stored.raw = " ".join(vote.strip() or "(empty)" for vote in votes)
                keep_reading(stored, from_votes(votes), official)
            else:
                _keep_output(
                    stored,
                    await judge.ask(question),
                    official,
                )
        except Exception as error:
            if not is_rejection(error):
                raise
            stored.missing = "rejected"
            stored.raw = str(error)
        return state

    return solve


def _answer_line(output: ModelOutput, protocol: Protocol) -> str | None:
    """Return the answer line that is asked about; None if there is none.

    A provider need not say why a reply ended.

    The released evaluator asks about an empty line as well, and about a reply that was
    cut off.
    """
    official = protocol == "official-code"
    stop = stop_of(output)
    if not output.choices or stop == "content_filter":
        return None
    if stop in CUT_OFF and not official:
        return None
    answer = read_explained(reply_of(output), protocol).answer
    return answer if answer or official else None


def _released_question(name: str) -> Question:
    """Return the authors' question about an answer. Raises DataError."""
    system = released_prompt("bluff p(true), system", name).template
    user = released_prompt("bluff p(true), user", name).template

    def question(item: BluffItem, answer: str) -> list[ChatMessage]:
        sources = f"Sources:\n{released_sources(item)}"
        values = {"query": item.query, "sources": sources, "reply": answer}
        return [
            ChatMessageSystem(content=system),
            ChatMessageUser(content=fill(user, values)),
        ]

    return question


def _bundled_question(method: Method, show_date: bool) -> Question:
    """Return our question, which stands behind the sources."""
    name = "verbal.txt" if method == "verbal" else "ptrue.txt"
    template = bundled("refusalbench_tasks.solvers", name)

    def question(item: BluffItem, answer: str) -> str:
        marked = {"material": material({"PROPOSED ANSWER": answer})}
        return f"{sources_text(item, show_date)}\n\n{fill(template, marked)}"

    return question


def _keep_number(stored: Confidence, value: float | None) -> None:
    """Store a probability that is stated in words."""
    stored.value = value
    stored.missing = "no_number" if value is None else None


def _keep_output(
    stored: Confidence,
    output: ModelOutput,
    official: bool,
) -> None:
    """Store what one reply says: in words, or by the first token that is more than
    white space; the released code takes the very first.
    """
    stored.raw = reply_of(output)
    if stored.method == "verbal":
        _keep_number(stored, stated_probability(visible_text(stored.raw)))
        return
    logprobs = output.choices[0].logprobs if output.choices else None
    tokens = logprobs.content if logprobs else []
    at = 0 if official else first_written([token.token for token in tokens])
    if not tokens or at is None:
        stored.missing = "no_letter" if tokens else "no_logprobs"
        return
    token = tokens[at]
    listed = {top.token: top.logprob for top in token.top_logprobs or []}
    emitted = {token.token: token.logprob}
    if official:
        reading = as_released((listed or emitted).items())
    else:
        reading = from_logprobs((emitted | listed).items())
    keep_reading(stored, reading, official)


def keep_reading(
    stored: Confidence,
    reading: LetterReading | None,
    official: bool,
) -> None:
    """Store what the letters say, or why they say nothing; the released code asks for
    no least mass.
    """
    if reading is None:
        stored.missing = "no_letter"
        return
    stored.mass = reading.mass
    if reading.mass < MIN_MASS and not official:
        stored.value = None
        stored.missing = "low_mass"
    else:
        stored.value = reading.probability
        stored.missing = None
