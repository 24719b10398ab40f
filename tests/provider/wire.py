"""Replies in the words of the two protocols, and as server-sent events for clients that
stream.
"""

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
    choice: dict[str, Any] = {
        "index": 0,
        "message": message,
        "finish_reason": stop,
        "logprobs": None,
    }
    if call.wants_logprobs and reply.logprobs:
        choice["logprobs"] = {"content": [_position(top) for top in reply.logprobs]}
    inputs, outputs = _usage(call, reply)
    return {
        "id": f"chatcmpl-{call.index}",
        "object": "chat.completion",
        "created": 1,
        "model": call.model,
        "choices": [choice],
        "usage": {
            "prompt_tokens": inputs,
            "completion_tokens": outputs,
            "total_tokens": inputs + outputs,
        },
    }


def anthropic_body(call: Call, reply: Reply) -> dict[str, Any]:
    """Return the body of a message."""
    content: list[dict[str, Any]] = (
        [{"type": "text", "text": reply.text}] if reply.text else []
    )
    stop = _ANTHROPIC_STOP[reply.stop]
    if reply.arguments is not None and call.tools:
        content = [
            {
                "type": "tool_use",
                "id": "toolu_1",
                "name": call.tools[0],
                "input": dict(reply.arguments),
            }
        ]
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
    entries = [
        {"token": token, "logprob": logprob, "bytes": list(token.encode())}
        for token, logprob in top
    ]
    return {**entries[0], "top_logprobs": entries}


def _usage(call: Call, reply: Reply) -> tuple[int, int]:
    return len(call.text.split()), max(1, len(reply.text.split()))


def anthropic_events(body: dict[str, Any]) -> bytes:
    """Return the events that build up a message body, in the order of the protocol."""
    start = body | {
        "content": [],
        "stop_reason": None,
        "usage": body["usage"] | {"output_tokens": 1},
    }
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(body["content"]):
        empty, delta = _block(block)
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    stop = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    events += [
        {"type": "message_delta", "delta": stop, "usage": body["usage"]},
        {"type": "message_stop"},
    ]
    return "".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events
    ).encode()


def openai_events(body: dict[str, Any]) -> bytes:
    """Return the chunks that build up a chat completion: the whole message, its end,
    and the usage.
    """
    (choice,) = body["choices"]
    shared = body | {"object": "chat.completion.chunk", "usage": None}
    whole = {
        "index": 0,
        "delta": choice["message"],
        "finish_reason": None,
        "logprobs": choice["logprobs"],
    }
    end = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    chunks = [
        {"choices": [whole]},
        {"choices": [end]},
        {"choices": [], "usage": body["usage"]},
    ]
    events = [json.dumps(shared | chunk) for chunk in chunks]
    return "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"]).encode()


def _block(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a content block without its content, and the content as one delta."""
    if block["type"] == "text":
        return block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
    return block | {"input": {}}, {
        "type": "input_json_delta",
        "partial_json": json.dumps(block["input"]),
    }
