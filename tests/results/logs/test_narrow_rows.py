"""Rows are made of some members of a summary: no other is read, and they are those of the whole summary."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import from_json

from refusalbench_tasks.metrics import hedging_row, refusal_rows
from refusalbench_tasks.metrics.sample_facts import FACTS, SampleFacts
from refusalbench_tasks.metrics.scored_row import Scored
from refusalbench_tasks.results.logs import stored
from refusalbench_tasks.results.logs.run import read_run
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import hedging_sample, row, write_log


class Noted(Mapping[str, Any]):
    """A mapping that notes which names it was asked for."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values_of, self.asked = values, set[str]()

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return self.values_of[name]

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("all names were asked for")

    def __len__(self) -> int:
        return len(self.values_of)


NUMBERS = {
    "right": 1.0, "unscored": 0.0, "grade": math.nan, "hedges": 1.0, "words": 2.0, "refused": 0.0, "hedge_strength": 1.0
}  # fmt: skip
FACTS_OF_ROW = {"source_id": "s", "expected": Label.ANSWER.value, "arm": "clear"}


@pytest.mark.parametrize(
    ("read", "row_of"),
    [(refusal_rows.READ, refusal_rows.refusal_row), (hedging_row.READ, hedging_row.hedging_row)],
    ids=["refusal", "hedging"],
)
def test_a_row_reads_the_names_that_it_says_and_no_others(read: Any, row_of: Any) -> None:
    facts, notes = Noted(FACTS_OF_ROW), Noted({"word_lists": {"hedges": "v2"}})
    row_of(facts, Scored(NUMBERS, Label.ANSWER.value, None, notes))
    assert (facts.asked, notes.asked) == (set(read[0]), set(read[1]))


def test_the_facts_of_a_sample_without_a_score_read_theirs() -> None:
    facts = Noted(FACTS_OF_ROW)
    SampleFacts.of(facts)
    assert facts.asked == set(FACTS)


def test_rows_are_those_of_whole_summaries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [
        row("1", Label.ANSWER, lever='a ":NaN, b', knobs={"hops": 2}, pair="p"),
        row("2", None),
        row("3", Label.MISSING),
    ]
    write_log(tmp_path, "m", samples)
    pairs = [hedging_sample("q", "clear"), hedging_sample("q", "ambiguous", correctness=0.2)]
    write_log(tmp_path, "n", pairs, "bluff", "hedging_scores")
    logs = sorted(map(str, tmp_path.glob("*.eval")))

    def told() -> list[str]:
        # NaN is equal to nothing, and is told alike
        return [repr((list(run.rows.items()), run.lost)) for name in logs if (run := read_run(name))]

    narrow = told()
    assert len(narrow) == 2
    monkeypatch.setattr(stored, "narrow_parser", lambda _: from_json)
    assert narrow == told()
