"""A record is scored by the readings that the log has, and those that are missing."""

from typing import Any

from inspect_ai import score
from inspect_ai.log import read_eval_log

from refusalbench_tasks.collect.scorer import collection_scores
from tests.collect.panel import (
    metrics,
    noted,
    read,
    reader,
    run,
    writer,
)
from tests.collect.site import Site


def test_missing_readings_alone_are_asked_for_by_inspect_score(site: Site) -> None:
    log = run(
        site.engine(),
        read_by=[reader("a"), reader("b", lambda _: "no verdict")],
        locks=1,
    )
    (one,) = noted(log)
    assert (one.accepted, one.reason, one.stage) == (None, "reader_failed", "panel")
    assert metrics(log)["undecided/panel/reader_failed"] == 1
    # nothing was decided: no rate
    assert metrics(log)["acceptance"] != metrics(log)["acceptance"]
    asked: list[str] = []

    def reread(prompt: str) -> Any:
        asked.append(prompt)
        return read(prompt)

    mended = [reader("a", reread), reader("b")]
    scorer = collection_scores(cache=False)
    roles: Any = {"verifier": mended}
    again = score(
        read_eval_log(log.location),
        scorer,
        model=writer(),
        model_roles=roles,
        display="none",
    )
    (one,) = noted(again)
    assert one.accepted
    assert [each.verifier for each in one.readings] == ["mockllm/a", "mockllm/b"] * 2
    assert len(asked) == 1  # of the clear set a's reading was there
