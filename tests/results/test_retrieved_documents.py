"""Which retrieved document a reply rests on."""

from inspect_ai.log import EvalSample

from refusalbench_tasks.results.retrieved_documents import contradicting, rested_on
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
    assert [*made.replies["retrieved_document"].fillna("")] == [
        "Prices 2024",
        "prices.html",
        "Prices 2024",
        "",
    ]
    values = values_of(made, "retrieved_document", "--by")
    assert values == ["Prices 2024", "prices.html"]


def test_a_passage_is_outdated_after_its_last_day_or_beside_a_newer_one() -> None:
    old = {"text": OLD, "source": "prices.html", "valid_until": "2026-01-01"}
    new = {"text": NEW, "source": "prices.html", "valid_until": "2026-12-31"}
    kept = {"text": "Adults pay 7 euro.", "id": "kept.md"}
    samples = []
    for key, passages in (("a", [old]), ("b", [kept]), ("c", [new, kept])):
        paid = passages[0]["text"].rpartition("costs")[2]
        sample = row(key, Label.ANSWER, query=QUESTION, reply=f"It is {paid}")
        sample.store = {"refusalbench_retrieved": passages}
        samples.append(sample)

    def outdated(created: str, *chosen: EvalSample) -> list[str]:
        replies = run(chosen, created=f"{created}T09:00:00+00:00").replies
        assert {*replies["retrieved_document"]} <= {"prices.html", "kept.md"}
        return [*replies["outdated"].fillna("unknown")]

    first, *others = samples
    # the last day counts
    assert outdated("2026-01-01", first) == [""]
    assert outdated("2026-01-02", first) == ["2026-01-01"]
    assert outdated("2026-01-01", *samples) == ["2026-01-01", "unknown", ""]
    # of a passage without a last day nobody knows
    assert outdated("2027-01-01", *others) == ["unknown", "2026-12-31"]
    assert outdated("2027-01-01", others[0]) == ["unknown"]


def test_a_document_with_the_right_number_contradicts_the_copied_one() -> None:
    passages = [NEW, OLD, "The pool is warm."]
    gold = "6.20 euro"
    assert contradicting("It is 5.60 euro.", QUESTION, gold, passages, 1) == NEW
    assert contradicting("It is 6.20 euro.", QUESTION, gold, passages, 0) == ""
    assert contradicting("It is cheap.", QUESTION, gold, passages, 1) == ""
    # nothing retrieved is right, or nothing is a number
    assert contradicting("It is 5.60 euro.", QUESTION, gold, passages[1:], 0) == ""
    assert contradicting("It is 5.60 euro.", QUESTION, "free", passages, 1) == ""
    asked = "What did a ticket cost in 2024?"
    assert contradicting("In 2024 it was free.", asked, gold, passages, 1) == ""
