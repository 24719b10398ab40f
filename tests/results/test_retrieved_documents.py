"""Which retrieved document a reply rests on."""

from refusalbench_tasks.results.retrieved_documents import (
    rested_on,
    retrieved_documents,
)
from refusalbench_tasks.results.slices import values_of
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import row, run

OLD = "Prices 2024\n\nAn adult ticket costs 5.60 euro."
NEW = "Prices 2026\n\nAn adult ticket costs 6.20 euro."
QUESTION = "How much is an adult ticket?"


def test_a_reply_rests_on_the_passage_that_has_its_own_words() -> None:
    assert rested_on("It costs 5.60 euro.", QUESTION, [NEW, OLD]) == 1
    assert rested_on("It costs 6.20 euro.", QUESTION, [NEW, OLD]) == 0
    assert rested_on("I cannot find it.", QUESTION, [NEW, OLD]) is None
    assert rested_on("", QUESTION, []) is None


def test_a_passage_is_called_by_its_rows_document_or_by_its_first_line() -> None:
    samples = []
    for key, reply in (("a", "It costs 5.60 euro."), ("b", "It costs 6.20 euro.")):
        sample = row(
            key,
            Label.ANSWER,
            intensity=Intensity.LOW,
            query=QUESTION,
            passages=["An adult ticket costs 6.20 euro."],
            document="prices.html",
            reply=reply,
        )
        sample.store = {"refusalbench_retrieved": [NEW, OLD]}
        samples.append(sample)
    refused = row("c", Label.OTHER, query=QUESTION, reply="Unknown to me.")
    refused.store = {"refusalbench_retrieved": [OLD, NEW]}
    untold = row("d", Label.OTHER)
    made = run([*samples, refused, untold])
    # a refusal rests on none: it is called by what was found first
    assert retrieved_documents(made.replies) == [
        "Prices 2024",
        "prices.html",
        "Prices 2024",
        None,
    ]
    values = values_of(made, "retrieved_document", "--by")
    assert values == ["Prices 2024", "prices.html"]
