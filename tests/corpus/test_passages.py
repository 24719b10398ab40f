"""What each row sees of a corpus that many rows share."""

import pytest

from refusalbench_tasks.corpus.passage_id import passage_id
from refusalbench_tasks.corpus.passages import Corpus, CorpusPassage

MILL = "The mill at Aldersea was built in 1902."
KILN = "The kiln at Aldersea was built in 1911."
OATS = "Oats grow on the slope."
EVERYTHING = "mill kiln oats"


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.of(
        [
            CorpusPassage(MILL, "mill", original=True),
            CorpusPassage(KILN, "kiln", original=True),
            CorpusPassage(OATS, "mill"),
            CorpusPassage(MILL, "mill", original=True),
        ]
    )


def test_a_row_sees_its_own_passage_in_place_of_its_sources(corpus: Corpus) -> None:
    perturbed = "The mill at Aldersea is old."
    row = corpus.view("mill", [perturbed])
    assert set(row.nearest(EVERYTHING, 9)) == {perturbed, KILN, OATS}
    assert row.nearest("mill", 5) == [perturbed]
    assert MILL not in row.nearest("built Aldersea 1902", 5)


def test_every_other_row_sees_the_original(corpus: Corpus) -> None:
    row = corpus.view("kiln", [KILN])
    assert set(row.nearest(EVERYTHING, 9)) == {KILN, MILL, OATS}
    assert row.nearest("mill", 5) == [MILL]


def test_what_is_left_out_of_a_row_is_not_found_by_it(corpus: Corpus) -> None:
    row = corpus.view("mill", [MILL], left_out=[1])
    assert row.nearest("kiln built", 5) == [MILL]


def test_a_passage_that_is_there_twice_is_shown_once(corpus: Corpus) -> None:
    row = corpus.view("kiln", [KILN, MILL])
    assert row.nearest("built Aldersea", 5) == [KILN, MILL]
    assert row.nearest("built Aldersea", 1) == [KILN]


def test_scores_do_not_depend_on_which_rows_a_run_has(corpus: Corpus) -> None:
    alone = corpus.view("mill", ["A mill, a mill."])
    beside = corpus.view("mill", ["A mill, a mill.", "Nothing."])
    assert alone.nearest("mill", 1) == beside.nearest("mill", 1)


def test_an_id_depends_on_the_text_alone() -> None:
    assert passage_id(MILL) == CorpusPassage(MILL, "elsewhere").id
    assert passage_id(MILL) != passage_id(KILN)
