"""The second codes that rows may accept: how data names them."""

import json
from hashlib import sha256

import pytest

from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.datasets.draw import fingerprint
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Label

G = Label.GRANULARITY


def given(codes: object, intensity: str = "HIGH") -> Row:
    values = {
        "query": "q?",
        "context": "c",
        "answers": ["a"],
        "class": "MissingInfo",
        "intensity": intensity,
        "accepted_alternatives": codes,
    }
    return Row("file", "1", values)


def test_rows_carry_the_codes_by_any_of_their_names() -> None:
    (item,) = NQ.items_of([given(["REFUSE_GRANULARITY", "REFUSE_OTHER"])])
    assert item.accepted_alternatives == (G, Label.OTHER)
    assert (item.to_sample().metadata or {})["accepted_alternatives"] == [
        G.value,
        Label.OTHER.value,
    ]
    (plain,) = NQ.items_of([given([])])
    assert fingerprint([item]) != fingerprint([plain])
    since = {"accepted_alternatives", "answer_type", "pair", "intrinsic", "knobs"}
    before = plain.model_dump(mode="json", exclude={"control", "columns", *since})
    line = json.dumps(before, sort_keys=True)
    # as in logs from before
    assert fingerprint([plain]) == sha256(line.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("codes", "intensity"), [(["REFUSE_MAYBE"], "HIGH"), (["REFUSE_OTHER"], "LOW")]
)
def test_what_is_no_code_or_stands_at_an_answerable_row_is_an_error(
    codes: list[str], intensity: str
) -> None:
    with pytest.raises(DataError, match="accepted_alternatives"):
        NQ.items_of([given(codes, intensity)])
