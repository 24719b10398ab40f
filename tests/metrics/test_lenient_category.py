"""The lenient category score: its rows, worked by hand, and that nothing else knows of it."""

import json
import math
from hashlib import sha256

import pytest

from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.lenient_category import lenient_category
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.metrics.refusal_values import main_rates
from refusalbench_tasks.metrics.sample_facts import SampleFacts
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.taxonomy import Label

M, G, C, A = Label.MISSING, Label.GRANULARITY, Label.CONTRADICTORY, Label.ANSWER


def row(predicted: Label | None, *accepted: Label) -> RefusalRow:
    return RefusalRow(outcome=Outcome(M, predicted, None, "s"), facts=SampleFacts(accepted=accepted))


ROWS = [row(M, G), row(G, G), row(C, G), row(C, G, C), row(A, G), row(None, G), row(G), row(M)]


def test_a_second_code_counts_on_the_rows_that_name_one() -> None:
    # refused with alternatives: M, G, C, C; gold: 1 of 4; gold or accepted: M, G and the second C: 3 of 4
    assert lenient_category(ROWS) == {
        "category_accuracy_lenient": 3 / 4,
        "category_accuracy_lenient_strict": 1 / 4,
        "category_accuracy_lenient_n": 4.0,
    }


def test_without_such_rows_there_is_no_score_and_without_refusals_it_is_unknown() -> None:
    assert lenient_category([row(G), row(M)]) == {}
    assert math.isnan(lenient_category([row(A, G)])["category_accuracy_lenient"])


def test_the_other_metrics_stay_as_they_are() -> None:
    with_some = main_rates(RefusalRows(ROWS))
    without = main_rates(RefusalRows(row(one.outcome.predicted) for one in ROWS))
    assert {name: with_some[name] for name in without} == pytest.approx(without, nan_ok=True)
    assert with_some["category_accuracy"] == 2 / 6


def given(codes: object, intensity: str = "HIGH") -> Row:
    values = {
        "query": "q?", "context": "c", "answers": ["a"], "class": "MissingInfo", "intensity": intensity,
        "accepted_alternatives": codes,
    }  # fmt: skip
    return Row("file", "1", values)


def test_rows_carry_the_codes_by_any_of_their_names() -> None:
    (item,) = NQ.items_of([given(["REFUSE_GRANULARITY", "REFUSE_OTHER"])])
    assert item.accepted_alternatives == (G, Label.OTHER)
    assert SampleFacts.of(item.to_sample().metadata or {}).accepted == (G, Label.OTHER)
    (plain,) = NQ.items_of([given([])])
    assert fingerprint([item]) != fingerprint([plain])
    since = {"accepted_alternatives", "answer_type", "pair", "intrinsic", "knobs"}
    before = plain.model_dump(mode="json", exclude={"control", *since})
    line = json.dumps(before, sort_keys=True)
    assert fingerprint([plain]) == sha256(line.encode()).hexdigest()[:16]  # as in logs from before


@pytest.mark.parametrize(("codes", "intensity"), [(["REFUSE_MAYBE"], "HIGH"), (["REFUSE_OTHER"], "LOW")])
def test_what_is_no_code_or_stands_at_an_answerable_row_is_an_error(codes: list[str], intensity: str) -> None:
    with pytest.raises(DataError, match="accepted_alternatives"):
        NQ.items_of([given(codes, intensity)])
