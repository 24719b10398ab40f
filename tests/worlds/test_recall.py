"""Sentences that were read before: the next one like it is read alike, with its own name and value."""

import pytest

from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.reader import recall, text
from refusalbench_tasks.worlds.reader.lexicon import lexicon
from refusalbench_tasks.worlds.reader.marking import marker
from refusalbench_tasks.worlds.reader.reading import read_row
from refusalbench_tasks.worlds.statement import Denial, Fact
from refusalbench_tasks.worlds.values import Value


@pytest.fixture(autouse=True)
def nothing_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "_read", {})


def read(sentence: str) -> list[object]:
    words = lexicon("clinics")
    return [*text.read_sentence(marker(words, [sentence]).mark(sentence), words)]


def test_a_sentence_like_one_before_has_its_own_name_and_value() -> None:
    assert read("Elster Clinic opened in 1974.") == [Fact("Elster Clinic", "opened", Value("year", 1974))]
    assert len(recall._read) == 1
    assert read("Lulmost Clinic opened in 1938.") == [Fact("Lulmost Clinic", "opened", Value("year", 1938))]
    assert len(recall._read) == 1


def test_a_denial_is_of_the_thing_that_it_names() -> None:
    for name in ("Elster Clinic", "Lulmost Clinic"):
        assert read(f"{name} never opened.") == [Denial(name, "opened")]


def test_only_what_the_words_decide_is_remembered() -> None:
    read("According to the official gazette, Elster Clinic opened in 1974.")
    assert not recall._read


def test_what_is_looked_up_is_what_would_be_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        (quad.domain, (cell.text.text,), cell.question.text)
        for quad in (make_quad(64, index) for index in range(24))
        for cell in (quad.cells[0], quad.cells[3])
    ]
    looked_up = [read_row(*one) for one in rows]
    assert len(recall._read) > 100
    monkeypatch.setattr(recall.Plain, "recalled", lambda plain: None)
    for known in (read_row.__globals__["_stated"], read_row.__globals__["_asked"]):
        known.cache_clear()
    assert [read_row(*one) for one in rows] == looked_up


def test_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "MOST", 2)
    for said in ("opened in 1974", "never opened", "has been open since 1974"):
        read(f"Elster Clinic {said}.")
    assert [key[1] for key in recall._read] == ["<E0> never opened.", "<E0> has been open since <Y1>."]
