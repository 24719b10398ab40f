"""A query engine of LlamaIndex itself, where it is installed."""

import asyncio
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from refusalbench_tasks.own.applications.function import function_named

pytest.importorskip("llama_index.core")


def test_a_query_engine_tells_its_reply_and_the_passages_that_it_retrieved(monkeypatch: pytest.MonkeyPatch) -> None:
    engines, schema, response = (
        import_module(f"llama_index.core.{name}") for name in ("query_engine", "schema", "base.response.schema")
    )

    def custom_query(self: Any, query_str: str) -> Any:
        node = schema.NodeWithScore(node=schema.TextNode(text=f"found for {query_str}"), score=0.5)
        return response.Response(response="It opened in 1901.", source_nodes=[node])

    engine = type("Engine", (engines.CustomQueryEngine,), {"custom_query": custom_query})
    module = ModuleType("llama_app")
    module.engine = engine()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "llama_app", module)
    said = asyncio.run(function_named("llama_app:engine").ask("When?", ["the row's own"]))
    assert (said.text, said.passages) == ("It opened in 1901.", ["found for When?"])
