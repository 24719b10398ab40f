"""Questions to a model whose answer must fit a schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Generic, Literal, TypeVar

from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageUser,
    ContentText,
    GenerateConfig,
    Model,
    ModelName,
    ModelOutput,
    StopReason,
    get_model_info,
)
from inspect_ai.tool import ToolChoice, ToolFunction, ToolInfo, ToolParams
from inspect_ai.util import LimitExceededError, json_schema
from pydantic import BaseModel, ValidationError

from .payload import is_quoted_in, payloads_of, raw_text

Answer = TypeVar("Answer", bound=BaseModel)
Cache = CachePolicy | bool
"""How long finished calls are kept, if at all."""
Failure = Literal[
    "grader_refusal", "grader_truncated", "grader_no_payload", "grader_schema_mismatch"
]

_STOPPED: Mapping[str, Failure] = {
    "content_filter": "grader_refusal",
    "max_tokens": "grader_truncated",
    "model_length": "grader_truncated",
}
ATTEMPTS = 2
"""How often a grader is asked for a verdict that can be used."""


class Submission(BaseModel, extra="forbid", use_attribute_docstrings=True):
    """What a model submits: every field says what it holds, and there are no others."""


class Spent(BaseModel):
    """What was spent: calls of a model, and tokens as its provider counts them."""

    calls: int = 0
    tokens: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        """Return what both spent."""
        return Spent(calls=self.calls + other.calls, tokens=self.tokens + other.tokens)


@dataclass(frozen=True)
class Reply(Generic[Answer]):
    """A grader's validated answer, or None with how it failed; `raw` is what it said
    last.
    """

    answer: Answer | None
    failure: str | None
    raw: str
    spent: Spent


@dataclass(frozen=True)
class Form:
    """How an answer is to be given: the name of the thing, and with it of the tool.

    `thinks`: a model that reasons is not forced to call the tool, because a forced call
    switches its reasoning off. `in_prose`: words may follow the JSON object in a text;
    only where what is taken is checked anyway.
    """

    thing: str
    thinks: bool = False
    in_prose: bool = False

    @property
    def tool(self) -> str:
        """Return the name of the tool."""
        return f"submit_{self.thing}"

    def choice(self, model: Model) -> ToolChoice:
        """Return how strongly a model is bound to the tool."""
        if self.thinks and thinks_first(model):
            return "auto"
        return ToolFunction(name=self.tool)


VERDICT = Form("verdict")
"""The form of a judge's answer."""


class CallFailed(Exception):
    """A call to a model failed, as its provider says: in `error`."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass(frozen=True)
class Invalid:
    """Why an output could not be used: the kind of failure, and the problem in words
    for the model.
    """

    failure: Failure
    problem: str


async def ask(
    model: Model,
    prompt: str,
    schema: type[Answer],
    cache: Cache | None = None,
    config: GenerateConfig | None = None,
    form: Form = VERDICT,
    shared: Sequence[int] = (),
) -> Reply[Answer]:
    """Return the model's answer to a prompt, validated against the schema.

    The model is offered one tool whose arguments are the schema's fields; a model
    without tools may end its text with one JSON object, or with the call. An invalid
    reply is asked for once more with what was wrong (field names and rules only, never
    the invalid text). After that `answer` is None: no part of an invalid reply is ever
    used. Raises CallFailed with the provider's error, and a limit of the sample as it
    is: no model is to blame. Without `cache` the run's own is used, if it has one;
    False asks anew whatever the run has.

    `shared` are the lengths of the beginnings that a prompt has in common with others.
    Most providers find those by themselves; Anthropic's keeps whole blocks, so there
    the prompt is sent in blocks that end with them.
    """
    options: dict[str, Any] = {
        "tools": [offered(schema, form)],
        "tool_choice": form.choice(model),
        "config": config or GenerateConfig(),
    }
    if cache is not None:
        options["cache"] = cache
    question = prompt
    spent = Spent()
    while True:
        output = await generate(
            model,
            _blocks(question, shared, model),
            **options,
        )
        tokens = output.usage.total_tokens if output.usage else 0
        spent += Spent(calls=1, tokens=tokens)
        answer = read_payload(
            output,
            schema,
            form,
            question,
        )
        if not isinstance(answer, Invalid):
            return Reply(
                answer,
                None,
                raw_text(output),
                spent,
            )
        if spent.calls == ATTEMPTS:
            return Reply(
                None,
                answer.failure,
                raw_text(output),
                spent,
            )
        question = (
            f"{prompt}\n\nYour last reply could not be used: {answer.problem}. Submit a"
            f" valid {form.thing}."
        )


async def generate(
    model: Model,
    question: str | list[ChatMessage],
    **options: Any,
) -> ModelOutput:
    """Return the output of a model.

    Raises CallFailed with the provider's error, and a limit of the sample as it is: no
    model is to blame.
    """
    try:
        return await model.generate(question, **options)
    except LimitExceededError:
        raise
    except Exception as error:
        raise CallFailed(error) from error


def _blocks(
    question: str,
    shared: Sequence[int],
    model: Model,
) -> str | list[ChatMessage]:
    """Return a prompt as it is to be sent: for Anthropic's models with a mark behind
    each beginning that is shared.
    """
    if not shared or ModelName(model).api != "anthropic":
        return question
    ends = [0, *shared]
    kept = [
        ContentText(text=question[start:end], cache_breakpoint=True)
        for start, end in pairwise(ends)
        if end > start
    ]
    return [ChatMessageUser(content=[*kept, ContentText(text=question[ends[-1] :])])]


def thinks_first(model: Model) -> bool:
    """Whether a model thinks before it answers, as far as Inspect's table of models or
    its own settings tell.
    """
    if model.config.reasoning_tokens:
        return True
    if model.config.reasoning_effort not in (None, "none"):
        return True
    info = get_model_info(model)
    return bool(info and info.reasoning)


def how_to_submit(schema: type[BaseModel], thing: str = VERDICT.thing) -> str:
    """Return the sentence of a prompt that says how to answer `ask`."""
    keys = ", ".join(schema.model_fields)
    return (
        f"Submit the {thing} by the tool, or as one JSON object with the keys {keys}"
        " and nothing else."
    )


def read_payload(
    output: ModelOutput,
    schema: type[Answer],
    form: Form = VERDICT,
    prompt: str = "",
) -> Answer | Invalid:
    """Return the one payload of an output that fits the schema, or what makes the
    output unusable.

    Never raises.

    Two payloads that fit are none, even if they agree: one of them may be a quotation.
    So is one that stands in the prompt, because the material may imitate a verdict.
    """
    if stopped := stopped_grader(output):
        return Invalid(stopped, f"it ended with {stop_of(output)}; be brief")
    payloads = payloads_of(output, form.tool, form.in_prose)
    if not payloads:
        return Invalid(
            "grader_no_payload", f"no {form.tool} call, and no JSON object at its end"
        )
    answer: Answer | None = None
    fitting: list[dict[str, Any]] = []
    problem = ""
    for payload in payloads:
        try:
            answer = schema.model_validate(payload)
            fitting.append(payload)
        except ValidationError as error:
            problem = _rules(error, form)
    if len(fitting) > 1:
        problem = f"it holds more than one {form.thing}"
    elif fitting and not output.message.tool_calls and is_quoted_in(fitting[0], prompt):
        problem = "it quotes an object of the material"
    elif answer is not None:
        return answer
    return Invalid("grader_schema_mismatch", problem)


def _rules(error: ValidationError, form: Form) -> str:
    """Return which fields break which rules, without what they hold."""
    rules = []
    for problem in error.errors():
        field = ".".join(map(str, problem["loc"])) or form.thing
        rules.append(f"{field}: {problem['msg']}")
    return "; ".join(rules)


def stop_of(output: ModelOutput) -> StopReason:
    """Return why an output ended: `content_filter` for a safety stop of any kind, by
    the stop reason or by content flagged as refusal, `unknown` if it has no choice.
    """
    if not output.choices:
        return "unknown"
    content = output.message.content
    for part in content if isinstance(content, list) else ():
        if isinstance(part, ContentText) and part.refusal:
            return "content_filter"
    return output.stop_reason


def stopped_grader(output: ModelOutput) -> Failure | None:
    """Return how a grader failed whose output a safety filter or a limit of tokens
    ended; None for any other.
    """
    return _STOPPED.get(stop_of(output))


def offered(schema: type[BaseModel], form: Form) -> ToolInfo:
    """Return the tool by which a model is to answer; it is sent, and paid for, with
    every call.
    """
    return ToolInfo(
        name=form.tool,
        description=f"Submit the {form.thing}.",
        # whatever a provider does to them, they are the caller's own
        parameters=_parameters(schema).model_copy(deep=True),
    )


@lru_cache(64)
def _parameters(schema: type[BaseModel]) -> ToolParams:
    """Return a schema's fields as the arguments of a tool."""
    fields = json_schema(schema)
    return ToolParams(
        properties=fields.properties or {}, required=fields.required or []
    )
