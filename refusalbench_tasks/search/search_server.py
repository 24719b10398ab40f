"""The tool `search` over MCP, for agents that run outside of Inspect."""

import socket
from dataclasses import dataclass, field
from functools import cache
from threading import Thread
from typing import Any
from uuid import uuid4

from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import Store

from refusalbench_tasks.libraries import library
from refusalbench_tasks.solvers.retrieved import SEARCH_ADDRESS

from .search_tool import RUN_SEARCH, RunSearch, shown_by

OVER = "No question is open here: its reply was given, or it never was."


@dataclass(frozen=True)
class SearchServer:
    """The server of a process: at an address of its own each open sample's search."""

    base: str
    opened: dict[str, tuple[RunSearch, Store]] = field(default_factory=dict)

    def open(self, run: RunSearch, sample: Store) -> str:
        """Return the address at which a sample's corpus is searched until `close`."""
        name = uuid4().hex
        self.opened[name] = (run, sample)
        return f"{self.base}/{name}"

    def close(self, address: str) -> None:
        """End the search at an address: what is sent there later shows nothing."""
        self.opened.pop(address.rpartition("/")[2], None)

    def shown(self, name: str, query: str) -> str:
        """Return what a search of a sample shows, as the tool does."""
        if name not in self.opened:
            return OVER
        run, sample = self.opened[name]
        RUN_SEARCH.set(run)
        return shown_by(query, sample)


@cache
def search_server() -> SearchServer:
    """Return the server of this process, on a free port of this machine: MCP over
    streamable HTTP, in a thread that ends with the process.

    Raises MissingLibrary where mcp is not installed.
    """
    uvicorn = library("uvicorn", extra="search")
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    server = SearchServer(f"http://127.0.0.1:{listening.getsockname()[1]}/search")
    config = uvicorn.Config(_application(server), log_level="error")
    run = uvicorn.Server(config).run
    Thread(target=run, kwargs={"sockets": [listening]}, daemon=True).start()
    return server


@solver
def offer_over_mcp(run: RunSearch) -> Solver:
    """Open a sample's search to applications, and note its address."""
    server = search_server()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.store.set(SEARCH_ADDRESS, server.open(run, state.store))
        return state

    return solve


async def end_offer(state: TaskState) -> None:
    """Close a sample's search to applications, if it was open to them."""
    address = state.store.get(SEARCH_ADDRESS)
    if address:
        search_server().close(address)


def _application(server: SearchServer) -> Any:
    """Return the web application that offers the tool."""
    mcp = library("mcp.server.mcpserver", extra="search")
    offered = mcp.MCPServer("refusalbench", log_level="ERROR")

    # asynchronous, so that searches of a sample come one after another
    async def search(query: str, context: Any) -> str:
        name = context.request_context.request.path_params["sample"]
        return server.shown(name, query)

    search.__annotations__["context"] = mcp.Context
    offered.add_tool(
        search,
        name="search",
        description=(
            "Search the documents. Shows those nearest to your words: a few words that"
            " the document would have."
        ),
    )
    return offered.streamable_http_app(
        streamable_http_path="/search/{sample}",
        stateless_http=True,
        json_response=True,
    )
