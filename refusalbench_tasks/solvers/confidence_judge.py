"""The model that is asked for a confidence, in a way that its provider takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
from inspect_ai.util import collect

from refusalbench_tasks.judging.graders import greedy
from refusalbench_tasks.replies.code import visible_text

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


def letter_ways(model: str, official: bool) -> list[GenerateConfig]:
    """Return the ways of asking for a letter with log-probabilities, the last one
    without a decoding of ours.
    """
    few = GenerateConfig(max_tokens=_LIMIT, logprobs=True, top_logprobs=_FEW)
    first = few.merge(GenerateConfig(**greedy(model)))
    return (
        [first, few]
        if official
        else [first.merge(GenerateConfig(top_logprobs=_MOST)), first, few]
    )


def word_ways(model: str) -> list[GenerateConfig]:
    """Return the ways of asking for the most probable reply."""
    first = GenerateConfig(**greedy(model))
    return [first.merge(GenerateConfig(max_tokens=_LIMIT)), first, GenerateConfig()]


def vote_ways(number: int) -> list[GenerateConfig]:
    """Return the ways of asking for sampled replies: `number` of them at once, then one
    at a time.
    """
    # a cached reply would be one vote counted many times
    bare = GenerateConfig(cache=False)
    one = bare.merge(GenerateConfig(temperature=1.0))
    brief = one.merge(GenerateConfig(max_tokens=_LIMIT))
    return [
        *([brief.merge(GenerateConfig(num_choices=number))] if number > 1 else []),
        brief,
        one,
        bare,
    ]


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
        for way in range(self.way, len(self.ways) - 1):
            try:
                output = await self.model.generate(prompt, config=self.ways[way])
            except Exception as error:
                if not is_rejection(error):
                    raise
                continue
            if self.ways[way].logprobs or _is_written(output):
                self.way = max(way, self.way)
                return output
        output = await self.model.generate(prompt, config=self.ways[-1])
        self.way = len(self.ways) - 1
        return output

    async def votes(
        self, prompt: str | list[ChatMessage], number: int
    ) -> list[ModelOutput]:
        """Return outputs with at least `number` replies. Raises as `ask`."""
        outputs = [await self.ask(prompt)]
        while lacking := max(
            0, number - sum(len(output.choices) or 1 for output in outputs)
        ):
            outputs += await collect(*(self.ask(prompt) for _ in range(lacking)))
        return outputs


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
        written = visible_text(choice.message.text)
        if written.lower().startswith("<think>") or (
            not written and choice.stop_reason in CUT_OFF
        ):
            return False
    return True
