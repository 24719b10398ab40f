"""The solver that measures a model's confidence in the answer it gave."""

from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from pydantic import Field

from refusalbench_tasks.arguments import Count, require
from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.judging.ask import refused_by_provider
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
from refusalbench_tasks.solvers.confidence_judge import (
    CUT_OFF,
    ConfidenceJudge,
    is_rejection,
    letter_ways,
    vote_ways,
    word_ways,
)
from refusalbench_tasks.solvers.hedging_prompt import released_sources, sources_text

Method = Literal["logprob", "sample", "verbal", "none"]

ROLE = "confidence"
ASKED_BY_LETTER: tuple[Method, ...] = ("logprob", "sample")
"""The methods that ask about the answer by a question with two letters."""


class Confidence(StoreModel):
    """What was measured about one reply; `value` is None with the
    reason in `missing`.
    """

    value: float | None = Field(default=None, ge=0, le=1)
    method: str = Field(default="none")
    missing: str | None = Field(default="not_asked")
    mass: float | None = Field(default=None)
    model: str = Field(default="")
    raw: str = Field(default="")


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
    released = None
    if prompt is not None and method in ASKED_BY_LETTER:
        released = _Released.of(prompt)
    how = _How(method, samples, show_date, protocol == "official-code", released)
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
            _keep_stated(stored, reply_of(state.output))
            return state
        model = get_model(role=ROLE, default=get_model())
        stored.model = str(model)
        judge = judges.setdefault(stored.model, how.judge(model))
        try:
            await how.measure(
                judge, how.question(state.metadata_as(BluffItem), answer), stored
            )
        except Exception as error:
            if not is_rejection(error):
                raise
            stored.missing, stored.raw = "rejected", str(error)
        return state

    return solve


def _answer_line(output: ModelOutput, protocol: Protocol) -> str | None:
    """Return the answer line that is asked about; None if there is none.

    A provider need not say why a reply ended.

    The released evaluator asks about an empty line as well, and about a reply that was
    cut off.
    """
    official = protocol == "official-code"
    if (
        not output.choices
        or refused_by_provider(output)
        or (output.stop_reason in CUT_OFF and not official)
    ):
        return None
    answer = read_explained(reply_of(output), protocol).answer
    return answer if answer or official else None


def _keep_stated(stored: Confidence, reply: str) -> None:
    """Store the confidence that a reply states beside its answer."""
    stored.raw = reply
    stored.value = stated_confidence(reply)
    stored.missing = "no_number" if stored.value is None else None


@dataclass(frozen=True)
class _Released:
    """The authors' question about an answer: a system and a user message."""

    system: str
    user: str

    @classmethod
    def of(cls, name: str) -> "_Released":
        """Return the messages in a released file. Raises DataError."""
        return cls(
            released_prompt("bluff p(true), system", name).template,
            released_prompt("bluff p(true), user", name).template,
        )

    def messages(self, item: BluffItem, answer: str) -> list[ChatMessage]:
        """Return the question about an answer."""
        values = {
            "query": item.query,
            "sources": f"Sources:\n{released_sources(item)}",
            "reply": answer,
        }
        return [
            ChatMessageSystem(content=self.system),
            ChatMessageUser(content=fill(self.user, values)),
        ]


@dataclass(frozen=True)
class _How:
    """How a confidence is asked for and read."""

    method: Method
    samples: int
    show_date: bool
    official: bool
    released: _Released | None

    def judge(self, model: Model) -> ConfidenceJudge:
        """Return a model with the ways of asking it."""
        if self.method == "logprob":
            return ConfidenceJudge(model, letter_ways(str(model), self.official))
        return ConfidenceJudge(
            model,
            (
                vote_ways(self.samples)
                if self.method == "sample"
                else word_ways(str(model))
            ),
        )

    def question(self, item: BluffItem, answer: str) -> str | list[ChatMessage]:
        """Return what the judge is asked: behind the sources, or by the messages of the
        released evaluator.
        """
        if self.released is not None:
            return self.released.messages(item, answer)
        template = bundled(
            "refusalbench_tasks.solvers",
            "verbal.txt" if self.method == "verbal" else "ptrue.txt",
        )
        marked = {"material": material({"PROPOSED ANSWER": answer})}
        return f"{sources_text(item, self.show_date)}\n\n{fill(template, marked)}"

    async def measure(
        self,
        judge: ConfidenceJudge,
        question: str | list[ChatMessage],
        stored: Confidence,
    ) -> None:
        """Ask, and store what the reply says."""
        if self.method == "sample":
            choices = [
                choice
                for output in await judge.votes(question, self.samples)
                for choice in output.choices
            ]
            votes = [
                visible_text(well_formed(choice.message.text)) for choice in choices
            ][: self.samples]
            stored.raw = " ".join(vote.strip() or "(empty)" for vote in votes)
            keep_reading(stored, from_votes(votes), self.official)
            return
        output = await judge.ask(question)
        stored.raw = reply_of(output)
        if self.method == "verbal":
            stored.value = stated_probability(visible_text(stored.raw))
            stored.missing = "no_number" if stored.value is None else None
        else:
            _keep_logprobs(stored, output, self.official)


def _keep_logprobs(stored: Confidence, output: ModelOutput, official: bool) -> None:
    """Store what the first token that is more than white space says; the released code
    takes the very first.
    """
    tokens = (
        output.choices[0].logprobs.content
        if output.choices and output.choices[0].logprobs
        else []
    )
    place = 0 if official else first_written([token.token for token in tokens])
    if not tokens or place is None:
        stored.missing = "no_letter" if tokens else "no_logprobs"
        return
    token = tokens[place]
    listed = {top.token: top.logprob for top in token.top_logprobs or []}
    if official:
        keep_reading(
            stored,
            as_released((listed or {token.token: token.logprob}).items()),
            official,
        )
    else:
        keep_reading(
            stored,
            from_logprobs(({token.token: token.logprob} | listed).items()),
            official,
        )


def keep_reading(
    stored: Confidence, reading: LetterReading | None, official: bool
) -> None:
    """Store what the letters say, or why they say nothing; the released code asks for
    no least mass.
    """
    if reading is None:
        stored.missing = "no_letter"
        return
    stored.mass = reading.mass
    low = reading.mass < MIN_MASS and not official
    stored.value, stored.missing = (
        (None, "low_mass") if low else (reading.probability, None)
    )
