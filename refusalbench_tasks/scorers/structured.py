"""Questions to a grader model whose answer must fit a schema."""

import json
import re
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from inspect_ai.model import CachePolicy, ContentText, GenerateConfig, Model, ModelOutput
from inspect_ai.tool import ToolFunction, ToolInfo, ToolParam, ToolParams
from pydantic import BaseModel, ValidationError

Answer = TypeVar("Answer", bound=BaseModel)
Failure = Literal["grader_refusal", "grader_truncated", "grader_no_payload", "grader_schema_mismatch"]

_TOOL = "submit_verdict"
_FENCED = re.compile(r"```(?:json)?\s*(?P<body>.*?)\s*```", re.DOTALL)
_ATTEMPTS = 2


class Spent(BaseModel):
    """What was spent: calls of a model, and tokens as its provider counts them."""

    calls: int = 0
    tokens: int = 0


@dataclass(frozen=True)
class Reply(Generic[Answer]):
    """A grader's validated answer, or None with how it failed; `raw` is what it said last."""

    answer: Answer | None
    failure: Failure | None
    raw: str
    attempts: int
    spent: Spent


@dataclass(frozen=True)
class _Invalid:
    failure: Failure
    problem: str


async def ask(
    grader: Model,
    prompt: str,
    schema: type[Answer],
    cache: CachePolicy | bool = False,
    config: GenerateConfig | None = None,
) -> Reply[Answer]:
    """Return the grader's answer to a prompt, validated against the schema.

    The grader is offered one tool whose arguments are the schema's fields; a grader without tools may reply with a
    JSON object and nothing else. An invalid reply is asked for once more with what was wrong (field names and rules
    only, never the invalid text). After that `answer` is None: no part of an invalid reply is ever used. Errors of
    the provider are raised.
    """
    tool = ToolInfo(name=_TOOL, description="Submit the verdict.", parameters=_parameters(schema))
    question, found, output, tokens = prompt, _Invalid("grader_no_payload", ""), None, 0
    options: dict[str, Any] = {"tools": [tool], "tool_choice": ToolFunction(name=_TOOL)}
    options |= ({"cache": cache} if cache else {}) | ({"config": config} if config else {})
    for attempt in range(1, _ATTEMPTS + 1):
        output = await grader.generate(question, **options)
        tokens += output.usage.total_tokens if output.usage else 0
        answer = read_payload(output, schema)
        if not isinstance(answer, _Invalid):
            return Reply(answer, None, _raw(output), attempt, Spent(calls=attempt, tokens=tokens))
        found = answer
        question = f"{prompt}\n\nYour last reply could not be used: {found.problem}. Submit a valid verdict."
    return Reply(None, found.failure, _raw(output) if output else "", _ATTEMPTS, Spent(calls=_ATTEMPTS, tokens=tokens))


def how_to_submit(schema: type[BaseModel], thing: str = "verdict") -> str:
    """Return the sentence of a prompt that says how to answer `ask`."""
    keys = ", ".join(schema.model_fields)
    return f"Submit the {thing} by the tool, or as one JSON object with the keys {keys} and nothing else."


def read_payload(output: ModelOutput, schema: type[Answer]) -> Answer | _Invalid:
    """Return the validated payload of an output, or what makes it unusable."""
    if refused_by_provider(output):
        return _Invalid("grader_refusal", "it was stopped by a safety filter")
    if output.stop_reason in ("max_tokens", "model_length"):
        return _Invalid("grader_truncated", "it was cut off; be brief")
    payload = _payload(output)
    if payload is None:
        return _Invalid("grader_no_payload", f"no {_TOOL} call and no JSON object")
    try:
        return schema.model_validate(payload)
    except ValidationError as error:
        rules = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'verdict'}: {e['msg']}" for e in error.errors())
        return _Invalid("grader_schema_mismatch", rules)


def refused_by_provider(output: ModelOutput) -> bool:
    """Whether the provider's own safety stop ended the output: by stop reason, or by content flagged as refusal."""
    if output.stop_reason == "content_filter":
        return True
    content = output.message.content if output.choices else ""
    return isinstance(content, list) and any(isinstance(c, ContentText) and c.refusal for c in content)


def _payload(output: ModelOutput) -> object:
    """Return the arguments of the one tool call, or the one JSON object that is the whole text; None otherwise."""
    calls = output.message.tool_calls or [] if output.choices else []
    if calls:
        usable = len(calls) == 1 and calls[0].function == _TOOL and not calls[0].parse_error
        return calls[0].arguments if usable else None
    text = output.completion.strip()
    fenced = _FENCED.fullmatch(text)
    try:
        value = json.loads(fenced["body"] if fenced else text)
    except (json.JSONDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parameters(schema: type[BaseModel]) -> ToolParams:
    definition: dict[str, Any] = schema.model_json_schema()
    definition = _inlined(definition, definition.get("$defs", {}))
    properties = {name: ToolParam.model_validate(p) for name, p in definition["properties"].items()}
    return ToolParams(properties=properties, required=definition.get("required", []))


def _inlined(part: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema in which every reference is replaced by what it refers to, as tool parameters need it."""
    if isinstance(part, list):
        return [_inlined(entry, definitions) for entry in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(value, definitions) for key, value in part.items() if key != "$defs"}


def _raw(output: ModelOutput) -> str:
    calls = output.message.tool_calls or [] if output.choices else []
    return json.dumps([call.arguments for call in calls]) if calls else output.completion
