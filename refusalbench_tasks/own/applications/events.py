"""Server-sent events: the JSON documents that a streamed reply is made of."""

import json
import re

from refusalbench_tasks.own.applications.failed import ApplicationFailed, Passing, library, quoted

DONE = "[DONE]"
"""The data of the event with which OpenAI's protocol ends a stream; it is no document."""
_DONE = re.compile(rb"(?:\A|[\r\n])data: ?\[DONE\]\s*\Z")
_BLANK_LINE = re.compile(rb"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)\s*\Z")


def is_done(body: bytes) -> bool:
    """Return whether what has come of a stream ends with the event that ends it: a text may say `[DONE]` too."""
    return bool(_DONE.search(body))


def documents_of(body: bytes) -> list[object]:
    """Return the JSON document of each event of a stream; the last one needs no blank line behind it.

    Raises ApplicationFailed for an event that is no JSON or of the type `error`, and without any event. Raises Passing
    for a last event that was cut.
    """
    sse, httpx = library("httpx_sse"), library("httpx")
    # without a blank line behind it an event is dropped
    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=body + b"\n\n")
    events = [event for event in sse.EventSource(response).iter_sse() if event.data and event.data != DONE]
    if not events:
        raise ApplicationFailed("the application's stream has no event with data; is it a stream? leave out stream=")
    documents: list[object] = []
    for event in events:
        if event.event == "error":
            raise ApplicationFailed(f"the application's stream tells an error{quoted(event.data)}")
        try:
            documents.append(json.loads(event.data))
        except (ValueError, RecursionError):
            if event is events[-1] and not _BLANK_LINE.search(body):
                raise Passing("the application's stream was cut in its last event") from None
            raise ApplicationFailed("an event of the application's stream is not JSON") from None
    return documents
