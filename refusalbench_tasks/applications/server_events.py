"""Server-sent events: the JSON documents that a streamed reply is made of."""

import json

from refusalbench_tasks.applications.failed import ApplicationFailed, library

DONE = "[DONE]"
"""The data of the event with which OpenAI's protocol ends a stream; it is no document."""


def is_done(body: bytes) -> bool:
    """Return whether what has come of a stream ends with the event that ends it."""
    return body.rstrip().endswith(b"[DONE]")


def documents_of(body: bytes) -> list[object]:
    """Return the JSON document of each event of a stream.

    Raises ApplicationFailed for an event that is no JSON, and without any event.
    """
    sse, httpx = library("httpx_sse"), library("httpx")
    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=body)
    data = [event.data for event in sse.EventSource(response).iter_sse() if event.data and event.data != DONE]
    if not data:
        raise ApplicationFailed("the application's stream has no event with data; is it a stream? leave out stream=")
    try:
        return [json.loads(text) for text in data]
    except (ValueError, RecursionError):
        raise ApplicationFailed("an event of the application's stream is not JSON") from None
