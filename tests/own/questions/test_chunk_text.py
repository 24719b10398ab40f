"""A chunk as models see it, and where words of a model stand in it."""

from refusalbench_tasks.own.questions.chunk_text import heading_of, passage_of, span_of
from tests.own.questions.panel import (
    chunk_of,
)

SULA = chunk_of("Sula")


def test_a_span_stands_letter_by_letter_at_word_ends_whatever_the_white_space() -> None:
    assert span_of("She carries\n  180 passengers.", "carries 180") == (4, 17)
    assert span_of("It is 1800, not 180.", "180") == (16, 19)
    assert span_of("at 3.12 or 12", "12") == (11, 13)
    assert span_of("She Carries", "carries") is None
    assert span_of("古い水車がある。", "水車") == (2, 4)
    assert span_of("text", "  ") is None


def test_a_passage_stands_under_its_title_and_headings() -> None:
    chunk = SULA.model_copy(
        update={"title": "Fleet\nlist", "headings": ("Fleet list", "Sula")}
    )
    assert heading_of(chunk) == "Fleet list > Sula"
    assert passage_of(chunk) == f"Fleet list > Sula\n\n{chunk.text}"
    bare = SULA.model_copy(update={"title": "", "headings": ()})
    assert passage_of(bare) == bare.text
