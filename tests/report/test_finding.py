"""What a run is said to do: each claim only where its interval supports it."""

import numpy as np
import pytest

from refusalbench_tasks.report.finding import Confusion, hedging_sentence, most_confused, refusal_sentence
from refusalbench_tasks.report.value import NAN, Value
from refusalbench_tasks.taxonomy import Label

LABELS = list(Label)
CONFUSED = Confusion(Label.GRANULARITY, Label.MISSING, 0.31, 50, 0.99)
CATEGORY = Value(0.58, 0.5, 0.66, 90)


def test_a_model_that_over_refuses_is_said_to() -> None:
    # .50 > .20: the intervals are apart; .90 - .60 = .30, MOVER low = .30 - hypot(.10, .10) = .16 > 0
    told = refusal_sentence(Value(0.6, 0.5, 0.7, 72), Value(0.1, 0.05, 0.2, 144), CATEGORY, CONFUSED)
    assert told == (
        "refuses 60 % of answerable rows and answers 10 % of unanswerable rows: over-refuses; names the reason in 58 % "
        "of its due refusals; most confused: granularity → missing (31 % of those rows)."
    )


@pytest.mark.parametrize(
    ("false", "missed", "told"),
    [
        (Value(0.1, 0.05, 0.2), Value(0.5, 0.4, 0.6), "under-refuses"),
        # they overlap between .25 and .35
        (Value(0.2, 0.1, 0.35), Value(0.3, 0.25, 0.4), "which error is the more frequent can't be told"),
        # .5 - .4 = .1, but MOVER low = .1 - hypot(.1, .1) < 0
        (Value(0.4, 0.3, 0.5), Value(0.5, 0.4, 0.6), "no more often than answerable ones, as far as these rows"),
        # .1 - .8 = -.7, high = -.7 + hypot(.1, .1) < 0
        (Value(0.8, 0.7, 0.9), Value(0.9, 0.8, 1.0), "refuses unanswerable rows less often than answerable ones"),
        (Value(0.6), Value(0.1), "too few questions to tell more"),
        (Value(0.6, 0.5, 0.7), Value(NAN), "refuses 60 % of answerable rows; the other error is not known"),
        (Value(NAN), Value(NAN), "neither error is known"),
    ],
)
def test_what_the_intervals_do_not_support_is_not_said(false: Value, missed: Value, told: str) -> None:
    assert told in refusal_sentence(false, missed, CATEGORY, None)


def test_a_share_is_called_none_or_all_only_if_it_is() -> None:
    told = refusal_sentence(Value(0.004, 0, 0.02), Value(1.0, 0.99, 1.0), Value(0.998, 0.99, 1.0), None)
    assert "refuses under 1 % of answerable rows and answers 100 %" in told
    assert "in over 99 % of its due refusals" in told


def test_without_a_due_refusal_no_reason_is_judged() -> None:
    assert "no unanswerable row was refused" in refusal_sentence(Value(0.0), Value(1.0), Value(NAN), None)


def arrays(*pairs: tuple[Label, Label | None, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    gold = [LABELS.index(one) for one, _, n in pairs for _ in range(n)]
    given = [-1 if one is None else LABELS.index(one) for _, one, n in pairs for _ in range(n)]
    return np.array(gold), np.array(given), np.array([f"q{k}" for k in range(len(gold))])


def test_the_most_confused_pair_is_counted_over_the_decided_rows_of_its_label() -> None:
    found = most_confused(
        *arrays(
            (Label.GRANULARITY, Label.MISSING, 30),
            (Label.GRANULARITY, Label.GRANULARITY, 20),
            (Label.GRANULARITY, None, 10),
            (Label.AMBIGUOUS, Label.OTHER, 2),
            (Label.ANSWER, Label.MISSING, 40),  # a false refusal is no wrong code
            (Label.AMBIGUOUS, Label.ANSWER, 40),  # nor is a missed one
        )
    )
    assert found is not None
    assert (found.gold, found.given, found.share, found.n) == (Label.GRANULARITY, Label.MISSING, 0.6, 50)
    assert found.sure == 1.0


def test_two_pairs_of_one_size_are_not_told_apart() -> None:
    found = most_confused(*arrays((Label.GRANULARITY, Label.MISSING, 9), (Label.AMBIGUOUS, Label.OTHER, 9)))
    assert found is not None
    assert 0.2 < found.sure < 0.7
    told = refusal_sentence(Value(0.1, 0.05, 0.2), Value(0.5, 0.4, 0.6), CATEGORY, found)
    assert "which code it confuses most can't be told" in told


def test_one_question_tells_nothing_of_confusions() -> None:
    gold, given, _ = arrays((Label.GRANULARITY, Label.MISSING, 9))
    found = most_confused(gold, given, np.array(["q"] * 9))
    assert found is not None
    assert found.sure == 0.0


def test_without_a_wrong_code_there_is_no_pair() -> None:
    assert most_confused(*arrays((Label.MISSING, Label.MISSING, 3), (Label.ANSWER, Label.MISSING, 3))) is None


@pytest.mark.parametrize(
    ("asi", "null", "p", "told"),
    [
        # an index that excludes 0 is not above what exchanged arms give
        (-0.06, -0.059, 0.89, "whether ambiguous sources make it sound less sure can't be told (p = 0.890)"),
        (0.2, -0.05, 0.0004, "sounds more unsure under ambiguous sources than under clear ones (p < 0.001)"),
        (-0.3, -0.05, 0.01, "sounds less unsure under ambiguous sources"),
        (NAN, NAN, NAN, "its sensitivity to ambiguous sources is not known"),
    ],
)
def test_the_index_is_compared_with_exchanged_arms(asi: float, null: float, p: float, told: str) -> None:
    sentence = hedging_sentence(Value(0.03), Value(0.8), Value(asi), null, p)
    assert sentence.startswith("refuses 3 % under clear sources; 80 % of its answers are right; ")
    assert told in sentence
