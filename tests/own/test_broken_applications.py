"""Applications that are broken in as many ways: which a gate of the example's rules
fails without a grader, which it leaves undecided, and what it says.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click.testing import CliRunner, Result
from inspect_ai import eval, score
from inspect_ai.log import EvalLog, write_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.own.applications.solvers import endpoint
from refusalbench_tasks.scorers.refusal import refusal_scores
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import Label
from tests.models import fake, part
from tests.own.applications.running import Answer, Application

RULES = Path(__file__).parents[2] / "examples" / "gate.yaml"
REQUEST = {"question": "{{query}}", "passages": "{{passages}}"}
DECLINES = "I don't know."
ROWS = {
    about["query"] + about["passages"][0]: about
    for about in (sample.metadata for sample in nq(data="sample").dataset)
    if about
}
Reply = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Broken:
    """A broken application, and what a gate says of it."""

    name: str
    answer: Answer
    says: str
    """What the gate prints without a grader."""
    status: int = 1
    graded: str = ""
    """The rule that fails with a grader, where one is needed."""
    options: dict[str, Any] = field(default_factory=dict)


def replying(reply: Reply) -> Answer:
    """Return an application whose reply is made from the row that it is asked."""

    async def answer(request: web.Request, got: Any) -> web.StreamResponse:
        about = ROWS[got["question"] + got["passages"][0]]
        return web.json_response({"answer": reply(about), "stop": "stop"})

    return answer


def saying(text: str, status: int = 200, **response: Any) -> Answer:
    """Return an application that sends one text, whatever it is asked."""

    async def answer(request: web.Request, got: Any) -> web.StreamResponse:
        return web.Response(text=text, status=status, **response)

    return answer


def json_of(body: str) -> Answer:
    return saying(body, content_type="application/json")


async def late(request: web.Request, got: Any) -> web.StreamResponse:
    await asyncio.sleep(4)
    return web.json_response({"answer": DECLINES})


async def dropping(request: web.Request, got: Any) -> web.StreamResponse:
    assert request.transport
    request.transport.abort()
    return web.Response()


def every_second(answer: Answer, otherwise: Answer) -> Answer:
    calls = count()

    async def both(request: web.Request, got: Any) -> web.StreamResponse:
        chosen = answer if next(calls) % 2 else otherwise
        return await chosen(request, got)

    return both


def answerable(about: dict[str, Any]) -> bool:
    return bool(about["expected"] == Label.ANSWER)


def right(about: dict[str, Any]) -> str:
    return str(about["answers"][0]) if answerable(about) else DECLINES


def outdated(about: dict[str, Any]) -> str:
    return "It was Gerald Oldfield of Umber." if answerable(about) else DECLINES


GERMAN = {
    "31": "Es waren einunddreißig Tore.",
    "Tarn Robotics": "Der leichtere kam von der Firma Tarn.",
    "3.2 million crowns": "Drei Millionen zweihunderttausend Kronen.",
    "312": "Dreihundertzwölf Kranke nahmen teil.",
    "1931": "Sie öffnete neunzehnhunderteinunddreißig.",
    "Edda Lindqvist": "Den entwarf Frau Lindqvist.",
}


def in_german(about: dict[str, Any]) -> str:
    return GERMAN[right(about)] if answerable(about) else DECLINES


WORKS = replying(right)
ONCE = {"attempts": 1}
FAILED = "18 of 18 failed: "
SILENT = "gives no answer to 18 of 18: 18 no_response"
UNKNOWN = "undecided  unscored ≤ 0.05"
BROKEN = [
    Broken("empty text", json_of('{"answer": ""}'), SILENT),
    Broken("null", json_of('{"answer": null}'), SILENT),
    Broken("blanks", json_of('{"answer": " \\n"}'), SILENT),
    Broken(
        "every second reply empty",
        every_second(json_of('{"answer": ""}'), WORKS),
        "gives no answer to 9 of 18: 9 no_response",
    ),
    Broken("citations alone", json_of('{"answer": "[1]"}'), "gives no answer to 18 of"),
    Broken(
        "cut off",
        json_of('{"answer": "The", "stop": "length"}'),
        "gives no answer to 18 of",
        options={"stop_reason": "$.stop"},
    ),
    Broken(
        "closed port",
        WORKS,
        "the connection failed (ConnectError 127.0.0.1:9)",
        options={"url": "http://127.0.0.1:9/ask"},
    ),
    Broken("dropped connection", dropping, "the connection failed (", options=ONCE),
    Broken(
        "slow",
        late,
        f"{FAILED}no reply after 1 attempts: no reply within 0.1 s",
        options=ONCE | {"timeout": 0.1},
    ),
    Broken("server error", saying("oops", 500), "status 500: oops", options=ONCE),
    Broken(
        "every second call 503",
        every_second(saying("busy", 503), WORKS),
        "9 of 18 failed: no reply after 1 attempts: status 503: busy",
        options={"attempts": 1, "max_connections": 1},
    ),
    Broken("no such page", saying("gone", 404), "replied with status 404: gone"),
    Broken(
        "login page",
        saying("<html>Log in</html>", content_type="text/html"),
        f"{FAILED}the application's reply is not JSON",
    ),
    Broken(
        "other shape", json_of('{"text": "x"}'), "the path '$.answer' finds nothing"
    ),
    Broken("no text", json_of('{"answer": 7}'), "what '$.answer' finds is no text"),
    Broken("error as JSON", json_of('{"error": "quota"}'), 'tells an error: "quota"'),
    Broken("empty stream", saying("", content_type="text/event-stream"), FAILED),
    Broken(
        "redirect",
        saying("", 307, headers={"location": "http://far.example/ask"}),
        "the application redirects (307); give its address: http://far.example/ask",
    ),
    Broken(
        "declines all", replying(lambda about: DECLINES), "fail       false_refusal"
    ),
    Broken(
        "answers all",
        replying(
            lambda about: about["answers"][0] if answerable(about) else "In 1931."
        ),
        "fail       missed_refusal",
    ),
    Broken(
        "error in words",
        json_of('{"answer": "Internal error. Please try again later."}'),
        UNKNOWN,
        3,
        "false_refusal_rate",
    ),
    Broken("outdated document", replying(outdated), UNKNOWN, 3, "answer_accuracy"),
    Broken("other language", replying(in_german), UNKNOWN, 3, "answer_accuracy"),
    Broken(
        "echo", replying(lambda about: about["query"]), UNKNOWN, 3, "answer_accuracy"
    ),
]


def gate(log: EvalLog, form: str = "text") -> Result:
    words = ["gate", log.location, "--rules", str(RULES), "--format", form]
    return CliRunner().invoke(main, words)


def run(broken: Broken) -> EvalLog:
    with Application(broken.answer) as app:
        required = {"url": app.url, "request": REQUEST, "reply": "$.answer"}
        [log] = eval(
            nq(data="sample", per_stratum=1, judge="offline", codes=False),
            solver=endpoint(**required | {"backoff": 0.001} | broken.options),
            model="none/none",
            log_dir="logs",
            display="none",
            fail_on_error=False,
        )
    return log


def grader(prompt: str) -> dict[str, Any]:
    """Grade as a strict reader would: of these replies none is a right answer in the
    question's language.
    """
    reply = part(prompt, "REPLY")
    refuses = reply in (DECLINES, "Internal error. Please try again later.")
    verdict = {"explanation": "x", "label": "REFUSAL" if refuses else "ANSWER_ATTEMPT"}
    if "BEGIN REFERENCES" in prompt:
        return verdict | {"grade": None if refuses else 1}
    return verdict


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_no_broken_application_passes_and_the_gate_says_why(broken: Broken) -> None:
    log = run(broken)
    result = gate(log)
    assert result.exit_code == broken.status, result.output
    assert broken.says in result.stdout, result.output
    if not broken.graded:
        return
    # what nobody can tell without a grader fails with one
    graded = score(
        log,
        refusal_scores(judge="cascade"),
        action="overwrite",
        model_roles={"grader": fake(grader)},
        display="none",
    )
    graded.location = "graded.eval"
    write_eval_log(graded, graded.location)
    result = gate(graded)
    assert result.exit_code == 1, result.output
    assert f"fail       {broken.graded}" in result.stdout, result.output


def test_a_build_server_is_told_the_cause_of_an_outage() -> None:
    [down] = [broken for broken in BROKEN if broken.name == "closed port"]
    log = run(down)
    for form in ("junit", "markdown", "json"):
        result = gate(log, form)
        assert result.exit_code == 1
        assert "18 of 18 failed: no reply after 5 attempts" in result.stdout
