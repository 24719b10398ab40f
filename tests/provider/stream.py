"""Replies as server-sent events, for clients that stream."""

import json
from typing import Any


def anthropic_events(body: dict[str, Any]) -> bytes:
    """Return the events that build up a message body, in the order of the protocol."""
    start = body | {"content": [], "stop_reason": None, "usage": body["usage"] | {"output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(body["content"]):
        empty, delta = _block(block)
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    stop = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    events += [{"type": "message_delta", "delta": stop, "usage": body["usage"]}, {"type": "message_stop"}]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def openai_events(body: dict[str, Any]) -> bytes:
    """Return the chunks that build up a chat completion: the whole message, its end, and the usage."""
    (choice,) = body["choices"]
    shared = body | {"object": "chat.completion.chunk", "usage": None}
    whole = {"index": 0, "delta": choice["message"], "finish_reason": None, "logprobs": choice["logprobs"]}
    end = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    chunks = [{"choices": [whole]}, {"choices": [end]}, {"choices": [], "usage": body["usage"]}]
    events = [json.dumps(shared | chunk) for chunk in chunks]
    return "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"]).encode()


def _block(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a content block without its content, and the content as one delta."""
    if block["type"] == "text":
        return block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
    return block | {"input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
