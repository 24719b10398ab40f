"""Replies in the words of the two protocols."""

import json
from typing import Any

from tests.provider.call import Call
from tests.provider.reply import Reply

_OPENAI_STOP = {"stop": "stop", "length": "length", "filter": "content_filter"}
_ANTHROPIC_STOP = {"stop": "end_turn", "length": "max_tokens", "filter": "refusal"}


def openai_body(call: Call, reply: Reply) -> dict[str, Any]:
    """Return the body of a chat completion."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    stop = _OPENAI_STOP[reply.stop]
    if reply.arguments is not None and call.tools:
        function = {"name": call.tools[0], "arguments": json.dumps(reply.arguments)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
        }
        stop = "tool_calls"
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": stop, "logprobs": None}
    if call.wants_logprobs and reply.logprobs:
        choice["logprobs"] = {"content": [_position(top) for top in reply.logprobs]}
    inputs, outputs = _usage(call, reply)
    return {
        "id": f"chatcmpl-{call.index}",
        "object": "chat.completion",
        "created": 1,
        "model": call.model,
        "choices": [choice],
        "usage": {"prompt_tokens": inputs, "completion_tokens": outputs, "total_tokens": inputs + outputs},
    }


def anthropic_body(call: Call, reply: Reply) -> dict[str, Any]:
    """Return the body of a message."""
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    stop = _ANTHROPIC_STOP[reply.stop]
    if reply.arguments is not None and call.tools:
        content = [{"type": "tool_use", "id": "toolu_1", "name": call.tools[0], "input": dict(reply.arguments)}]
        stop = "tool_use"
    inputs, outputs = _usage(call, reply)
    return {
        "id": f"msg_{call.index}",
        "type": "message",
        "role": "assistant",
        "model": call.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": inputs, "output_tokens": outputs},
    }


def _position(top: tuple[tuple[str, float], ...]) -> dict[str, Any]:
    entries = [{"token": token, "logprob": logprob, "bytes": list(token.encode())} for token, logprob in top]
    return {**entries[0], "top_logprobs": entries}


def _usage(call: Call, reply: Reply) -> tuple[int, int]:
    return len(call.text.split()), max(1, len(reply.text.split()))
