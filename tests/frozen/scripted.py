"""Scripted models: what they say follows from the sample's id and epoch alone, never from a prompt or an order."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from inspect_ai.log._samples import sample_active
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Logprob,
    Logprobs,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    TopLogprob,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolInfo

CODES = (
    "REFUSE_AMBIGUOUS_QUERY",
    "REFUSE_CONTRADICTORY_CONTEXT",
    "REFUSE_INFO_MISSING_IN_CONTEXT",
    "REFUSE_FALSE_PREMISE_IN_QUERY",
    "REFUSE_GRANULARITY_MISMATCH",
    "REFUSE_NONFACTUAL_QUERY",
    "REFUSE_OTHER",
)
LEVELS = ("VERY_CONFIDENT", "CONFIDENT", "SOMEWHAT CONFIDENT", "**UNCERTAIN**", "very_uncertain", "QUITE_SURE", "")
STOPS: dict[str, StopReason] = {"cut": "max_tokens", "filtered": "content_filter"}
# each word stands for one of twenty
ANSWERABLE = (*["right"] * 8, *["wrong"] * 3, *["code"] * 2, "prose code", "free", "long", "long", "empty", *STOPS)
UNANSWERABLE = (*["right code"] * 8, *["code"] * 3, "prose code", "free", "free", "wrong", "wrong", "long", "empty",
                *STOPS)  # fmt: skip
HEDGED = (*["right"] * 4, *["right hedged"] * 5, *["wrong"] * 2, *["wrong hedged"] * 2, "refused", "refused", "turned",
          "free", "empty", *STOPS)  # fmt: skip
FAILURES = ("text", "no fields", "wrong field", "cut", "filtered")


@dataclass(frozen=True)
class Script:
    """How a run's models behave: `seed` makes another model of it, `failing` of 20 verdicts fail."""

    seed: str = "alpha"
    confidence: bool = False
    codes: bool = True
    failing: int = 2


@dataclass(frozen=True)
class Spoken:
    """A reply: what kind it is, its text without confidence, its number of sentences, and the code that it means."""

    kind: str
    text: str
    sentences: int = 1
    code: str = ""


def drawn(n: int, *parts: object) -> int:
    """Return a number below n that follows from the sample at hand and from `parts`."""
    active = sample_active()
    assert active is not None
    text = "/".join(map(str, (active.sample.id, active.epoch, *parts)))
    return int(sha256(text.encode()).hexdigest()[:8], 16) % n


def _spoken(script: Script) -> Spoken:
    active = sample_active()
    assert active is not None
    target, facts = str(active.sample.target), active.sample.metadata or {}
    if "expected" not in facts:
        kind = HEDGED[drawn(20, script.seed, "bluff")]
        return _explained(kind, target)
    right = next(iter(facts.get("answers") or ()), "") or "As the passages have it"
    answerable = not target.startswith("REFUSE")
    kind = (ANSWERABLE if answerable else UNANSWERABLE)[drawn(20, script.seed, "kind")]
    code = target if kind == "right code" else CODES[drawn(7, script.seed, "code")]
    says = {
        "right": Spoken(kind, right),
        "wrong": Spoken(kind, "It was the lamp of Orvane [2]."),
        "long": Spoken(kind, f"The text names it [1]. So it is as follows: {right} [{drawn(12, 'cite')}].", 2),
        "free": Spoken(kind, "I cannot answer this question from the passages that were given."),
        "prose code": Spoken(kind, f"The passage does not settle it.\n{code}", 2),
        "cut": Spoken(kind, "The text names it [1]. So it sh", 2),
    }
    said = says.get(kind, Spoken(kind, code if "code" in kind else ""))
    return replace(said, code=code)


def _explained(kind: str, gold: str) -> Spoken:
    value = gold if kind.startswith("right") else "It was the lamp of Orvane."
    says = {
        "refused": "I don't know",
        "free": "No reply can be given to this from such pages.\nThey do not speak of it.",
        "turned": f"I don’t know. Still, the best guess is probably this.\n{gold}",
        "cut": f"{gold}\nThe first so",
        "right": f"Answer: {value}\nThe first source certainly says so.\nConfidence: 0.9",
        "right hedged": f"{value}\nThis may be roughly so, as the sources seem to disagree; perhaps one is wrong.",
        "wrong": f"**{value}**\n\nClearly, every source says so, without doubt.",
        "wrong hedged": f"Possibly: {value}\nIt might be otherwise. The sources do not say enough.",
    }
    return Spoken(kind, says.get(kind, ""), 1)


def _answer(script: Script) -> ModelOutput:
    said = _spoken(script)
    level = LEVELS[drawn(7, script.seed, "level")] if script.confidence else ""
    text = f"{said.text}\nCONFIDENCE: {level}" if level and said.text and said.kind != "cut" else said.text
    return output(text, STOPS.get(said.kind, "stop"))


def output(text: str, stop: StopReason = "stop", call: ToolCall | None = None) -> ModelOutput:
    """Return an output with usage, so that no tokens need to be counted."""
    message = ChatMessageAssistant(content=text, tool_calls=[call] if call else None)
    choice = ChatCompletionChoice(message=message, stop_reason=stop)
    return ModelOutput(model="mockllm/scripted", choices=[choice], usage=ModelUsage(input_tokens=1, output_tokens=1))


def _verdict(script: Script, tool: ToolInfo, voice: str) -> ModelOutput:
    """Return a verdict with the fields that the tool asks for, mostly the true one, or one that fails."""
    said = _spoken(script)
    asked = set(tool.parameters.properties)
    luck = drawn(20, script.seed, "verdict", voice)
    if luck < script.failing:
        failure = FAILURES[drawn(5, script.seed, "failure", voice)]
        failed: dict[str, dict[str, Any]] = {"no fields": {}, "wrong field": {"explanation": "x", "label": "MAYBE"}}
        fields = failed.get(failure)
        if fields is None:
            return output("It is fine, 5/5", STOPS.get(failure, "stop"))
    else:
        fields = {name: one for name, one in _fields(script, said, luck).items() if name in asked}
    return output("", "tool_calls", ToolCall(id="1", function=tool.name, arguments=fields))


def _fields(script: Script, said: Spoken, luck: int) -> dict[str, Any]:
    refused = said.kind in ("free", "refused", "prose code", "code", "right code") or luck == 19
    right = said.kind.startswith(("right", "long", "turned"))
    code = said.code if script.codes else "REFUSAL"
    attempt: dict[str, Any] = {
        "grade": (5, 5, 4, 3)[luck % 4] if right else (1, 2, 3, 4)[luck % 4],
        "eligible": right or luck % 3 == 0,
        "factual_all": luck % 5 > 0,
        "factual_relevant": luck % 4 > 0,
        "supported_all": [luck % 5 > 0] * said.sentences,
        "supported_relevant": [luck % 4 > k for k in range(said.sentences)],
        "correctness": 0.7 + luck / 100 if right else luck / 50,
        "decisiveness": 0.3 if "hedged" in said.kind else 0.95,
    }
    either = {
        "explanation": f"drawn as {luck}",
        "label": code if refused else "ANSWER_ATTEMPT",
        "behaviour": "REFUSAL" if refused else "ANSWER",
        "named": ("CONFLICT", "GAP", "NEITHER")[luck % 3],
        "supported": [luck % 4 > 0] * (2 if luck % 2 else 1),
    }
    graded_anyway = {"correctness": 0.1} if refused and script.seed == "official" else {}
    return either | (dict.fromkeys(attempt) | graded_anyway if refused else attempt)


class Rejected(Exception):
    """A provider's word that it does not take a request."""

    status_code = 400


def _letters(script: Script, exchanged: int) -> ModelOutput:
    luck = drawn(20, script.seed, "letter")
    if luck == 0:
        raise Rejected("no log-probabilities here")
    share = 0.05 + 0.9 * drawn(1000, script.seed, "share", exchanged) / 1000
    made = output("A" if share > 0.5 else "B")
    if luck == 1:
        return made
    first = [("A", share), ("B", 1 - share)] if luck > 2 else [("The", 0.9), ("A", 0.06), ("B", 0.04)]
    first = [("A", share * 0.7), (" B", (1 - share) * 0.7), (" A", 0.1), ("Hm", 0.2)] if luck > 12 else first
    first = sorted(first, key=lambda one: -one[1])
    top = [TopLogprob(token=token, logprob=math.log(chance)) for token, chance in first]
    white = [Logprob(token="\n", logprob=-0.1, top_logprobs=[])] if luck == 3 else []
    tokens = [*white, Logprob(token=top[0].token, logprob=top[0].logprob, top_logprobs=top)]
    made.choices[0].logprobs = Logprobs(content=tokens)
    return made


def _votes(script: Script, number: int) -> ModelOutput:
    luck = drawn(20, script.seed, "votes")
    no = ["hm" if luck < 5 else "b", "B: false"]
    says = ["A" if k < luck % (number + 1) else no[k % 2] for k in range(number)]
    made = [output(one).choices[0] for one in says]
    return ModelOutput(model="mockllm/scripted", choices=made, usage=ModelUsage(input_tokens=1, output_tokens=1))


def _number(script: Script) -> ModelOutput:
    return output(("0.95", "0.8", "about 0.6", "35%", "none", "1.7", "0.10", "")[drawn(8, script.seed, "number")])


Reply = Callable[[list[ChatMessage], list[ToolInfo], Any, GenerateConfig], ModelOutput]


def _model(name: str, reply: Reply) -> Model:
    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def evaluated(script: Script) -> Model:
    """Return the model of a run; it grades itself where no grader is bound."""
    return _model(script.seed, lambda _, tools, __, config: (
        _verdict(script, tools[0], "self") if tools else _answer(script)))  # fmt: skip


def grader(script: Script, voice: str = "first") -> Model:
    """Return a grader; others of a panel have another voice."""
    return _model(f"grader-{voice}", lambda _, tools, __, config: _verdict(script, tools[0], voice))


def confidence(script: Script) -> Model:
    """Return the model that is asked how sure an answer is: by letters, by votes, or by a number."""
    asked: dict[tuple[object, int], int] = {}

    def reply(messages: list[ChatMessage], tools: list[ToolInfo], choice: Any, config: GenerateConfig) -> ModelOutput:
        active = sample_active()
        assert active is not None
        if config.logprobs:
            key = (active.sample.id, active.epoch)
            asked[key] = asked.get(key, -1) + 1
            return _letters(script, asked[key])
        return _votes(script, config.num_choices) if config.num_choices else _number(script)

    return _model("confidence", reply)
