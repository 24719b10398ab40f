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
        for way in range(self.way, len(self.ways) - 1):
            try:
                output = await self.model.generate(prompt, config=self.ways[way])
            except Exception as error:
                if not is_rejection(error):
                    raise
                continue
            if self.ways[way].logprobs or _is_written(output):
                break
        else:
            way = len(self.ways) - 1
            output = await self.model.generate(prompt, config=self.ways[way])
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
