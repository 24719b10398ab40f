"""The tool over MCP: an application that runs outside of Inspect searches with MCP's
own client.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import anyio
import mcp
from inspect_ai import eval
from inspect_ai.log import EvalSample
from mcp.client.streamable_http import streamable_http_client

from refusalbench_tasks.own.applications.solvers import endpoint
from refusalbench_tasks.search.search_server import OVER
from refusalbench_tasks.search.search_tool import NONE_LEFT, SEARCHES
from refusalbench_tasks.solvers.baselines import always_refuse
from refusalbench_tasks.solvers.retrieved import SEARCH_ADDRESS
from refusalbench_tasks.tasks.search import search
from tests.search.searching import searched

REQUEST = {"question": "{{query}}", "tools": ["{{search}}"]}


async def found(address: str, query: str, times: int) -> list[str]:
    """Return what searches at an address show."""
    shown = []
    async with (
        streamable_http_client(address) as streams,
        mcp.ClientSession(*streams[:2]) as session,
    ):
        await session.initialize()
        offered = (await session.list_tools()).tools
        assert [tool.name for tool in offered] == ["search"]
        for _ in range(times):
            result = await session.call_tool("search", {"query": query})
            [block] = result.content
            assert isinstance(block, mcp.types.TextContent)
            shown.append(block.text)
    return shown


@contextmanager
def application(times: int = 1) -> Iterator[str]:
    """Give the address of an application that searches, and replies with what it was
    shown last.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(
                self.rfile.read(int(self.headers["Content-Length"])),
            )
            [address] = request["tools"]
            shown = anyio.run(found, address, request["question"], times)
            body = json.dumps({"answer": shown[-1]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/ask"
    server.shutdown()


def samples(tmp_path: Path, times: int, searches: int = 8) -> list[EvalSample]:
    """Return the samples of four rows that an application was asked about."""
    with application(times) as address:
        log = searched(
            tmp_path,
            solver=endpoint(url=address, request=REQUEST, reply="$.answer"),
            limit=4,
            mcp=True,
            searches=searches,
        )
    return log.samples or []


def test_an_applications_searches_are_those_of_its_row(tmp_path: Path) -> None:
    asked = samples(tmp_path, times=2)
    assert len(asked) == 4
    for sample in asked:
        notes = sample.store[SEARCHES]
        assert [note["query"] for note in notes] == [sample.input, sample.input]
        assert sample.output.completion.startswith("[1] ")
        assert sample.scores is not None
        values = sample.scores["search_scores"].value
        assert isinstance(values, dict)
        assert values["searches"] == 2
        assert values["repeated_queries"] == 1
    shown = {sample.store["refusalbench_retrieved"][0] for sample in asked}
    assert len(shown) > 1


def test_no_searches_are_left_over_mcp_either(tmp_path: Path) -> None:
    asked = samples(tmp_path, times=3, searches=2)
    for sample in asked:
        assert sample.output.completion == NONE_LEFT
        assert len(sample.store[SEARCHES]) == 2


def test_after_its_reply_a_row_can_be_searched_no_more(tmp_path: Path) -> None:
    [*_, sample] = samples(tmp_path, times=1)
    address = sample.store[SEARCH_ADDRESS]
    assert anyio.run(found, address, "ferry", 1) == [OVER]
    assert len(sample.store[SEARCHES]) == 1


def test_offer_over_mcp_is_a_step_of_runs_that_ask_for_it(tmp_path: Path) -> None:
    for asked in (True, False):
        log = searched(tmp_path, solver=always_refuse(), limit=1, mcp=asked)
        steps = [step.solver.rpartition("/")[2] for step in log.plan.steps]
        assert ("offer_over_mcp" in steps) is asked


def test_without_the_argument_an_address_is_asked_for_in_vain(tmp_path: Path) -> None:
    solver = endpoint(url="http://127.0.0.1:9", request=REQUEST, reply="$.answer")
    (log,) = eval(
        search(data="sample", judge="offline"),
        solver=solver,
        limit=1,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.error is not None
    assert "{{search}} has an address in runs of `search`" in log.error.message
