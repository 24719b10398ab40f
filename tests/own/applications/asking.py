"""A call, or a run, of an application under test that runs while it is asked."""

import asyncio
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog

from refusalbench_tasks.own.applications.endpoint import Endpoint, EndpointSettings
from refusalbench_tasks.own.applications.reply import ApplicationReply
from refusalbench_tasks.own.applications.solvers import endpoint
from refusalbench_tasks.tasks.nq import nq
from tests.own.applications.running import Answer, Application

ASKS = {"question": "{{query}}"}
QUICK: dict[str, Any] = {"timeout": 2, "attempts": 3, "backoff": 0.001}


def ask(
    answer: Answer, query: str = "Who?", own: tuple[str, ...] = (), **options: Any
) -> ApplicationReply:
    with Application(answer) as app:
        return ask_at(app, query, own, **options)


def ask_at(
    app: Application, query: str = "Who?", own: tuple[str, ...] = (), **options: Any
) -> ApplicationReply:
    required = {"url": app.url, "request": ASKS, "reply": "$.answer"}
    application = Endpoint(EndpointSettings(**QUICK | required | options))
    return asyncio.run(application.ask(query, own))


def run(
    answer: Answer,
    task: Task | None = None,
    model_roles: Any = None,
    limit: int | None = None,
    **options: Any,
) -> tuple[EvalLog, Application]:
    with Application(answer) as app:
        given: dict[str, Any] = {
            "url": app.url,
            "request": ASKS,
            "reply": "$.answer",
            "backoff": 0.001,
        }
        chosen = endpoint(**given | options)
        (log,) = eval(
            task or nq(data="sample", per_stratum=1, judge="offline"),
            solver=chosen,
            model="none/none",
            log_dir="logs",
            display="none",
            model_roles=model_roles,
            fail_on_error=False,
            limit=limit,
        )
    return log, app
