"""Ten passages: nine more name the asked things and do not tell the signal."""

from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.quad_rows import quad_rows
from tests.worlds.conftest import SEED, Row


def test_nine_of_ten_passages_name_the_asked_thing_and_do_not_answer(
    ten_passage_rows: list[Row],
) -> None:
    named = 0
    noise = 0
    longer = 0
    for item in ten_passage_rows:
        (signal,) = item["signal_indices"]
        texts = [one["text"] for one in item["grounding"]]
        assert len(texts) == 10
        quad = make_quad(SEED, int(item["id"].split(".")[2]), DOCUMENTS)
        cell = quad.cells[int(item["id"].split(".")[3])]
        assert texts[signal] == cell.passage.text
        others = texts[:signal] + texts[signal + 1 :]
        named += sum(cell.ask.name in text for text in others)
        noise += len(others)
        longer += sum(len(text.split()) > len(texts[signal].split()) for text in others)
    assert named / noise > 0.8
    # lengths don't tell: the chance that a noise passage is the longer one
    assert 0.4 < longer / noise < 0.6
    assert len({item["signal_indices"][0] for item in ten_passage_rows}) == 10


def test_lengths_of_hard_rows_do_not_tell_the_signal() -> None:
    noise = 0
    longer = 0
    for item in quad_rows(SEED, 0, 480, layout="hard"):
        (signal,) = item["signal_indices"]
        lengths = [len(passage["text"].split()) for passage in item["grounding"]]
        own = lengths.pop(signal)
        noise += len(lengths)
        longer += sum(length > own for length in lengths)
    assert 0.4 < longer / noise < 0.6
