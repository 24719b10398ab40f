"""Rows as a page that people read."""

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

WIDTH = 100


def specimens(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows of one or ten passages as a Markdown page: question, label, gold answers, passages as they stand."""
    head = "# Items of worlds\n\nWritten by `refusalbench_tasks.worlds.specimens`.\nFour rows in turn are one quad."
    return "\n\n".join([head, *map(_specimen, rows)]) + "\n"


def _specimen(row: Mapping[str, Any]) -> str:
    question = row.get("perturbed_query") or row["query"]
    passages = [one["text"] for one in row.get("grounding") or [{"text": row["perturbed_context"]}]]
    facts = (
        f"| {row['perturbation_class']} {row['intensity']} | {row['lever_selected']} | {row['domain']} "
        f"| `{row['expected_rag_behavior']}` | {'; '.join(row['original_answers'])} |"
    )
    return "\n".join(
        (
            f"## {row['id']}",
            "",
            "| class | lever | domain | right | gold answer of the answerable row |",
            "|---|---|---|---|---|",
            facts,
            "",
            "```text",
            _wrapped(question),
            *(f"\n{_wrapped(passage)}" for passage in passages),
            "```",
        )
    )


def _wrapped(text: str) -> str:
    return "\n".join(
        "\n".join(textwrap.wrap(line, WIDTH)) if not line.startswith("|") else line for line in text.splitlines()
    )
