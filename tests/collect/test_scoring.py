"""What a score says of a record that was not accepted."""

from typing import Any

from tests.collect.panel import (
    LISTS,
    metrics,
    noted,
    run,
    write,
    writer,
)
from tests.collect.site import Site


def test_every_rejected_record_says_why(site: Site) -> None:
    def no_query(prompt: str) -> dict[str, Any]:
        return (
            {"queries": ["floods in March 2024", "latest news of 2025"]}
            if prompt.startswith(LISTS)
            else write(prompt)
        )

    def invented(prompt: str) -> dict[str, Any]:
        return (
            write(prompt)
            if prompt.startswith(LISTS)
            else write(prompt) | {"answer": "7 tonnes"}
        )

    def nothing(prompt: str) -> Any:
        return "I would rather not."

    cases: list[tuple[Any, dict[str, Any], bool | None, str, str, str]] = [
        (no_query, {}, False, "queries", "no_query", "2 queries, none usable"),
        (nothing, {}, None, "queries", "writer_no_payload", ""),
        (
            write,
            {"trust": "trust.yaml"},
            False,
            "gold_source",
            "no_reliable_page",
            "hits",
        ),
        (
            invented,
            {},
            False,
            "question",
            "answer_not_in_support",
            "answer_not_in_support",
        ),
        (
            write,
            {"trust": "bundled"},
            False,
            "composition",
            "shortfall",
            "ambiguous/unreliable: 0 of 2",
        ),
    ]
    for number, (writes, options, accepted, stage, reason, detail) in enumerate(cases):
        log = run(
            site.engine(), writer(writes), locks=1, logs=f"logs{number}", **options
        )
        (one,) = noted(log)
        assert (one.accepted, one.stage, one.reason) == (accepted, stage, reason)
        assert detail in one.detail
        assert (
            metrics(log)[
                f"{'undecided' if accepted is None else 'rejected'}/{stage}/{reason}"
            ]
            == 1
        )
