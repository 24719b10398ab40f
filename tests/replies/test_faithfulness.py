"""Faithfulness by shared words, worked by hand, and as the released evaluator computes
it.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.faithfulness import StopWords, measure_faithfulness
from tests.golden import golden, needs_golden

RIVER = "The river flows south."  # "the" is a stop word
# river flows north | bread needs flour
SOURCES = [
    "River flows north.",
    "Bread needs flour.",
]


def test_worked_by_hand() -> None:
    found = measure_faithfulness(RIVER, SOURCES)
    # {river flows} of {the river flows south north bread needs flour}
    assert found.overlap == pytest.approx(2 / 8)
    # 2 of 3 words that are no stop words in the first source
    assert found.attribution == 1.0
    assert found.hallucination == 0.0
    assert found.grounding == pytest.approx((2 / 5 + 0 / 7) / 2)
    assert found.total == pytest.approx(0.3 * 2 / 8 + 0.2 + 0.3 + 0.2 * 0.2)


def test_common_words_count_in_the_papers_overlap_and_not_in_the_released() -> None:
    assert measure_faithfulness("It is the end", ["it is the"]).overlap == 3 / 4
    assert (
        measure_faithfulness(
            "It is the end", ["it is the start"], "official-code"
        ).overlap
        == 0.0
    )


def test_a_reader_can_replace_attribution_by_words() -> None:
    found = measure_faithfulness(RIVER, SOURCES, supported=[False])
    assert (found.attribution, found.hallucination) == (0.0, 1.0)
    with pytest.raises(ValueError):
        measure_faithfulness(RIVER, SOURCES, supported=[True, False])


def test_nothing_to_measure_is_nan_and_not_a_score() -> None:
    assert math.isnan(measure_faithfulness("", SOURCES).total)
    assert math.isnan(measure_faithfulness("...", SOURCES).total)


@needs_golden
def test_official_code_agrees_with_the_released_evaluator() -> None:
    vectors = golden("faithfulness")
    texts = [doc["text"] for doc in vectors["docs"]]
    for case in vectors["cases"]:
        found = measure_faithfulness(case["prediction"], texts, "official-code")
        assert found.overlap == pytest.approx(case["answer_source_overlap"])
        assert found.attribution == pytest.approx(case["attribution_coverage"])
        assert found.hallucination == pytest.approx(case["hallucination_rate"])
        assert found.grounding == pytest.approx(case["grounding_score"])
        assert found.total == pytest.approx(case["overall_faithfulness"])


@pytest.mark.parametrize(
    ("claim", "specific"),
    [
        ("It rose by 30% there", True),
        ("It rose by 30 % there", False),
        ("It cost $4 there", True),
        ("It took 5 years there", True),
        ("It took 5 Years there", False),
        ("It was in 1987 there", True),
        ("It was in 987 there", False),
        ("It cost much there", False),
    ],
)
def test_official_code_calls_only_specific_claims_hallucinated(
    claim: str, specific: bool
) -> None:
    assert (
        measure_faithfulness(claim, ["nothing at all"], "official-code").hallucination
        == specific
    )


def test_other_stop_words_are_for_both_sides_of_each_measure() -> None:
    stop = StopWords(overlap=frozenset({"red", "fox"}), claims=frozenset({"red"}))
    # overlap: {ran, far} against {slept}; claims: {fox, ran, far} against {fox, slept}
    found = measure_faithfulness(
        "Red fox ran far", ["red fox slept"], "official-code", stop=stop
    )
    assert (found.overlap, found.grounding, found.attribution) == (0.0, 0.0, 1.0)
    # the same with "fox" as a stop word of claims: {ran, far} against {slept}
    both = StopWords(overlap=frozenset(), claims=frozenset({"red", "fox"}))
    found = measure_faithfulness(
        "Red fox ran far", ["red fox slept"], "official-code", stop=both
    )
    assert found.overlap == pytest.approx(1.2 * 2 / 4)
    assert found.attribution == 0.0


@given(
    st.text(),
    st.lists(st.text(), max_size=3),
    st.sampled_from(["paper", "official-code"]),
)
def test_every_share_lies_between_0_and_1(
    answer: str, sources: list[str], protocol: str
) -> None:
    found = measure_faithfulness(answer, sources, protocol)  # type: ignore[arg-type]
    for value in (
        found.overlap,
        found.attribution,
        found.hallucination,
        found.grounding,
        found.total,
    ):
        assert math.isnan(value) or -1e-9 <= value <= 1 + 1e-9


def test_a_claim_needs_a_quarter_of_its_words_in_one_source() -> None:
    claim = "Alpha beta gamma delta."
    assert measure_faithfulness(claim, ["alpha"]).attribution == 1.0
    assert (
        measure_faithfulness(
            claim + " Epsilon zeta eta theta iota.", ["alpha"]
        ).attribution
        == 0.5
    )
    assert (
        measure_faithfulness(
            "Alpha beta gamma delta epsilon.", ["alpha", "beta"]
        ).attribution
        == 0.0
    )
