"""The model that is asked for a confidence, in a way that its provider takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
from inspect_ai.util import collect

from refusalbench_tasks.judging.graders import greedy
from refusalbench_tasks.replies.code import visible_text
from refusalbench_tasks.replies.outside_text import well_formed

Kind = Literal["letter", "text", "votes"]
Prompt = str | list[ChatMessage]

CUT_OFF = ("max_tokens", "model_length")
"""The stop reasons of a reply that is not whole. A provider may give no reason at all ("unknown")."""
ALTERNATIVES = (20, 8, 5)
"""How many alternatives of a token are asked for: OpenAI's most, then xAI's, then what any provider with them takes."""
LIMIT = 16
"""Tokens for a letter or a number; a model that thinks before it writes gets the run's own limit."""


@dataclass(frozen=True)
class ConfidenceJudge:
    """A model, and how far down the ways of asking for each kind of reply its provider has been found to go."""

    model: Model
    known: dict[Kind, int] = field(default_factory=dict)

    async def letter(self, text: Prompt, most: int = ALTERNATIVES[0]) -> ModelOutput:
        """Return a reply with log-probabilities, with at most `most` alternatives a token. Raises as `generate`."""
        numbers = [number for number in ALTERNATIVES if number <= most]
        ways = [
            GenerateConfig(max_tokens=LIMIT, logprobs=True, top_logprobs=number, **decoding)
            for decoding in (greedy(str(self.model)), {})
            for number in numbers
        ]
        return await self._ask("letter", text, ways)

    async def text(self, text: Prompt) -> ModelOutput:
        """Return the most probable reply. Raises as `generate`."""
        decoding = greedy(str(self.model))
        ways = [GenerateConfig(max_tokens=LIMIT, **decoding), GenerateConfig(**decoding), GenerateConfig()]
        return await self._ask("text", text, ways, _is_written)

    async def votes(self, text: Prompt, number: int) -> list[str]:
        """Return `number` sampled replies, each without what precedes the visible text. Raises as `generate`."""
        first: list[str] = []
        if number > 1:
            try:
                first = await self._votes(text, number)
            except Exception as error:
                # the provider may refuse several replies to a call; then they are asked for one by one
                if not is_rejection(error):
                    raise
        while len(first) < number:
            rest = await collect(*(self._votes(text, 1) for _ in range(number - len(first))))
            first += [vote for votes in rest for vote in votes]
        return first[:number]

    async def _votes(self, text: Prompt, number: int) -> list[str]:
        several = number if number > 1 else None
        ways = [
            GenerateConfig(temperature=1.0, num_choices=several, max_tokens=LIMIT),
            GenerateConfig(temperature=1.0, num_choices=several),
            GenerateConfig(num_choices=several),
        ]
        # The same question must be asked anew each time, so a cached reply would be one vote counted many times.
        output = await self._ask("votes", text, ways, _is_written, cache=False)
        return [visible_text(well_formed(choice.message.text)) for choice in output.choices] or [""]

    async def _ask(
        self,
        kind: Kind,
        text: Prompt,
        ways: Sequence[GenerateConfig],
        usable: Callable[[ModelOutput], bool] = lambda _: True,
        **options: Any,
    ) -> ModelOutput:
        """Return the first usable reply; a way that the provider rejects is not tried again once another has worked."""
        for way in range(self.known.get(kind, 0), len(ways) - 1):
            try:
                output = await self.model.generate(text, config=ways[way], **options)
            except Exception as error:
                if not (is_rejection(error) or _is_refused_setting(error)):
                    raise
                continue
            if usable(output):
                self.known[kind] = max(way, self.known.get(kind, 0))
                return output
        output = await self.model.generate(text, config=ways[-1], **options)
        self.known[kind] = len(ways) - 1
        return output


def is_rejection(error: Exception) -> bool:
    """Whether an error says that the provider does not take the request as it is (HTTP 400 or 422, or gRPC's word)."""
    if isinstance(error, ExceptionGroup):  # of votes that were asked for at once
        return all(is_rejection(one) for one in error.exceptions)
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    if callable(status):
        return getattr(status(), "name", "") == "INVALID_ARGUMENT"
    return status in (400, 422)


def _is_refused_setting(error: Exception) -> bool:
    """Whether a library that runs a model in this process refuses a setting.

    It raises plain ValueError. The kinds of it that parsers raise (pydantic, JSON, Unicode) say that a reply could not
    be read, as that of a batch that failed, and nothing about the request.
    """
    return type(error) is ValueError


def _is_written(output: ModelOutput) -> bool:
    """Whether no choice ended while its model was still thinking."""
    for choice in output.choices:
        written = visible_text(choice.message.text)
        if written.lower().startswith("<think>") or (not written and choice.stop_reason in CUT_OFF):
            return False
    return True
