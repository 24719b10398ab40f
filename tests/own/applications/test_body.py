"""Replies that come as a stream, with every form that a stream is known to have."""

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from refusalbench_tasks.bounded_reading import yaml_value
from refusalbench_tasks.own.applications.reply import ApplicationFailed
from tests.own.applications.asking import ask, run
from tests.own.applications.running import Answer

ROOT = Path(__file__).parents[3]
DELTA = "$.choices[*].delta.content"


def streaming(*parts: str, pause: float = 0, cut: bool = False) -> Answer:
    """Return an application that sends its parts one after the other."""

    async def answer(request: web.Request, got: Any) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for part in parts:
            await response.write(part.encode())
            await asyncio.sleep(pause)
        if cut:
            assert request.transport
            request.transport.abort()
        return response

    return answer


def delta(text: str | None, **choice: Any) -> str:
    """Return an event of OpenAI's form."""
    event = {"choices": [{"delta": {"content": text}, **choice}]}
    return f"data: {json.dumps(event)}\n\n"


def test_a_stream_is_read_to_its_end_though_it_refuses_in_the_middle() -> None:
    reply = ask(
        streaming(
            delta(None),
            delta("I cannot find that in the documents."),
            ": still there\n\n",
            delta(" Wait: it opens at nine."),
            delta(None, finish_reason="length"),
            'data: {"choices": [], "usage": {"prompt_tokens": 3}}\n\n',
            "data: [DONE]\n\n",
        ),
        reply=DELTA,
        stop_reason="$.choices[*].finish_reason",
        usage="$.usage",
    )
    assert reply.text == "I cannot find that in the documents. Wait: it opens at nine."
    assert (reply.stop_reason, reply.usage) == ("length", {"prompt_tokens": 3})


EVENT_IN_PARTS = (
    'event: token\r\ndata: {"answer":\r\ndata: "No',
    'on."}\r\n\r\ndata:{"answer":" Or one."}',
)
DOCUMENT_A_LINE = (
    '{"answer": "Noon."}\n',
    # a line separator of Unicode is no end of a line
    '{"sources": ["a\u2028b"]}\n\n{"answer": " Or one."}',
)
NO_LAST_LINE_END = ('\ufeffdata: {"answer": "Noon. Or one."}',)


@pytest.mark.parametrize("parts", [EVENT_IN_PARTS, DOCUMENT_A_LINE, NO_LAST_LINE_END])
def test_events_and_lines_are_read_in_every_form(parts: Sequence[str]) -> None:
    assert ask(streaming(*parts)).text == "Noon. Or one."


def test_passages_of_any_event_are_those_retrieved() -> None:
    events = ('data: {"sources": ["one", "two"]}\n\n', 'data: {"answer": "Noon."}\n\n')
    reply = ask(streaming(*events), passages="reply:$.sources[*]")
    assert (reply.text, reply.passages) == ("Noon.", ["one", "two"])


def test_the_page_says_how_flat_events_are_told_apart_by_their_type() -> None:
    page = (ROOT / "docs" / "application.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```yaml\n(reply: \^[^`]*)```", page)
    paths: Any = yaml_value(block, "page")
    events: list[dict[str, Any]] = [
        {"type": "sources", "text": "2 found", "sources": [{"text": "At noon."}]},
        {"type": "delta", "text": "No"},
        {"type": "delta", "text": "on."},
        {"type": "done", "text": "", "reason": "stop"},
    ]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    reply = ask(streaming(*lines), **paths)
    assert (reply.text, reply.passages, reply.stop_reason) == (
        "Noon.",
        [{"text": "At noon."}],
        "stop",
    )
    # an event of another type alone has no reply
    with pytest.raises(ApplicationFailed, match="finds nothing"):
        ask(streaming(*lines[:1]), **paths)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (streaming(), "finds nothing"),
        (streaming("data: [DONE]\n\n"), "finds nothing"),
        (streaming(delta("No"), "data: {broken\n\n"), "is not JSON"),
        (streaming(delta("No"), "event: error\ndata: full\n\n"), 'an error: "full"'),
        (streaming(delta("No"), 'data: {"error": "full"}\n\n'), 'an error: "full"'),
        (
            streaming(delta("No"), 'data: {"type": "error", "message": "lleno"}\n\n'),
            "tells an error: .*lleno",
        ),
        (streaming(delta("No"), cut=True), "after 3 attempts: the connection failed"),
        (streaming(delta("No"), delta("on."), pause=0.1), "no reply within 0.15 s"),
    ],
)
def test_a_stream_that_is_broken_off_is_an_error_and_no_short_reply(
    answer: Answer, problem: str
) -> None:
    with pytest.raises(ApplicationFailed, match=problem):
        ask(answer, reply=DELTA, timeout=0.15)


def test_an_event_of_the_type_error_is_one_even_where_the_path_finds_text_in_it() -> (
    None
):
    events = (
        'data: {"type": "delta", "text": "Five "}\n\n',
        'data: {"type": "error", "error": null, "text": "backend down"}\n\n',
    )
    with pytest.raises(ApplicationFailed, match="tells an error: .*backend down"):
        ask(streaming(*events), reply="$.text")


def test_a_stream_of_empty_texts_is_an_empty_reply() -> None:
    assert ask(streaming(delta(""), delta(None)), reply=DELTA).text == ""


def test_the_log_has_the_time_to_the_first_text_of_a_stream() -> None:
    parts = (delta(""), delta("Noon."), delta(" Or one."))
    log, _ = run(streaming(*parts, pause=0.2), reply=DELTA, limit=1)
    (sample,) = log.samples or []
    assert sample.output.completion == "Noon. Or one."
    first = (sample.output.metadata or {})["time_to_first_token"]
    assert 0.2 <= first < 0.4 < (sample.output.time or 0)
